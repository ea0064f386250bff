/* Bands of a run by the laws of its costs: counts calls, asks by how much the run depends on each kernel, and combines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost_band.h"

#include "base/map.h"
#include "base/memory.h"
#include "sim/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel is scaled by what it may be off, but neither by so little that rounding tells, nor by so much that it is
 * another run. */
#define LEAST_STEP 0.01
#define MOST_STEP 0.3

enum { IN_RUN, IN_SEQUENTIAL, N_RUNS };

/* Calls of a kernel with the same sizes, in each of the runs. */
struct calls {
    int kernel;
    struct law_call call;
    double count[N_RUNS];
};

struct band {
    const struct simulation *simulation;
    struct kernel_cost *kernels; /* of the program */
    int n_kernels;
    struct map places;
    struct calls *calls;
    size_t n_calls, capacity;
    int64_t end_ps[N_RUNS];
    double low[2], high[2]; /* squares of relative deviations: of enum of_what */
};
enum of_what { OF_TIME, OF_SPEEDUP };

static int open_band(struct band *band, const struct simulation *simulation, struct sim_error *error)
{
    const char *const *names = simulation->program.app->kernels;
    *band = (struct band){.simulation = simulation, .n_kernels = names_count(names)};
    band->kernels = xcalloc((size_t)band->n_kernels + 1, sizeof *band->kernels);
    return machine_bind_kernels(simulation->machine, names, band->n_kernels,
                                placement_sharers(&simulation->placement, simulation->machine), band->kernels, error);
}

static void close_band(struct band *band)
{
    map_dispose(&band->places);
    free(band->calls);
    free(band->kernels);
}

bool cost_band_is_there(const struct simulation *simulation)
{
    const char *const *names = simulation->program.app->kernels;
    for (int i = 0; i < names_count(names); i++) {
        const struct kernel_cost *cost = machine_find_kernel(simulation->machine, names[i]);
        if (cost != NULL && cost->law != NULL)
            return true;
    }
    return false;
}

/* ---- Runs ---- */

/* A run in which calls are counted. */
struct counting {
    struct band *band;
    int which;
};

static void forget_calls(void *self)
{
    const struct counting *counting = self;
    for (size_t i = 0; i < counting->band->n_calls; i++)
        counting->band->calls[i].count[counting->which] = 0;
}

static struct calls *find_calls(struct band *band, int kernel, const struct law_call *call)
{
    const int64_t *sizes = call->sizes;
    struct map_key key = {(uint64_t)kernel << 32 | (uint64_t)sizes[LAW_M],
                          (uint64_t)sizes[LAW_N] << 32 | (uint64_t)sizes[LAW_K]};
    if (sizes[LAW_ITERATIONS] > 0)
        key.low = (uint64_t)sizes[LAW_ITERATIONS];
    struct map_entry *entry = map_add(&band->places, key);
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)band->n_calls;
        band->calls = xgrow(band->calls, band->n_calls, &band->capacity, sizeof *band->calls);
        band->calls[band->n_calls++] = (struct calls){.kernel = kernel, .call = *call};
    }
    return &band->calls[entry->index];
}

static void count(const void *data, int processor, int64_t step, const struct op *op, int64_t *work_ps)
{
    (void)processor, (void)step, (void)work_ps;
    const struct counting *counting = data;
    if (op->kind != OP_COMPUTE || counting->band->kernels[op->kernel].law == NULL)
        return;
    const struct law_call call = law_call(op->times, op->m, op->n, op->k);
    find_calls(counting->band, op->kernel, &call)->count[counting->which] +=
        call.sizes[LAW_ITERATIONS] > 0 ? 1 : (double)op->times;
}

struct scaling {
    int kernel;
    double factor;
};

static void scale(const void *data, int processor, int64_t step, const struct op *op, int64_t *work_ps)
{
    (void)processor, (void)step;
    const struct scaling *scaling = data;
    if (op->kind != OP_COMPUTE || op->kernel != scaling->kernel)
        return;
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        work_ps[c] = llround((double)work_ps[c] * scaling->factor);
}

static int simulate(int64_t *end_ps, const struct simulation *simulation, const struct work_change *change,
                    void (*restart)(void *restarted), void *restarted, struct sim_error *error)
{
    struct kernel_stats stats;
    struct kernel_run run = simulation_kernel_run(simulation);
    run.without_receipts = true;
    run.change = change;
    run.restart = restart;
    run.restarted = restarted;
    int status = simulate_run(&stats, &run, error);
    if (status == 0)
        *end_ps = stats.end_ps;
    return status;
}

static int count_calls(struct band *band, const struct simulation *simulation, int which, struct sim_error *error)
{
    struct counting counting = {band, which};
    const struct work_change change = {.apply = count, .data = &counting};
    return simulate(&band->end_ps[which], simulation, &change, forget_calls, &counting, error);
}

static int time_scaled(double *time, const struct band *band, int kernel, double factor, struct sim_error *error)
{
    const struct scaling scaling = {kernel, factor};
    const struct work_change change = {.apply = scale, .data = &scaling};
    int64_t end_ps = 0;
    int status = simulate(&end_ps, band->simulation, &change, NULL, NULL, error);
    *time = (double)end_ps / (double)band->end_ps[IN_RUN];
    return status;
}

/* ---- Kernels ---- */

