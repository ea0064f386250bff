/* FAST: what a parallel routine takes on a grid of processes, by its formula, a constant delay, LogP and Amdahl's law.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/fast_internal.h"

#include "core/forecast.h"
#include "core/memory.h"
#include "core/simrun_internal.h"
#include "sim/kernel/extent.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct parallel_routine parallel_routines[] = {
    {"pdgemm", 3, {"m", "n", "k"}},
    {"pdtrsm", 2, {"m", "n"}},
    {.name = NULL},
};

const struct parallel_routine *find_parallel_routine(const char *name)
{
    for (int i = 0; name != NULL && parallel_routines[i].name != NULL; i++)
        if (strcmp(parallel_routines[i].name, name) == 0)
            return &parallel_routines[i];
    return NULL;
}

/* ---- The call as a simulation ---- */

enum { MOST_SETTINGS = 64, OWN_SETTINGS = 5, SETTING_SIZE = 48 };

struct settings {
    const char *items[MOST_SETTINGS + 1];
    char texts[OWN_SETTINGS][SETTING_SIZE];
    int count;
};

static int check_parallel(const struct parallel_routine *routine, const struct fast_call *call, struct sim_error *error)
{
    static const char *const words[] = {
        [2] = "2 dimensions (m n), or one for both", [3] = "3 dimensions (m n k), or one for all"};
    int count = count_dimensions(call);
    if (count != 1 && count != routine->n_dimensions)
        return refuse_dimensions(call, words[routine->n_dimensions], error);
    if (call->rows < 1 || call->columns < 1 || call->rows > INT_MAX / call->columns)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "a grid of %dx%d processes; allowed: 1x1 and more",
                             call->rows, call->columns);
    return check_range(call, error);
}

/* True if two settings are of the same parameter. */
static bool is_same_parameter(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return length == strcspn(b, "=") && memcmp(a, b, length) == 0;
}

static int add_settings(struct settings *settings, const struct fast_call *call, struct sim_error *error)
{
    int n_own = settings->count;
    for (int i = 0; call->settings != NULL && call->settings[i] != NULL; i++) {
        for (int own = 0; own < n_own; own++)
            if (is_same_parameter(settings->items[own], call->settings[i]))
                return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                     "'%.60s' is already set by the grid and the dimensions of the call",
                                     call->settings[i]);
        if (settings->count == MOST_SETTINGS)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "more than %d settings", MOST_SETTINGS - OWN_SETTINGS);
        settings->items[settings->count++] = call->settings[i];
    }
    settings->items[settings->count] = NULL;
    return 0;
}

/* Ranks, grid and dimensions, and behind them what the call sets itself. */
static int make_settings(struct settings *settings, const struct parallel_routine *routine,
                         const struct fast_call *call, struct sim_error *error)
{
    const int64_t given[] = {call->m, call->n, call->k};
    bool is_one_for_all = count_dimensions(call) == 1;
    snprintf(settings->texts[0], SETTING_SIZE, "ranks=%d", call->rows * call->columns);
    snprintf(settings->texts[1], SETTING_SIZE, "grid=%dx%d", call->rows, call->columns);
    for (int d = 0; d < routine->n_dimensions; d++)
        snprintf(settings->texts[2 + d], SETTING_SIZE, "%s=%lld", routine->dimensions[d],
                 (long long)given[is_one_for_all ? 0 : d]);
    settings->count = 2 + routine->n_dimensions;
    for (int i = 0; i < settings->count; i++)
        settings->items[i] = settings->texts[i];
    return add_settings(settings, call, error);
}

/* Refuse parameters that change the machine in a way that the formula knows nothing of. */
static int check_machine(const struct simulation *simulation, const struct fast *fast, struct sim_error *error)
{
    const struct placement *placement = &simulation->placement;
    if (simulation->machine != fast->machine)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'topology': forecasts use the topology of the platform; allowed: auto");
    if (placement->ranks_per_host > 1 && placement->n_ranks > 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'ranks_per_host': the formula does not cover ranks that share a host; "
                             "allowed: 1");
    return 0;
}

/* A grid that is too large for the platform: here its ranks cannot share hosts, as they could elsewhere. */
static int fail_open(const struct fast *fast, const struct fast_call *call, struct sim_error *error)
{
    int64_t n_processes = (int64_t)call->rows * call->columns;
    if (n_processes <= fast->machine->net->n_hosts || strncmp(error->message, "parameter 'ranks'", 17) != 0)
        return -1;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "a grid of %dx%d processes needs %lld hosts, one for each process; %s has %d", call->rows,
                         call->columns, (long long)n_processes, fast->machine->name, fast->machine->net->n_hosts);
}

