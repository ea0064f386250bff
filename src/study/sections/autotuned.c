/* Algorithms of collectives: what `fastest` has stood for, and those of replays.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

enum { LONGEST = 40 };

static void add_columns(struct table *table, const struct study *study)
{
    static const struct column columns[] = {
        {.id = "collective", .unit = UNIT_TEXT},  {.id = "among", .unit = UNIT_COUNT},
        {.id = "bytes", .unit = UNIT_TEXT},       {.id = "fastest", .unit = UNIT_TEXT},
        {.id = "tried", .unit = UNIT_COUNT},      {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "slowest", .unit = UNIT_SLOWDOWN},
    };
    study_key_columns(table, study);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
}

static const char *format_sizes(struct document *document, int64_t from_bytes, int64_t to_bytes)
{
    return document_format(document, "%" PRId64 " ... %" PRId64, from_bytes, to_bytes);
}

static void add_row(struct table *table, const struct study *study, const struct study_run *run,
                    const struct fastest_row *choice)
{
    double time_s = units_seconds(choice->time_ps), slowest_s = units_seconds(choice->slowest_ps);
    study_key_cells(table, study, run);
    table_text(table, subject_names[choice->collective]);
    table_integer(table, choice->ranks);
    table_text(table, format_sizes(table->document, choice->from_bytes, choice->to_bytes));
    table_text(table, choice->algorithm);
    table_integer(table, choice->bytes);
    table_real(table, time_s);
    table_real(table, time_s > 0 ? slowest_s / time_s : (double)NAN);
}

void section_autotuned(struct document *document, const struct study *study)
{
    struct table *table = NULL;
    size_t n_rows = 0;
    for (int i = 0; i < study->n_runs; i++) {
        size_t n_choices;
        const struct fastest_row *choices = result_fastest(&study->runs[i].result, &n_choices);
        for (size_t row = 0; row < n_choices; row++) {
            if (table == NULL) {
                table = document_table(
                    document, "autotuned",
                    "The fastest algorithms of collectives, each tried alone with the first message size that occurs",
                    FOR_READERS);
                add_columns(table, study);
            }
            if (n_rows++ < LONGEST)
                add_row(table, study, &study->runs[i], &choices[row]);
        }
    }
    if (n_rows > LONGEST)
        document_note(document, xformat("... %zu more in -f json.", n_rows - LONGEST));
}

/* --- of replays --- */

static struct table *begin_table(struct document *document, const struct study *study)
{
    static const struct column columns[] = {{.id = "collective", .unit = UNIT_TEXT},
                                            {.id = "algorithm", .unit = UNIT_TEXT},
                                            {.id = "calls", .unit = UNIT_COUNT},
                                            {.id = "bytes", .unit = UNIT_TEXT}};
    struct table *table = document_table(document, "algorithms", "Algorithms of collectives", FOR_READERS);
    study_key_columns(table, study);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

static void add_use(struct table *table, const struct study *study, const struct study_run *run,
                    const struct algorithms_row *use)
{
    study_key_cells(table, study, run);
    table_text(table, subject_names[use->collective]);
    table_text(table, use->algorithm);
    table_integer(table, use->calls);
    table_text(table, format_sizes(table->document, use->from_bytes, use->to_bytes));
}

void section_algorithms(struct document *document, const struct study *study)
{
    struct table *table = NULL;
    size_t n_rows = 0;
    for (int i = 0; i < study->n_runs && study->verbose; i++) {
        size_t n_uses;
        const struct algorithms_row *uses = result_algorithms(&study->runs[i].result, &n_uses);
        for (size_t row = 0; row < n_uses && n_rows < LONGEST; row++, n_rows++) {
            table = table != NULL ? table : begin_table(document, study);
            add_use(table, study, &study->runs[i], &uses[row]);
        }
    }
}
