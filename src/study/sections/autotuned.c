/* What the algorithm `fastest` has stood for. */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

enum { LONGEST = 40 };

static int64_t whole(const struct result_table *choices, size_t row, const char *column)
{
    return (int64_t)result_cell(choices, row, result_column(choices, column))->number;
}

static const char *text(const struct result_table *choices, size_t row, const char *column)
{
    return result_cell(choices, row, result_column(choices, column))->text;
}

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

static void add_row(struct table *table, const struct study *study, const struct study_run *run,
                    const struct result_table *choices, size_t row)
{
    double time_s = result_cell_value(choices, row, result_column(choices, "time_s"));
    double slowest_s = result_cell_value(choices, row, result_column(choices, "slowest_s"));
    study_key_cells(table, study, run);
    table_text(table, text(choices, row, "collective"));
    table_integer(table, whole(choices, row, "ranks"));
    table_text(table, document_format(table->document, "%" PRId64 " ... %" PRId64, whole(choices, row, "from_bytes"),
                                      whole(choices, row, "to_bytes")));
    table_text(table, text(choices, row, "algorithm"));
    table_integer(table, whole(choices, row, "bytes"));
    table_real(table, time_s);
    table_real(table, time_s > 0 ? slowest_s / time_s : (double)NAN);
}

void section_autotuned(struct document *document, const struct study *study)
{
    struct table *table = NULL;
    size_t n_rows = 0;
    for (int i = 0; i < study->n_runs; i++) {
        const struct result_table *choices = result_find_table(&study->runs[i].result, "fastest");
        for (size_t row = 0; choices != NULL && row < choices->n_rows; row++) {
            if (table == NULL) {
                table = document_table(document, "autotuned",
                                       "The fastest collectives, each tried alone with a message of the first size met",
                                       FOR_READERS);
                add_columns(table, study);
            }
            if (n_rows++ < LONGEST)
                add_row(table, study, &study->runs[i], choices, row);
        }
    }
    if (n_rows > LONGEST)
        document_note(document, xformat("... %zu more in -f json.", n_rows - LONGEST));
}
