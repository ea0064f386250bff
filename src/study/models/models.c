/* Performance models of the measures of a sweep.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/models.h"

#include "base/builder.h"
#include "base/known.h"
#include "base/memory.h"
#include "study/models/next.h"
#include "study/models/observations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_STEPS = 512 }; /* in which the dominating model is looked for */

const struct models_doubt models_doubts[] = {
    {REGRESSION_SCATTER, "scatter", "left-out points are missed by more than a quarter"},
    {REGRESSION_ABOVE, "largest_above",
     "the largest points lie above the prediction from the others, so it says little beyond them"},
    {REGRESSION_BELOW, "largest_below",
     "the largest points lie below the prediction from the others, so it says little beyond them"},
    {REGRESSION_SIGN, "sign", "the formula changes its sign on the way"},
    {REGRESSION_WIDE, "wide", "the band is wider than the value"},
    {REGRESSION_NOISE, "noise",
     "the noise is not known well: if it is as large as it may be, the band is wider than the value"},
    {REGRESSION_FEW, "few_points", "fewer than 5 points, or than 6 without repetitions"},
    {0, NULL, NULL},
};

/* ---- Measures ---- */

/* "time_s" is that measure, "overhead_ratio" or "overhead_ratio.idle" that of a group, "critical_path_s.processing.cpu"
 * the measure processing.cpu of a group. */
static bool is_meant(const struct measure *measure, const char *word, size_t length)
{
    char key[MEASURE_GROUP + MEASURE_NAME];
    snprintf(key, sizeof key, "%s%s%s", measure->of->group, measure->of->group[0] != '\0' ? "." : "",
             measure->of->name);
    return (strlen(key) == length && strncmp(key, word, length) == 0) ||
           (strlen(measure->of->group) == length && length > 0 && strncmp(measure->of->group, word, length) == 0);
}

static bool is_any(const struct measure *measure)
{
    (void)measure;
    return true;
}

struct measures {
    const struct measure **list;
    size_t count;
};

static bool has(const struct measures *measures, const struct measure *measure)
{
    for (size_t i = 0; i < measures->count; i++)
        if (measures->list[i] == measure)
            return true;
    return false;
}

static bool is_new_group(const struct measures *measures, size_t measure)
{
    for (size_t i = 0; i < measure; i++)
        if (measure_same_group(measures->list[i], measures->list[measure]))
            return false;
    return true;
}

/* The names of single measures, and those of groups once. */
static const char *measure_name_at(const void *table, int n)
{
    const struct measures *all = table;
    for (size_t i = 0; i < all->count; i++) {
        bool is_single = all->list[i]->of->group[0] == '\0';
        if ((is_single || is_new_group(all, i)) && n-- == 0)
            return is_single ? all->list[i]->of->name : all->list[i]->of->group;
    }
    return NULL;
}

static int set_unknown(const struct measures *all, const char *word, size_t length, struct sim_error *error)
{
    char *name = xformat("%.*s", (int)length, word), known[800];
    known_format(known, sizeof known, name, measure_name_at, all);
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model: no run has the measure '%.80s'%s", name, known);
    free(name);
    return -1;
}

/* Add those of all measures that the words mean, one word after the other. */
static int choose_measures(struct measures *chosen, const struct measures *all, const char *text,
                           struct sim_error *error)
{
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        bool any = false;
        for (size_t i = 0; i < all->count; i++) {
            bool meant = is_meant(all->list[i], word, length);
            any |= meant;
            if (meant && !has(chosen, all->list[i]))
                chosen->list[chosen->count++] = all->list[i];
        }
        if (!any)
            return set_unknown(all, word, length, error);
        word += length;
        if (*word == '\0')
            return 0;
    }
}

/* The time and what it consists of, one group after the other. */
static void choose_parts(struct measures *chosen, const struct measures *all)
{
    static const enum measure_id ids[] = {M_TIME, M_FUNCTION, M_FUNCTION_PART, M_SCOPE, M_SCOPE_PART};
    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++)
        for (size_t i = 0; i < all->count; i++)
            if (all->list[i]->of->id == ids[k])
                chosen->list[chosen->count++] = all->list[i];
}

/* ---- Models ---- */

