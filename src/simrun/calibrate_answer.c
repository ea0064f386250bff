/* Says how well a platform fits the tables that it is made from: what was found, each benchmark beside its simulation,
 * and what was not used.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/calibrate_answer.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Sentences ---- */

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void say_platform(struct document *document, const struct calibration *self)
{
    const struct made_platform *platform = &self->platform;
    char wiring[240] = "";
    if (platform->topology[0] != '\0')
        snprintf(wiring, sizeof wiring, "; its wires: --set topology=%s --set dimensions=%s", platform->topology,
                 platform->dimensions);
    document_sentence(document, xformat("%s: a platform of %d hosts with %d core%s each%s",
                                        self->output != NULL ? self->output : "Not written (-o FILE)",
                                        platform->n_hosts, platform->cores, plural(platform->cores), wiring));
}

static void say_limit(struct document *document, const char *where, const struct limit *limit)
{
    switch (limit->source) {
    case LIMIT_NONE:
        document_sentence(
            document, xformat("eager limit %s: none, since the latency has no step of half of the shortest latency, "
                              "nor the rate of a window one of 10 %%; --eager-limit sets one",
                              where));
        break;
    case LIMIT_TOLD:
        document_sentence(document, xformat("eager limit %s: %lld B, as you say", where, (long long)limit->bytes));
        break;
    default:
        document_sentence(document,
                          xformat("eager limit %s: %lld B, behind which the %s has a step of %.0f %% of %s; the next "
                                  "greatest has %.0f %%",
                                  where, (long long)limit->bytes,
                                  limit->source == LIMIT_LATENCY ? "latency" : "rate of a window", 100 * limit->step,
                                  limit->source == LIMIT_LATENCY ? "the shortest latency" : "it",
                                  100 * limit->second_step));
    }
}

static void say_rates(struct document *document, const struct model *model)
{
    document_sentence(document,
                      xformat("rates: %.4g GB/s of one core, %.4g GB/s of a host (%s)", model->core_Bps / 1e9,
                              model->node_Bps / 1e9, model->node_is_measured ? "measured" : "assumed or described"));
    if (model->gap != NULL)
        document_sentence(document, xformat("messages: at most %.3g million a second from a host (measured)",
                                            1e-6 / model->node_gap_s));
    if (model->memory != NULL)
        document_sentence(document,
                          xformat("messages within a host: %.4g GB/s together (measured)", model->memory_Bps / 1e9));
    if (model->both != NULL && model->both != model->between.stream)
        document_sentence(document,
                          xformat("both ways at once, long messages take %.2f times as long", model->both_ways));
}

/* Repetitions of which some take far longer than others may be of two machines. */
static void say_spread(struct document *document, const struct calibration *self)
{
    for (size_t i = 0; i < self->series.count; i++) {
        const struct series *series = &self->series.items[i];
        int n_wide = 0;
        for (int p = 0; p < series->count; p++)
            n_wide += series->points[p].most_s > 1.5 * series->points[p].least_s;
        if (series->is_used && 2 * n_wide > series->count)
            document_note(
                document,
                xformat("repetitions of %s differ by more than half at %d of %d lengths: are all of one machine, "
                        "and of one placement?",
                        series->spec->name, n_wide, series->count));
    }
}

/* False if nothing was simulated. */
static bool say_means(struct document *document, const struct calibration *self, bool collectives)
{
    double sum = 0, worst = 0;
    int n = 0;
    for (size_t i = 0; i < self->n_trials; i++) {
        const struct trial *trial = &self->trials[i];
        if ((trial->series->spec->kind == BENCHMARK_COLLECTIVE) != collectives)
            continue;
        sum += trial->mean_error * trial->count;
        n += trial->count;
        worst = fabs(trial->worst_error) > fabs(worst) ? trial->worst_error : worst;
    }
    if (n > 0)
        document_sentence(document,
                          xformat("%s: %d measured times, simulated with a mean error of %.1f %%, the worst %+.1f %%",
                                  collectives ? "collectives, from which nothing was fitted" : "messages", n,
                                  100 * sum / n, 100 * worst));
    return n > 0;
}

/* ---- Tables ---- */

static void put_series(struct table *table, const struct series *series)
{
    table_text(table, series->spec->name);
    table_cell(table, series->ranks > 0 ? cell_of_integer(series->ranks) : (struct cell){CELL_NONE, {0}, NULL});
    table_cell(table, series->hosts > 0 ? cell_of_integer(series->hosts) : (struct cell){CELL_NONE, {0}, NULL});
}

