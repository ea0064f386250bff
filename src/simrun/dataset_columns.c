/* Tells measures from parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/dataset_columns.h"

#include "base/known.h"
#include "base/memory.h"
#include "simrun/dataset_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_PLACES = 1 << 20 }; /* beyond, no column is said to go along with others */

/* ---- Measures by name ---- */

static int fail_unknown(const struct dataset *dataset, const char *word, size_t length,
                        const char *(*name_at)(const void *table, int i), const void *table, struct sim_error *error)
{
    char *name = xformat("%.*s", (int)length, word), known[700];
    known_format(known, sizeof known, name, name_at, table);
    sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0, "model: there is no measure '%.80s'%s", name, known);
    free(name);
    return -1;
}

static const char *number_name_at(const void *table, int i)
{
    const struct dataset *dataset = table;
    for (int c = 0; c < dataset->n_columns; c++)
        if (dataset_is_number(&dataset->columns[c]) && i-- == 0)
            return dataset->columns[c].name;
    return NULL;
}

/* The names of columns. */
static int name_columns(struct dataset_columns *columns, const struct dataset *dataset, const char *names,
                        struct sim_error *error)
{
    for (const char *word = names;; word++) {
        size_t length = strcspn(word, ",");
        int column = dataset_find(dataset, word, length);
        if (column < 0 || !dataset_is_number(&dataset->columns[column]))
            return fail_unknown(dataset, word, length, number_name_at, dataset, error);
        columns->uses[column] = USE_MEASURE;
        word += length;
        if (*word == '\0')
            return 0;
    }
}

/* Texts that the column of metrics has. */
struct metrics {
    const char **names;
    size_t count;
};

static const char *metric_name_at(const void *table, int i)
{
    const struct metrics *metrics = table;
    return (size_t)i < metrics->count ? metrics->names[i] : NULL;
}

static struct metrics find_metrics(const struct dataset *dataset, int metric)
{
    struct metrics metrics = {.names = xcalloc(dataset->n_texts + 1, sizeof(const char *))};
    bool *are_there = xcalloc(dataset->n_texts + 1, sizeof *are_there);
    for (size_t row = 0; row < dataset->n_rows; row++)
        are_there[dataset->columns[metric].texts[row]] = true;
    for (size_t i = 0; i < dataset->n_texts; i++)
        if (are_there[i])
            metrics.names[metrics.count++] = dataset->texts[i];
    free(are_there);
    return metrics;
}

static bool has_word(const char *words, const char *name)
{
    for (const char *word = words;; word++) {
        size_t length = strcspn(word, ",");
        if (strlen(name) == length && strncmp(word, name, length) == 0)
            return true;
        word += length;
        if (*word == '\0')
            return false;
    }
}

/* Keep the rows of these metrics. */
static int name_metrics(struct dataset *dataset, int metric, const char *names, struct sim_error *error)
{
    struct metrics all = find_metrics(dataset, metric);
    int status = 0;
    for (const char *word = names; status == 0; word++) {
        size_t length = strcspn(word, ","), i = 0;
        while (i < all.count && (strlen(all.names[i]) != length || strncmp(all.names[i], word, length) != 0))
            i++;
        if (i == all.count)
            status = fail_unknown(dataset, word, length, metric_name_at, &all, error);
        word += length;
        if (*word == '\0')
            break;
    }
    free(all.names);
    if (status != 0)
        return -1;
    bool *marks = xmalloc(dataset->n_rows * sizeof *marks);
    for (size_t row = 0; row < dataset->n_rows; row++)
        marks[row] = has_word(names, dataset->texts[dataset->columns[metric].texts[row]]);
    dataset_keep(dataset, marks);
    free(marks);
    return 0;
}

/* ---- Parameters ---- */

static bool is_whole(const struct dataset *dataset, const struct dataset_column *column)
{
    for (size_t row = 0; row < dataset->n_rows; row++)
        if (column->numbers[row] != floor(column->numbers[row]))
            return false;
    return true;
}

static bool is_parameter(const struct dataset *dataset, const struct dataset_column *column)
{
    return column->role == DATASET_PARAMETER ||
           (column->role == DATASET_UNTOLD && !column->is_time && is_whole(dataset, column));
}

/* True if a column has one value for each combination of those that have told `places` apart; else they are told apart
 * by it, too. */
static bool goes_along(uint32_t *places, size_t *n_places, const struct dataset *dataset, int column)
{
    uint32_t *finer = xmalloc(dataset->n_rows * sizeof *finer);
    memcpy(finer, places, dataset->n_rows * sizeof *finer);
    size_t n_finer = dataset_rows_fold(finer, dataset, column, MOST_PLACES);
    bool goes = n_finer == *n_places;
    if (!goes && n_finer <= MOST_PLACES) {
        memcpy(places, finer, dataset->n_rows * sizeof *finer);
        *n_places = n_finer;
    }
    free(finer);
    return goes;
}