struct regression_forecast models_forecast(const struct model *model, const double *place)
{
    struct regression_forecast forecast = regression_forecast(&model->model, place);
    if (forecast.value >= 0 && model->never_negative) { /* a value below 0 is a doubt of its own */
        forecast.low = fmax(forecast.low, 0);
        forecast.mean_low = fmax(forecast.mean_low, 0);
        forecast.own_low = fmax(forecast.own_low, 0);
    }
    return forecast;
}

double models_curve_place(const struct models *models, int step)
{
    double first = models->first[0], last = models->last[0];
    for (int i = 0; i < models->n_at; i++)
        last = fmax(last, models->at[i][0]);
    return first * pow(last / first, (double)step / MODELS_CURVE_STEPS);
}

void models_fit(struct model *model, const struct models *models)
{
    struct sim_error error;
    if ((models->simulated ? regression_fit_simulated : regression_fit)(&model->model, model->points, model->n_points,
                                                                        models->n_parameters, &error) != 0) {
        snprintf(model->why, sizeof model->why, "%.159s", error.message);
        return;
    }
    model->forecasts = xcalloc((size_t)models->n_at, sizeof *model->forecasts);
    for (int i = 0; i < models->n_at; i++)
        model->forecasts[i] = models_forecast(model, models->at[i]);
}

static void add_model(struct models *models, const struct observations *observations, const struct measure *measure,
                      int series)
{
    struct model *model = &models->models[models->n_models++];
    model->measure = measure;
    model->quantity = measure_unit(measure);
    model->series = models->series[series];
    model->never_negative = measure_is_never_negative(measure) || models->columns != NULL;
    model->points = xcalloc((size_t)observations->count + 1, sizeof *model->points);
    for (int i = 0; i < observations->count; i++) {
        const struct observation *observation = &observations->list[i];
        struct regression_point point;
        if (observation->series != series || !observation_value(&point.value, observation, measure))
            continue;
        memcpy(point.x, observation->x, sizeof point.x);
        model->points[model->n_points++] = point;
    }
    models_fit(model, models);
}

/* ---- Which of a group is largest ---- */

static double value_at(const struct model *model, double x)
{
    const double place[REGRESSION_PARAMETERS] = {x, 1};
    return regression_value(&model->model, place);
}

static const struct model *largest_at(const struct model *const *members, int n_members, double x)
{
    const struct model *largest = members[0];
    for (int i = 1; i < n_members; i++)
        if (value_at(members[i], x) > value_at(largest, x))
            largest = members[i];
    return largest;
}

static void add_lead(struct models *models, size_t *capacity, const struct model *model, double from, bool starts)
{
    models->leads = xgrow(models->leads, (size_t)models->n_leads, capacity, sizeof *models->leads);
    models->leads[models->n_leads++] = (struct models_lead){model, from, starts};
}