static int open_call(struct simrun **opened, struct fast *fast, const struct fast_call *call, struct sim_error *error)
{
    const struct parallel_routine *routine = find_parallel_routine(call->routine);
    struct settings settings;
    if (routine == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%.60s' is not a parallel routine; known: pdgemm pdtrsm",
                             call->routine != NULL ? call->routine : "");
    if (check_parallel(routine, call, error) != 0 || make_settings(&settings, routine, call, error) != 0)
        return -1;
    if (simrun_open(opened, fast->machine, routine->name, settings.items, error) != 0)
        return fail_open(fast, call, error);
    if (check_machine(opened_simulation(*opened), fast, error) == 0)
        return 0;
    simrun_close(*opened);
    return -1;
}

/* ---- What is measured ---- */

/* The worst of hosts and of links from the first one; of links that nothing is measured of, the first alone counts. */
struct sensed {
    struct fast_value availability, latency, bandwidth;
};

static int sense_host(struct sensed *sensed, struct fast *fast, int first, int host, struct sim_error *error)
{
    struct fast_value availability, latency, bandwidth;
    if (sense_resource(&availability, fast, FAST_AVAILABILITY, host, host, error) != 0 ||
        sense_resource(&latency, fast, FAST_LATENCY, first, host, error) != 0 ||
        sense_resource(&bandwidth, fast, FAST_BANDWIDTH, first, host, error) != 0)
        return -1;
    sensed->availability.expected = fmin(sensed->availability.expected, availability.expected);
    if (latency.n_series > 0)
        sensed->latency.expected = fmax(sensed->latency.expected, latency.expected);
    if (bandwidth.n_series > 0)
        sensed->bandwidth.expected = fmin(sensed->bandwidth.expected, bandwidth.expected);
    return 0;
}

static int sense_all(struct sensed *sensed, struct fast *fast, const struct simulation *simulation, int n_processes,
                     struct sim_error *error)
{
    const struct placement *placement = &simulation->placement;
    int second = fast->machine->net->n_hosts > 1, first = placement_host(placement, 0);
    *sensed = (struct sensed){.availability = {.best = 1, .expected = 1}};
    if (sense_resource(&sensed->latency, fast, FAST_LATENCY, 0, second, error) != 0 ||
        sense_resource(&sensed->bandwidth, fast, FAST_BANDWIDTH, 0, second, error) != 0)
        return -1;
    for (int rank = 0; rank < n_processes; rank++)
        if (sense_host(sensed, fast, first, placement_host(placement, rank), error) != 0)
            return -1;
    return 0;
}

/* ---- The formula, and the models beside it ---- */

/* Prices messages in LogP, and remembers the longest. */
struct pricing {
    const struct fast *fast;
    const struct route *route;
    struct network_state state;
    double longest_bytes;
};

static double logp_message_s(void *self, double bytes)
{
    struct pricing *pricing = self;
    const struct fast_logp logp = logp_of_message(pricing->fast, pricing->route, bytes, pricing->state);
    pricing->longest_bytes = fmax(pricing->longest_bytes, bytes);
    return 2 * logp.overhead_s + logp.latency_s + logp.gap_byte_s * bytes;
}

static int add_formula(struct fast_forecast *forecast, const struct simulation *simulation, const struct sensed *sensed,
                       struct sim_error *error)
{
    const struct machine *machine = simulation->machine;
    const struct forecast_costs best = forecast_costs_of(machine, sensed->latency.best, 1 / sensed->bandwidth.best);
    const struct forecast_costs now =
        forecast_costs_of(machine, sensed->latency.expected, 1 / sensed->bandwidth.expected);
    struct forecast made_best, made;
    if (forecast_make(&made_best, simulation, &best, error) != 0 || forecast_make(&made, simulation, &now, error) != 0)
        return -1;
    struct forecast_band band;
    if (forecast_make_band(&band, &made, simulation, &now, error) != 0)
        return -1;
    forecast->low_s = band.low_s / sensed->availability.expected + made.communication_s;
    forecast->high_s = band.high_s / sensed->availability.expected + made.communication_s;
    forecast->best_s = made_best.computation_s + made_best.communication_s;
    forecast->computation_s = made.computation_s / sensed->availability.expected;
    forecast->communication_s = made.communication_s;
    forecast->time_s = forecast->computation_s + forecast->communication_s;
    forecast->unreceived_s = made.unreceived_s;
    forecast->of_another_algorithm = made.of_another_algorithm;
    forecast->availability = sensed->availability.expected;
    forecast->latency_s = now.latency_s;
    forecast->bandwidth_Bps = 1 / now.byte_s;
    return 0;
}

