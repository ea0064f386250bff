/* Measures and tables of metrics that no other section knows: so that a new one is seen at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <stdlib.h>

enum { LONGEST = 40 };

static bool is_unknown(const struct measure *measure)
{
    return measure->of->id == M_NONE;
}

static void add_measures(struct document *document, const struct study *study)
{
    size_t count;
    int n_shown = study->verbose || study->n_runs < LONGEST ? study->n_runs : LONGEST;
    const struct measure **found = study_find_measures(&count, study, is_unknown);
    struct table *table = count > 0 ? document_table(document, "others", "Other measures", FOR_READERS) : NULL;
    if (table != NULL)
        study_key_columns(table, study);
    for (size_t m = 0; m < count; m++)
        table_column(table, (struct column){.id = document_own(document, measure_key(found[m])),
                                            .unit = measure_unit(found[m])});
    for (int i = 0; table != NULL && i < n_shown; i++) {
        study_key_cells(table, study, &study->runs[i]);
        for (size_t m = 0; m < count; m++) {
            const struct measure *own = result_find(&study->runs[i].result, found[m]->of->group, found[m]->of->name);
            if (own != NULL)
                table_real(table, measure_value(own));
            else
                table_none(table);
        }
    }
    if (table != NULL && n_shown < study->n_runs)
        document_note(document, xformat("... %d more in -f csv.", study->n_runs - n_shown));
    free(found);
}

static void add_table(struct document *document, const struct study *study, const struct study_run *run,
                      const struct result_table *rows)
{
    const struct table_spec *spec = &table_specs[rows->id];
    struct builder title = {0};
    builder_add(&title, "%s, ", spec->name);
    study_name_run(&title, study, run);
    struct table *table =
        document_table(document, spec->name, document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < spec->n_columns; c++)
        if (result_has_column(rows, c))
            table_column(table,
                         (struct column){.id = spec->columns[c].name, .unit = kind_specs[spec->columns[c].kind].unit});
    for (size_t row = 0; row < rows->n_rows && row < LONGEST; row++)
        for (size_t c = 0; c < spec->n_columns; c++) {
            if (!result_has_column(rows, c))
                continue;
            if (kind_specs[spec->columns[c].kind].type == MEASURE_TEXT)
                table_text(table, result_cell(rows, row, c).text);
            else
                table_real(table, result_cell_value(rows, row, c));
        }
    if (rows->n_rows > LONGEST)
        document_note(document, xformat("... %zu more in -f json.", rows->n_rows - LONGEST));
}

void section_others(struct document *document, const struct study *study)
{
    add_measures(document, study);
    for (int i = 0; i < study->n_runs; i++)
        for (size_t t = 0; t < study->runs[i].result.n_tables; t++) {
            const struct result_table *rows = &study->runs[i].result.tables[t];
            if (!rows->of_detail && table_specs[rows->id].place == IN_OTHERS)
                add_table(document, study, &study->runs[i], rows);
        }
}
