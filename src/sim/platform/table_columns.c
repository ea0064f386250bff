/* The columns of a table of timings: sizes, the time, and what says of which kernel a row is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/table_columns.h"

#include "base/known.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NO_COLUMN = -1, N_NAMES = 2 };

/* Names of columns that say of which kernel a row is. */
static const char *const kernel_columns[N_NAMES] = {"kernel", "region"};

int table_fail(const struct cost_table *table, size_t row, struct sim_error *error, const char *format, ...)
{
    char what[512];
    long line = row == TABLE_NO_ROW ? 0 : (long)table->dataset.lines[row];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return sim_error_set(error, SIM_BAD_INPUT, table->dataset.file, line, "%.60s: %s", table->prop->id, what);
}

static int find_number(int *column, const struct cost_table *table, const char *name, struct sim_error *error)
{
    char known[400];
    *column = dataset_find(&table->dataset, name, strlen(name));
    if (*column >= 0 && dataset_is_number(&table->dataset.columns[*column]))
        return 0;
    known_format(known, sizeof known, name, dataset_name_at, &table->dataset);
    return table_fail(table, TABLE_NO_ROW, error, "no column of numbers is called '%.80s'%s", name, known);
}

/* A size has its own column, or the one that the prop names. */
static int find_sizes(struct cost_table *table, struct sim_error *error)
{
    bool names_any = false, has_any = false;
    for (int s = 0; s < N_LAW_SIZES; s++)
        names_any |= table->size_names[s] != NULL;
    for (int s = 0; s < N_LAW_SIZES; s++) {
        const char *name = names_any ? table->size_names[s] : law_size_names[s];
        table->sizes[s] = NO_COLUMN;
        if (names_any && name != NULL && find_number(&table->sizes[s], table, name, error) != 0)
            return -1;
        if (!names_any)
            table->sizes[s] = dataset_find(&table->dataset, name, strlen(name));
        has_any |= table->sizes[s] >= 0;
    }
    if (!has_any)
        return table_fail(
            table, TABLE_NO_ROW, error,
            "has no column m, n, k or iterations; where they have other names, the prop says so, as m=COLUMN");
    if (table->sizes[LAW_ITERATIONS] < 0)
        return 0;
    for (int s = 0; s < LAW_ITERATIONS; s++)
        if (table->sizes[s] >= 0)
            return table_fail(table, TABLE_NO_ROW, error,
                              "has both iterations and %s; a call has either iterations or dimensions",
                              law_size_names[s]);
    return 0;
}

/* A measure that the prop does not name is the only time. */
static int find_measure(struct cost_table *table, struct sim_error *error)
{
    const struct dataset *dataset = &table->dataset;
    int n_times = 0;
    for (int c = 0; c < dataset->n_columns; c++) {
        if (dataset->columns[c].role == DATASET_METRIC)
            table->metric = c;
        if (dataset_is_number(&dataset->columns[c]) && dataset->columns[c].is_time && n_times++ == 0)
            table->measure = c;
    }
    if (table->metric >= 0) /* its values are in one column, "value", and its metrics say their units */
        return find_number(&table->measure, table, "value", error);
    if (table->measure_name != NULL)
        return find_number(&table->measure, table, table->measure_name, error);
    if (n_times != 1)
        return table_fail(table, TABLE_NO_ROW, error,
                          n_times == 0 ? "has no time: no column has a unit such as 'time [us]'"
                                       : "has several times; the prop says which one counts, as measure=COLUMN");
    return 0;
}

static int check_unit(const struct cost_table *table, struct sim_error *error)
{
    const struct dataset_column *column = &table->dataset.columns[table->measure];
    const char *unit = column->unit, *name = column->name;
    if (table->metric >= 0) {
        name = table->measure_name != NULL ? table->measure_name : "";
        unit = dataset_unit_in(name);
        if (name[0] == '\0')
            return table_fail(table, TABLE_NO_ROW, error, "has several metrics; the prop says which one counts, as %s",
                              "measure=time_s");
    }
    if (strcmp(unit, "s") == 0)
        return 0;
    return table_fail(table, TABLE_NO_ROW, error, "'%.80s' is %s%.20s; a time is needed, as '%.80s [us]'%s", name,
                      unit[0] != '\0' ? "in " : "without a unit", unit, name, table->metric >= 0 ? " or time_s" : "");
}

/* Find what says of which kernel the rows are; any other text would mix what does not belong together. */
static int find_label(struct cost_table *table, struct sim_error *error)
{
    const struct dataset *dataset = &table->dataset;
    for (int c = 0; c < dataset->n_columns; c++) {
        const char *name = dataset->columns[c].name;
        if (dataset_is_number(&dataset->columns[c]) || c == table->metric)
            continue;
        if (strcmp(name, kernel_columns[0]) != 0 && strcmp(name, kernel_columns[1]) != 0)
            return table_fail(
                table, TABLE_NO_ROW, error,
                "column '%.80s' is text; allowed: 'kernel' or 'region', which says of which kernel a row is", name);
        table->label = c;
    }
    return 0;
}

int table_find_columns(struct cost_table *table, struct sim_error *error)
{
    table->measure = table->metric = table->label = NO_COLUMN;
    return find_sizes(table, error) != 0 || find_measure(table, error) != 0 || check_unit(table, error) != 0
               ? -1
               : find_label(table, error);
}