static void add_key_columns(struct table *table)
{
    table_column(table, (struct column){.id = "benchmark", .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "ranks", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "hosts", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
}

static void add_benchmarks(struct document *document, const struct calibration *self)
{
    struct table *table = document_table(document, "benchmarks", "Benchmarks, measured and simulated", FOR_ALL);
    add_key_columns(table);
    table_column(table, (struct column){.id = "lengths", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "is_used"});
    table_column(table, (struct column){.id = "mean_error", .unit = UNIT_SHARE});
    table_column(table, (struct column){.id = "worst_error", .unit = UNIT_DIFFERENCE});
    table_column(table, (struct column){.id = "worst_bytes", .unit = UNIT_COUNT});
    for (size_t i = 0; i < self->n_trials; i++) {
        const struct trial *trial = &self->trials[i];
        put_series(table, trial->series);
        table_integer(table, trial->series->count);
        table_cell(table, cell_shown(cell_of_flag(trial->series->is_used), trial->series->is_used ? "yes" : "no"));
        if (trial->count == 0) {
            for (int c = 0; c < 3; c++)
                table_none(table);
            continue;
        }
        table_real(table, trial->mean_error);
        table_real(table, trial->worst_error);
        table_integer(table, trial->worst_bytes);
    }
}

/* Each time: of all benchmarks, or only of collectives. */
static void add_rows(struct document *document, const struct calibration *self, const char *id, const char *title,
                     enum audience audience)
{
    struct table *table = document_table(document, id, title, audience);
    add_key_columns(table);
    table_column(table, (struct column){.id = "bytes", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "measured_s", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "simulated_s", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "error", .unit = UNIT_DIFFERENCE});
    for (size_t i = 0; i < self->n_trials; i++) {
        const struct trial *trial = &self->trials[i];
        bool is_wanted = audience == FOR_PROGRAMS || trial->series->spec->kind == BENCHMARK_COLLECTIVE;
        for (int r = 0; r < trial->count && is_wanted; r++) {
            const struct trial_row *row = &trial->rows[r];
            put_series(table, trial->series);
            table_integer(table, row->bytes);
            table_real(table, row->measured_s);
            table_real(table, row->simulated_s);
            table_real(table, row->error);
        }
    }
}

static void put_unused(struct document *document, struct table *table, const char *file, long line, const char *what,
                       const char *why)
{
    table_text(table, file);
    table_integer(table, line);
    table_text(table, what);
    table_text(table, why);
    document_note(document, line > 0 ? xformat("%s:%ld: not used: %s: %s", file, line, what, why)
                                     : xformat("%s: not used: %s: %s", file, what, why));
}

static void add_unused(struct document *document, const struct calibration *self)
{
    struct table *table = document_table(document, "unused", NULL, FOR_PROGRAMS);
    table_column(table, (struct column){.id = "file"});
    table_column(table, (struct column){.id = "line", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "what"});
    table_column(table, (struct column){.id = "why"});
    for (size_t i = 0; i < self->benchmarks.n_notes; i++) {
        const struct benchmark_note *note = &self->benchmarks.notes[i];
        put_unused(document, table, self->benchmarks.files[note->file], note->line, note->what, note->why);
    }
    for (size_t i = 0; i < self->n_trials; i++) {
        const struct trial *trial = &self->trials[i];
        const struct point *first = &trial->series->points[0];
        if (trial->why != NULL && !trial->series->is_used)
            put_unused(document, table, self->benchmarks.files[first->file], first->line, trial->series->spec->name,
                       trial->why);
    }
}

int calibrate_say(struct document *document, void *calibration, struct sim_error *error)
{
    const struct calibration *self = calibration;
    (void)error;
    document->name = self->platform.name;
    document_fact(document, (struct column){.id = "simrun"}, cell_of_text(SIMRUN_VERSION));
    document_fact(document, (struct column){.id = "platform"}, cell_of_text(self->platform.name));
    if (self->model.between.limit.source != LIMIT_NONE)
        document_fact(document, (struct column){.id = "eager_limit_bytes", .unit = UNIT_BYTES},
                      cell_of_integer(self->model.between.limit.bytes));
    document_fact(document, (struct column){.id = "core_Bps", .unit = UNIT_BANDWIDTH},
                  cell_of_real(self->model.core_Bps));
    document_fact(document, (struct column){.id = "host_Bps", .unit = UNIT_BANDWIDTH},
                  cell_of_real(self->model.node_Bps));
    say_platform(document, self);
    say_limit(document, "between hosts", &self->model.between.limit);
    if (!self->model.local_is_assumed)
        say_limit(document, "within a host", &self->model.local.limit);
    say_rates(document, &self->model);
    say_means(document, self, false);
    bool has_collectives = say_means(document, self, true);
    say_spread(document, self);
    add_benchmarks(document, self);
    add_rows(document, self, "compared", NULL, FOR_PROGRAMS);
    if (has_collectives)
        add_rows(document, self, "collectives", "Collectives", FOR_READERS);
    add_unused(document, self);
    return 0;
}
