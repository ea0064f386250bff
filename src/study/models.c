/* Performance models of the measures of a sweep. */
#include "study/models.h"

#include "base/builder.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_STEPS = 512 }; /* in which the dominating model is looked for */

const struct models_doubt models_doubts[] = {
    {REGRESSION_SCATTER, "scatter", "left-out points are missed by more than a quarter"},
    {REGRESSION_ABOVE, "largest_above",
     "the largest points lie above what the others foretell, so it says little beyond them"},
    {REGRESSION_BELOW, "largest_below",
     "the largest points lie below what the others foretell, so it says little beyond them"},
    {REGRESSION_SIGN, "sign", "the formula changes its sign on the way"},
    {REGRESSION_WIDE, "wide", "the band is wider than the value"},
    {REGRESSION_FEW, "few_points", "fewer than 5 points, or than 6 without repetitions"},
    {0, NULL, NULL},
};

/* ---- Measures ---- */

/* "time_s" is that measure, "overhead_ratio" or "overhead_ratio.idle" that of a group, "critical_path_s.processing.cpu"
 * the measure processing.cpu of a group. */
static bool is_meant(const struct measure *measure, const char *word, size_t length)
{
    char key[sizeof measure->group + sizeof measure->name];
    snprintf(key, sizeof key, "%s%s%s", measure->group, measure->group[0] != '\0' ? "." : "", measure->name);
    return (strlen(key) == length && strncmp(key, word, length) == 0) ||
           (strlen(measure->group) == length && length > 0 && strncmp(measure->group, word, length) == 0);
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
static int set_unknown(const struct measures *all, const char *word, size_t length, struct sim_error *error)
{
    struct builder known = {0};
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i]->group[0] == '\0')
            builder_add(&known, " %s", all->list[i]->name);
        else if (is_new_group(all, i))
            builder_add(&known, " %s", all->list[i]->group);
    }
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "model: no run has the measure '%.*s'; known:%s", (int)length, word,
                  known.text != NULL ? known.text : "");
    free(known.text);
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

/* ---- Series ---- */

static bool is_over(const struct models_request *request, int parameter)
{
    for (int p = 0; p < request->n_parameters; p++)
        if (request->parameters[p] == parameter)
            return true;
    return false;
}

/* Which parameters tell series apart; to be freed. */
static bool *find_others(const struct study *study, const struct models_request *request)
{
    int n = study->runs[0].n_parameters;
    bool *others = xcalloc((size_t)n, sizeof *others);
    for (int i = 0; i < n; i++)
        others[i] = !is_over(request, i) && study_varies(study, i);
    return others;
}

/* "broadcast neighbour, n 256", on the heap. */
static char *name_series(const struct study_run *run, const bool *others)
{
    struct builder name = {0};
    for (int i = 0; i < run->n_parameters; i++)
        if (others[i])
            builder_add(&name, "%s%s %s", name.length == 0 ? "" : ", ", run->parameters[i].name,
                        run->parameters[i].text);
    return builder_take(&name);
}

/* The series of every run, indices into models->series; to be freed. */
static int *find_series(struct models *models, const struct study *study, const struct models_request *request)
{
    int *of_run = xcalloc((size_t)study->n_runs, sizeof *of_run);
    bool *others = find_others(study, request);
    size_t capacity = 0;
    for (int i = 0; i < study->n_runs; i++) {
        char *name = name_series(&study->runs[i], others);
        while (of_run[i] < models->n_series && strcmp(models->series[of_run[i]], name) != 0)
            of_run[i]++;
        if (of_run[i] < models->n_series) {
            free(name);
            continue;
        }
        models->series = xgrow(models->series, (size_t)models->n_series, &capacity, sizeof *models->series);
        models->series[models->n_series++] = name;
    }
    free(others);
    return of_run;
}

/* ---- Models ---- */

