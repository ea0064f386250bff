/* Reads values of parameters by their types, writes them back, and finds the name that a misspelled one may mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/param.h"

#include "sim/program/arrange.h"

#include "base/known.h"
#include "sim/topology/dimensions.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The types whose values are numbers. */
static const struct {
    bool is_number;
    enum quantity quantity;
} numbers[] = {
    [PARAM_COUNT] = {true, QUANTITY_COUNT},      [PARAM_SIZE] = {true, QUANTITY_SIZE},
    [PARAM_RATE] = {true, QUANTITY_RATE},        [PARAM_REAL] = {true, QUANTITY_REAL},
    [PARAM_PLACEMENT] = {false, QUANTITY_COUNT}, [PARAM_DIMENSIONS] = {false, QUANTITY_COUNT},
};

static const char *const unit_names[] = {
    [QUANTITY_COUNT] = "", [QUANTITY_SIZE] = " bytes", [QUANTITY_RATE] = " flop/s"};

bool param_is_number(const struct param_spec *spec)
{
    return numbers[spec->type].is_number;
}

enum quantity param_quantity(const struct param_spec *spec)
{
    return numbers[spec->type].quantity;
}

static int parse_number(int64_t *value, const struct param_spec *spec, const char *text, char *why, size_t why_size)
{
    int64_t number = 0;
    char range[64];
    if (units_parse(&number, param_quantity(spec), text, why, why_size) != 0)
        return -1;
    if (number < spec->min || number > spec->max) {
        param_format_range(range, sizeof range, spec);
        return sim_error_why(why, why_size, "'%.80s' is outside %s", text, range);
    }
    *value = number;
    return 0;
}

static const char *choice_at(const void *choices, int i)
{
    return ((const char *const *)choices)[i];
}

/* The choice that the text is another name for, or the text. */
static const char *canonical(const struct param_spec *spec, const char *text)
{
    for (const struct param_alias *alias = spec->aliases; alias != NULL && alias->name != NULL; alias++)
        if (strcmp(alias->name, text) == 0)
            return alias->choice;
    return text;
}

static int parse_choice(int64_t *value, const struct param_spec *spec, const char *text, char *why, size_t why_size)
{
    char known[512];
    const char *name = canonical(spec, text);
    for (int i = 0; spec->choices[i] != NULL; i++) {
        if (strcmp(spec->choices[i], name) == 0) {
            *value = i;
            return 0;
        }
    }
    known_format(known, sizeof known, text, choice_at, spec->choices);
    return sim_error_why(why, why_size, "'%.80s' is unknown%s", text, known);
}

static int parse_mesh(int64_t *value, const struct param_spec *spec, const char *text, char *why, size_t why_size)
{
    char range[128];
    if (!spec->excludes_auto && strcmp(text, "auto") == 0) {
        *value = 0;
        return 0;
    }
    struct dimensions sides;
    if (dimensions_parse(&sides, text, why, why_size) != 0 || sides.n != 2 || sides.n_up > 0) {
        param_format_range(range, sizeof range, spec);
        return sim_error_why(why, why_size, "'%.80s' is not %s", text, range);
    }
    *value = PARAM_MESH_PACK(sides.side[0], sides.side[1]);
    return 0;
}

static int parse_dimensions(int64_t *value, const char *text, char *why, size_t why_size)
{
    struct dimensions dimensions;
    *value = 0;
    if (strcmp(text, "auto") == 0)
        return 0;
    if (dimensions_parse(&dimensions, text, why, why_size) != 0)
        return -1;
    *value = dimensions_value(&dimensions);
    return 0;
}

static void format_dimensions(char *text, size_t text_size, int64_t value)
{
    const struct dimensions dimensions = dimensions_of(value);
    if (value == 0)
        snprintf(text, text_size, "auto");
    else
        dimensions_format(text, text_size, &dimensions);
}

int param_parse(int64_t *value, const struct param_spec *spec, const char *text, char *why, size_t why_size)
{
    if (*text == '\0')
        return sim_error_why(why, why_size, "'' is empty");
    switch (spec->type) {
    case PARAM_COUNT:
    case PARAM_SIZE:
    case PARAM_RATE:
    case PARAM_REAL:
        return parse_number(value, spec, text, why, why_size);
    case PARAM_CHOICE:
        return parse_choice(value, spec, text, why, why_size);
    case PARAM_MESH:
    case PARAM_PROCESS_GRID:
        return parse_mesh(value, spec, text, why, why_size);
    case PARAM_PLACEMENT:
        return arrange_parse(value, text, why, why_size);
    case PARAM_DIMENSIONS:
        return parse_dimensions(value, text, why, why_size);
    }
    assert(0 && "a type of parameter");
    return -1;
}

void param_format(char *text, size_t text_size, const struct param_spec *spec, int64_t value)
{
    switch (spec->type) {
    case PARAM_COUNT:
    case PARAM_SIZE:
    case PARAM_RATE:
    case PARAM_REAL:
        units_format(text, text_size, param_quantity(spec), value);
        break;
    case PARAM_CHOICE:
        snprintf(text, text_size, "%s", spec->choices[value]);
        break;
    case PARAM_MESH:
    case PARAM_PROCESS_GRID:
        if (value == 0)
            snprintf(text, text_size, "auto");
        else
            snprintf(text, text_size, "%dx%d", PARAM_MESH_WIDTH(value), PARAM_MESH_HEIGHT(value));
        break;
    case PARAM_PLACEMENT:
        arrange_format(text, text_size, value);
        break;
    case PARAM_DIMENSIONS:
        format_dimensions(text, text_size, value);
        break;
    }
}

static void format_choices(char *text, size_t text_size, const char *const *choices)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] != NULL && used < text_size; i++)
        used += (size_t)snprintf(text + used, text_size - used, "%s%s", i == 0 ? "" : " | ", choices[i]);
}

void param_format_range(char *text, size_t text_size, const struct param_spec *spec)
{
    char min[32], max[32];
    switch (spec->type) {
    case PARAM_COUNT:
    case PARAM_SIZE:
    case PARAM_RATE:
        snprintf(text, text_size, "%" PRId64 " ... %" PRId64 "%s", spec->min, spec->max,
                 unit_names[param_quantity(spec)]);
        break;
    case PARAM_REAL:
        units_format(min, sizeof min, QUANTITY_REAL, spec->min);
        units_format(max, sizeof max, QUANTITY_REAL, spec->max);
        snprintf(text, text_size, "%s ... %s", min, max);
        break;
    case PARAM_CHOICE:
        format_choices(text, text_size, spec->choices);
        break;
    case PARAM_MESH:
    case PARAM_PROCESS_GRID:
        snprintf(text, text_size, "%s (each 1 ... %d)%s", spec->type == PARAM_MESH ? "WIDTHxHEIGHT" : "ROWSxCOLUMNS",
                 DIMENSIONS_MAX_SIDE, spec->excludes_auto ? "" : " | auto");
        break;
    case PARAM_PLACEMENT:
        snprintf(text, text_size, "auto | block | cyclic | plane=N | random | random=SEED");
        break;
    case PARAM_DIMENSIONS:
        snprintf(text, text_size, DIMENSIONS_FORM " | auto");
        break;
    }
}

bool param_has_sides(const struct param_spec *spec)
{
    return spec->type == PARAM_MESH || spec->type == PARAM_PROCESS_GRID;
}

int param_find(const struct param_spec *specs, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(specs[i].name, name) == 0)
            return i;
    return -1;
}
