/* From the elements of a scenario file to a platform, an application and the values of each parameter; its runs. */
#include "sim/scenario/scenario.h"

#include "base/known.h"
#include "base/memory.h"
#include "os/claims.h"
#include "sim/scenario/platforms.h"
#include "sim/scenario/values.h"
#include "sim/scenario/xml.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *measure;
} criteria[] = {{"time", "time_s"}, {"bytes", "bytes"}, {"processors", "processors_used"}};

const char *scenario_criterion(const char *name)
{
    for (size_t i = 0; i < sizeof criteria / sizeof criteria[0]; i++)
        if (strcmp(criteria[i].name, name) == 0)
            return criteria[i].measure;
    return NULL;
}

bool scenario_is_candidate(const struct param_spec *spec)
{
    return (spec->type == PARAM_CHOICE || spec->type == PARAM_DIMENSIONS || param_has_sides(spec)) &&
           spec != &common_params[COMMON_NETWORK];
}

static const char *app_name_at(const void *table, int i)
{
    const struct app_spec *app = ((const struct app_spec *const *)table)[i];
    return app == NULL ? NULL : app->name;
}

static const char *param_name_at(const void *table, int i)
{
    const struct scenario *scenario = table;
    return i < scenario->n_params ? scenario->params[i].spec->name : NULL;
}

static char *resolve_path(const char *scenario_file, const char *file)
{
    const char *slash = strrchr(scenario_file, '/');
    if (*file == '/' || slash == NULL)
        return xstrdup(file);
    return xformat("%.*s%s", (int)(slash + 1 - scenario_file), scenario_file, file);
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
static void format_product(char *text, size_t text_size, const struct scenario *scenario)
{
    double product = scenario->n_platforms;
    size_t used = 0;
    text[0] = '\0';
    if (scenario->n_platforms > 1)
        used = (size_t)snprintf(text, text_size, "platform %d", scenario->n_platforms);
    for (int i = 0; i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        product *= param->n_values;
        if (param->n_values > 1 && used < text_size)
            used += (size_t)snprintf(text + used, text_size - used, "%s%s %d", used > 0 ? " x " : "", param->spec->name,
                                     param->n_values);
    }
    if (used < text_size)
        snprintf(text + used, text_size - used, product < 1e15 ? " = %.0f" : " = %.3g", product);
}

static int check_run_count(const struct scenario *scenario, const char *label, struct sim_error *error)
{
    char product[600];
    if (scenario_run_count(scenario) * scenario->n_platforms <= SCENARIO_MAX_RUNS)
        return 0;
    format_product(product, sizeof product, scenario);
    return sim_error_set(error, SIM_BAD_INPUT, label, 0,
                         "the values of all parameters combine to %s runs; at most %d are allowed", product,
                         SCENARIO_MAX_RUNS);
}

/* Give every parameter its default; one without stays without values. */
static void init_params(struct scenario *scenario)
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

static int apply_params(struct scenario *scenario, const struct scenario_text *text, struct sim_error *error)
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

/* A decision is between runs; --set may leave one of them, the file may not. */
static int check_candidates(const struct scenario *scenario, long line, struct sim_error *error)
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

/* Open the file that describes the application, if one does. Unless it is set, `ranks` is that of the file. */
static int open_input(struct scenario *scenario, const struct scenario_text *text, struct sim_error *error)
{
    const struct scenario_element *element = &text->application;
    struct scenario_param *ranks = &scenario->params[COMMON_RANKS];
    int n_ranks;
    if (scenario->app->open_input == NULL && element->file != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<application> file: application '%s' is described by no file", scenario->app->name);
    if (scenario->app->open_input == NULL)
        return 0;
    if (element->file == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, element->line,
                             "<application> file: missing; application '%s' needs a file name", scenario->app->name);
    scenario->input_file = resolve_path(scenario->file, element->file);
    if (scenario->app->open_input(&scenario->input, &n_ranks, scenario->input_file, error) != 0)
        return -1;
    if (ranks->line == 0)
        ranks->values[0] = n_ranks;
    return 0;
}

/* Give the elements their meaning. */
static int resolve(struct scenario *scenario, const struct scenario_text *text, const struct app_spec *const *apps,
                   struct sim_error *error)
{
    char known[800];
    const struct app_spec *app = app_find(apps, text->application.name);
    if (app == NULL) {
        known_format(known, sizeof known, text->application.name, app_name_at, apps);
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, text->application.line,
                             "<application> name: unknown application '%.80s'%s", text->application.name, known);
    }
    scenario->app = app;
    scenario->name = xstrdup(text->scenario.name);
    scenario->title = text->scenario.title == NULL ? NULL : xstrdup(text->scenario.title);
    scenario->platform_line = text->platform.line;
    if (scenario_platforms_read(scenario, text->platform.file, text->platform.line, error) != 0)
        return -1;
    if (text->reference.file != NULL) {
        scenario->reference_file = resolve_path(scenario->file, text->reference.file);
        scenario->reference_line = text->reference.line;
        if (claims_check(scenario->reference_file, scenario->file, error) != 0)
            return -1;
    }
    scenario->asks_what_if = text->what_if.line != 0;
    scenario->causes_line = text->what_if.line;
    scenario->causes = text->what_if.causes == NULL ? NULL : xstrdup(text->what_if.causes);
    init_params(scenario);
    if (apply_params(scenario, text, error) != 0 || open_input(scenario, text, error) != 0)
        return -1;
    if (text->decision.line == 0)
        return 0;
    scenario->decision = scenario_criterion(text->decision.by != NULL ? text->decision.by : "time");
    return check_candidates(scenario, text->decision.line, error);
}

static int check_size(size_t size, const char *label, struct sim_error *error)
{
    if (size == 0)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0, "the file is empty; it must hold a <scenario>");
    if (size > SCENARIO_MAX_BYTES)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0, "the file is larger than 1 MiB; no scenario is");
    return 0;
}

