/* Tables of timings that a platform names: "table FILE measure=NAME m=COLUMN n=COLUMN k=COLUMN iterations=COLUMN".
 * Their rows become the points to which the law of a kernel's cost is fitted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/table_columns.h"

#include "base/memory.h"
#include "os/file_kind.h"
#include "os/path.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_MIB = 64 };

/* ---- The words of the prop ---- */

char *table_file(const struct machine_prop *prop)
{
    const char *name = prop->value + strcspn(prop->value, " ");
    name += strspn(name, " ");
    return path_beside(prop->file, name, strcspn(name, " "));
}

/* The place for the value of a key; NULL: no such key. */
static char **value_of(struct cost_table *table, const char *key, size_t length)
{
    if (length == strlen("measure") && strncmp(key, "measure", length) == 0)
        return &table->measure_name;
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (strlen(law_size_names[s]) == length && strncmp(key, law_size_names[s], length) == 0)
            return &table->size_names[s];
    return NULL;
}

static int read_word(struct cost_table *table, const char *word, size_t length, struct sim_error *error)
{
    const char *equals = memchr(word, '=', length);
    char **value = equals != NULL ? value_of(table, word, (size_t)(equals - word)) : NULL;
    if (value == NULL)
        return machine_prop_error(table->prop, NULL, error,
                                  "unknown word '%.*s'; known: measure=COLUMN m=COLUMN n=COLUMN k=COLUMN "
                                  "iterations=COLUMN",
                                  (int)length, word);
    if (*value != NULL)
        return machine_prop_error(table->prop, NULL, error, "'%.*s' stands there twice", (int)(equals - word), word);
    *value = xformat("%.*s", (int)(word + length - equals - 1), equals + 1);
    return 0;
}

static int read_words(struct cost_table *table, struct sim_error *error)
{
    const char *word = table->prop->value + strlen("table");
    for (int i = 0; *(word += strspn(word, " ")) != '\0'; i++) {
        size_t length = strcspn(word, " ");
        if (i > 0 && read_word(table, word, length, error) != 0)
            return -1;
        word += length;
    }
    return 0;
}

/* ---- Rows ---- */

static bool has_text(const struct cost_table *table, size_t row, int column, const char *text)
{
    const struct dataset *dataset = &table->dataset;
    return column < 0 || strcmp(dataset->texts[dataset->columns[column].texts[row]], text) == 0;
}

static bool is_used(const struct cost_table *table, int column)
{
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (table->sizes[s] == column)
            return true;
    return column == table->measure;
}

/* A whole number that is no size may be another parameter: it must not vary. */
static int check_others(const struct cost_table *table, size_t first, size_t row, struct sim_error *error)
{
    for (int c = 0; c < table->dataset.n_columns; c++) {
        const struct dataset_column *column = &table->dataset.columns[c];
        bool may_vary = !dataset_is_number(column) || column->is_time || is_used(table, c) ||
                        column->numbers[row] == column->numbers[first];
        if (!may_vary && column->numbers[row] == floor(column->numbers[row]) && column->role != DATASET_MEASURE)
            return table_fail(table, row, error,
                              "%.80s varies, and is neither the time nor a size: %.15g, before it %.15g", column->name,
                              column->numbers[row], column->numbers[first]);
    }
    return 0;
}

static int take_sizes(struct kernel_law *law, const struct cost_table *table, size_t row, struct sim_error *error)
{
    for (int s = 0; s < N_LAW_SIZES; s++) {
        if (table->sizes[s] < 0)
            continue;
        double size = table->dataset.columns[table->sizes[s]].numbers[row];
        if (!(size >= 1 && size <= INT_MAX) || size != floor(size))
            return table_fail(table, row, error, "%s is %.15g; allowed: a whole number from 1 to %d", law_size_names[s],
                              size, INT_MAX);
        bool is_first = law->to[s] == 0;
        law->from[s] = is_first || (int64_t)size < law->from[s] ? (int64_t)size : law->from[s];
        law->to[s] = is_first || (int64_t)size > law->to[s] ? (int64_t)size : law->to[s];
    }
    double time_s = table->dataset.columns[table->measure].numbers[row];
    if (!(time_s > 0))
        return table_fail(table, row, error, "the time is %.15g; allowed: more than 0", time_s);
    return 0;
}

/* The rows of the kernel, which go to the front. */
static int choose_rows(struct kernel_law *law, struct cost_table *table, struct sim_error *error)
{
    struct dataset *dataset = &table->dataset;
    bool *marks = xcalloc(dataset->n_rows, sizeof *marks);
    for (size_t row = 0; row < dataset->n_rows; row++)
        marks[row] = has_text(table, row, table->label, table->kernel) &&
                     has_text(table, row, table->metric, table->measure_name != NULL ? table->measure_name : "");
    dataset_keep(dataset, marks);
    free(marks);
    if (dataset->n_rows == 0)
        return table_fail(table, TABLE_NO_ROW, error, "no row has %s%s '%.80s'",
                          table->label >= 0 ? dataset->columns[table->label].name : "the metric",
                          table->label >= 0 && table->metric >= 0 ? " and metric" : "",
                          table->label >= 0 ? table->kernel : table->measure_name);
    for (size_t row = 0; row < dataset->n_rows; row++)
        if (take_sizes(law, table, row, error) != 0 || check_others(table, 0, row, error) != 0)
            return -1;
    return 0;
}

