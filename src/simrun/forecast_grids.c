/* simrun forecast: the time of a parallel routine on a grid of processes, and the best grid.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/forecast_grids.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Grids are simulated, the best by the formula first, as long as that takes about ten seconds in all. */
enum { MOST_SIMULATED = 128 };
static const double most_messages = 5e7;

/* ---- Asked ---- */

static struct fast_call call_on(const struct answer *answer, const struct grid *grid)
{
    struct fast_call call = answer->query->call;
    call.settings = answer->query->settings;
    call.rows = grid->rows;
    call.columns = grid->columns;
    return call;
}

/* All grids of up to so many processes, as far as there are hosts. */
static void list_grids(struct answer *answer)
{
    int most = answer->query->n_processes, n_hosts = answer->machine->net->n_hosts;
    most = most < n_hosts ? most : n_hosts;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int rows = 1; rows <= most; rows++)
            for (int columns = 1; columns <= most / rows; columns++, count++)
                if (pass == 1)
                    answer->grids[count] =
                        (struct grid){.rows = rows, .columns = columns, .simulated_s = NAN, .quiet_s = NAN};
        answer->n_grids = count;
        if (pass == 0)
            answer->grids = xcalloc((size_t)count, sizeof *answer->grids);
    }
}

static void take_one_grid(struct answer *answer)
{
    answer->grids = xcalloc(1, sizeof *answer->grids);
    answer->grids[0] = (struct grid){
        .rows = answer->query->call.rows, .columns = answer->query->call.columns, .simulated_s = NAN, .quiet_s = NAN};
    answer->n_grids = 1;
}

/* The order of grids: those that fit come first; of equally fast ones that with the fewer processes, then with the
 * fewer rows. */
static int compare(const struct grid *a, const struct grid *b, double a_s, double b_s)
{
    if (a->fits != b->fits)
        return a->fits ? -1 : 1;
    if (a_s != b_s)
        return a_s < b_s ? -1 : 1;
    int difference = a->rows * a->columns - b->rows * b->columns;
    return difference != 0 ? difference : a->rows - b->rows;
}

static int by_formula(const void *left, const void *right)
{
    const struct grid *a = left, *b = right;
    return compare(a, b, a->bound_s, b->bound_s);
}

static int by_simulation(const void *left, const void *right)
{
    const struct grid *a = left, *b = right;
    return compare(a, b, a->simulated_s, b->simulated_s);
}

/* A simulation that comes to no end leaves the formula; why, is said. */
static void simulate(struct answer *answer, struct grid *grid)
{
    struct sim_error error;
    const struct fast_call call = call_on(answer, grid);
    if (fast_simulate(&grid->simulated_s, answer->fast, &call, &error) == 0)
        return;
    grid->why = xcalloc(1, sizeof *grid->why);
    *grid->why = error;
}

bool grid_is_loaded(const struct grid *grid)
{
    return grid->forecast.best_s != grid->forecast.time_s;
}

double grid_off(double model_s, const struct grid *grid)
{
    double share = model_s / grid->simulated_s - 1;
    return grid_is_loaded(grid) ? NAN : fabs(share) < 1e-9 ? 0 : share;
}

bool grid_is_far_off(const struct grid *grid)
{
    return !grid->forecast.of_another_algorithm && fabs(grid_off(grid->forecast.time_s, grid)) > 0.15;
}

/* Simulate it on the network on which no message waits for another. */
static void simulate_quiet(const struct answer *answer, struct grid *grid)
{
    const char *settings[QUERY_WORDS + 1];
    struct fast_call call = call_on(answer, grid);
    struct sim_error error;
    int count = 0;
    for (; call.settings[count] != NULL; count++)
        settings[count] = call.settings[count];
    settings[count] = "network=quiet";
    settings[count + 1] = NULL;
    call.settings = settings;
    if (fast_simulate(&grid->quiet_s, answer->fast, &call, &error) != 0)
        grid->quiet_s = NAN;
}

/* True if simulations, which know no load, can order the grids that are shown. */
static bool simulation_decides(const struct answer *answer)
{
    if (answer->n_simulated < MOST_SHOWN && answer->n_simulated < answer->n_grids)
        return false;
    for (int i = 0; i < answer->n_simulated; i++)
        if (isnan(answer->grids[i].simulated_s) || grid_is_loaded(&answer->grids[i]))
            return false;
    return true;
}

static int ask_formula(struct grid *grid, const struct answer *answer, struct sim_error *error)
{
    const struct fast_call call = call_on(answer, grid);
    struct fast_forecast *made = &grid->forecast;
    if (fast_parallel(made, answer->fast, &call, error) != 0)
        return -1;
    grid->bound_s = fmax(made->time_s, made->amdahl_s);
    grid->fits = !(made->memory_bytes > fast_memory(answer->fast));
    return 0;
}

static void simulate_best(struct answer *answer)
{
    double messages = 0;
    for (int i = 0; i < answer->n_grids && i < MOST_SIMULATED; i++) {
        messages += answer->grids[i].forecast.messages;
        if (i > 0 && messages > most_messages)
            break;
        simulate(answer, &answer->grids[i]);
        answer->n_simulated++;
    }
    if (simulation_decides(answer))
        qsort(answer->grids, (size_t)answer->n_simulated, sizeof *answer->grids, by_simulation);
}

