/* The iterations of a traced run: their times over the run, in at most ten pieces, and those that stand out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/range.h"

enum { MOST_PIECES = 10 };

/* Means and the longest of the iterations from `first` on, `count` of them. */
static void add_piece(struct document *document, struct table *table, const struct iterations_row *rows, size_t count)
{
    double sums[4] = {0}, longest_s = 0;
    for (size_t i = 0; i < count; i++) {
        const double times_s[4] = {rows[i].time_s, rows[i].useful_s, rows[i].communication_s, rows[i].idle_s};
        for (int k = 0; k < 4; k++)
            sums[k] += times_s[k] / (double)count;
        longest_s = double_max(longest_s, rows[i].time_s);
    }
    char *name = count == 1 ? xformat("%lld", (long long)rows->iteration)
                            : xformat("%lld-%lld", (long long)rows->iteration, (long long)rows[count - 1].iteration);
    table_cell(table, cell_shown(cell_of_integer(rows->iteration), document_own(document, name)));
    table_real(table, sums[0]);
    table_real(table, longest_s);
    for (int k = 1; k < 4; k++)
        table_real(table, sums[k]);
}

static void add_series(struct document *document, const struct iterations_row *rows, size_t n_rows)
{
    struct table *table = document_table(document, table_specs[TABLE_ITERATIONS].name,
                                         "Iterations over the run, means over ranks", FOR_READERS);
    const struct column columns[] = {
        {.id = "iterations", .unit = UNIT_COUNT, .flags = COLUMN_KEY | COLUMN_OWN_UNIT},
        {.id = "mean", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "longest", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "useful", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "communication", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "idle", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
    };
    table->chart = CHART_LINE;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(table, columns[i]);
    size_t n_pieces = size_min(n_rows, MOST_PIECES);
    for (size_t i = 0; i < n_pieces; i++) {
        size_t first = i * n_rows / n_pieces, end = (i + 1) * n_rows / n_pieces;
        add_piece(document, table, rows + first, end - first);
    }
}

static void add_findings(struct document *document, const struct iteration_findings_row *rows, size_t n_rows)
{
    struct table *table = document_table(document, table_specs[TABLE_ITERATION_FINDINGS].name,
                                         "Iterations that stand out, and in what", FOR_READERS);
    const struct column columns[] = {
        {.id = "iteration", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "times the usual", .unit = UNIT_RATIO},
        {.id = "longer by", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "in", .unit = UNIT_TEXT},
        {.id = "rank", .unit = UNIT_COUNT},
        {.id = "scope", .unit = UNIT_TEXT},
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(table, columns[i]);
    for (const struct iteration_findings_row *row = rows; row < rows + n_rows; row++) {
        table_text(table, row->iteration > 0 ? document_own(document, xformat("%lld", (long long)row->iteration))
                                             : "each to the next");
        table_real(table, row->factor);
        table_real(table, row->excess_s);
        table_text(table, location_state_names[row->cause]);
        if (row->rank >= 0)
            table_integer(table, row->rank);
        else
            table_none(table);
        table_text(table, row->scope);
    }
}

void section_iterations(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        size_t n_rows, n_findings;
        const struct iterations_row *rows = result_iterations(&study->runs[i].result, &n_rows);
        const struct iteration_findings_row *findings = result_iteration_findings(&study->runs[i].result, &n_findings);
        if (n_rows > 0)
            add_series(document, rows, n_rows);
        if (n_findings > 0)
            add_findings(document, findings, n_findings);
    }
}
