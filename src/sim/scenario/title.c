/* Titles of scenarios, which follow what the command line changes: "{broadcast|neighbour} broadcast".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/scenario.h"

#include "sim/scenario/params_internal.h"

#include "base/builder.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* --- values --- */

static void add_value(struct builder *builder, const struct scenario_param *param, int64_t number)
{
    char value[128];
    param_format(value, sizeof value, param->spec, number);
    builder_add(builder, "%s", value);
}

/* True if each value is the one before it and `step`, or, if there is a factor, so many times it. */
static bool is_range(const struct scenario_param *param, int64_t step, int64_t factor)
{
    for (int v = 1; v < param->n_values; v++)
        if (param->values[v] != param->values[v - 1] * (factor > 0 ? factor : 1) + step)
            return false;
    return param_is_number(param->spec);
}

/* "40..88:8", "1..128*2", "1..9"; else the first values and the last. */
static void add_many(struct builder *builder, const struct scenario_param *param)
{
    const int64_t *values = param->values, step = values[1] - values[0],
                  factor = values[0] > 0 ? values[1] / values[0] : 0;
    bool has_step = is_range(param, step, 0), has_factor = factor > 1 && is_range(param, 0, factor);
    add_value(builder, param, values[0]);
    if (!has_step && !has_factor) {
        builder_add(builder, ",");
        add_value(builder, param, values[1]);
    }
    builder_add(builder, has_step || has_factor ? ".." : ",...,");
    add_value(builder, param, values[param->n_values - 1]);
    if (has_step && step != 1) {
        builder_add(builder, ":");
        add_value(builder, param, step);
    } else if (has_factor && !has_step)
        builder_add(builder, "*%" PRId64, factor);
}

/* "512,1024"; many values as a range, where they are one. */
static void add_values(struct builder *builder, const struct scenario_param *param)
{
    enum { MOST = 4 };
    if (param->n_values > MOST) {
        add_many(builder, param);
        return;
    }
    for (int v = 0; v < param->n_values; v++) {
        builder_add(builder, v > 0 ? "," : "");
        add_value(builder, param, param->values[v]);
    }
}

static void add_platforms(struct builder *builder, const struct scenario *scenario)
{
    for (int i = 0; i < scenario->n_platforms; i++)
        builder_add(builder, "%s%s", i > 0 ? "," : "", scenario->platforms[i].name);
}

/* --- {NAME|TEXT} --- */

/* The next of them from `text` on: where it begins, its name and text, and what is behind it. False if there is none.
 * */
struct field {
    const char *begin, *name, *text, *behind;
    int name_length, text_length;
};

static bool find_field(struct field *field, const char *text)
{
    for (const char *begin = strchr(text, '{'); begin != NULL; begin = strchr(begin + 1, '{')) {
        size_t length = strspn(begin + 1, "abcdefghijklmnopqrstuvwxyz_");
        const char *bar = begin + 1 + length, *end = strchr(bar, '}');
        if (length == 0 || *bar != '|' || end == NULL)
            continue; /* a brace like any other letter */
        *field = (struct field){begin, begin + 1, bar + 1, end + 1, (int)length, (int)(end - bar - 1)};
        return true;
    }
    return false;
}

static bool is_named(const struct field *field, const char *name)
{
    return strlen(name) == (size_t)field->name_length && strncmp(field->name, name, (size_t)field->name_length) == 0;
}

static const struct scenario_param *find_param(const struct scenario *scenario, const struct field *field)
{
    for (int i = 0; i < scenario->n_params; i++)
        if (is_named(field, scenario->params[i].spec->name))
            return &scenario->params[i];
    return NULL;
}

int scenario_title_check(const struct scenario *scenario, long line, struct sim_error *error)
{
    struct field field;
    const char *text = scenario->title != NULL ? scenario->title : "";
    for (; find_field(&field, text); text = field.behind)
        if (!is_named(&field, "platform") && find_param(scenario, &field) == NULL)
            return sim_error_set(error, SIM_BAD_INPUT, scenario->file, line,
                                 "<scenario> title: '%.*s' in {%.*s|...} is neither a parameter of '%s' nor platform",
                                 field.name_length, field.name, field.name_length, field.name, scenario->app->name);
    return 0;
}

/* True if the title itself says what has been changed. */
static bool says(const struct scenario *scenario, const char *name)
{
    struct field field;
    for (const char *text = scenario->title != NULL ? scenario->title : ""; find_field(&field, text);
         text = field.behind)
        if (is_named(&field, name))
            return true;
    return false;
}

/* Where a last bracket begins that says of which figures or tables this is, which it is no more when something has been
 * changed; else the end. */
static size_t length_without_source(const char *title)
{
    const char *bracket = strrchr(title, '(');
    bool names_source = bracket != NULL && bracket > title && title[strlen(title) - 1] == ')' &&
                        (strstr(bracket, "figure") != NULL || strstr(bracket, "table") != NULL);
    return names_source ? (size_t)(bracket - title) - 1 : strlen(title);
}

static bool has_changed(const struct scenario *scenario)
{
    bool changed = scenario->has_other_platforms;
    for (int i = 0; i < scenario->n_params; i++)
        changed |= scenario->params[i].changed;
    return changed;
}

static void add_title(struct builder *heading, const struct scenario *scenario)
{
    struct field field;
    const char *text = scenario->title != NULL ? scenario->title : scenario->name;
    const char *end = text + (has_changed(scenario) ? length_without_source(text) : strlen(text));
    for (; find_field(&field, text) && field.begin < end; text = field.behind) {
        const struct scenario_param *param = find_param(scenario, &field);
        builder_add(heading, "%.*s", (int)(field.begin - text), text);
        if (param != NULL && param->changed)
            add_values(heading, param);
        else if (param == NULL && scenario->has_other_platforms)
            add_platforms(heading, scenario);
        else
            builder_add(heading, "%.*s", field.text_length, field.text);
    }
    if (text < end)
        builder_add(heading, "%.*s", (int)(end - text), text);
}

char *scenario_heading(const struct scenario *scenario)
{
    struct builder heading = {0};
    const char *before = " (";
    add_title(&heading, scenario);
    if (scenario->has_other_platforms && !says(scenario, "platform")) {
        builder_add(&heading, "%splatform=", before);
        add_platforms(&heading, scenario);
        before = ", ";
    }
    for (int i = 0; i < scenario->n_params; i++)
        if (scenario->params[i].changed && !says(scenario, scenario->params[i].spec->name)) {
            builder_add(&heading, "%s%s=", before, scenario->params[i].spec->name);
            add_values(&heading, &scenario->params[i]);
            before = ", ";
        }
    builder_add(&heading, before[0] == ',' ? ")" : "");
    return builder_take(&heading);
}

char *scenario_first_run(const struct scenario *scenario)
{
    struct builder options = {0};
    for (int i = 0; i < scenario->n_params; i++) {
        const struct scenario_param *param = &scenario->params[i];
        if (param->n_values == 1)
            continue;
        builder_add(&options, " --set %s=", param->spec->name);
        add_value(&options, param, param->values[0]);
    }
    return builder_take(&options);
}