/* The sum of a kernel's law over its calls, each as often as these weights say. */
static struct regression_sum sum_calls(const struct band *band, int kernel, double of_run, double of_sequential)
{
    const struct kernel_law *law = band->kernels[kernel].law;
    struct regression_place *places = xcalloc(band->n_calls + 1, sizeof *places);
    size_t n = 0;
    for (size_t i = 0; i < band->n_calls; i++) {
        const struct calls *calls = &band->calls[i];
        double weight = of_run * calls->count[IN_RUN] + of_sequential * calls->count[IN_SEQUENTIAL];
        if (calls->kernel == kernel && weight != 0)
            places[n++] = law_place(law, &calls->call, weight);
    }
    struct regression_sum sum = regression_sum(&law->model, places, n);
    free(places);
    return sum;
}

static void add_row(struct result_table *table, const struct band *band, int kernel,
                    const struct regression_sum *time_s)
{
    const struct kernel_cost *cost = &band->kernels[kernel];
    char law[300];
    double calls = 0, outside_s = 0;
    for (size_t i = 0; i < band->n_calls; i++) {
        const struct calls *own = &band->calls[i];
        if (own->kernel != kernel)
            continue;
        calls += own->count[IN_RUN];
        if (law_is_outside(cost->law, &own->call))
            outside_s += own->count[IN_RUN] * law_value_s(cost->law, &own->call, 0);
    }
    law_format(law, sizeof law, cost->law);
    *result_add_costs(table) = (struct costs_row){.kernel = result_name(cost->name),
                                                  .table = result_name(cost->law->table),
                                                  .law = result_name(law),
                                                  .calls = (int64_t)calls,
                                                  .time_s = time_s->value,
                                                  .low_s = fmax(time_s->low, 0),
                                                  .high_s = time_s->high,
                                                  .extrapolated = outside_s / time_s->value,
                                                  .doubt = result_name(law_doubt(cost->law))};
}

static double step_of(double deviation)
{
    return deviation > LEAST_STEP ? fmin(deviation, MOST_STEP) : LEAST_STEP;
}

/* Add what a relative deviation of value means. */
static void add_deviation(struct band *band, enum of_what what, double low, double high)
{
    band->low[what] += fmin(low, high) * fmin(low, high);
    band->high[what] += fmax(low, high) * fmax(low, high);
}

static int add_kernel(struct band *band, int kernel, struct result_table *table, bool has_sequential,
                      struct sim_error *error)
{
    struct regression_sum time_s = sum_calls(band, kernel, 1, 0);
    double faster, slower;
    if (!(time_s.value > 0))
        return 0;
    add_row(table, band, kernel, &time_s);
    double low = fmin(time_s.value - time_s.low, time_s.value) / time_s.value, high = time_s.high / time_s.value - 1;
    double below = step_of(low), above = step_of(high);
    if (time_scaled(&faster, band, kernel, 1 - below, error) != 0 ||
        time_scaled(&slower, band, kernel, 1 + above, error) != 0)
        return -1;
    double share = (slower - faster) / (below + above);
    add_deviation(band, OF_TIME, -share * low, share * high);
    if (!has_sequential)
        return 0;
    struct regression_sum speedup =
        sum_calls(band, kernel, -share / time_s.value, 1e12 / (double)band->end_ps[IN_SEQUENTIAL]);
    add_deviation(band, OF_SPEEDUP, speedup.low - speedup.value, speedup.high - speedup.value);
    return 0;
}

/* ---- The answer ---- */

static void add_ends(struct result *result, const struct band *band, enum measure_id id, enum of_what what)
{
    static const char *const names[][2] = {[M_TIME] = {"time_low_s", "time_high_s"},
                                           [M_SPEEDUP] = {"speedup_low", "speedup_high"},
                                           [M_EFFICIENCY] = {"efficiency_low", "efficiency_high"}};
    const struct measure *measure = result_get(result, id);
    double ends[2] = {-sqrt(band->low[what]), sqrt(band->high[what])};
    if (measure == NULL || !isfinite(ends[0]) || !isfinite(ends[1]))
        return;
    double value = measure_value(measure);
    for (int end = 0; end < 2; end++)
        if (id == M_TIME)
            result_add_time(result, "cost_band", names[id][end],
                            (wide_int)rint(1e12 * fmax(value * (1 + ends[end]), 0)));
        else
            result_add_ratio(result, "cost_band", names[id][end], value * exp(ends[end]));
}

static int add_all(struct result *result, struct band *band, const struct simulation *sequential,
                   struct sim_error *error)
{
    if (count_calls(band, band->simulation, IN_RUN, error) != 0 ||
        (sequential != NULL && count_calls(band, sequential, IN_SEQUENTIAL, error) != 0))
        return -1;
    struct result_table *table = result_add_table(result, TABLE_COSTS);
    for (int k = 0; k < band->n_kernels; k++)
        if (band->kernels[k].law != NULL && add_kernel(band, k, table, sequential != NULL, error) != 0)
            return -1;
    add_ends(result, band, M_TIME, OF_TIME);
    if (sequential != NULL) {
        add_ends(result, band, M_SPEEDUP, OF_SPEEDUP);
        add_ends(result, band, M_EFFICIENCY, OF_SPEEDUP);
    }
    return 0;
}

int cost_band_add(struct result *result, const struct simulation *simulation, const struct simulation *sequential,
                  struct sim_error *error)
{
    struct band band;
    if (!cost_band_is_there(simulation))
        return 0;
    int status = open_band(&band, simulation, error);
    if (status == 0)
        status = add_all(result, &band, sequential, error);
    close_band(&band);
    return status;
}
