/* Cells of a result's tables by the names that they have in JSON, for tests that are tables of such names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_METRICS_CELLS_H
#define TESTS_METRICS_CELLS_H

#include "metrics/result.h"

#include <stdlib.h>
#include <string.h>

/* NULL: the result has no such table. A name that no table has is a mistake. */
static inline const struct result_table *cells_table(const struct result *result, const char *name)
{
    int id = 0;
    while (strcmp(table_specs[id].name, name) != 0)
        if (++id == N_TABLES)
            abort();
    return result_find_table(result, (enum table_id)id);
}

static inline bool cells_has_column(const struct result_table *table, const char *name)
{
    bool found = false;
    for (size_t c = 0; c < table_specs[table->id].n_columns; c++)
        found |= result_has_column(table, c) && strcmp(table_specs[table->id].columns[c].name, name) == 0;
    return found;
}

static inline struct result_cell cells_at(const struct result_table *table, size_t row, const char *name)
{
    size_t column = 0;
    while (strcmp(table_specs[table->id].columns[column].name, name) != 0)
        if (++column == table_specs[table->id].n_columns)
            abort();
    return result_cell(table, row, column);
}

#endif
