/* simrun forecast: what a parallel routine takes on a grid of processes, and which grid is best. */
#include "base/builder.h"
#include "base/memory.h"
#include "simrun/forecast/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Grids are simulated, the best by the formula first, as long as that takes about ten seconds in all. */
enum { MOST_SIMULATED = 128, MOST_SHOWN = 10 };
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
                    answer->grids[count] = (struct grid){.rows = rows, .columns = columns, .simulated_s = NAN};
        answer->n_grids = count;
        if (pass == 0)
            answer->grids = xcalloc((size_t)count, sizeof *answer->grids);
    }
}

static void take_one_grid(struct answer *answer)
{
    answer->grids = xcalloc(1, sizeof *answer->grids);
    answer->grids[0] =
        (struct grid){.rows = answer->query->call.rows, .columns = answer->query->call.columns, .simulated_s = NAN};
    answer->n_grids = 1;
}

/* What fits comes first; of equally fast grids that with the fewer processes, then with the fewer rows. */
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

static bool is_loaded(const struct grid *grid)
{
    return grid->forecast.best_s != grid->forecast.time_s;
}

/* Whether what is shown can be ordered by simulations, which know no load. */
static bool simulation_decides(const struct answer *answer)
{
    if (answer->n_simulated < MOST_SHOWN && answer->n_simulated < answer->n_grids)
        return false;
    for (int i = 0; i < answer->n_simulated; i++)
        if (isnan(answer->grids[i].simulated_s) || is_loaded(&answer->grids[i]))
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
    return 0;
}

static void dispose(struct answer *answer)
{
    for (int i = 0; i < answer->n_grids; i++)
        free(answer->grids[i].why);
    free(answer->grids);
}

/* ---- For readers ---- */

static const char *show_grid(struct document *document, const struct grid *grid)
{
    return document_format(document, "%dx%d", grid->rows, grid->columns);
}

/* How far a model's time is off the simulation; none at all, where the one is in picoseconds. */
static double off(double model_s, const struct grid *grid)
{
    double share = model_s / grid->simulated_s - 1;
    return is_loaded(grid) ? NAN : fabs(share) < 1e-9 ? 0 : share;
}

static const char *say_network(struct document *document, const struct grid *grid)
{
    const struct fast_forecast *made = &grid->forecast;
    const char *load = made->availability == 1 ? ""
                                               : document_format(document, ", availability %s",
                                                                 show_value(document, UNIT_SHARE, made->availability));
    return document_format(document, "latency %s, bandwidth %s%s", show_value(document, UNIT_SECONDS, made->latency_s),
                           show_value(document, UNIT_BANDWIDTH, made->bandwidth_Bps), load);
}

static const char *say_logp(struct document *document, const struct fast_logp *logp)
{
    if (logp->bytes == 0)
        return document_format(document, "no message, P %d", logp->processes);
    return document_format(
        document, "L %s, o %s, g %s for %s, P %d", show_value(document, UNIT_SECONDS, logp->latency_s),
        show_value(document, UNIT_SECONDS, logp->overhead_s), show_value(document, UNIT_SECONDS, logp->gap_s),
        show_value(document, UNIT_BYTES, logp->bytes), logp->processes);
}

static void add_model(struct table *table, const char *name, double time_s, const struct grid *grid,
                      double communication_s, const char *remark)
{
    table_text(table, name);
    table_real(table, time_s);
    table_real(table, time_s == grid->simulated_s ? NAN : off(time_s, grid));
    table_real(table, isnan(communication_s) ? NAN : time_s - communication_s);
    table_real(table, communication_s);
    table_text(table, remark);
}

/* The formula, the simulation, and the models beside them. */
static void add_models(const struct answer *answer, struct document *document)
{
    static const struct column columns[] = {
        {.id = "model", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "time_s", .head = "time", .unit = UNIT_SECONDS},
        {.id = "off", .head = "off simulation", .unit = UNIT_DIFFERENCE},
        {.id = "computation_s", .head = "computation", .unit = UNIT_SECONDS},
        {.id = "communication_s", .head = "communication", .unit = UNIT_SECONDS},
        {.id = "remark", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
    };
    const struct grid *grid = &answer->grids[0];
    const struct fast_forecast *made = &grid->forecast;
    struct table *table = document_table(document, "models", NULL, FOR_READERS);
    table->chart = CHART_BAR;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    add_model(table, "formula", made->time_s, grid, made->communication_s, say_network(document, grid));
    add_model(table, "simulation", grid->simulated_s, grid, NAN,
              document_format(document, "network %s%s",
                              answer->machine->default_network != NULL ? answer->machine->default_network : "quiet",
                              is_loaded(grid) ? ", without load" : ""));
    add_model(table, "LogP", made->logp_s, grid, made->logp_s - made->computation_s, say_logp(document, &made->logp));
    add_model(table, "Amdahl's law", made->amdahl_s, grid, 0,
              document_format(document, "%s on one process, %s of it serial",
                              show_value(document, UNIT_SECONDS, made->one_process_s),
                              show_value(document, UNIT_SHARE, made->serial_share)));
}

static void add_grids(const struct answer *answer, struct document *document)
{
    static const struct column columns[] = {
        {.id = "grid", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "simulated_s", .head = "simulation", .unit = UNIT_SECONDS},
        {.id = "formula_s", .head = "formula", .unit = UNIT_SECONDS},
        {.id = "off", .head = "off simulation", .unit = UNIT_DIFFERENCE},
        {.id = "computation_s", .head = "computation", .unit = UNIT_SECONDS},
        {.id = "communication_s", .head = "communication", .unit = UNIT_SECONDS},
        {.id = "logp_s", .head = "LogP", .unit = UNIT_SECONDS},
        {.id = "amdahl_s", .head = "Amdahl", .unit = UNIT_SECONDS},
        {.id = "memory_bytes", .head = "memory", .unit = UNIT_BYTES},
    };
    struct table *table = document_table(document, "grids", NULL, FOR_READERS);
    table->chart = CHART_BAR;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int i = 0; i < answer->n_grids && i < MOST_SHOWN; i++) {
        const struct grid *grid = &answer->grids[i];
        const struct fast_forecast *made = &grid->forecast;
        table_text(table, show_grid(document, grid));
        table_real(table, grid->simulated_s);
        table_real(table, made->time_s);
        table_real(table, off(made->time_s, grid));
        table_real(table, made->computation_s);
        table_real(table, made->communication_s);
        table_real(table, made->logp_s);
        table_real(table, made->amdahl_s);
        table_real(table, made->memory_bytes);
    }
}

