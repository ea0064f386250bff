/* Puts a dataset together, cell by cell.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Heads of columns ---- */

/* Units that are converted, if they stand in brackets. */
static const struct {
    const char *name, *base;
    double factor;
} units[] = {
    {"s", "s", 1},
    {"ms", "s", 1e-3},
    {"us", "s", 1e-6},
    {"\302\265s", "s", 1e-6}, /* the micro sign */
    {"\316\274s", "s", 1e-6}, /* the Greek letter */
    {"ns", "s", 1e-9},
    {"ps", "s", 1e-12},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"B", "B", 1},
    {"bytes", "B", 1},
    {"kB", "B", 1e3},
    {"MB", "B", 1e6},
    {"GB", "B", 1e9},
    {"TB", "B", 1e12},
    {"KiB", "B", 1024},
    {"MiB", "B", 1024.0 * 1024},
    {"GiB", "B", 1024.0 * 1024 * 1024},
    {"TiB", "B", 1024.0 * 1024 * 1024 * 1024},
};
enum { N_UNITS = sizeof units / sizeof units[0] };

static int find_unit(const char *name)
{
    int unit = 0;
    while (unit < N_UNITS && strcmp(units[unit].name, name) != 0)
        unit++;
    return unit < N_UNITS ? unit : -1;
}

static void trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\n", text[length - 1]) != NULL)
        text[--length] = '\0';
}

/* Take "[ms]" or "(ms)" off the end of a name. */
static bool take_bracketed(struct dataset_column *column)
{
    size_t length = strlen(column->name);
    char close = length > 2 ? column->name[length - 1] : '\0';
    char *open = close == ']' ? strrchr(column->name, '[') : close == ')' ? strrchr(column->name, '(') : NULL;
    if (open == NULL || open == column->name || open + 2 == column->name + length)
        return false;
    column->name[length - 1] = '\0';
    column->unit = xstrdup(open + 1);
    *open = '\0';
    trim(column->name);
    return true;
}

const char *dataset_unit_in(const char *name)
{
    const char *end = strrchr(name, '_');
    int unit = end != NULL && end > name ? find_unit(end + 1) : -1;
    return unit >= 0 ? units[unit].name : "";
}

/* Find the unit that a name says. One that ends the name, "time_ms", stays in it, and numbers are as they are. */
static void find_column_unit(struct dataset_column *column)
{
    bool is_bracketed = take_bracketed(column);
    int unit = find_unit(is_bracketed ? column->unit : dataset_unit_in(column->name));
    column->is_time = unit >= 0 && strcmp(units[unit].base, "s") == 0;
    column->is_size = unit >= 0 && !column->is_time;
    column->factor = 1;
    if (unit >= 0 && is_bracketed) {
        column->factor = units[unit].factor;
        free(column->unit);
        column->unit = xstrdup(units[unit].base);
    }
    if (column->unit == NULL)
        column->unit = xstrdup(unit >= 0 ? units[unit].name : "");
}

/* ---- Columns ---- */

int dataset_find(const struct dataset *dataset, const char *name, size_t length)
{
    for (int i = 0; i < dataset->n_columns; i++)
        if (strncmp(dataset->columns[i].name, name, length) == 0 && dataset->columns[i].name[length] == '\0')
            return i;
    return -1;
}

const char *dataset_name_at(const void *dataset, int i)
{
    const struct dataset *self = dataset;
    return i < self->n_columns ? self->columns[i].name : NULL;
}

int dataset_add_column(struct dataset *dataset, const char *head, enum dataset_role role, long line, long column,
                       struct sim_error *error)
{
    if (dataset->n_columns == DATASET_COLUMNS)
        return dataset_fail(error, dataset->file, line, column, "more than %d columns, which is the most",
                            DATASET_COLUMNS);
    if (dataset->columns == NULL)
        dataset->columns = xcalloc(DATASET_COLUMNS, sizeof *dataset->columns);
    struct dataset_column added = {.name = xstrdup(head), .role = role};
    find_column_unit(&added);
    int before = dataset_find(dataset, added.name, strlen(added.name));
    dataset->columns[dataset->n_columns++] = added;
    if (added.name[0] == '\0')
        return dataset_fail(error, dataset->file, line, column, "has no name; the first line names all columns");
    if (before >= 0)
        return dataset_fail(error, dataset->file, line, column, "'%.80s' is already the name of column %d", added.name,
                            before + 1);
    return 0;
}

int dataset_add_measurements(struct dataset *dataset, long line, struct sim_error *error)
{
    return dataset_add_column(dataset, "region", DATASET_LABEL, line, 0, error) != 0 ||
                   dataset_add_column(dataset, "metric", DATASET_METRIC, line, 0, error) != 0 ||
                   dataset_add_column(dataset, "value", DATASET_MEASURE, line, 0, error) != 0
               ? -1
               : 0;
}

/* ---- Rows ---- */