/* Each message costs the latency that the formula has been made with (Rayward-Smith 1987). */
static int add_delay(struct fast_forecast *forecast, const struct simulation *simulation, struct sim_error *error)
{
    const struct forecast_costs costs = {.latency_s = forecast->latency_s};
    struct forecast made;
    if (forecast_make(&made, simulation, &costs, error) != 0)
        return -1;
    forecast->delay_s = forecast->computation_s + made.communication_s;
    return 0;
}

/* Messages cost what LogP says of the first link. */
static int add_logp(struct fast_forecast *forecast, struct fast *fast, const struct simulation *simulation,
                    const struct sensed *sensed, struct sim_error *error)
{
    struct pricing pricing = {.fast = fast,
                              .route = find_fast_route(fast, 0, fast->machine->net->n_hosts > 1, error),
                              .state = network_state_of(&sensed->latency, &sensed->bandwidth, FAST_AS_EXPECTED)};
    const struct forecast_costs costs = {.message_s = logp_message_s, .self = &pricing};
    struct forecast made;
    if (pricing.route == NULL || forecast_make(&made, simulation, &costs, error) != 0)
        return -1;
    forecast->logp_s = forecast->computation_s + made.communication_s;
    if (check_fits(fast, pricing.route, pricing.longest_bytes, error) != 0)
        return -1;
    if (made.communication_s > 0)
        forecast->logp = logp_of_message(fast, pricing.route, pricing.longest_bytes, pricing.state);
    return 0;
}

/* Amdahl's law of what the formula says of one process. */
static int add_amdahl(struct fast_forecast *forecast, const struct simrun *opened, int n_processes,
                      struct sim_error *error)
{
    static const struct forecast_costs no_messages = {.latency_s = 0};
    struct simulation alone;
    struct forecast made;
    if (opened_on_one_rank(&alone, opened, error) != 0)
        return -1;
    int status = forecast_make(&made, &alone, &no_messages, error);
    simulation_dispose(&alone);
    if (status != 0)
        return -1;
    double share = made.computation_s > 0 ? made.serial_s / made.computation_s : 0;
    forecast->one_process_s = made.computation_s;
    forecast->serial_share = share;
    forecast->amdahl_s = made.computation_s * (share + (1 - share) / n_processes) / forecast->availability;
    return 0;
}

static int add_all(struct fast_forecast *forecast, struct fast *fast, const struct simrun *opened, int n_processes,
                   struct sim_error *error)
{
    const struct simulation *simulation = opened_simulation(opened);
    struct sensed sensed;
    struct memory_use use;
    if (sense_all(&sensed, fast, simulation, n_processes, error) != 0 ||
        add_formula(forecast, simulation, &sensed, error) != 0 || add_delay(forecast, simulation, error) != 0 ||
        add_logp(forecast, fast, simulation, &sensed, error) != 0 ||
        add_amdahl(forecast, opened, n_processes, error) != 0)
        return -1;
    forecast->logp.processes = n_processes;
    const struct kernel_run run = simulation_kernel_run(simulation);
    forecast->messages = extent_messages(&run);
    forecast->network = simulation->network->name;
    bool known = memory_find_most(&use, &simulation->program, &simulation->placement) == 0;
    forecast->memory_bytes = known ? (double)use.bytes : NAN;
    return 0;
}

int fast_parallel(struct fast_forecast *forecast, struct fast *fast, const struct fast_call *call,
                  struct sim_error *error)
{
    struct fast_forecast made = {.time_s = 0};
    struct simrun *opened;
    if (open_call(&opened, fast, call, error) != 0)
        return -1;
    int status = add_all(&made, fast, opened, call->rows * call->columns, error);
    simrun_close(opened);
    if (status == 0)
        *forecast = made;
    return status;
}

int fast_simulate(double *time_s, struct fast *fast, const struct fast_call *call, struct sim_error *error)
{
    struct simrun *opened;
    int64_t end_ps;
    if (open_call(&opened, fast, call, error) != 0)
        return -1;
    int status = simulation_time(&end_ps, opened_simulation(opened), error);
    simrun_close(opened);
    if (status == 0)
        *time_s = units_seconds(end_ps);
    return status;
}
