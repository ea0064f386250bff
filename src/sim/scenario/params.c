/* The parameters of a scenario: the values that each is given, and the runs that they make.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/params_internal.h"

#include "base/builder.h"
#include "base/known.h"
#include "base/memory.h"
#include "sim/scenario/platforms.h"
#include "sim/scenario/values.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scenario_is_candidate(const struct param_spec *spec)
{
    return (spec->type == PARAM_CHOICE || spec->type == PARAM_PLACEMENT || spec->type == PARAM_DIMENSIONS ||
            param_has_sides(spec)) &&
           spec != &common_params[COMMON_NETWORK];
}

/* --- values --- */

static const char *param_name_at(const void *table, int i)
{
    const struct scenario *scenario = table;
    return i < scenario->n_params ? scenario->params[i].spec->name : NULL;
}

static int find_param(const struct scenario *scenario, const char *name)
{
    for (int i = 0; i < scenario->n_params; i++)
        if (strcmp(scenario->params[i].spec->name, name) == 0)
            return i;
    return -1;
}

/* Parse "1,2,4" or "1..128" into param->values, in place of those it had. */
static int parse_values(struct scenario_param *param, const char *text, char *why, size_t why_size)
{
    int64_t *values;
    if (values_parse(&values, &param->n_values, param->spec, text, SCENARIO_MAX_RUNS, why, why_size) != 0)
        return -1;
    free(param->values);
    param->values = values;
    return 0;
}

static int refuse_unknown_param(const struct scenario *scenario, const char *name, const char *label, long line,
                                const char *element, struct sim_error *error)
{
    char known[800];
    known_format(known, sizeof known, name, param_name_at, scenario);
    return sim_error_set(error, SIM_BAD_INPUT, label, line, "%sunknown parameter '%.80s' of application '%s'%s",
                         element, name, scenario->app->name, known);
}

/* "ranks 128 x n 256 = 32768": the numbers of values, where there are several, and what they come to. */
static char *format_product(const struct scenario *scenario)
{
    struct builder text = {0};
    double product = scenario->n_platforms;
    if (scenario->n_platforms > 1)
        builder_add(&text, "platform %d", scenario->n_platforms);
    for (int i = 0; i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        product *= param->n_values;
        if (param->n_values > 1)
            builder_add(&text, "%s%s %d", text.length > 0 ? " x " : "", param->spec->name, param->n_values);
    }
    builder_add(&text, product < 1e15 ? " = %.0f" : " = %.3g", product);
    return builder_take(&text);
}

static int check_run_count(const struct scenario *scenario, const char *label, struct sim_error *error)
{
    if (scenario_run_count(scenario) * scenario->n_platforms <= SCENARIO_MAX_RUNS)
        return 0;
    char *product = format_product(scenario);
    sim_error_set(error, SIM_BAD_INPUT, label, 0,
                  "the values of all parameters combine to %s runs; at most %d are allowed", product,
                  SCENARIO_MAX_RUNS);
    free(product);
    return -1;
}

/* --- from the file --- */

void scenario_params_init(struct scenario *scenario)
{
    char why[256];
    scenario->n_params = N_COMMON_PARAMS + scenario->app->n_params;
    scenario->params = xcalloc((size_t)scenario->n_params, sizeof *scenario->params);
    for (int i = 0; i < scenario->n_params; i++) {
        struct scenario_param *param = &scenario->params[i];
        param->spec = i < N_COMMON_PARAMS ? &common_params[i] : &scenario->app->params[i - N_COMMON_PARAMS];
        int status = param->spec->fallback == NULL ? 0 : parse_values(param, param->spec->fallback, why, sizeof why);
        assert(status == 0);
        (void)status;
    }
}

