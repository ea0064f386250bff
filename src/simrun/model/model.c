/* Reads which models are asked for, over which parameters and for which further place, and has them fitted. */
#include "simrun/model/model.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/units.h"
#include "study/models.h"

#include <stdlib.h>
#include <string.h>

enum { FURTHER = 4 }; /* without --predict: so many times the largest value */

/* "ranks n", the numbers that vary; on the heap. */
static char *list_varied(const struct scenario *scenario)
{
    struct builder list = {0};
    for (int i = 0; i < scenario->n_params; i++)
        if (param_is_number(scenario->params[i].spec) && scenario->params[i].n_values > 1)
            builder_add(&list, "%s%s", list.length > 0 ? " " : "", scenario->params[i].spec->name);
    return builder_take(&list);
}

static int set_over_error(const struct scenario *scenario, struct sim_error *error, const char *what)
{
    char *varied = list_varied(scenario);
    sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "--over: %s; numbers that vary here: %s", what,
                  *varied == '\0' ? "none (--set ranks=2,4,8,16,32 would vary the ranks)" : varied);
    free(varied);
    return -1;
}

static int find_parameter(const struct scenario *scenario, const char *name, size_t length)
{
    for (int i = 0; i < scenario->n_params; i++)
        if (strlen(scenario->params[i].spec->name) == length &&
            strncmp(scenario->params[i].spec->name, name, length) == 0)
            return i;
    return -1;
}

static int add_parameter(struct models_request *request, const struct scenario *scenario, const char *name,
                         size_t length, struct sim_error *error)
{
    char what[200];
    int parameter = find_parameter(scenario, name, length);
    const char *why = NULL;
    if (parameter < 0)
        why = "is no parameter";
    else if (!param_is_number(scenario->params[parameter].spec))
        why = "is no number";
    else if (scenario->params[parameter].n_values < 2)
        why = "does not vary";
    else if (request->n_parameters == REGRESSION_PARAMETERS)
        why = "is one more than the two parameters that a model may have";
    else if (request->n_parameters == 1 && request->parameters[0] == parameter)
        why = "is there twice";
    if (why == NULL) {
        request->parameters[request->n_parameters++] = parameter;
        return 0;
    }
    snprintf(what, sizeof what, "'%.*s' %s", (int)(length < 60 ? length : 60), name, why);
    return set_over_error(scenario, error, what);
}

static int parse_over(struct models_request *request, const struct scenario *scenario, const char *over,
                      struct sim_error *error)
{
    for (const char *word = over;; word++) {
        size_t length = strcspn(word, ",");
        if (add_parameter(request, scenario, word, length, error) != 0)
            return -1;
        word += length;
        if (*word == '\0')
            return 0;
    }
}

static int take_varied(struct models_request *request, const struct scenario *scenario, struct sim_error *error)
{
    int n_varied = 0;
    for (int i = 0; i < scenario->n_params; i++) {
        if (!param_is_number(scenario->params[i].spec) || scenario->params[i].n_values < 2)
            continue;
        if (n_varied++ < REGRESSION_PARAMETERS)
            request->parameters[request->n_parameters++] = i;
    }
    if (n_varied == 0)
        return set_over_error(scenario, error, "a model needs a parameter that varies");
    if (n_varied > REGRESSION_PARAMETERS)
        return set_over_error(scenario, error, "a model is over one or two parameters, so name them");
    return 0;
}

static int check_points(const struct models_request *request, const struct scenario *scenario, struct sim_error *error)
{
    int n_points = 1;
    for (int p = 0; p < request->n_parameters; p++)
        n_points *= scenario->params[request->parameters[p]].n_values;
    if (n_points >= REGRESSION_MIN_POINTS)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                         "a model needs at least %d different values of %s, not %d", REGRESSION_MIN_POINTS,
                         scenario->params[request->parameters[0]].spec->name, n_points);
}

/* ---- Where to ---- */

/* "1024", or "1024:4096" for two parameters. */
static int parse_place(double *place, const struct models_request *request, const struct scenario *scenario, char *text,
                       struct sim_error *error)
{
    for (int p = 0; p < request->n_parameters; p++) {
        const struct param_spec *spec = scenario->params[request->parameters[p]].spec;
        char *end = strchr(text, ':'), why[160];
        int64_t value = 0;
        bool last = p == request->n_parameters - 1;
        if ((end == NULL) != last)
            return sim_error_set(
                error, SIM_BAD_INPUT, scenario->file, 0, "--predict: a place of this model is %s, such as 1024%s",
                request->n_parameters > 1 ? "two values" : "one value", request->n_parameters > 1 ? ":4096" : "");
        if (end != NULL)
            *end = '\0';
        if (units_parse(&value, param_quantity(spec), text, why, sizeof why) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "--predict: %s: %s", spec->name, why);
        if (value < 1)
            return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "--predict: %s: '%s' is not above 0",
                                 spec->name, text);
        place[p] = (double)value;
        text = end != NULL ? end + 1 : text;
    }
    return 0;
}

static int parse_at(struct models_request *request, const struct scenario *scenario, const char *at,
                    struct sim_error *error)
{
    char *places = xstrdup(at), *word = places, *end;
    int status = 0;
    size_t capacity = 0;
    do {
        end = strchr(word, ',');
        if (end != NULL)
            *end = '\0';
        request->at = xgrow(request->at, (size_t)request->n_at, &capacity, sizeof *request->at);
        double *place = request->at[request->n_at++];
        place[0] = place[1] = 1;
        status = parse_place(place, request, scenario, word, error);
        word = end + 1;
    } while (end != NULL && status == 0);
    free(places);
    return status;
}

static void take_further(struct models_request *request, const struct scenario *scenario)
{
    request->at = xmalloc(sizeof *request->at);
    request->n_at = 1;
    request->at[0][0] = request->at[0][1] = 1;
    for (int p = 0; p < request->n_parameters; p++) {
        const struct scenario_param *param = &scenario->params[request->parameters[p]];
        int64_t largest = 0;
        for (int v = 0; v < param->n_values; v++)
            largest = param->values[v] > largest ? param->values[v] : largest;
        request->at[0][p] = FURTHER * (double)largest;
    }
}

/* request->at is to be freed even after an error. */
static int make_request(struct models_request *request, const struct scenario *scenario, const struct options *options,
                        struct sim_error *error)
{
    *request = (struct models_request){.measures = options->model};
    int status = options->over != NULL ? parse_over(request, scenario, options->over, error)
                                       : take_varied(request, scenario, error);
    if (status == 0)
        status = check_points(request, scenario, error);
    if (status == 0 && options->predict != NULL)
        status = parse_at(request, scenario, options->predict, error);
    else if (status == 0)
        take_further(request, scenario);
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
    struct models *models = xcalloc(1, sizeof *models);
    int status = make_request(&request, scenario, options, error);
    if (status == 0)
        status = models_make(models, study, &request, error);
    if (status == 0) {
        study->models = models;
        return 0;
    }
    free(request.at);
    free(models);
    return -1;
}

void model_dispose(struct study *study)
{
    if (study->models == NULL)
        return;
    models_dispose(study->models);
    free(study->models);
    study->models = NULL;
}