int scenario_load_text(struct scenario *scenario, const char *text, size_t size, const char *file_label,
                       const struct app_spec *const *apps, struct sim_error *error)
{
    struct scenario_text elements;
    *scenario = (struct scenario){0};
    if (check_size(size, file_label, error) != 0 || scenario_xml_read(&elements, text, size, file_label, error) != 0)
        return -1;
    scenario->file = xstrdup(file_label);
    scenario->text = xmalloc(size);
    scenario->size = size;
    memcpy(scenario->text, text, size);
    int status = resolve(scenario, &elements, apps, error);
    scenario_xml_dispose(&elements);
    if (status != 0) {
        scenario_dispose(scenario);
        return -1;
    }
    return 0;
}

int scenario_load_file(struct scenario *scenario, const char *file, const struct app_spec *const *apps,
                       struct sim_error *error)
{
    *scenario = (struct scenario){0};
    if (claims_check(file, NULL, error) != 0)
        return -1;
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    int status;
    char *text = xmalloc(SCENARIO_MAX_BYTES + 1); /* one more than is allowed, so that more is noticed */
    size_t size = fread(text, 1, SCENARIO_MAX_BYTES + 1, stream);
    if (ferror(stream))
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    else
        status = scenario_load_text(scenario, text, size, file, apps, error);
    free(text);
    fclose(stream);
    return status;
}

static bool same_values(const struct scenario_param *a, const struct scenario_param *b)
{
    return a->n_values == b->n_values && memcmp(a->values, b->values, (size_t)a->n_values * sizeof *a->values) == 0;
}

static int set_param(struct scenario *scenario, const char *name, const char *values, const char *label,
                     struct sim_error *error)
{
    char why[900];
    if (scenario->n_platforms == 1 && strcmp(name, "platform") == 0)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0,
                             "the scenario names one platform, '%.80s'; only of several one can be chosen",
                             scenario->platforms[0].name);
    if (scenario->n_platforms > 1 && strcmp(name, "platform") == 0)
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
    char *label = xformat("--set %.200s", assignment);
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

void scenario_dispose(struct scenario *scenario)
{
    for (int i = 0; i < scenario->n_params; i++)
        free(scenario->params[i].values);
    free(scenario->params);
    free(scenario->file);
    free(scenario->text);
    free(scenario->name);
    free(scenario->title);
    scenario_platforms_dispose(scenario);
    free(scenario->reference_file);
    free(scenario->input_file);
    free(scenario->causes);
    if (scenario->input != NULL)
        scenario->app->close_input(scenario->input);
    *scenario = (struct scenario){0};
}

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

/* "n=512,1024"; of many values the first. */
static char *format_values(const struct scenario_param *param)
{
    enum { MOST = 4 };
    char *text = xformat("%s=", param->spec->name);
    for (int v = 0; v < param->n_values && v <= MOST; v++) {
        char value[128];
        param_format(value, sizeof value, param->spec, param->values[v]);
        char *longer = xformat("%s%s%s", text, v > 0 ? "," : "", v < MOST ? value : "...");
        free(text);
        text = longer;
    }
    return text;
}

char *scenario_heading(const struct scenario *scenario)
{
    char *heading = xstrdup(scenario->title != NULL ? scenario->title : scenario->name);
    const char *before = " (";
    for (int i = 0; i < scenario->n_params; i++) {
        if (!scenario->params[i].changed)
            continue;
        char *values = format_values(&scenario->params[i]);
        char *longer = xformat("%s%s%s", heading, before, values);
        free(values);
        free(heading);
        heading = longer;
        before = ", ";
    }
    char *closed = xformat("%s%s", heading, before[0] == ',' ? ")" : "");
    free(heading);
    return closed;
}