/* Whether the formula cannot be true. */
static bool is_too_short(const struct grid *grid)
{
    return grid->forecast.time_s < (1 - 1e-9) * grid->forecast.amdahl_s;
}

/* The answer, in a line. */
static void add_heading(const struct answer *answer, struct document *document)
{
    const struct query *query = answer->query;
    const struct grid *best = &answer->grids[0];
    struct builder line = {0};
    builder_add(&line, "%s", query->text);
    if (query->platform == NULL)
        builder_add(&line, " of %s", answer->machine->name);
    if (query->kind == QUERY_GRIDS)
        builder_add(&line, ": fastest on %s,", show_grid(document, best));
    else
        builder_add(&line, ":");
    builder_add(&line, " %s%s expected%s", is_too_short(best) ? "at least " : "",
                show_value(document, UNIT_SECONDS, best->bound_s), say_time(document, answer->at_s));
    if (!isnan(best->simulated_s) && !is_loaded(best))
        builder_add(&line, ", %s simulated", show_value(document, UNIT_SECONDS, best->simulated_s));
    document_heading(document, builder_take(&line));
}

/* What the reader should know of the first grid. */
static void add_notes(const struct answer *answer, struct document *document)
{
    const struct grid *best = &answer->grids[0];
    if (best->why != NULL)
        document_note(document, xformat("no simulation: %s", best->why->message));
    if (!best->fits)
        document_note(document, xformat("a process needs %s; its host has %s: it does not fit",
                                        show_value(document, UNIT_BYTES, best->forecast.memory_bytes),
                                        show_value(document, UNIT_BYTES, fast_memory(answer->fast))));
    if (best->forecast.of_another_algorithm)
        document_note(document, xstrdup("the formula is that of the paper's algorithm, not of the simulated one"));
    if (is_loaded(best))
        document_note(document, xformat("without load the formula gives %s; the simulation knows no load",
                                        show_value(document, UNIT_SECONDS, best->forecast.best_s)));
}

static void add_counts(const struct answer *answer, struct document *document)
{
    int n_hosts = answer->machine->net->n_hosts, n_too_large = 0, n_too_short = 0;
    for (int i = 0; i < answer->n_grids; i++) {
        n_too_large += !answer->grids[i].fits;
        n_too_short += is_too_short(&answer->grids[i]);
    }
    if (answer->query->n_processes > n_hosts)
        document_note(document,
                      xformat("%s has %d hosts, with a process on each at most", answer->machine->name, n_hosts));
    if (answer->n_simulated < answer->n_grids)
        document_note(document, xformat("the best of %d grids, of which the first %d by the formula are simulated",
                                        answer->n_grids, answer->n_simulated));
    else if (answer->n_grids > MOST_SHOWN)
        document_note(document, xformat("the best of %d grids, which are all simulated", answer->n_grids));
    if (n_too_large > 0)
        document_note(document, xformat("%d grid%s last, since a process needs more than the %s of its host",
                                        n_too_large, n_too_large == 1 ? " comes" : "s come",
                                        show_value(document, UNIT_BYTES, fast_memory(answer->fast))));
    if (n_too_short > 0)
        document_note(document, xformat("%d grid%s ordered by Amdahl's law: the formula leaves out computation there",
                                        n_too_short, n_too_short == 1 ? " is" : "s are"));
}

static void say_grids(const struct answer *answer, struct document *document)
{
    add_heading(answer, document);
    if (answer->query->kind == QUERY_GRIDS) {
        add_grids(answer, document);
        add_notes(answer, document);
        add_counts(answer, document);
        return;
    }
    add_models(answer, document);
    add_notes(answer, document);
    if (is_too_short(&answer->grids[0]))
        document_note(document, xstrdup("the formula is below Amdahl's law: it leaves out computation"));
}

/* ---- For programs ---- */

static void put_call(struct sparse_row *row, const struct answer *answer, const struct grid *grid)
{
    static const char *const dimensions[] = {"m", "n", "k"};
    const struct query *query = answer->query;
    const int64_t given[] = {query->call.m, query->call.n, query->call.k};
    put_cell(row, "query", UNIT_TEXT, cell_of_text(query->text));
    put_cell(row, "routine", UNIT_TEXT, cell_of_text(query->call.routine));
    for (int i = 0; i < query->n_dimensions; i++)
        put_cell(row, dimensions[i], UNIT_COUNT, cell_of_integer(given[i]));
    put_cell(row, "grid", UNIT_TEXT, cell_of_text(show_grid(row->table->document, grid)));
    put_cell(row, "rows", UNIT_COUNT, cell_of_integer(grid->rows));
    put_cell(row, "columns", UNIT_COUNT, cell_of_integer(grid->columns));
}

static void put_models(struct sparse_row *row, const struct fast_forecast *made)
{
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

const struct answer_kind answer_grids = {.ask = ask_grids, .put = put_grids, .say = say_grids, .dispose = dispose};
