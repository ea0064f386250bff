/* The details that were asked for: of the fastest run the largest rows of each table; all of all runs if verbose.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* How a table is shown. */
struct detail_view {
    enum table_id table;
    const char *title;
    enum chart chart;
    bool has_largest, has_since, has_used;
    size_t largest; /* the column by which rows are large, by its place in the row's struct; else all are shown */
    size_t since;   /* less this one */
    size_t used;    /* rows with 0 in this column are left out */
};
static const struct detail_view views[] = {
    {.table = TABLE_COMMUNICATION_MATRIX,
     .title = "Messages by sender and receiver",
     .has_largest = true,
     .largest = offsetof(struct communication_matrix_row, bytes),
     .chart = CHART_HEATMAP},
    {.table = TABLE_CRITICAL_PATH_SEGMENTS,
     .title = "Segments of the critical path",
     .has_largest = true,
     .has_since = true,
     .largest = offsetof(struct critical_path_segments_row, end_ps),
     .since = offsetof(struct critical_path_segments_row, start_ps)},
    {.table = TABLE_DELAYS,
     .title = "Delays by what they cost in waiting",
     .has_largest = true,
     .largest = offsetof(struct delays_row, cost_ps),
     .chart = CHART_STACKED_BAR},
    {.table = TABLE_PATH_IMBALANCE,
     .title = "Imbalance of the critical path",
     .has_largest = true,
     .largest = offsetof(struct path_imbalance_row, impact_ps)},
    {.table = TABLE_SCOPE_STATES,
     .title = "States by rank and scope",
     .has_largest = true,
     .largest = offsetof(struct scope_states_row, state_ps[STATE_IDLE]),
     .chart = CHART_STACKED_BAR},
    {.table = TABLE_COUNTERS,
     .title = "Counters by rank and function",
     .has_largest = true,
     .largest = offsetof(struct counters_row, time_s)},
    {.table = TABLE_SCOPES, .title = "Scopes that lie in others"},
    {.table = TABLE_TOPOLOGY, .title = "Topology"},
    {.table = TABLE_LINKS,
     .title = "Links by busy time",
     .has_largest = true,
     .has_used = true,
     .largest = offsetof(struct links_row, busy_ps),
     .used = offsetof(struct links_row, messages),
     .chart = CHART_BAR},
};
enum { N_VIEWS = sizeof views / sizeof views[0], N_LARGEST = 10 };

