/* Tables of timings that a platform names: "table FILE measure=NAME m=COLUMN n=COLUMN k=COLUMN iterations=COLUMN".
 * Their rows become the points to which the law of a kernel's cost is fitted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/table.h"

#include "base/known.h"
#include "base/memory.h"
#include "dataset/dataset.h"
#include "os/file_kind.h"
#include "os/path.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_MIB = 64, NO_COLUMN = -1, N_NAMES = 2 };

/* Names of columns that say of which kernel a row is. */
static const char *const kernel_columns[N_NAMES] = {"kernel", "region"};

/* A prop that is being read. Columns are places in the dataset. */
struct table {
    const struct machine_prop *prop;
    const char *kernel;
    struct dataset dataset;
    int measure, metric, label; /* metric: of Extra-P; label: says the kernel */
    int sizes[N_LAW_SIZES];
    char *measure_name, *size_names[N_LAW_SIZES]; /* as the prop gives them; NULL: it does not */
};

/* ---- The words of the prop ---- */

char *table_file(const struct machine_prop *prop)
{
    const char *name = prop->value + strcspn(prop->value, " ");
    name += strspn(name, " ");
    return path_beside(prop->file, name, strcspn(name, " "));
}

/* The place for the value of a key; NULL: no such key. */
static char **value_of(struct table *table, const char *key, size_t length)
{
    if (length == strlen("measure") && strncmp(key, "measure", length) == 0)
        return &table->measure_name;
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (strlen(law_size_names[s]) == length && strncmp(key, law_size_names[s], length) == 0)
            return &table->size_names[s];
    return NULL;
}

static int read_word(struct table *table, const char *word, size_t length, struct sim_error *error)
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

static int read_words(struct table *table, struct sim_error *error)
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

/* ---- Columns ---- */

static int fail(const struct table *table, size_t row, struct sim_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
enum { NO_ROW = -1 };

/* "TABLE.csv:LINE: kernel.NAME: ..." */
static int fail(const struct table *table, size_t row, struct sim_error *error, const char *format, ...)
{
    char what[512];
    long line = row == (size_t)NO_ROW ? 0 : (long)table->dataset.lines[row];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return sim_error_set(error, SIM_BAD_INPUT, table->dataset.file, line, "%.60s: %s", table->prop->id, what);
}

static int find_number(int *column, const struct table *table, const char *name, struct sim_error *error)
{
    char known[400];
    *column = dataset_find(&table->dataset, name, strlen(name));
    if (*column >= 0 && dataset_is_number(&table->dataset.columns[*column]))
        return 0;
    known_format(known, sizeof known, name, dataset_name_at, &table->dataset);
    return fail(table, (size_t)NO_ROW, error, "no column of numbers is called '%.80s'%s", name, known);
}

/* A size has its own column, or the one that the prop names. */
static int find_sizes(struct table *table, struct sim_error *error)
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
        return fail(table, (size_t)NO_ROW, error,
                    "has no column m, n, k or iterations; where they have other names, the prop says so, as m=COLUMN");
    if (table->sizes[LAW_ITERATIONS] < 0)
        return 0;
    for (int s = 0; s < LAW_ITERATIONS; s++)
        if (table->sizes[s] >= 0)
            return fail(table, (size_t)NO_ROW, error,
                        "has both iterations and %s; a call has either iterations or dimensions", law_size_names[s]);
    return 0;
}

/* A measure that the prop does not name is the only time. */
static int find_measure(struct table *table, struct sim_error *error)
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
        return fail(table, (size_t)NO_ROW, error,
                    n_times == 0 ? "has no time: no column has a unit such as 'time [us]'"
                                 : "has several times; the prop says which one counts, as measure=COLUMN");
    return 0;
}

static int check_unit(const struct table *table, struct sim_error *error)
{
    const struct dataset_column *column = &table->dataset.columns[table->measure];
    const char *unit = column->unit, *name = column->name;
    if (table->metric >= 0) {
        name = table->measure_name != NULL ? table->measure_name : "";
        unit = dataset_unit_in(name);
        if (name[0] == '\0')
            return fail(table, (size_t)NO_ROW, error, "has several metrics; the prop says which one counts, as %s",
                        "measure=time_s");
    }
    if (strcmp(unit, "s") == 0)
        return 0;
    return fail(table, (size_t)NO_ROW, error, "'%.80s' is %s%.20s; a time is needed, as '%.80s [us]'%s", name,
                unit[0] != '\0' ? "in " : "without a unit", unit, name, table->metric >= 0 ? " or time_s" : "");
}

