/* Models of measured values in a table: CSV, JSON, or a file of Extra-P.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/builder.h"
#include "base/memory.h"
#include "base/sort.h"
#include "dataset/dataset.h"
#include "os/path.h"
#include "simrun/answer.h"
#include "simrun/dataset_columns.h"
#include "simrun/dataset_rows.h"
#include "simrun/model.h"
#include "study/models/models.h"
#include "study/models/next.h"
#include "study/sections/runs.h"
#include "study/sections/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_SERIES = 10000,
    MOST_PLACES = 1 << 20, /* beyond, no parameter is said to go along with those of the models */
};

struct table_models {
    const struct options *options;
    struct dataset dataset;
    struct dataset_columns columns;
    struct models_request request;
    struct models models;
    uint32_t *groups; /* of each row */
    size_t n_groups;  /* series, and in each the metrics */
    uint32_t *rows;   /* group by group */
    size_t *firsts;
    bool *tells;              /* of each column: it tells series apart */
    struct measure *measures; /* of the models */
};

/* ---- Series ---- */

/* True if a parameter has one value at each place of the models: the work goes with the size. */
static bool goes_along(const struct table_models *self, const uint32_t *places, size_t n_places, int column)
{
    size_t n_rows = self->dataset.n_rows;
    if (n_places > MOST_PLACES)
        return false;
    uint32_t *finer = xmalloc(n_rows * sizeof *finer);
    memcpy(finer, places, n_rows * sizeof *finer);
    bool goes = dataset_rows_fold(finer, &self->dataset, column, n_places) == n_places;
    free(finer);
    return goes;
}

/* Find the columns that tell series apart; those that go along are named in models.along. */
static void find_telling(struct table_models *self)
{
    const struct dataset *dataset = &self->dataset;
    uint32_t *places = xcalloc(dataset->n_rows, sizeof *places);
    size_t n_places = 1;
    struct builder along = {0};
    self->tells = xcalloc((size_t)dataset->n_columns, sizeof *self->tells);
    for (int p = 0; p < self->request.n_parameters && n_places <= MOST_PLACES; p++)
        n_places = dataset_rows_fold(places, dataset, self->request.parameters[p], MOST_PLACES);
    for (int c = 0; c < dataset->n_columns; c++) {
        enum dataset_use use = self->columns.uses[c];
        bool is_parameter = use == USE_PARAMETER;
        self->tells[c] = use == USE_LABEL || (is_parameter && !goes_along(self, places, n_places, c));
        if (is_parameter && !self->tells[c])
            builder_add(&along, "%s%s", along.length > 0 ? ", " : "", dataset->columns[c].name);
    }
    self->models.along = builder_take(&along);
    free(places);
}

static int find_groups(struct table_models *self, struct sim_error *error)
{
    self->groups = xcalloc(self->dataset.n_rows, sizeof *self->groups);
    self->n_groups = 1;
    for (int c = 0; c < self->dataset.n_columns; c++)
        if (self->tells[c] || c == self->columns.metric) {
            self->n_groups = dataset_rows_fold(self->groups, &self->dataset, c, MOST_SERIES);
            if (self->n_groups > MOST_SERIES)
                return sim_error_set(error, SIM_BAD_INPUT, self->dataset.file, 0,
                                     "model: more than %d series, which is the most; column '%.80s' has many values: "
                                     "name the parameters by --over, or choose rows by conditions",
                                     MOST_SERIES, self->dataset.columns[c].name);
        }
    dataset_rows_bucket(&self->rows, &self->firsts, &self->dataset, self->groups, self->n_groups);
    free(self->groups);
    self->groups = NULL;
    return 0;
}

static bool varies(const struct dataset *dataset, const struct dataset_column *column)
{
    for (size_t row = 1; row < dataset->n_rows; row++)
        if (dataset_is_number(column) ? column->numbers[row] != column->numbers[0]
                                      : column->texts[row] != column->texts[0])
            return true;
    return false;
}

/* "region main->solve, broadcast flat": what tells the rows of a group from others; of `shown` columns. */
static char *name_series(const struct table_models *self, size_t row, const bool *shown)
{
    struct builder name = {0};
    for (int c = 0; c < self->dataset.n_columns; c++) {
        const struct dataset_column *column = &self->dataset.columns[c];
        if (!shown[c])
            continue;
        builder_add(&name, "%s%s ", name.length > 0 ? ", " : "", column->name);
        if (dataset_is_number(column))
            builder_add(&name, "%.15g", column->numbers[row]);
        else
            builder_add(&name, "%s", self->dataset.texts[column->texts[row]]);
    }
    return builder_take(&name);
}

static void name_all_series(struct table_models *self)
{
    bool *shown = xcalloc((size_t)self->dataset.n_columns, sizeof *shown);
    for (int c = 0; c < self->dataset.n_columns; c++)
        shown[c] = self->tells[c] && varies(&self->dataset, &self->dataset.columns[c]);
    self->models.series = xcalloc(self->n_groups, sizeof *self->models.series);
    for (size_t g = 0; g < self->n_groups; g++)
        self->models.series[self->models.n_series++] = name_series(self, self->rows[self->firsts[g]], shown);
    free(shown);
}

/* ---- Models ---- */

static void find_range(struct table_models *self)
{
    struct models *models = &self->models;
    models->n_parameters = self->request.n_parameters;
    for (int p = 0; p < models->n_parameters; p++) {
        const struct dataset_column *column = &self->dataset.columns[self->request.parameters[p]];
        models->parameters[p] = column->name;
        models->are_ranks[p] = strcasecmp(column->name, "ranks") == 0;
        models->first[p] = INFINITY;
        for (size_t row = 0; row < self->dataset.n_rows; row++) {
            models->first[p] = fmin(models->first[p], column->numbers[row]);
            models->last[p] = fmax(models->last[p], column->numbers[row]);
        }
    }
    models->over_ranks = models->are_ranks[0];
}