/* ---- The law ---- */

static void find_parameters(struct kernel_law *law)
{
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (law->from[s] < law->to[s])
            law->parameters[law->n_parameters++] = (enum law_size)s;
    if (law->n_parameters == 0) /* too few points, which the regression says */
        law->n_parameters = 1;
}

static int by_first_two(const void *a, const void *b)
{
    const double *left = a, *right = b;
    int order = (left[0] > right[0]) - (left[0] < right[0]);
    return order != 0 ? order : (left[1] > right[1]) - (left[1] < right[1]);
}

/* True if one of the parameters grows with the other from row to row. */
static bool go_together(const struct regression_point *points, size_t n, int one, int other)
{
    double(*pairs)[2] = xcalloc(n, sizeof *pairs);
    bool together = true;
    for (size_t i = 0; i < n; i++) {
        pairs[i][0] = points[i].x[one];
        pairs[i][1] = points[i].x[other];
    }
    qsort(pairs, n, sizeof *pairs, by_first_two);
    for (size_t i = 1; i < n && together; i++)
        together = (pairs[i][0] > pairs[i - 1][0]) == (pairs[i][1] > pairs[i - 1][1]);
    free(pairs);
    return together;
}

/* A law over sizes that go together would not know a call of another shape. */
static int check_apart(const struct kernel_law *law, const struct cost_table *table,
                       const struct regression_point *points, struct sim_error *error)
{
    for (int one = 0; one < law->n_parameters; one++)
        for (int other = one + 1; other < law->n_parameters; other++)
            if (go_together(points, table->dataset.n_rows, one, other))
                return table_fail(
                    table, TABLE_NO_ROW, error,
                    "%s grows with %s from row to row, so that what each costs is not known; allowed: rows of "
                    "other shapes, or only one of them (as %s=COLUMN), if all calls have this shape",
                    law_size_names[law->parameters[other]], law_size_names[law->parameters[one]],
                    law_size_names[law->parameters[one]]);
    return 0;
}

static int fit(struct kernel_law *law, const struct cost_table *table, struct sim_error *error)
{
    const struct dataset *dataset = &table->dataset;
    struct regression_point *points = xcalloc(dataset->n_rows, sizeof *points);
    find_parameters(law);
    for (size_t row = 0; row < dataset->n_rows; row++) {
        struct law_call call = {{0}};
        for (int s = 0; s < N_LAW_SIZES; s++)
            if (table->sizes[s] >= 0)
                call.sizes[s] = (int64_t)dataset->columns[table->sizes[s]].numbers[row];
        const struct regression_place place = law_place(law, &call, 1);
        memcpy(points[row].x, place.x, sizeof place.x);
        points[row].value = dataset->columns[table->measure].numbers[row];
    }
    struct sim_error why;
    int status = check_apart(law, table, points, error);
    if (status == 0 && regression_fit(&law->model, points, (int)dataset->n_rows, law->n_parameters, &why) != 0)
        status = table_fail(table, TABLE_NO_ROW, error, "%.400s", why.message);
    free(points);
    return status;
}

static int check_file(const struct cost_table *table, const char *file, struct sim_error *error)
{
    struct stat status;
    if (stat(file, &status) != 0)
        return machine_prop_error(table->prop, NULL, error, "cannot read '%.200s': %s", file, strerror(errno));
    if (S_ISREG(status.st_mode) && status.st_size > (off_t)MOST_MIB << 20)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is larger than %d MiB", MOST_MIB);
    return S_ISREG(status.st_mode) ? file_kind_check(file, FILE_DATASET, "a table of timings", error) : 0;
}

static int load(struct kernel_law *law, struct cost_table *table, const char *file, struct sim_error *error)
{
    if (read_words(table, error) != 0 || check_file(table, file, error) != 0 ||
        dataset_load(&table->dataset, file, error) != 0)
        return -1;
    int status = table_find_columns(table, error);
    if (status == 0)
        status = choose_rows(law, table, error);
    if (status == 0)
        status = fit(law, table, error);
    dataset_dispose(&table->dataset);
    return status;
}

int table_read_law(struct kernel_law **law, const struct machine_prop *prop, const char *kernel,
                   struct sim_error *error)
{
    struct cost_table table = {.prop = prop, .kernel = kernel};
    char *file = table_file(prop);
    struct kernel_law *read = xcalloc(1, sizeof *read);
    int status = prop->value[strspn(prop->value + strlen("table"), " ") + strlen("table")] == '\0'
                     ? machine_prop_error(prop, NULL, error, "names no file; allowed: table FILE.csv")
                     : load(read, &table, file, error);
    free(table.measure_name);
    for (int s = 0; s < N_LAW_SIZES; s++)
        free(table.size_names[s]);
    read->table = xstrdup(path_base(file));
    free(file);
    if (status == 0)
        *law = read;
    else
        law_free(read);
    return status;
}
