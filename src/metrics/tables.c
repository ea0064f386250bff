/* Tables of a result: the list of them, their rows, and their cells as names and numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/tables.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "interval/intern.h"
#include "metrics/result.h"

#include <assert.h>
#include <string.h>

const struct kind_spec kind_specs[N_COLUMN_KINDS] = {
#define KIND(id, type, storage, values, unit, what)                                                                    \
    [HOLDS_##id] = {STORED_##storage, MEASURE_##values, UNIT_##unit, NULL, 0, what},
#define WORD(id, name, names, count) [HOLDS_##id] = {STORED_WORD, MEASURE_TEXT, UNIT_TEXT, names, count, NULL},
#include "metrics/kinds.def"
#undef KIND
#undef WORD
};

#define TABLE(id, name, place) static const struct column_spec name##_columns[] = {
#define COLUMN(table, kind, member, column, whole) {column, whole, offsetof(struct table##_row, member), HOLDS_##kind},
#define ELEMENT(table, kind, element, column, whole) COLUMN(table, kind, element, column, whole)
#define END(table)                                                                                                     \
    }                                                                                                                  \
    ;
#include "metrics/list.def"

const struct table_spec table_specs[N_TABLES] = {
#define TABLE(id, name, place)                                                                                         \
    [TABLE_##id] = {#name, name##_columns, sizeof name##_columns / sizeof name##_columns[0],                           \
                    sizeof(struct name##_row), place},
#include "metrics/list.def"
};

/* --- tables and rows --- */

struct result_table *result_add_table(struct result *result, enum table_id id)
{
    result->tables = xgrow(result->tables, result->n_tables, &result->tables_capacity, sizeof *result->tables);
    struct result_table *table = &result->tables[result->n_tables++];
    *table = (struct result_table){.id = id};
    return table;
}

void *result_add_row(struct result_table *table)
{
    size_t row_size = table_specs[table->id].row_size;
    table->rows = xgrow(table->rows, table->n_rows, &table->capacity, row_size);
    return memset((char *)table->rows + table->n_rows++ * row_size, 0, row_size);
}

struct result_table *result_find_table(const struct result *result, enum table_id id)
{
    for (size_t i = 0; i < result->n_tables; i++)
        if (result->tables[i].id == id)
            return &result->tables[i];
    return NULL;
}

const void *result_rows(const struct result *result, enum table_id id, size_t *n_rows)
{
    const struct result_table *table = result_find_table(result, id);
    *n_rows = table != NULL ? table->n_rows : 0;
    return table != NULL ? table->rows : NULL;
}

/* --- columns --- */

size_t table_column_at(enum table_id id, size_t offset)
{
    size_t column = 0;
    while (table_specs[id].columns[column].offset != offset) {
        column++;
        assert(column < table_specs[id].n_columns);
    }
    return column;
}

bool result_has_column(const struct result_table *table, size_t column)
{
    return (table->absent >> column & 1) == 0;
}

void result_leave_out(struct result_table *table, size_t offset)
{
    table->absent |= UINT32_C(1) << table_column_at(table->id, offset);
}

/* --- cells --- */

static void *cell_at(const struct result_table *table, size_t row, size_t column)
{
    const struct table_spec *spec = &table_specs[table->id];
    return (char *)table->rows + row * spec->row_size + spec->columns[column].offset;
}

static const struct kind_spec *kind_of(const struct result_table *table, size_t column)
{
    return &kind_specs[table_specs[table->id].columns[column].kind];
}

struct result_cell result_cell(const struct result_table *table, size_t row, size_t column)
{
    const struct kind_spec *kind = kind_of(table, column);
    const void *at = cell_at(table, row, column);
    struct result_cell cell = {.type = kind->type, .text = ""};
    switch (kind->storage) {
    case STORED_INT32:
        cell.number = *(const int32_t *)at;
        break;
    case STORED_INT64:
        cell.number = *(const int64_t *)at;
        break;
    case STORED_WIDE:
        cell.number = *(const wide_int *)at;
        break;
    case STORED_FLAG:
        cell.number = *(const bool *)at;
        break;
    case STORED_REAL:
        cell.ratio = *(const double *)at;
        break;
    case STORED_NAME:
        cell.text = *(const char *const *)at != NULL ? *(const char *const *)at : "";
        break;
    case STORED_WORD:
        cell.text = kind->words[*(const int *)at];
        break;
    }
    return cell;
}

double result_cell_value(const struct result_table *table, size_t row, size_t column)
{
    struct result_cell cell = result_cell(table, row, column);
    assert(cell.type != MEASURE_TEXT);
    return cell.type == MEASURE_RATIO  ? cell.ratio
           : cell.type == MEASURE_TIME ? units_seconds(cell.number)
                                       : (double)cell.number;
}

static bool set_word(int *word, const struct kind_spec *kind, const char *text)
{
    for (*word = 0; *word < kind->n_words; (*word)++)
        if (strcmp(kind->words[*word], text) == 0)
            return true;
    *word = 0;
    return false;
}

bool result_set_cell(struct result_table *table, size_t row, size_t column, const struct result_cell *cell)
{
    const struct kind_spec *kind = kind_of(table, column);
    void *at = cell_at(table, row, column);
    assert(cell->type == kind->type);
    switch (kind->storage) {
    case STORED_INT32:
        return (*(int32_t *)at = (int32_t)cell->number) == cell->number;
    case STORED_INT64:
        return (*(int64_t *)at = (int64_t)cell->number) == cell->number;
    case STORED_WIDE:
        *(wide_int *)at = cell->number;
        return true;
    case STORED_FLAG:
        return (*(bool *)at = cell->number != 0) == cell->number;
    case STORED_REAL:
        *(double *)at = cell->ratio;
        return true;
    case STORED_NAME:
        *(const char **)at = result_name(cell->text);
        return true;
    case STORED_WORD:
    default:
        return set_word(at, kind, cell->text);
    }
}

const char *result_name(const char *text)
{
    char cut[48];
    utf8_copy(cut, sizeof cut, text);
    return intern_text(cut);
}
