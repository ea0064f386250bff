/* Costs by tables: the laws of kernels, what of the time they are extrapolated for, and which are doubted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <math.h>

#define LEAST_EXTRAPOLATED 0.005 /* a smaller share of a kernel's time is not worth a sentence */

/* A kernel in the run in which its time may be off most. */
struct widest {
    const struct costs_row *row;
    double extrapolated; /* the most of all runs */
};

/* How far the time may be off either way; INFINITY if unknown. */
static double width_of(const struct costs_row *row)
{
    double width = (row->high_s - row->low_s) / row->time_s;
    return isnan(width) ? (double)INFINITY : width;
}

static const struct costs_row *find_kernel(const struct study_run *run, const char *kernel)
{
    size_t n_rows;
    const struct costs_row *rows = result_costs(&run->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].kernel == kernel) /* names are interned */
            return &rows[i];
    return NULL;
}

static struct widest find_widest(const struct study *study, const char *kernel)
{
    struct widest widest = {0};
    for (int i = 0; i < study->n_runs; i++) {
        const struct costs_row *row = find_kernel(&study->runs[i], kernel);
        if (row == NULL)
            continue;
        widest.extrapolated = fmax(widest.extrapolated, row->extrapolated);
        if (widest.row == NULL || width_of(row) > width_of(widest.row))
            widest.row = row;
    }
    return widest;
}

/* The first run of the study that has the kernel shows it. */
static bool is_first(const struct study *study, int run, const char *kernel)
{
    for (int i = 0; i < run; i++)
        if (find_kernel(&study->runs[i], kernel) != NULL)
            return false;
    return true;
}

static void say_doubts(struct document *document, const struct widest *widest)
{
    const struct costs_row *row = widest->row;
    if (row->doubt[0] != '\0')
        document_note(document, xformat("The law of %s is doubtful: %s.", row->kernel, row->doubt));
    if (!isfinite(row->high_s) || !isfinite(row->low_s))
        document_note(document, xformat("How far %s may be off is unknown, so there is no band: %s has too few points.",
                                        row->kernel, row->table));
    if (widest->extrapolated >= LEAST_EXTRAPOLATED)
        document_note(document, xformat("%s is extrapolated beyond the sizes of %s for up to %.0f %% of its time.",
                                        row->kernel, row->table, 100 * widest->extrapolated));
}

static struct table *new_table(struct document *document)
{
    static const struct column columns[] = {
        {.id = "kernel", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "table", .unit = UNIT_TEXT},
        {.id = "law", .head = "a call [s]", .unit = UNIT_TEXT},
        {.id = "low", .head = "off by", .unit = UNIT_DIFFERENCE},
        {.id = "high", .head = "to", .unit = UNIT_DIFFERENCE},
        {.id = "extrapolated", .unit = UNIT_SHARE},
    };
    struct table *table = document_table(document, "costs", "Costs by laws of tables", FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

static void add_row(struct table *table, const struct widest *widest)
{
    const struct costs_row *row = widest->row;
    table_text(table, row->kernel);
    table_text(table, row->table);
    table_text(table, row->law);
    table_real(table, row->low_s / row->time_s - 1);
    table_real(table, row->high_s / row->time_s - 1);
    table_real(table, widest->extrapolated);
}

void section_costs(struct document *document, const struct study *study)
{
    struct table *table = new_table(document);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < study->n_runs; i++) {
            size_t n_rows;
            const struct costs_row *rows = result_costs(&study->runs[i].result, &n_rows);
            for (size_t k = 0; k < n_rows; k++) {
                if (!is_first(study, i, rows[k].kernel))
                    continue;
                const struct widest widest = find_widest(study, rows[k].kernel);
                if (pass == 0)
                    add_row(table, &widest);
                else
                    say_doubts(document, &widest);
            }
        }
    document_note(document, xstrdup("Off by: where the time of all calls may lie with 95 %, in the run with the widest "
                                    "band. Bands of time and speedup follow from it."));
}

void costs_add_band(struct builder *line, const struct study_run *run, enum measure_id low, enum measure_id high)
{
    double from = run_value(run, low), to = run_value(run, high);
    if (isnan(from) || isnan(to))
        return;
    if (low == M_TIME_LOW) {
        char texts[2][32];
        builder_add(line, " (%s to %s)", scale_format(texts[0], sizeof texts[0], UNIT_SECONDS, from),
                    scale_format(texts[1], sizeof texts[1], UNIT_SECONDS, to));
    } else if (low == M_SPEEDUP_LOW) {
        builder_add(line, " (%.2f to %.2f)", from, to);
    } else {
        builder_add(line, " (%.1f to %.1f %%)", 100 * from, 100 * to);
    }
}
