/* Has models of a sweep fitted, over parameters of its scenario.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/model.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/message.h"
#include "experiment/sweep.h"
#include "simrun/model_request.h"
#include "study/models/host.h"
#include "study/models/models.h"
#include "study/models/next.h"
#include "study/models/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct variables list_variables(const struct scenario *scenario)
{
    struct variables variables = {.list = xcalloc((size_t)scenario->n_params + 1, sizeof *variables.list),
                                  .count = scenario->n_params,
                                  .file = scenario->file,
                                  .advice = "(--set ranks=2,4,8,16,32 would vary the ranks)"};
    for (int i = 0; i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        struct variable *variable = &variables.list[i];
        *variable = (struct variable){.name = param->spec->name,
                                      .is_number = param_is_number(param->spec),
                                      .quantity = param_quantity(param->spec),
                                      .is_ranks = param->spec->concerns == SUBJECT_RANKS,
                                      .n_values = param->n_values};
        for (int v = 0; v < param->n_values; v++)
            variable->largest = fmax(variable->largest, variable_number(variable, param->values[v]));
    }
    return variables;
}

/* All values are combined with all. */
static int check_points(const struct models_request *request, const struct variables *variables,
                        struct sim_error *error)
{
    int n_points = 1;
    for (int p = 0; p < request->n_parameters; p++)
        n_points *= variables->list[request->parameters[p]].n_values;
    if (n_points >= REGRESSION_MIN_POINTS)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, variables->file, 0,
                         "a model needs at least %d different values of %s, not %d", REGRESSION_MIN_POINTS,
                         variables->list[request->parameters[0]].name, n_points);
}

/* request->at is to be freed even after an error. */
static int make_request(struct models_request *request, const struct scenario *scenario, const struct options *options,
                        struct sim_error *error)
{
    struct variables variables = list_variables(scenario);
    int status = request_make(request, &variables, options, error);
    if (status == 0)
        status = check_points(request, &variables, error);
    free(variables.list);
    return status;
}

int model_check(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    struct models_request request;
    if (options->model == NULL)
        return 0;
    int status = make_request(&request, scenario, options, error);
    free(request.at);
    return status;
}

int model_fit(struct study *study, const struct scenario *scenario, const struct options *options,
              struct sim_error *error)
{
    struct models_request request;
    study->models = NULL;
    if (options->model == NULL)
        return 0;
    if (host_is_meant(options->model) && host_add(study, error) != 0)
        return -1;
    struct models *models = xcalloc(1, sizeof *models);
    if (parts_are_meant(options->model))
        parts_add(study);
    int status = make_request(&request, scenario, options, error);
    if (status != 0)
        free(request.at);
    else
        status = models_make(models, study, &request, error);
    if (status == 0)
        study->models = models;
    else
        free(models);
    return status;
}

/* ---- Further sizes ---- */

/* The model whose band is the widest of those that are to become narrower; NULL: none is. Of the parts of the time, the
 * whole counts. */
static const struct model *find_widest(const struct models *models, double until)
{
    const struct model *widest = NULL;
    double most = 0;
    for (int i = 0; i < models->n_models; i++) {
        const struct model *model = &models->models[i];
        if (model->why[0] != '\0' || (models->explains && model->measure->of->id != M_TIME))
            continue;
        const struct regression_forecast *forecast = &model->forecasts[models->n_at - 1];
        double half = models_half_width(forecast);
        if ((half > until || forecast->doubts != 0) && (widest == NULL || half > most)) {
            widest = model;
            most = half;
        }
    }
    return widest;
}

static void insert_value(struct scenario_param *param, int64_t value)
{
    int place = param->n_values++;
    param->values = xrealloc(param->values, (size_t)param->n_values * sizeof *param->values);
    for (; place > 0 && param->values[place - 1] > value; place--)
        param->values[place] = param->values[place - 1];
    param->values[place] = value;
}

static void remove_value(struct scenario_param *param, int64_t value)
{
    int n = 0;
    for (int i = 0; i < param->n_values; i++)
        if (param->values[i] != value)
            param->values[n++] = param->values[i];
    param->n_values = n;
}

/* Values that a scenario has been given. */
struct additions {
    struct scenario_param *params[REGRESSION_PARAMETERS];
    int64_t values[REGRESSION_PARAMETERS];
    int n;
};

/* Add the value of a parameter at a place, unless it is there; the text says it. */
static void add_value(struct additions *additions, struct builder *text, struct scenario *scenario, const char *name,
                      double x)
{
    struct scenario_param *param = scenario->params;
    while (strcmp(param->spec->name, name) != 0)
        param++;
    const struct variable variable = {.quantity = param_quantity(param->spec)};
    int64_t value = (int64_t)llround(x / variable_number(&variable, 1));
    char word[128];
    for (int i = 0; i < param->n_values; i++)
        if (param->values[i] == value)
            return;
    insert_value(param, value);
    additions->params[additions->n] = param;
    additions->values[additions->n++] = value;
    param_format(word, sizeof word, param->spec, value);
    builder_add(text, "%s%s=%s", text->length > 0 ? " " : "", name, word);
}

/* Add a place to the scenario, if all runs are possible then; their text, or NULL with an error. */
static char *add_place(struct scenario *scenario, struct run_context *context, const struct models *models,
                       const double *place, struct sim_error *error)
{
    struct additions additions = {.n = 0};
    struct builder text = {0};
    int n_discarded;
    double messages;
    for (int p = 0; p < models->n_parameters; p++)
        add_value(&additions, &text, scenario, models->parameters[p], place[p]);
    if (additions.n > 0 && sweep_check(context, &n_discarded, &messages, error) == 0)
        return builder_take(&text);
    for (int i = 0; i < additions.n; i++)
        remove_value(additions.params[i], additions.values[i]);
    free(text.text);
    return NULL;
}

char *model_extend(struct scenario *scenario, struct run_context *context, const struct study *study,
                   const struct options *options)
{
    const struct model *widest = find_widest(study->models, options->until);
    struct sim_error error = {.message = "no size is left"};
    char *added = NULL;
    if (widest == NULL)
        return NULL;
    for (int i = 0; added == NULL && i < widest->n_next; i++)
        added = add_place(scenario, context, study->models, widest->next[i].x, &error);
    const char *name = widest->measure->of->name;
    if (added != NULL && !options->quiet)
        message_print("with %s, to narrow the band of %s", added, name);
    else if (!options->quiet)
        message_print("the band of %s cannot be narrowed: %s", name, error.message);
    return added;
}

void model_dispose(struct study *study)
{
    if (study->models == NULL)
        return;
    models_dispose(study->models);
    free(study->models);
    study->models = NULL;
}
