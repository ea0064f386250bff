/* The gap between an application's own formula and the simulated time: a table of the terms that the difference is the
 * sum of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

enum { LONG_TABLE = 20, N_LARGEST = 10 };

static const enum measure_id terms[] = {M_MORE_COMPUTATION, M_MORE_COMMUNICATION, M_CONTENTION};
enum { N_TERMS = sizeof terms / sizeof terms[0] };

static double difference_of(const struct study_run *run)
{
    return run_value(run, M_FORECAST_ERROR);
}

/* How much of their time the ranks are idle that have anything to do. */
static double idle_of(const struct study_run *run)
{
    double idle = 0, all = 0;
    for (int rank = 0; rank < run->result.n_processors; rank++) {
        double total = 0, rank_idle = (double)run->result.state_ps[rank][STATE_IDLE];
        for (int s = 0; s < N_LOCATION_STATES; s++)
            total += (double)run->result.state_ps[rank][s];
        if (rank_idle < total) {
            idle += rank_idle;
            all += total;
        }
    }
    return idle / all;
}

static int by_difference(const void *a, const void *b)
{
    double left = fabs(difference_of(a)), right = fabs(difference_of(b));
    return (left < right) - (left > right);
}

static void add_table(struct document *document, const struct study *study)
{
    struct table *table = document_table(
        document, "formula",
        "The application's formula: what it leaves out (in % of it; idle: of the ranks that take part)", FOR_READERS);
    table->chart = CHART_STACKED_BAR;
    study_key_columns(table, study);
    table_column(table, (struct column){.id = "formula", .unit = UNIT_SECONDS});
    table_column(table, (struct column){.id = "simulated", .unit = UNIT_SECONDS});
    table_column(table, (struct column){.id = "difference", .unit = UNIT_DIFFERENCE});
    for (int t = 0; t < N_TERMS; t++)
        table_column(table, (struct column){.id = measure_specs[terms[t]].name,
                                            .head = document_format(document, "%c %s", t == 0 ? '=' : '+',
                                                                    measure_specs[terms[t]].label),
                                            .unit = UNIT_DIFFERENCE});
    table_column(table, (struct column){.id = "idle", .unit = UNIT_SHARE});
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        double forecast = run_value(run, M_FORMULA_TIME);
        study_key_cells(table, study, run);
        table_real(table, forecast);
        table_real(table, run_time(run));
        table_real(table, difference_of(run));
        for (int t = 0; t < N_TERMS; t++)
            table_real(table, run_value(run, terms[t]) / forecast);
        table_real(table, idle_of(run));
    }
}

/* How far off the formula is where it is of what is simulated; what the terms mean is in
 * docs/explain/models/scalapack.md. The largest differences come first. */
static void add_mean(struct document *document, const struct study *study)
{
    struct builder line = {0};
    double sum = 0, most = 0;
    int n_own = 0, n_runs = study->n_runs;
    for (int i = 0; i < n_runs; i++) {
        if (run_value(&study->runs[i], M_OF_ANOTHER_ALGORITHM) > 0)
            continue;
        most = n_own++ == 0 ? difference_of(&study->runs[i]) : most;
        sum += fabs(difference_of(&study->runs[i]));
    }
    if (n_own > 1)
        builder_add(&line, "The mean absolute difference of %d runs is %.1f %%, the largest difference %+.1f %%.",
                    n_own, 100 * sum / n_own, 100 * most);
    if (n_own == 0)
        builder_add(&line, "The formula describes a different algorithm than the simulated one.");
    else if (n_own < n_runs)
        builder_add(&line, "%sIn %d of %d runs, the formula describes a different algorithm than the simulated one.",
                    line.length > 0 ? " " : "", n_runs - n_own, n_runs);
    if (line.length > 0)
        document_note(document, builder_take(&line));
}

/* The runs that have a forecast; only these are explained. It may be that no run has one. */
static struct study select_runs(const struct study *study)
{
    struct study selected = *study;
    selected.whole = study->whole != NULL ? study->whole : study;
    selected.n_runs = 0;
    selected.runs = NULL;
    size_t capacity = 0;
    for (int i = 0; i < study->n_runs; i++)
        if (!isnan(difference_of(&study->runs[i]))) {
            selected.runs = xgrow(selected.runs, (size_t)selected.n_runs, &capacity, sizeof *selected.runs);
            selected.runs[selected.n_runs] = study->runs[i];
            selected.runs[selected.n_runs++].matters = false; /* which do is another question here */
        }
    return selected;
}

void section_formula(struct document *document, const struct study *study)
{
    struct study explained = select_runs(study), shown = explained;
    if (explained.n_runs > 0 && explained.n_runs <= LONG_TABLE)
        add_table(document, &explained);
    if (explained.n_runs > 0)
        sort_stable(explained.runs, (size_t)explained.n_runs, sizeof *explained.runs, by_difference);
    if (explained.n_runs > LONG_TABLE) {
        shown.n_runs = N_LARGEST;
        add_table(document, &shown);
        document_note(document, xformat("These are the %d largest differences; ... %d more in -f csv.", N_LARGEST,
                                        explained.n_runs - N_LARGEST));
    }
    if (explained.n_runs > 0)
        add_mean(document, &explained);
    free(explained.runs);
}