static int apply_param(struct scenario *scenario, const struct scenario_element *element, struct sim_error *error)
{
    char why[900];
    int i = find_param(scenario, element->name);
    if (i < 0)
        return refuse_unknown_param(scenario, element->name, scenario->file, element->line, "<param> name: ", error);
    struct scenario_param *param = &scenario->params[i];
    if (param->line != 0)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<param> name: '%s' is set a second time, the first is on line %ld; one is allowed",
                             param->spec->name, param->line);
    if (parse_values(param, element->value, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line, "<param> value of '%s': %s",
                             param->spec->name, why);
    param->line = element->line;
    return 0;
}

int scenario_params_read(struct scenario *scenario, const struct scenario_text *text, struct sim_error *error)
{
    for (size_t i = 0; i < text->n_params; i++)
        if (apply_param(scenario, &text->params[i], error) != 0)
            return -1;
    for (int i = 0; i < scenario->n_params; i++)
        if (scenario->params[i].n_values == 0)
            return sim_error_set(error, SIM_BAD_INPUT, scenario->file, text->scenario.line,
                                 "<scenario>: no <param> sets '%s'; application '%s' requires it",
                                 scenario->params[i].spec->name, scenario->app->name);
    return check_run_count(scenario, scenario->file, error);
}

int scenario_params_decide(const struct scenario *scenario, long line, struct sim_error *error)
{
    char known[400] = "";
    for (int i = 0; scenario->n_platforms == 1 && i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        if (!scenario_is_candidate(param->spec))
            continue;
        if (param->n_values > 1)
            return 0;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", param->spec->name);
    }
    if (scenario->n_platforms > 1)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, line,
                         "<decision>: no candidates found; one of these parameters must have several values:%s", known);
}

/* --- from the command line --- */

static bool same_values(const struct scenario_param *a, const struct scenario_param *b)
{
    return a->n_values == b->n_values && memcmp(a->values, b->values, (size_t)a->n_values * sizeof *a->values) == 0;
}

static int set_param(struct scenario *scenario, const char *name, const char *values, const char *label,
                     struct sim_error *error)
{
    char why[900];
    if (strcmp(name, "platform") == 0)
        return scenario_platforms_select(scenario, values, label, error);
    int i = find_param(scenario, name);
    if (i < 0)
        return refuse_unknown_param(scenario, name, label, 0, "", error);
    struct scenario_param *param = &scenario->params[i];
    struct scenario_param previous = *param, next = {.spec = param->spec};
    if (parse_values(&next, values, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0, "%s", why);
    next.changed = previous.changed || !same_values(&previous, &next);
    *param = next;
    int status = check_run_count(scenario, label, error);
    free(status == 0 ? previous.values : next.values);
    if (status != 0)
        *param = previous;
    return status;
}

int scenario_set(struct scenario *scenario, const char *assignment, struct sim_error *error)
{
    bool is_option = strncmp(assignment, "--", 2) == 0;
    char *label = xformat("%s%.200s", is_option ? "" : "--set ", assignment);
    assignment += is_option ? 2 : 0;
    const char *equals = strchr(assignment, '=');
    int status;
    if (equals == NULL || equals == assignment) {
        status = sim_error_set(error, SIM_BAD_INPUT, label, 0, "must be NAME=VALUE[,VALUE...]");
    } else {
        char *name = xformat("%.*s", (int)(equals - assignment), assignment);
        status = set_param(scenario, name, equals + 1, label, error);
        free(name);
    }
    free(label);
    return status;
}

/* --- runs --- */

int64_t scenario_run_count(const struct scenario *scenario)
{
    int64_t count = 1;
    /* A loaded scenario stays far below; the bound keeps the product of one that is being checked from overflowing. */
    for (int i = 0; i < scenario->n_params && count <= SCENARIO_MAX_RUNS; i++)
        count *= scenario->params[i].n_values;
    return count;
}

void scenario_run_values(const struct scenario *scenario, int64_t i, int64_t *values)
{
    for (int k = 0; k < scenario->n_params; k++) {
        const struct scenario_param *param = &scenario->params[k];
        values[k] = param->values[i % param->n_values];
        i /= param->n_values;
    }
}