static int ask_grids(struct answer *answer, struct sim_error *error)
{
    (answer->query->kind == QUERY_GRIDS ? list_grids : take_one_grid)(answer);
    for (int i = 0; i < answer->n_grids; i++)
        if (ask_formula(&answer->grids[i], answer, error) != 0)
            return -1;
    qsort(answer->grids, (size_t)answer->n_grids, sizeof *answer->grids, by_formula);
    simulate_best(answer);
    if (grid_is_far_off(&answer->grids[0]))
        simulate_quiet(answer, &answer->grids[0]);
    return 0;
}

static void dispose(struct answer *answer)
{
    for (int i = 0; i < answer->n_grids; i++)
        free(answer->grids[i].why);
    free(answer->grids);
}

/* ---- For programs ---- */

const char *grid_show(struct document *document, const struct grid *grid)
{
    return document_format(document, "%dx%d", grid->rows, grid->columns);
}

static void put_call(struct sparse_row *row, const struct answer *answer, const struct grid *grid)
{
    static const char *const dimensions[] = {"m", "n", "k"};
    const struct query *query = answer->query;
    const int64_t given[] = {query->call.m, query->call.n, query->call.k};
    put_cell(row, "query", UNIT_TEXT, cell_of_text(query->text));
    put_cell(row, "routine", UNIT_TEXT, cell_of_text(query->call.routine));
    for (int i = 0; i < query->n_dimensions; i++)
        put_cell(row, dimensions[i], UNIT_COUNT, cell_of_integer(given[i]));
    put_cell(row, "grid", UNIT_TEXT, cell_of_text(grid_show(row->table->document, grid)));
    put_cell(row, "rows", UNIT_COUNT, cell_of_integer(grid->rows));
    put_cell(row, "columns", UNIT_COUNT, cell_of_integer(grid->columns));
}

static void put_models(struct sparse_row *row, const struct fast_forecast *made)
{
    put_cell(row, "network", UNIT_TEXT, cell_of_text(made->network));
    put_cell(row, "unreceived_s", UNIT_SECONDS, cell_of_real(made->unreceived_s));
    put_cell(row, "delay_s", UNIT_SECONDS, cell_of_real(made->delay_s));
    put_cell(row, "logp_s", UNIT_SECONDS, cell_of_real(made->logp_s));
    put_cell(row, "logp_bytes", UNIT_BYTES, cell_of_real(made->logp.bytes));
    put_cell(row, "logp_latency_s", UNIT_SECONDS, cell_of_real(made->logp.latency_s));
    put_cell(row, "logp_overhead_s", UNIT_SECONDS, cell_of_real(made->logp.overhead_s));
    put_cell(row, "logp_gap_s", UNIT_SECONDS, cell_of_real(made->logp.gap_s));
    put_cell(row, "logp_processes", UNIT_COUNT, cell_of_integer(made->logp.processes));
    put_cell(row, "amdahl_s", UNIT_SECONDS, cell_of_real(made->amdahl_s));
    put_cell(row, "one_process_s", UNIT_SECONDS, cell_of_real(made->one_process_s));
    put_cell(row, "serial_share", UNIT_SHARE, cell_of_real(made->serial_share));
}

static void put_grid(const struct answer *answer, const struct grid *grid, struct table *table, bool fills)
{
    const struct fast_forecast *made = &grid->forecast;
    struct sparse_row row = sparse_row_begin(table, fills);
    put_call(&row, answer, grid);
    put_cell(&row, "best_s", UNIT_SECONDS, cell_of_real(made->best_s));
    put_cell(&row, "expected_s", UNIT_SECONDS, cell_of_real(made->time_s));
    if (made->low_s != made->high_s) {
        put_cell(&row, "low_s", UNIT_SECONDS, cell_of_real(made->low_s));
        put_cell(&row, "high_s", UNIT_SECONDS, cell_of_real(made->high_s));
    }
    put_cell(&row, "computation_s", UNIT_SECONDS, cell_of_real(made->computation_s));
    put_cell(&row, "communication_s", UNIT_SECONDS, cell_of_real(made->communication_s));
    put_cell(&row, "simulated_s", UNIT_SECONDS, cell_of_real(grid->simulated_s));
    put_models(&row, made);
    put_cell(&row, "availability", UNIT_SHARE, cell_of_real(made->availability));
    put_cell(&row, "latency_s", UNIT_SECONDS, cell_of_real(made->latency_s));
    put_cell(&row, "bandwidth_Bps", UNIT_BANDWIDTH, cell_of_real(made->bandwidth_Bps));
    put_cell(&row, "memory_bytes", UNIT_BYTES, cell_of_real(made->memory_bytes));
    if (answer->machine->costs.memory_bytes > 0)
        put_cell(&row, "host_memory_bytes", UNIT_BYTES, cell_of_integer(answer->machine->costs.memory_bytes));
    put_cell(&row, "of_another_algorithm", UNIT_TEXT, cell_of_flag(made->of_another_algorithm));
}

static void put_grids(const struct answer *answer, struct table *table, bool fills)
{
    for (int i = 0; i < answer->n_grids; i++)
        put_grid(answer, &answer->grids[i], table, fills);
}

const struct answer_kind answer_grids = {.ask = ask_grids, .put = put_grids, .say = grids_say, .dispose = dispose};