/* A row, and what it is shown for. */
struct ranked_row {
    size_t row;
    double value;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    if (left->value != right->value)
        return left->value > right->value ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

static double value_at(const struct result_table *rows, size_t row, bool is_there, size_t offset)
{
    return is_there ? result_cell_value(rows, row, table_column_at(rows->id, offset)) : 0;
}

static double value_of(const struct detail_view *view, const struct result_table *rows, size_t row)
{
    return value_at(rows, row, view->has_largest, view->largest) - value_at(rows, row, view->has_since, view->since);
}

/* The rows to be shown, those that matter first if only some are; to be freed. */
static struct ranked_row *choose_rows(size_t *count, size_t *n_used, const struct detail_view *view,
                                      const struct result_table *rows, bool all)
{
    struct ranked_row *ranked = xmalloc(rows->n_rows * sizeof *ranked + 1);
    *n_used = 0;
    for (size_t row = 0; row < rows->n_rows; row++)
        if (!view->has_used || value_at(rows, row, true, view->used) > 0)
            ranked[(*n_used)++] = (struct ranked_row){row, value_of(view, rows, row)};
    *count = *n_used;
    if (all || !view->has_largest || *n_used <= N_LARGEST)
        return ranked;
    sort_stable(ranked, *n_used, sizeof *ranked, by_value);
    *count = N_LARGEST;
    return ranked;
}

/* Readers see a time with its unit, so its name goes without. */
static struct column column_of(struct document *document, const struct column_spec *column)
{
    static const enum unit units[] = {[MEASURE_TIME] = UNIT_SECONDS,
                                      [MEASURE_COUNT] = UNIT_COUNT,
                                      [MEASURE_RATIO] = UNIT_NUMBER,
                                      [MEASURE_TEXT] = UNIT_TEXT};
    enum measure_type type = kind_specs[column->kind].type;
    bool is_time = type == MEASURE_TIME;
    int length = (int)strlen(column->name) - (is_time ? 2 : 0);
    return (struct column){.id = column->name,
                           .head = document_format(document, "%.*s", length, column->name),
                           .unit = units[type],
                           .flags = is_time ? COLUMN_OWN_UNIT : 0};
}

/* "Messages by sender and receiver (hosts, 4 to a row), 1024 ranks" */
static void name_table(struct builder *title, const struct detail_view *view, const struct study *study,
                       const struct study_run *run)
{
    size_t n_rows;
    const struct communication_matrix_of_row *of = result_communication_matrix_of(&run->result, &n_rows);
    builder_add(title, "%s", view->title);
    if (view->table == TABLE_COMMUNICATION_MATRIX && n_rows == 1)
        builder_add(title, of->each > 1 ? " (%ss, %d to a row)" : " (%ss)", place_kind_names[of->of], of->each);
    builder_add(title, ", ");
    study_name_run(title, study, run);
}

/* "." for no time, so that the others are seen; "-" for what belongs to no rank. */
static struct cell cell_of(const struct result_table *rows, size_t row, size_t column)
{
    struct result_cell cell = result_cell(rows, row, column);
    if (cell.type == MEASURE_TEXT)
        return cell_of_text(cell.text);
    double value = result_cell_value(rows, row, column);
    bool no_rank = cell.type == MEASURE_COUNT && value < 0, no_time = cell.type == MEASURE_TIME && value <= 0;
    return cell_shown(cell_of_real(value), no_rank ? "-" : no_time ? "." : NULL);
}

static void add_cells(struct table *table, const struct result_table *rows, size_t row)
{
    for (size_t c = 0; c < table_specs[rows->id].n_columns; c++)
        if (result_has_column(rows, c))
            table_cell(table, cell_of(rows, row, c));
}

static void add_rows(struct document *document, const struct detail_view *view, const struct study *study,
                     const struct study_run *run, const struct result_table *rows)
{
    size_t count, n_used;
    struct ranked_row *ranked = choose_rows(&count, &n_used, view, rows, study->verbose);
    struct builder title = {0};
    name_table(&title, view, study, run);
    if (count < n_used)
        builder_add(&title, " (the largest %zu of %zu%s; all: -v)", count, n_used, view->has_used ? " in use" : "");
    else if (count < rows->n_rows)
        builder_add(&title, " (%zu of %zu are in use)", count, rows->n_rows);
    struct table *table =
        document_table(document, table_specs[rows->id].name, document_own(document, builder_take(&title)), FOR_READERS);
    table->chart = view->chart;
    for (size_t c = 0; c < table_specs[rows->id].n_columns; c++)
        if (result_has_column(rows, c))
            table_column(table, column_of(document, &table_specs[rows->id].columns[c]));
    for (size_t i = 0; i < count; i++)
        add_cells(table, rows, ranked[i].row);
    free(ranked);
}

static void add_run(struct document *document, const struct study *study, const struct study_run *run)
{
    for (int i = 0; i < N_VIEWS; i++) {
        const struct result_table *rows = result_find_table(&run->result, views[i].table);
        if (rows != NULL && rows->n_rows > 0)
            add_rows(document, &views[i], study, run, rows);
    }
    section_link_times(document, study, run);
}

const struct study_run *study_find_detailed(const struct study *study)
{
    const struct study_run *found = NULL;
    for (int i = 0; i < study->n_runs; i++)
        if (!run_is_discarded(&study->runs[i]) && (found == NULL || run_time(&study->runs[i]) < run_time(found)))
            found = &study->runs[i];
    return found;
}

void section_details(struct document *document, const struct study *study)
{
    const struct study_run *one = study_find_detailed(study);
    document->are_asked = true;
    for (int i = 0; i < study->n_runs; i++)
        if (study->verbose || &study->runs[i] == one)
            add_run(document, study, &study->runs[i]);
    document->are_asked = false;
}