struct regression_forecast models_forecast(const struct model *model, const double *place)
{
    struct regression_forecast forecast = regression_forecast(&model->model, place);
    if (forecast.value >= 0 && measure_is_never_negative(model->measure)) { /* a value below 0 is a doubt of its own */
        forecast.low = fmax(forecast.low, 0);
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

static void fit(struct model *model, const struct models *models, const struct regression_point *points, int n_points)
{
    struct sim_error error;
    if (regression_fit(&model->model, points, n_points, models->n_parameters, &error) != 0) {
        snprintf(model->why, sizeof model->why, "%.159s", error.message);
        return;
    }
    model->forecasts = xcalloc((size_t)models->n_at, sizeof *model->forecasts);
    for (int i = 0; i < models->n_at; i++)
        model->forecasts[i] = models_forecast(model, models->at[i]);
}

static void add_model(struct models *models, const struct study *study, const struct models_request *request,
                      const struct measure *measure, const int *series_of, int series)
{
    struct regression_point *points = xcalloc((size_t)study->n_runs, sizeof *points);
    int n_points = 0;
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        const struct measure *found =
            series_of[i] == series ? result_find(&run->result, measure->group, measure->name) : NULL;
        if (found == NULL)
            continue;
        for (int p = 0; p < request->n_parameters; p++)
            points[n_points].x[p] = (double)run->parameters[request->parameters[p]].number;
        points[n_points++].value = measure_value(found);
    }
    struct model *model = &models->models[models->n_models++];
    model->measure = measure;
    model->series = models->series[series];
    fit(model, models, points, n_points);
    free(points);
}

static void find_range(struct models *models, const struct study *study, const struct models_request *request)
{
    for (int p = 0; p < request->n_parameters; p++) {
        models->parameters[p] = study->runs[0].parameters[request->parameters[p]].name;
        models->first[p] = INFINITY;
        for (int i = 0; i < study->n_runs; i++) {
            double x = (double)study->runs[i].parameters[request->parameters[p]].number;
            models->first[p] = fmin(models->first[p], x);
            models->last[p] = fmax(models->last[p], x);
        }
    }
}

/* ---- Which of a group is largest ---- */

static double value_at(const struct model *model, double x)
{
    const double place[REGRESSION_PARAMETERS] = {x, 1};
    return regression_formula_value(&model->model.best.formula, place);
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

/* Models of one series lie one after another, and in it those of a group. */
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
            if (models->models[next].why[0] == '\0')
                members[n_members++] = &models->models[next];
        if (n_members > 1 && model->measure->group[0] != '\0')
            lead_group(models, &capacity, members, n_members);
    }
    free(members);
}

int models_make(struct models *models, const struct study *study, const struct models_request *request,
                struct sim_error *error)
{
    struct measures all, measures = {0};
    all.list = study_find_measures(&all.count, study, is_any);
    measures.list = xcalloc(all.count + 1, sizeof(const struct measure *));
    int status = choose_measures(&measures, &all, request->measures, error);
    free(all.list);
    if (status != 0) {
        free(measures.list);
        return -1;
    }
    *models = (struct models){.n_parameters = request->n_parameters, .at = request->at, .n_at = request->n_at};
    find_range(models, study, request);
    int *series_of = find_series(models, study, request);
    models->models = xcalloc((size_t)models->n_series * measures.count, sizeof *models->models);
    for (int s = 0; s < models->n_series; s++)
        for (size_t m = 0; m < measures.count; m++)
            add_model(models, study, request, measures.list[m], series_of, s);
    if (models->n_parameters == 1)
        find_leads(models);
    free(series_of);
    free(measures.list);
    return 0;
}

void models_dispose(struct models *models)
{
    for (int i = 0; i < models->n_models; i++)
        free(models->models[i].forecasts);
    for (int i = 0; i < models->n_series; i++)
        free(models->series[i]);
    free(models->series);
    free(models->models);
    free(models->leads);
    free(models->at);
}