/* Have room for so many rows. */
static void set_capacity(struct dataset *dataset, size_t capacity)
{
    for (int i = 0; i < dataset->n_columns; i++) {
        struct dataset_column *column = &dataset->columns[i];
        if (dataset_is_number(column))
            column->numbers = xrealloc(column->numbers, capacity * sizeof *column->numbers);
        else
            column->texts = xrealloc(column->texts, capacity * sizeof *column->texts);
    }
    dataset->lines = xrealloc(dataset->lines, capacity * sizeof *dataset->lines);
    dataset->capacity = capacity;
}

int dataset_add_row(struct dataset *dataset, long line, struct sim_error *error)
{
    if (dataset->n_rows >= (size_t)DATASET_CELLS / (size_t)(dataset->n_columns + 1))
        return dataset_fail(error, dataset->file, line, 0,
                            "more than %zu rows, which is the most for %d columns; leave out columns or rows",
                            dataset->n_rows, dataset->n_columns);
    if (dataset->n_rows == dataset->capacity)
        set_capacity(dataset, dataset->capacity == 0 ? 64 : 2 * dataset->capacity);
    dataset->lines[dataset->n_rows++] = (uint32_t)line;
    return 0;
}

int dataset_set_number(struct dataset *dataset, int column, double value, long line, struct sim_error *error)
{
    struct dataset_column *own = &dataset->columns[column];
    if (value < 0 && (own->is_time || own->is_size))
        return dataset_fail(error, dataset->file, line, column + 1, "%.80s is %g; a value in %.20s is not below 0",
                            own->name, value, own->unit);
    value *= own->factor;
    if (!isfinite(value))
        return dataset_fail(error, dataset->file, line, column + 1, "%.80s is not a finite number", own->name);
    own->numbers[dataset->n_rows - 1] = value;
    return 0;
}

void dataset_trim(struct dataset *dataset)
{
    set_capacity(dataset, dataset->n_rows);
}

/* The place of a text among all, a new one if it has not been there. A hash that another text
 * has is followed by the next one. */
static int64_t find_text(struct dataset *dataset, const char *text)
{
    struct map_key key = {hash_bytes(HASH_START, text, strlen(text)), 0};
    struct map_entry *entry = map_add(&dataset->text_places, key);
    while (entry->index != MAP_NOTHING && strcmp(dataset->texts[entry->index], text) != 0) {
        key.low++;
        entry = map_add(&dataset->text_places, key);
    }
    if (entry->index != MAP_NOTHING)
        return entry->index;
    entry->index = (uint32_t)dataset->n_texts;
    dataset->texts = xgrow(dataset->texts, dataset->n_texts, &dataset->texts_capacity, sizeof *dataset->texts);
    dataset->texts[dataset->n_texts] = xstrdup(text);
    return (int64_t)dataset->n_texts++;
}

int dataset_set_text(struct dataset *dataset, int column, const char *text, long line, struct sim_error *error)
{
    struct dataset_column *own = &dataset->columns[column];
    if (dataset->n_texts > DATASET_TEXTS)
        return dataset_fail(error, dataset->file, line, column + 1,
                            "more than %d different texts, which is the most; are these numbers?", DATASET_TEXTS);
    own->texts[dataset->n_rows - 1] = (uint32_t)find_text(dataset, text);
    return 0;
}

int dataset_add_measurement(struct dataset *dataset, const double *point, const char *region, const char *metric,
                            double value, long line, struct sim_error *error)
{
    int n = dataset->n_columns - 3, status = dataset_add_row(dataset, line, error);
    for (int p = 0; p < n && status == 0; p++)
        status = dataset_set_number(dataset, p, point[p], line, error);
    if (status == 0)
        status = dataset_set_text(dataset, n, region, line, error);
    if (status == 0)
        status = dataset_set_text(dataset, n + 1, metric, line, error);
    return status == 0 ? dataset_set_number(dataset, n + 2, value, line, error) : -1;
}

void dataset_keep(struct dataset *dataset, const bool *marks)
{
    size_t kept = 0;
    for (size_t row = 0; row < dataset->n_rows; row++) {
        if (!marks[row])
            continue;
        for (int i = 0; i < dataset->n_columns; i++) {
            struct dataset_column *column = &dataset->columns[i];
            if (dataset_is_number(column))
                column->numbers[kept] = column->numbers[row];
            else
                column->texts[kept] = column->texts[row];
        }
        dataset->lines[kept++] = dataset->lines[row];
    }
    dataset->n_rows = kept;
}

void dataset_dispose(struct dataset *dataset)
{
    for (int i = 0; i < dataset->n_columns; i++) {
        free(dataset->columns[i].name);
        free(dataset->columns[i].unit);
        free(dataset->columns[i].numbers);
        free(dataset->columns[i].texts);
    }
    for (size_t i = 0; i < dataset->n_texts; i++)
        free(dataset->texts[i]);
    free(dataset->columns);
    free(dataset->lines);
    free(dataset->texts);
    map_dispose(&dataset->text_places);
    *dataset = (struct dataset){.file = dataset->file};
}