/* Between `low`, where `before` is the largest, and `high`, where it is not: the place where that ends. */
static double find_end(const struct model *const *members, int n_members, const struct model *before, double low,
                       double high)
{
    while (high - low > 1e-9 * high) {
        double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break;
        if (largest_at(members, n_members, middle) == before)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void lead_group(struct models *models, size_t *capacity, const struct model *const *members, int n_members)
{
    double first = models->first[0], last = models->last[0];
    for (int i = 0; i < models->n_at; i++)
        last = fmax(last, models->at[i][0]);
    const struct model *leader = largest_at(members, n_members, first);
    add_lead(models, capacity, leader, first, true);
    for (int step = 1; step <= N_STEPS; step++) {
        double x = first * pow(last / first, (double)step / N_STEPS);
        double before = first * pow(last / first, (double)(step - 1) / N_STEPS);
        const struct model *next = largest_at(members, n_members, x);
        if (next == leader)
            continue;
        add_lead(models, capacity, next, find_end(members, n_members, leader, before, x), false);
        leader = next;
    }
}

/* Models of one series lie one after another, and in it those of a group, of which those of one unit compare. */
static void find_leads(struct models *models)
{
    const struct model **members = xcalloc((size_t)models->n_models, sizeof(const struct model *));
    size_t capacity = 0;
    for (int first = 0, next; first < models->n_models; first = next) {
        const struct model *model = &models->models[first];
        int n_members = 0;
        for (next = first; next < models->n_models && models->models[next].series == model->series &&
                           measure_same_group(models->models[next].measure, model->measure);
             next++)
            if (models->models[next].why[0] == '\0' &&
                measure_unit(models->models[next].measure) == measure_unit(model->measure))
                members[n_members++] = &models->models[next];
        if (n_members > 1 && model->measure->of->group[0] != '\0')
            lead_group(models, &capacity, members, n_members);
    }
    free(members);
}

/* Find the measures of the runs, or the columns of the table, that models are made of; to be freed. */
static struct measures find_measures(struct models *models, const struct study *study,
                                     const struct models_request *request)
{
    struct measures all = {0};
    if (request->table == NULL) {
        all.list = study_find_measures(&all.count, study, is_any);
        return all;
    }
    for (int i = 0; i < study->n_runs && all.list == NULL; i++) {
        const struct result_table *table = result_find_table(&study->runs[i].result, request->table->id);
        if (table == NULL)
            continue;
        const struct table_spec *spec = &table_specs[table->id];
        models->columns = xcalloc(spec->n_columns + 1, sizeof *models->columns);
        all.list = xcalloc(spec->n_columns + 1, sizeof(const struct measure *));
        for (size_t c = 0; c < spec->n_columns; c++) {
            struct measure *column = &models->columns[c];
            enum measure_type type = kind_specs[spec->columns[c].kind].type;
            column->of = measure_name_kept(spec->name, spec->columns[c].name, M_NONE, type); /* no measure's name */
            column->narrow = (int64_t)c;
            if (type != MEASURE_TEXT)
                all.list[all.count++] = column;
        }
    }
    return all;
}

double models_factor(const struct models *models, const struct model *model)
{
    if (model->why[0] != '\0' || models->n_at == 0)
        return NAN;
    double last = regression_formula_value(&model->model.best.formula, models->last);
    double further = model->forecasts[0].value;
    return last > 0 && further > 0 ? further / last : (double)NAN;
}

/* The reason why there is not a single model is that of the longest series. */
int models_check(const struct models *models, struct sim_error *error)
{
    const struct model *longest = models->models;
    for (int i = 0; i < models->n_models; i++) {
        const struct model *model = &models->models[i];
        if (model->why[0] == '\0')
            return 0;
        longest = model->n_points > longest->n_points ? model : longest;
    }
    if (longest == NULL || models->n_series == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model: there is nothing to model");
    struct builder over = {0};
    for (int p = 0; p < models->n_parameters; p++)
        builder_add(&over, "%s%s", p > 0 ? " and " : "", models->parameters[p]);
    if (models->n_series == 1)
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model over %s: %s", over.text, longest->why);
    else
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model over %s: %s, in the longest of %d series, '%.80s'",
                      over.text, longest->why, models->n_series, longest->series);
    free(over.text);
    return -1;
}

int models_make(struct models *models, const struct study *study, const struct models_request *request,
                struct sim_error *error)
{
    struct measures measures = {0};
    struct observations observations = {NULL, 0};
    *models = (struct models){.explains = request->measures == NULL,
                              .n_parameters = request->n_parameters,
                              .simulated = study->n_runs > 0 && !study->runs[0].is_traced,
                              .at = request->at,
                              .n_at = request->n_at};
    struct measures all = find_measures(models, study, request);
    measures.list = xcalloc(all.count + 1, sizeof(const struct measure *));
    int status = models->explains ? 0 : choose_measures(&measures, &all, request->measures, error);
    if (models->explains)
        choose_parts(&measures, &all);
    free(all.list);
    if (status == 0) {
        observations_find(&observations, models, study, request);
        models->models = xcalloc((size_t)models->n_series * measures.count + 1, sizeof *models->models);
        for (int s = 0; s < models->n_series; s++)
            for (size_t m = 0; m < measures.count; m++)
                add_model(models, &observations, measures.list[m], s);
        status = models_check(models, error);
    }
    if (status == 0)
        models_propose(models);
    if (status == 0 && models->n_parameters == 1)
        find_leads(models);
    if (status != 0)
        models_dispose(models);
    free(observations.list);
    free(measures.list);
    return status;
}

void models_dispose(struct models *models)
{
    for (int i = 0; i < models->n_models; i++) {
        free(models->models[i].forecasts);
        free(models->models[i].points);
        free(models->models[i].next);
    }
    for (int i = 0; i < models->n_series; i++)
        free(models->series[i]);
    free(models->series);
    free(models->models);
    free(models->leads);
    free(models->columns);
    free(models->along);
    free(models->at);
}
