/* Reads which parameters a model is over, and for which further places.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/model_request.h"

#include "base/builder.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FURTHER = 4 }; /* without --predict: so many times the largest value */

/* "ranks n", the numbers that vary; on the heap. */
static char *list_varied(const struct variables *variables)
{
    struct builder list = {0};
    for (int i = 0; i < variables->count; i++)
        if (variables->list[i].is_number && variables->list[i].n_values > 1)
            builder_add(&list, "%s%s", list.length > 0 ? " " : "", variables->list[i].name);
    return builder_take(&list);
}

static int set_over_error(const struct variables *variables, struct sim_error *error, const char *what)
{
    char *varied = list_varied(variables);
    sim_error_set(error, SIM_BAD_INPUT, variables->file, 0, "--over: %s; numbers that vary here: %s%s", what,
                  *varied == '\0' ? "none " : varied, *varied == '\0' ? variables->advice : "");
    free(varied);
    return -1;
}

/* Names of parameters come back in capitals from traces, as OTF2 keeps them; what is not there may mean one of
 * those. */
static int find_parameter(const struct variables *variables, const char *name, size_t length)
{
    for (int i = 0; i < variables->count; i++)
        if (strlen(variables->list[i].name) == length && strncmp(variables->list[i].name, name, length) == 0)
            return i;
    for (int i = 0; i < variables->count; i++)
        if (strlen(variables->list[i].name) == length && strncasecmp(variables->list[i].name, name, length) == 0)
            return i;
    return -1;
}

static bool is_chosen(const struct models_request *request, int parameter)
{
    for (int p = 0; p < request->n_parameters; p++)
        if (request->parameters[p] == parameter)
            return true;
    return false;
}

static int add_parameter(struct models_request *request, const struct variables *variables, const char *name,
                         size_t length, struct sim_error *error)
{
    char what[200], most[80];
    int parameter = find_parameter(variables, name, length);
    const char *why = NULL;
    snprintf(most, sizeof most, "is one too many; a model has at most %d parameters", REGRESSION_PARAMETERS);
    if (parameter < 0)
        why = "is not a parameter";
    else if (!variables->list[parameter].is_number)
        why = "is not a number";
    else if (variables->list[parameter].n_values < 2)
        why = "does not vary";
    else if (request->n_parameters == REGRESSION_PARAMETERS)
        why = most;
    else if (is_chosen(request, parameter))
        why = "is given twice";
    if (why == NULL) {
        request->parameters[request->n_parameters++] = parameter;
        return 0;
    }
    snprintf(what, sizeof what, "'%.*s' %s", (int)(length < 60 ? length : 60), name, why);
    return set_over_error(variables, error, what);
}

static int parse_over(struct models_request *request, const struct variables *variables, const char *over,
                      struct sim_error *error)
{
    for (const char *word = over;; word++) {
        size_t length = strcspn(word, ",");
        if (add_parameter(request, variables, word, length, error) != 0)
            return -1;
        word += length;
        if (*word == '\0')
            return 0;
    }
}

/* Which part of the time grows is asked over one parameter: the ranks, where they vary. */
static bool take_ranks(struct models_request *request, const struct variables *variables)
{
    for (int i = 0; i < variables->count && request->measures == NULL; i++)
        if (variables->list[i].is_ranks && variables->list[i].is_number && variables->list[i].n_values > 1) {
            request->parameters[request->n_parameters++] = i;
            return true;
        }
    return false;
}

static int take_varied(struct models_request *request, const struct variables *variables, struct sim_error *error)
{
    int n_varied = 0;
    for (int i = 0; i < variables->count; i++) {
        const struct variable *variable = &variables->list[i];
        if (!variable->is_number || variable->is_asked || variable->n_values < 2)
            continue;
        if (n_varied++ < REGRESSION_PARAMETERS)
            request->parameters[request->n_parameters++] = i;
    }
    if (n_varied == 0)
        return set_over_error(variables, error, "a model needs a parameter that varies");
    char what[80];
    snprintf(what, sizeof what, "a model has at most %d parameters; name them", REGRESSION_PARAMETERS);
    return n_varied > REGRESSION_PARAMETERS ? set_over_error(variables, error, what) : 0;
}

/* ---- Where to ---- */

static int fail_place(const struct models_request *request, const struct variables *variables, struct sim_error *error)
{
    struct builder example = {0};
    for (int p = 0; p < request->n_parameters; p++)
        builder_add(&example, p > 0 ? ":%d" : "%d", 1024 << 2 * p);
    sim_error_set(error, SIM_BAD_INPUT, variables->file, 0,
                  "--predict: a point of this model is %d value%s, such as %s", request->n_parameters,
                  request->n_parameters > 1 ? "s" : "", example.text);
    free(example.text);
    return -1;
}

/* "1024", or "1024:4096" for two parameters. */
static int parse_place(double *place, const struct models_request *request, const struct variables *variables,
                       char *text, struct sim_error *error)
{
    for (int p = 0; p < request->n_parameters; p++) {
        const struct variable *variable = &variables->list[request->parameters[p]];
        char *end = strchr(text, ':'), why[160];
        int64_t value = 0;
        bool last = p == request->n_parameters - 1;
        if ((end == NULL) != last)
            return fail_place(request, variables, error);
        if (end != NULL)
            *end = '\0';
        if (units_parse(&value, variable->quantity, text, why, sizeof why) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, variables->file, 0, "--predict: %s: %s", variable->name, why);
        if (value < 1)
            return sim_error_set(error, SIM_BAD_INPUT, variables->file, 0, "--predict: %s: '%s' is not above 0",
                                 variable->name, text);
        place[p] = variable_number(variable, value);
        text = end != NULL ? end + 1 : text;
    }
    return 0;
}

/* A coordinate that has no parameter is 1. */
static void clear_place(double *place)
{
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        place[p] = 1;
}

static int parse_at(struct models_request *request, const struct variables *variables, const char *at,
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
        clear_place(place);
        status = parse_place(place, request, variables, word, error);
        word = end + 1;
    } while (end != NULL && status == 0);
    free(places);
    return status;
}

static void take_further(struct models_request *request, const struct variables *variables)
{
    request->at = xmalloc(sizeof *request->at);
    request->n_at = 1;
    clear_place(request->at[0]);
    for (int p = 0; p < request->n_parameters; p++)
        request->at[0][p] = FURTHER * variables->list[request->parameters[p]].largest;
}

int request_make(struct models_request *request, const struct variables *variables, const struct options *options,
                 struct sim_error *error)
{
    bool explains = options->model[0] == '\0';
    *request = (struct models_request){.measures = explains ? NULL : options->model};
    int status = 0;
    if (options->over != NULL)
        status = parse_over(request, variables, options->over, error);
    else if (!take_ranks(request, variables))
        status = take_varied(request, variables, error);
    if (status == 0 && explains && request->n_parameters > 1)
        status = set_over_error(variables, error, "the question of which part of the time grows takes one parameter");
    if (status == 0 && options->predict != NULL)
        status = parse_at(request, variables, options->predict, error);
    else if (status == 0)
        take_further(request, variables);
    return status;
}