/* Find what says of which kernel the rows are; any other text would mix what does not belong together. */
static int find_label(struct table *table, struct sim_error *error)
{
    const struct dataset *dataset = &table->dataset;
    for (int c = 0; c < dataset->n_columns; c++) {
        const char *name = dataset->columns[c].name;
        if (dataset_is_number(&dataset->columns[c]) || c == table->metric)
            continue;
        if (strcmp(name, kernel_columns[0]) != 0 && strcmp(name, kernel_columns[1]) != 0)
            return fail(table, (size_t)NO_ROW, error,
                        "column '%.80s' is text; allowed: 'kernel' or 'region', which says of which kernel a row is",
                        name);
        table->label = c;
    }
    return 0;
}

static int find_columns(struct table *table, struct sim_error *error)
{
    table->measure = table->metric = table->label = NO_COLUMN;
    return find_sizes(table, error) != 0 || find_measure(table, error) != 0 || check_unit(table, error) != 0
               ? -1
               : find_label(table, error);
}

/* ---- Rows ---- */

static bool has_text(const struct table *table, size_t row, int column, const char *text)
{
    const struct dataset *dataset = &table->dataset;
    return column < 0 || strcmp(dataset->texts[dataset->columns[column].texts[row]], text) == 0;
}

static bool is_used(const struct table *table, int column)
{
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (table->sizes[s] == column)
            return true;
    return column == table->measure;
}

/* A whole number that is no size may be another parameter: it must not vary. */
static int check_others(const struct table *table, size_t first, size_t row, struct sim_error *error)
{
    for (int c = 0; c < table->dataset.n_columns; c++) {
        const struct dataset_column *column = &table->dataset.columns[c];
        bool may_vary = !dataset_is_number(column) || column->is_time || is_used(table, c) ||
                        column->numbers[row] == column->numbers[first];
        if (!may_vary && column->numbers[row] == floor(column->numbers[row]) && column->role != DATASET_MEASURE)
            return fail(table, row, error, "%.80s varies, and is neither the time nor a size: %.15g, before it %.15g",
                        column->name, column->numbers[row], column->numbers[first]);
    }
    return 0;
}

static int take_sizes(struct kernel_law *law, const struct table *table, size_t row, struct sim_error *error)
{
    for (int s = 0; s < N_LAW_SIZES; s++) {
        if (table->sizes[s] < 0)
            continue;
        double size = table->dataset.columns[table->sizes[s]].numbers[row];
        if (!(size >= 1 && size <= INT_MAX) || size != floor(size))
            return fail(table, row, error, "%s is %.15g; allowed: a whole number from 1 to %d", law_size_names[s], size,
                        INT_MAX);
        bool is_first = law->to[s] == 0;
        law->from[s] = is_first || (int64_t)size < law->from[s] ? (int64_t)size : law->from[s];
        law->to[s] = is_first || (int64_t)size > law->to[s] ? (int64_t)size : law->to[s];
    }
    double time_s = table->dataset.columns[table->measure].numbers[row];
    if (!(time_s > 0))
        return fail(table, row, error, "the time is %.15g; allowed: more than 0", time_s);
    return 0;
}

/* The rows of the kernel, which go to the front. */
static int choose_rows(struct kernel_law *law, struct table *table, struct sim_error *error)
{
    struct dataset *dataset = &table->dataset;
    bool *marks = xcalloc(dataset->n_rows, sizeof *marks);
    for (size_t row = 0; row < dataset->n_rows; row++)
        marks[row] = has_text(table, row, table->label, table->kernel) &&
                     has_text(table, row, table->metric, table->measure_name != NULL ? table->measure_name : "");
    dataset_keep(dataset, marks);
    free(marks);
    if (dataset->n_rows == 0)
        return fail(table, (size_t)NO_ROW, error, "no row has %s%s '%.80s'",
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

static int fit(struct kernel_law *law, const struct table *table, struct sim_error *error)
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
    int status = regression_fit(&law->model, points, (int)dataset->n_rows, law->n_parameters, &why);
    free(points);
    return status == 0 ? 0 : fail(table, (size_t)NO_ROW, error, "%.400s", why.message);
}

static int check_file(const struct table *table, const char *file, struct sim_error *error)
{
    struct stat status;
    if (stat(file, &status) != 0)
        return machine_prop_error(table->prop, NULL, error, "cannot read '%.200s': %s", file, strerror(errno));
    if (S_ISREG(status.st_mode) && status.st_size > (off_t)MOST_MIB << 20)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is larger than %d MiB", MOST_MIB);
    return S_ISREG(status.st_mode) ? file_kind_check(file, FILE_DATASET, "a table of timings", error) : 0;
}

static int load(struct kernel_law *law, struct table *table, const char *file, struct sim_error *error)
{
    if (read_words(table, error) != 0 || check_file(table, file, error) != 0 ||
        dataset_load(&table->dataset, file, error) != 0)
        return -1;
    int status = find_columns(table, error);
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
    struct table table = {.prop = prop, .kernel = kernel};
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