static void set_measure(struct table_models *self, struct model *model, struct measure *measure, size_t group,
                        const struct dataset_column *column)
{
    int metric = self->columns.metric;
    size_t row = self->rows[self->firsts[group]];
    const char *name = metric < 0 ? column->name : self->dataset.texts[self->dataset.columns[metric].texts[row]];
    measure->of = measure_name_kept("", name, M_NONE, MEASURE_RATIO);
    model->measure = measure;
    model->series = self->models.series[group];
    model->unit = metric < 0 ? column->unit : dataset_unit_in(name);
    model->unit_in_name = dataset_unit_in(name)[0] != '\0';
    model->quantity = strcmp(model->unit, "s") == 0   ? UNIT_SECONDS
                      : strcmp(model->unit, "B") == 0 ? UNIT_BYTES
                                                      : UNIT_NUMBER;
    model->never_negative = metric < 0 ? column->is_time || column->is_size : model->unit[0] != '\0';
}

static void add_points(const struct table_models *self, struct model *model, size_t group,
                       const struct dataset_column *column)
{
    size_t first = self->firsts[group], end = self->firsts[group + 1];
    model->points = xmalloc((end - first) * sizeof *model->points);
    for (size_t i = first; i < end; i++) {
        struct regression_point *point = &model->points[model->n_points++];
        for (int p = 0; p < REGRESSION_PARAMETERS; p++)
            point->x[p] = p < self->request.n_parameters
                              ? self->dataset.columns[self->request.parameters[p]].numbers[self->rows[i]]
                              : 1;
        point->value = column->numbers[self->rows[i]];
    }
}

/* The largest growth first; what has no model is last. */
static int by_growth(const void *a, const void *b, void *models)
{
    double left = models_factor(models, a), right = models_factor(models, b);
    if (isnan(left) || isnan(right))
        return isnan(left) - isnan(right);
    return (left < right) - (left > right);
}

static int fit_all(struct table_models *self, struct sim_error *error)
{
    struct models *models = &self->models;
    size_t n_most = self->n_groups * (size_t)self->dataset.n_columns;
    models->models = xcalloc(n_most, sizeof *models->models);
    self->measures = xcalloc(n_most, sizeof *self->measures);
    for (size_t g = 0; g < self->n_groups; g++)
        for (int c = 0; c < self->dataset.n_columns; c++) {
            if (self->columns.uses[c] != USE_MEASURE)
                continue;
            struct model *model = &models->models[models->n_models];
            set_measure(self, model, &self->measures[models->n_models++], g, &self->dataset.columns[c]);
            add_points(self, model, g, &self->dataset.columns[c]);
            models_fit(model, models);
        }
    models_propose(models);
    sort_rows(models->models, (size_t)models->n_models, sizeof *models->models, by_growth, models);
    if (models_check(models, error) == 0)
        return 0;
    char *message = xstrdup(error->message);
    sim_error_set(error, SIM_BAD_INPUT, self->dataset.file, 0, "%s", message);
    free(message);
    return -1;
}

/* ---- The answer ---- */

/* Numbers that are neither parameters nor asked for. */
static void note_unused(struct document *document, const struct table_models *self)
{
    struct builder names = {0};
    for (int c = 0; c < self->dataset.n_columns; c++)
        if (self->columns.uses[c] == USE_NOTHING && c != self->columns.metric)
            builder_add(&names, "%s%s", names.length > 0 ? ", " : "", self->dataset.columns[c].name);
    if (names.length > 0)
        document_note(document, xformat("Neither asked for nor whole numbers, so taken as measured: %s.", names.text));
    free(names.text);
}

/* There are no runs to speak of. */
static int make_document(struct document *document, void *data, struct sim_error *error)
{
    struct table_models *self = data;
    const struct study study = {.version = SIMRUN_VERSION,
                                .scenario = path_base(self->dataset.file),
                                .verbose = self->options->verbose,
                                .models = &self->models};
    find_telling(self);
    if (find_groups(self, error) != 0)
        return -1;
    find_range(self);
    name_all_series(self);
    if (fit_all(self, error) != 0)
        return -1;
    document->name = document->title = study.scenario;
    document->is_brief = !study.verbose;
    runs_data(document, &study);
    if (document->audience & FOR_READERS) {
        section_laws(document, &study);
        section_models(document, &study);
        note_unused(document, self);
    }
    return 0;
}

static int answer_table(struct table_models *self, struct sim_error *error)
{
    int status = dataset_rows_select(&self->dataset, self->options->files + 1, self->options->n_files - 1, error);
    if (status == 0)
        status = dataset_columns_find(&self->columns, &self->request, &self->dataset, self->options, error);
    self->models.at = self->request.at;
    self->models.n_at = self->request.n_at;
    if (status == 0)
        status = answer_output(self->options, make_document, self, error);
    models_dispose(&self->models);
    free(self->columns.uses);
    free(self->groups);
    free(self->rows);
    free(self->firsts);
    free(self->tells);
    free(self->measures);
    return status;
}

int model_dataset(const struct options *options, struct sim_error *error)
{
    struct table_models self = {.options = options};
    if (dataset_load(&self.dataset, options->files[0], error) != 0)
        return -1;
    int status = answer_table(&self, error);
    dataset_dispose(&self.dataset);
    return status;
}
