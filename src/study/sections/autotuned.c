/* Algorithms of collectives: what `fastest` has stood for, and those of replays. */
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

static void add_row(struct table *table, const struct study *study, const struct study_run *run,
                    const struct result_table *choices, size_t row)
{
    double time_s = named_number(choices, row, "time_s");
    double slowest_s = named_number(choices, row, "slowest_s");
    study_key_cells(table, study, run);
    table_text(table, named_text(choices, row, "collective"));
    table_integer(table, (int64_t)named_number(choices, row, "ranks"));
    table_text(table, document_format(table->document, "%" PRId64 " ... %" PRId64,
                                      (int64_t)named_number(choices, row, "from_bytes"),
                                      (int64_t)named_number(choices, row, "to_bytes")));
    table_text(table, named_text(choices, row, "algorithm"));
    table_integer(table, (int64_t)named_number(choices, row, "bytes"));
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
                    const struct result_table *uses, size_t row)
{
    study_key_cells(table, study, run);
    table_text(table, named_text(uses, row, "collective"));
    table_text(table, named_text(uses, row, "algorithm"));
    table_integer(table, (int64_t)named_number(uses, row, "calls"));
    table_text(table, document_format(table->document, "%" PRId64 " ... %" PRId64,
                                      (int64_t)named_number(uses, row, "from_bytes"),
                                      (int64_t)named_number(uses, row, "to_bytes")));
}

void section_algorithms(struct document *document, const struct study *study)
{
    struct table *table = NULL;
    size_t n_rows = 0;
    for (int i = 0; i < study->n_runs && study->verbose; i++) {
        const struct result_table *uses = result_find_table(&study->runs[i].result, "algorithms");
        for (size_t row = 0; uses != NULL && row < uses->n_rows && n_rows < LONGEST; row++, n_rows++) {
            table = table != NULL ? table : begin_table(document, study);
            add_use(table, study, &study->runs[i], uses, row);
        }
    }
}