static struct variable describe_column(const struct dataset *dataset, int column)
{
    const struct dataset_column *own = &dataset->columns[column];
    struct variable variable = {.name = own->name,
                                .is_number = true,
                                .place = column,
                                .quantity = strcmp(own->unit, "B") == 0 ? QUANTITY_SIZE : QUANTITY_REAL,
                                .n_values = 1};
    for (size_t row = 0; row < dataset->n_rows; row++) {
        variable.largest = fmax(variable.largest, own->numbers[row]);
        variable.n_values = own->numbers[row] != own->numbers[0] ? 2 : variable.n_values;
    }
    return variable;
}

static struct variables list_variables(const struct dataset_columns *columns, const struct dataset *dataset)
{
    struct variables variables = {.list = xcalloc((size_t)dataset->n_columns, sizeof *variables.list),
                                  .file = dataset->file,
                                  .advice = "(all rows have the same)"};
    uint32_t *places = xcalloc(dataset->n_rows, sizeof *places);
    size_t n_places = 1;
    for (int c = 0; c < dataset->n_columns; c++) {
        if (!dataset_is_number(&dataset->columns[c]) || columns->uses[c] == USE_MEASURE)
            continue;
        struct variable *variable = &variables.list[variables.count++];
        *variable = describe_column(dataset, c);
        variable->is_asked =
            columns->uses[c] != USE_PARAMETER || (variable->n_values > 1 && goes_along(places, &n_places, dataset, c));
    }
    free(places);
    return variables;
}

/* A parameter of a model is above 0. */
static int check_parameter(const struct dataset *dataset, const struct dataset_column *column, struct sim_error *error)
{
    for (size_t row = 0; row < dataset->n_rows; row++)
        if (!(column->numbers[row] > 0))
            return sim_error_set(error, SIM_BAD_INPUT, dataset->file, (long)dataset->lines[row],
                                 "%.80s is %.15g; a parameter of a model is above 0 ('%.80s>0' leaves such rows out)",
                                 column->name, column->numbers[row], column->name);
    return 0;
}

static int take_parameters(struct dataset_columns *columns, struct models_request *request,
                           const struct dataset *dataset, const struct options *options, struct sim_error *error)
{
    struct variables variables = list_variables(columns, dataset);
    struct options asked = *options;
    asked.model = "measures"; /* which ones does not matter, but it is not asked what the time consists of */
    int status = request_make(request, &variables, &asked, error);
    for (int p = 0; p < request->n_parameters; p++) {
        request->parameters[p] = variables.list[request->parameters[p]].place;
        columns->uses[request->parameters[p]] = USE_OVER;
        if (status == 0)
            status = check_parameter(dataset, &dataset->columns[request->parameters[p]], error);
    }
    free(variables.list);
    return status;
}

/* ---- All ---- */

static void find_uses(struct dataset_columns *columns, const struct dataset *dataset)
{
    columns->metric = -1;
    columns->uses = xcalloc((size_t)dataset->n_columns, sizeof *columns->uses);
    for (int c = 0; c < dataset->n_columns; c++) {
        const struct dataset_column *column = &dataset->columns[c];
        if (column->role == DATASET_METRIC)
            columns->metric = c;
        else if (column->role == DATASET_MEASURE)
            columns->uses[c] = USE_MEASURE;
        else if (column->role == DATASET_LABEL)
            columns->uses[c] = USE_LABEL;
        else if (is_parameter(dataset, column))
            columns->uses[c] = USE_PARAMETER;
    }
}

/* Without names all numbers are measures that are no parameters. */
static int take_all(struct dataset_columns *columns, const struct dataset *dataset, struct sim_error *error)
{
    int n_measures = 0;
    char known[700];
    for (int c = 0; c < dataset->n_columns; c++) {
        if (columns->uses[c] == USE_NOTHING && c != columns->metric)
            columns->uses[c] = USE_MEASURE;
        n_measures += columns->uses[c] == USE_MEASURE;
    }
    if (n_measures > 0)
        return 0;
    known_format(known, sizeof known, "", number_name_at, dataset);
    return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0,
                         "model: all numbers are whole, so it is not known what is measured; name it: simrun model "
                         "MEASURE FILE%s",
                         known);
}

int dataset_columns_find(struct dataset_columns *columns, struct models_request *request, struct dataset *dataset,
                         const struct options *options, struct sim_error *error)
{
    const char *names = options->model;
    int status = 0;
    *request = (struct models_request){0};
    find_uses(columns, dataset);
    if (names[0] != '\0')
        status = columns->metric >= 0 ? name_metrics(dataset, columns->metric, names, error)
                                      : name_columns(columns, dataset, names, error);
    if (status == 0)
        status = take_parameters(columns, request, dataset, options, error);
    return status == 0 && names[0] == '\0' ? take_all(columns, dataset, error) : status;
}
