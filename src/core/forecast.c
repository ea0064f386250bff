/* Sets the application's formula beside a run, and splits the difference by another run on `quiet`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/forecast.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

/* A kernel may be at an end of the band of its law (struct kernel_cost). */
static int make_at(struct forecast *forecast, const struct simulation *simulation,
                   const struct forecast_costs *messages, int kernel, int edge, struct sim_error *error)
{
    const struct program *program = &simulation->program;
    int n_kernels = names_count(program->app->kernels);
    struct kernel_cost *kernels = xcalloc((size_t)n_kernels, sizeof *kernels);
    struct forecast_costs costs = *messages;
    costs.kernels = kernels;
    int status = machine_bind_kernels(simulation->machine, program->app->kernels, n_kernels,
                                      placement_sharers(&simulation->placement, simulation->machine), kernels, error);
    if (status == 0) {
        kernels[kernel].edge = edge;
        *forecast = program->app->forecast(program->config, &costs);
    }
    free(kernels);
    return status;
}

int forecast_make(struct forecast *forecast, const struct simulation *simulation, const struct forecast_costs *messages,
                  struct sim_error *error)
{
    if (make_at(forecast, simulation, messages, 0, 0, error) != 0)
        return -1;
    if (!isnan(forecast->computation_s))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, simulation->machine->file, 0,
                         "a kernel costs by the law of a table that has no time above 0 for a call of this routine, or "
                         "other sizes than it");
}

int forecast_make_band(struct forecast_band *band, const struct forecast *forecast, const struct simulation *simulation,
                       const struct forecast_costs *messages, struct sim_error *error)
{
    const char *const *names = simulation->program.app->kernels;
    double squares[2] = {0};
    for (int k = 0; k < names_count(names); k++) {
        if (machine_find_kernel(simulation->machine, names[k])->law == NULL)
            continue;
        for (int end = 0; end < 2; end++) {
            struct forecast made;
            if (make_at(&made, simulation, messages, k, end == 0 ? -1 : 1, error) != 0)
                return -1;
            double off_s = made.computation_s - forecast->computation_s;
            squares[end] += isnan(off_s) ? INFINITY : off_s * off_s;
        }
    }
    band->low_s = fmax(forecast->computation_s - sqrt(squares[0]), 0);
    band->high_s = forecast->computation_s + sqrt(squares[1]);
    return 0;
}

struct forecast_costs forecast_costs_of(const struct machine *machine, double latency_s, double byte_s)
{
    const struct cost_model *costs = &machine->costs;
    return (struct forecast_costs){.latency_s =
                                       latency_s + units_seconds(costs->send_start_ps + costs->receive_start_ps),
                                   .byte_s = byte_s + (double)(costs->send_byte_ps + costs->receive_byte_ps) / 1e12};
}

/* The formula; false where there is none. */
static bool make_forecast(struct forecast *forecast, const struct simulation *simulation)
{
    const struct placement *placement = &simulation->placement;
    const struct program *program = &simulation->program;
    const struct app_spec *app = program->app;
    struct machine *machine = simulation->machine;
    const struct route *route = machine_route(machine, 0, machine->net->n_hosts > 1);
    struct sim_error error;
    if (app->forecast == NULL || machine->costs.message.count > 0 || route == NULL ||
        (placement->ranks_per_host > 1 && placement->n_ranks > 1))
        return false;
    const struct forecast_costs costs =
        forecast_costs_of(machine, units_seconds(route->latency_ps), route->byte_ps / 1e12);
    return forecast_make(forecast, simulation, &costs, &error) == 0;
}

static wide_int ps_of(const struct result *result, const char *group, const char *name)
{
    return measure_number(result_find(result, group, name));
}

/* `quiet` has the measures of the same run without contention and may be the same. */
static void compare(struct result *result, const struct forecast *forecast, const struct result *quiet)
{
    wide_int time = ps_of(result, "", "time_s"), quiet_time = ps_of(quiet, "", "time_s");
    wide_int computed = ps_of(quiet, "critical_path_s", "processing") + ps_of(quiet, "critical_path_s", "memory");
    wide_int computation = (wide_int)rint(forecast->computation_s * 1e12);
    wide_int communication = (wide_int)rint(forecast->communication_s * 1e12);
    wide_int sum = computation + communication;
    result_add_time(result, "", "forecast_s", sum);
    if (sum > 0)
        result_add_ratio(result, "", "forecast_error", (double)time / (double)sum - 1);
    result_add_time(result, "forecast", "time_s", sum);
    result_add_time(result, "forecast", "computation_s", computation);
    result_add_time(result, "forecast", "communication_s", communication);
    result_add_time(result, "forecast", "computation_difference_s", computed - computation);
    result_add_time(result, "forecast", "communication_difference_s", quiet_time - computed - communication);
    result_add_time(result, "forecast", "contention_s", time - quiet_time);
    result_add_count(result, "forecast", "of_another_algorithm", forecast->of_another_algorithm);
}

/* The measures of the same run without contention. */
static int measure_quiet(struct result *result, const struct simulation *original, struct sim_error *error)
{
    struct simulation simulation = *original;
    struct kernel_stats stats = {0};
    simulation.network = &network_quiet;
    simulation.details = 0;
    simulation.program.collectives.autotune = NULL; /* they are of the other network */
    return simulation_measure(result, &stats, &simulation, 0, NULL, error);
}

int forecast_add(struct result *result, const struct simulation *simulation, struct sim_error *error)
{
    struct forecast forecast;
    struct result quiet;
    if (!make_forecast(&forecast, simulation))
        return 0;
    if (simulation->network == &network_quiet) {
        compare(result, &forecast, result);
        return 0;
    }
    result_init(&quiet);
    int status = measure_quiet(&quiet, simulation, error);
    if (status == 0)
        compare(result, &forecast, &quiet);
    result_dispose(&quiet);
    return status;
}
