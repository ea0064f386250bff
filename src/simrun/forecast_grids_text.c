/* simrun forecast: the words about grids of processes for readers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/forecast_grids.h"

#include "base/builder.h"
#include "base/memory.h"

#include <math.h>

/* ---- Tables ---- */

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
    table_real(table, time_s == grid->simulated_s ? NAN : grid_off(time_s, grid));
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
              document_format(document, "network %s%s", made->network, grid_is_loaded(grid) ? ", without load" : ""));
    add_model(table, "delay", made->delay_s, grid, made->delay_s - made->computation_s,
              document_format(document, "each message %s", show_value(document, UNIT_SECONDS, made->latency_s)));
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
        {.id = "delay_s", .head = "delay", .unit = UNIT_SECONDS},
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
        table_text(table, grid_show(document, grid));
        table_real(table, grid->simulated_s);
        table_real(table, made->time_s);
        table_real(table, grid_off(made->time_s, grid));
        table_real(table, made->computation_s);
        table_real(table, made->communication_s);
        table_real(table, made->delay_s);
        table_real(table, made->logp_s);
        table_real(table, made->amdahl_s);
        table_real(table, made->memory_bytes);
    }
}

/* ---- Sentences ---- */

/* True if the formula cannot be true. */
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
        builder_add(&line, ": fastest on %s,", grid_show(document, best));
    else
        builder_add(&line, ":");
    builder_add(&line, " %s%s%s expected%s", is_too_short(best) ? "at least " : "",
                show_value(document, UNIT_SECONDS, best->bound_s),
                is_too_short(best) ? "" : say_band(document, best->forecast.low_s, best->forecast.high_s),
                say_time(document, answer->at_s));
    if (!isnan(best->simulated_s) && !grid_is_loaded(best))
        builder_add(&line, ", %s simulated", show_value(document, UNIT_SECONDS, best->simulated_s));
    document_sentence(document, builder_take(&line));
}

/* Which of the two to trust where they are far apart, and what the formula leaves out. */
static void add_difference(const struct grid *grid, struct document *document)
{
    struct builder line = {0};
    if (!grid_is_far_off(grid))
        return;
    builder_add(&line, "trust the simulation: the formula leaves out that blocks are dealt unevenly and steps overlap");
    if (!isnan(grid->quiet_s) && grid->simulated_s > 1.01 * grid->quiet_s)
        builder_add(&line, ", and that messages wait for links: without such waits (network=quiet) %s are simulated",
                    show_value(document, UNIT_SECONDS, grid->quiet_s));
    document_note(document, builder_take(&line));
}

/* Add the notes that the reader should know of the first grid. */
static void add_notes(const struct answer *answer, struct document *document)
{
    const struct grid *best = &answer->grids[0];
    if (best->why != NULL)
        document_note(document, xformat("no simulation: %s", best->why->message));
    add_difference(best, document);
    if (!best->fits)
        document_note(document, xformat("a process needs %s; its host has %s: it does not fit",
                                        show_value(document, UNIT_BYTES, best->forecast.memory_bytes),
                                        show_value(document, UNIT_BYTES, fast_memory(answer->fast))));
    if (best->forecast.of_another_algorithm)
        document_note(document, xstrdup("the formula describes the algorithm of the paper, not the simulated one"));
    if (best->forecast.unreceived_s > 0.01 * best->forecast.best_s)
        document_note(document,
                      xformat("the formula leaves out messages that nobody receives on %s; as printed, eqs. 6 "
                              "and 7 give %s more",
                              grid_show(document, best),
                              show_value(document, UNIT_SECONDS, best->forecast.unreceived_s)));
    if (grid_is_loaded(best))
        document_note(document, xformat("without load, the formula gives %s; the simulation does not include load",
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
                      xformat("%s has %d hosts, with at most one process on each", answer->machine->name, n_hosts));
    if (answer->n_simulated < answer->n_grids)
        document_note(document, xformat("the best of %d grids; the %d fastest by the formula are simulated",
                                        answer->n_grids, answer->n_simulated));
    else if (answer->n_grids > MOST_SHOWN)
        document_note(document, xformat("the best of %d grids, all simulated", answer->n_grids));
    if (n_too_large > 0)
        document_note(document, xformat("%d grid%s last, because a process needs more than the %s of its host",
                                        n_too_large, n_too_large == 1 ? " comes" : "s come",
                                        show_value(document, UNIT_BYTES, fast_memory(answer->fast))));
    if (n_too_short > 0)
        document_note(document, xformat("%d grid%s ordered by Amdahl's law: the formula leaves out computation there",
                                        n_too_short, n_too_short == 1 ? " is" : "s are"));
}

void grids_say(const struct answer *answer, struct document *document)
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
