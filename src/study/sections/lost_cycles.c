/* Where the time of all processors went, in all and process by process.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include <math.h>

/* Shares below it are written as 0.0 %. */
#define SHOWN_AS_0 0.0005

enum { N_OVERHEADS = M_OVERHEAD_ANOMALY - M_OVERHEAD_CONTROL + 1, N_COLUMNS = N_LOCATION_STATES + N_OVERHEADS };

/* The columns: shares of the states, then overheads. */
static enum measure_id column_id(int column)
{
    return (enum measure_id)(column < N_LOCATION_STATES ? M_STATE_USEFUL + column
                                                        : M_OVERHEAD_CONTROL + column - N_LOCATION_STATES);
}

/* The value of a column; 0 where a run lacks what only some runs have. */
static double column_value(const struct study_run *run, int column)
{
    double value = run_value(run, column_id(column));
    if (isnan(value) && !isnan(run_value(run, column < N_LOCATION_STATES ? M_STATE_USEFUL : M_OVERHEAD_IDLE)) &&
        column_id(column) != M_OVERHEAD_ANOMALY)
        return 0;
    return column < N_LOCATION_STATES ? value / (run_time(run) * run_all_processors(run)) : value;
}

/* Which of the columns are not 0 in all runs; whether any overhead is. */
static bool find_columns(bool shown[N_COLUMNS], const struct study *study)
{
    bool any = false;
    for (int c = 0; c < N_COLUMNS; c++) {
        shown[c] = false;
        for (int i = 0; i < study->n_runs; i++)
            shown[c] |= fabs(column_value(&study->runs[i], c)) >= SHOWN_AS_0;
        any |= shown[c] && c >= N_LOCATION_STATES;
    }
    return any;
}

void section_lost_cycles(struct document *document, const struct study *study)
{
    bool shown[N_COLUMNS], any_overhead = find_columns(shown, study), begun = false;
    if (!study_has(study, M_STATE_USEFUL))
        return;
    struct table *table =
        document_table(document, "states",
                       document_format(document, "Where the processors' time went (shares of %s x time%s)",
                                       study_processors_word(study),
                                       !any_overhead                         ? ""
                                       : study_has(study, M_SEQUENTIAL_TIME) ? "; overheads: lost time / T_seq"
                                                                             : "; overheads: lost time / useful time"),
                       FOR_READERS);
    table->chart = CHART_STACKED_BAR;
    study_key_columns(table, study);
    for (int c = 0; c < N_COLUMNS; c++) {
        bool first = c >= N_LOCATION_STATES && shown[c] && !begun;
        begun |= first;
        const char *label = measure_specs[column_id(c)].label;
        if (shown[c])
            table_column(table,
                         (struct column){.id = measure_specs[column_id(c)].name,
                                         .head = first ? document_format(document, "overhead: %s", label) : label,
                                         .group = measure_specs[column_id(c)].group,
                                         .unit = UNIT_SHARE,
                                         .flags = first ? COLUMN_BEGINS : 0});
    }
    for (int i = 0; i < study->n_runs; i++) {
        study_key_cells(table, study, &study->runs[i]);
        for (int c = 0; c < N_COLUMNS; c++)
            if (shown[c])
                table_real(table, column_value(&study->runs[i], c));
    }
}

/* --- granularity --- */

/* How much is computed for what is communicated (Lemeire07, eq. 1.16), and the factors of that where operations are
 * counted (eq. 1.17). */
void section_granularity(struct document *document, const struct study *study)
{
    static const enum measure_id factors[] = {M_GRANULARITY, M_SOFTWARE_GRANULARITY, M_HARDWARE_GRANULARITY};
    enum { N_FACTORS = sizeof factors / sizeof factors[0] };
    int n_shown = study_has_above_0(study, M_SOFTWARE_GRANULARITY) ? N_FACTORS : 1;
    document->in_details = true;
    struct table *table =
        document_table(document, "granularity", "Granularity (T_seq / time of communication)", FOR_READERS);
    study_key_columns(table, study);
    for (int f = 0; f < n_shown; f++)
        table_column(table, (struct column){.id = measure_specs[factors[f]].name,
                                            .head = measure_specs[factors[f]].label,
                                            .unit = measure_specs[factors[f]].unit});
    for (int i = 0; i < study->n_runs; i++) {
        study_key_cells(table, study, &study->runs[i]);
        for (int f = 0; f < n_shown; f++)
            table_real(table, run_value(&study->runs[i], factors[f]));
    }
    document->in_details = false;
}

/* --- process by process --- */

static void add_processes(struct document *document, const struct study *study, const struct study_run *run)
{
    struct builder title = {0};
    int n_each = run_processors_per_rank(run);
    double sequential = run_value(run, M_SEQUENTIAL_TIME);
    builder_add(&title, "Process by process, ");
    study_name_run(&title, study, run);
    builder_add(&title, " (shares of the time)");
    struct table *table =
        document_table(document, "processes", document_own(document, builder_take(&title)), FOR_READERS);
    table->chart = CHART_STACKED_BAR;
    table_column(table, (struct column){.id = "rank", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    if (n_each > 1)
        table_column(table, (struct column){.id = "processor", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (run_has_state(run, s))
            table_column(table, (struct column){.id = location_state_names[s],
                                                .head = measure_specs[M_STATE_USEFUL + s].label,
                                                .unit = UNIT_SHARE});
    if (sequential > 0) {
        table_column(table,
                     (struct column){.id = "overhead: communication", .unit = UNIT_SHARE, .flags = COLUMN_BEGINS});
        table_column(table, (struct column){.id = "overhead: idle", .head = "idle", .unit = UNIT_SHARE});
    }
    for (int i = 0; i < run->result.n_processors; i++) {
        const int64_t *state_ps = run->result.state_ps[run_processor_at(run, i)];
        table_integer(table, i / n_each);
        if (n_each > 1)
            table_integer(table, i % n_each);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            if (run_has_state(run, s))
                table_real(table, (double)state_ps[s] / 1e12 / run_time(run));
        if (sequential > 0) {
            table_real(table, (double)(state_ps[STATE_SEND] + state_ps[STATE_RECEIVE]) / 1e12 / sequential);
            table_real(table, (double)state_ps[STATE_IDLE] / 1e12 / sequential);
        }
    }
}

void section_processes(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        add_processes(document, study, &study->runs[i]);
}
