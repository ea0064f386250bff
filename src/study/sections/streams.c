/* Streams of accelerators: what each does, the kernels and copies, and what ranks wait for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

/* Rows in brief, and the least share of the waiting that a place has to be worth a word. */
enum { MOST_ROWS = 8 };
#define LEAST_PLACE 0.3

void streams_add_place(struct builder *line, const struct study_run *run)
{
    size_t n_rows;
    const struct stream_waits_row *rows = result_stream_waits(&run->result, &n_rows), *most = NULL;
    wide_int sum_ps = 0;
    for (const struct stream_waits_row *row = rows; row < rows + n_rows; row++) {
        sum_ps += row->time_ps;
        if (most == NULL || row->time_ps > most->time_ps)
            most = row;
    }
    if (most == NULL || (double)most->time_ps < LEAST_PLACE * (double)sum_ps)
        return;
    builder_add(line, ", ");
    if (most->time_ps < sum_ps)
        builder_add(line, "%.0f %% of it ", 100 * (double)most->time_ps / (double)sum_ps);
    builder_add(line, "in %s for %s", most->function, most->activity[0] != '\0' ? most->activity : most->stream);
}

/* A table as readers see it: its columns under these heads, and by the time of which of them. */
struct view {
    enum table_id table;
    const char *title;
    const char *heads[6];
    size_t by;
};

struct ranked_row {
    size_t row;
    double value;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    return (left->value < right->value) - (left->value > right->value);
}

static void add_view(struct document *document, const struct study *study, const struct study_run *run,
                     const struct view *view)
{
    const struct result_table *rows = result_find_table(&run->result, view->table);
    const struct table_spec *spec = &table_specs[view->table];
    if (rows == NULL || rows->n_rows == 0)
        return;
    size_t count = study->verbose || rows->n_rows < MOST_ROWS ? rows->n_rows : MOST_ROWS;
    struct ranked_row *ranked = xcalloc(rows->n_rows, sizeof *ranked);
    for (size_t i = 0; i < rows->n_rows; i++)
        ranked[i] = (struct ranked_row){i, result_cell_value(rows, i, view->by)};
    sort_stable(ranked, rows->n_rows, sizeof *ranked, by_value);
    struct builder title = {0};
    builder_add(&title, "%s", view->title);
    if (study->n_runs > 1) {
        builder_add(&title, ", ");
        study_name_run(&title, study, run);
    }
    if (count < rows->n_rows)
        builder_add(&title, " (%zu of %zu; all: -v)", count, rows->n_rows);
    struct table *table =
        document_table(document, spec->name, document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < spec->n_columns; c++) {
        bool is_name = kind_specs[spec->columns[c].kind].type == MEASURE_TEXT || c == 0;
        table_column(table, (struct column){.id = view->heads[c],
                                            .unit = kind_specs[spec->columns[c].kind].unit,
                                            .flags = is_name ? COLUMN_KEY : COLUMN_OWN_UNIT});
    }
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < spec->n_columns; c++)
            if (kind_specs[spec->columns[c].kind].type == MEASURE_TEXT)
                table_text(table, result_cell(rows, ranked[i].row, c).text);
            else
                table_real(table, result_cell_value(rows, ranked[i].row, c));
    free(ranked);
}

void section_streams(struct document *document, const struct study *study)
{
    static const struct view views[] = {
        {TABLE_STREAM_WAITS,
         "Waiting for streams of accelerators, and for what they do",
         {"function", "stream", "for", "waits", "time"},
         4},
        {TABLE_KERNELS, "Kernels", {"kernel", "calls", "time", "longest"}, 2},
        {TABLE_COPIES, "Copies", {"copy", "copies", "moved", "time", "rate"}, 3},
        {TABLE_STREAMS, "Streams of accelerators", {"rank", "stream", "kernels", "copies", "launching", "idle"}, 2},
    };
    for (int i = 0; i < study->n_runs; i++)
        for (size_t v = 0; v < sizeof views / sizeof views[0]; v++)
            add_view(document, study, &study->runs[i], &views[v]);
}
