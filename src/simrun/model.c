/* Has models of a sweep fitted, over parameters of its scenario.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/model.h"

#include "base/memory.h"
#include "simrun/model_request.h"
#include "study/models/host.h"
#include "study/models/models.h"
#include "study/models/parts.h"

#include <math.h>
#include <stdlib.h>

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

void model_dispose(struct study *study)
{
    if (study->models == NULL)
        return;
    models_dispose(study->models);
    free(study->models);
    study->models = NULL;
}
