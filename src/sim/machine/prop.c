/* The props of a platform, and their values, taken apart by tables of fields.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/prop.h"

#include "base/memory.h"
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The list ---- */

int machine_prop_error(const struct machine_prop *prop, const char *key, struct sim_error *error, const char *format,
                       ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sim_error_set(error, SIM_BAD_INPUT, prop->file, prop->line, "<prop> %.60s%s%s: %s", prop->id,
                         key != NULL ? " " : "", key != NULL ? key : "", text);
}

const struct machine_prop *machine_props_find(const struct machine_props *props, const char *id)
{
    for (size_t i = 0; i < props->count; i++)
        if (strcmp(props->items[i].id, id) == 0)
            return &props->items[i];
    return NULL;
}

void machine_props_append(struct machine_props *props, const char *file, long line, const char *id, const char *value)
{
    props->items = xgrow(props->items, props->count, &props->capacity, sizeof *props->items);
    props->items[props->count++] = (struct machine_prop){xstrdup(id), xstrdup(value), file, line};
}

bool machine_prop_is_own(const char *id)
{
    return strcmp(id, "mesh") == 0 || strcmp(id, "mesh_pitch") == 0 || strcmp(id, "topology") == 0 ||
           strncmp(id, "about.", strlen("about.")) == 0;
}

/* As many as there is room for; of the others the note tells how many there are. */
void machine_props_pass_over(struct machine_props *props, const char *what, const char *id, long line)
{
    char *text = props->passed_over;
    size_t used = strlen(text), room = sizeof props->passed_over - used;
    int length = snprintf(text + used, room, "%s%.30s%s%.30s on line %ld", used > 0 ? ", " : "", what,
                          id[0] != '\0' ? " " : "", id, line);
    if (length < 0 || (size_t)length >= room)
        text[used] = '\0';
    else
        props->n_passed_over--; /* it stands there */
    props->n_passed_over++;
}

char *machine_props_passed_over(const struct machine_props *props)
{
    if (props->n_passed_over > 0)
        return xformat("%s, and %d more", props->passed_over, props->n_passed_over);
    return props->passed_over[0] != '\0' ? xstrdup(props->passed_over) : NULL;
}

void machine_props_dispose(struct machine_props *props)
{
    for (size_t i = 0; i < props->count; i++) {
        free(props->items[i].id);
        free(props->items[i].value);
    }
    free(props->items);
    free(props->file);
    free(props->costs_file);
    *props = (struct machine_props){0};
}

/* ---- Values ---- */

static int parse_number(double *value, const char *text, char *why, size_t why_size)
{
    char *end = NULL;
    double number = strtod(text, &end);
    bool decimal = text[0] != '\0' && strspn(text, "0123456789.-") == strlen(text);
    if (!decimal || *end != '\0' || !isfinite(number))
        return sim_error_why(why, why_size, "'%.80s' is not a number such as 58.85", text);
    *value = number;
    return 0;
}

/* Units refuse a value below zero, which only the start of a message row may have: its sign is handled here. */
static int parse_unit_value(int64_t *value, const struct machine_field *field, const char *text, char *why,
                            size_t why_size)
{
    bool negative = field->min < 0 && text[0] == '-';
    static const enum quantity quantities[] = {
        [FIELD_TIME] = QUANTITY_TIME, [FIELD_SIZE] = QUANTITY_SIZE, [FIELD_BANDWIDTH] = QUANTITY_BANDWIDTH};
    enum quantity quantity = quantities[field->kind];
    if (units_parse(value, quantity, text + negative, why, why_size) != 0)
        return -1;
    if (negative)
        *value = -*value;
    return 0;
}

/* Write the bound in the first of the larger units that leaves a whole number, or else in bytes. */
static void format_size_bound(char *text, size_t size, double bound)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"GiB", 1073741824}, {"GB", 1e9}};
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        if (bound > 0 && fmod(bound, units[u].factor) == 0) {
            snprintf(text, size, "%.0f%s", bound / units[u].factor, units[u].name);
            return;
        }
    snprintf(text, size, "%.0fB", bound);
}

static void format_bound(char *text, size_t size, enum field_kind kind, double bound)
{
    if (kind == FIELD_NUMBER)
        snprintf(text, size, "%.10g", bound);
    else if (kind == FIELD_SIZE)
        format_size_bound(text, size, bound);
    else if (kind == FIELD_BANDWIDTH)
        snprintf(text, size, bound < 1e9 ? "%.0fkBps" : "%.0fGBps", bound / (bound < 1e9 ? 1e3 : 1e9));
    else if (fabs(bound) >= 1e12)
        snprintf(text, size, "%gs", bound / 1e12);
    else if (fabs(bound) >= 1e6 || bound == 0)
        snprintf(text, size, "%gus", bound / 1e6);
    else
        snprintf(text, size, "%gps", bound);
}

static int range_error(const struct machine_prop *prop, const struct machine_field *field, const char *text,
                       struct sim_error *error)
{
    char min[40], max[40];
    format_bound(min, sizeof min, field->kind, field->min);
    format_bound(max, sizeof max, field->kind, field->max);
    return machine_prop_error(prop, field->key, error, "'%.80s' is out of range; allowed: %s to %s", text, min, max);
}

static int parse_field(void *base, const struct machine_prop *prop, const struct machine_field *field, const char *text,
                       struct sim_error *error)
{
    char why[256];
    double number = 0;
    int64_t whole = 0;
    int result;
    if (field->kind == FIELD_NUMBER) {
        result = parse_number(&number, text, why, sizeof why);
    } else {
        result = parse_unit_value(&whole, field, text, why, sizeof why);
        number = (double)whole;
    }
    if (result != 0)
        return machine_prop_error(prop, field->key, error, "%s", why);
    if (number < field->min || number > field->max)
        return range_error(prop, field, text, error);
    char *target = (char *)base + field->offset;
    if (field->kind == FIELD_NUMBER)
        memcpy(target, &number, sizeof number);
    else
        memcpy(target, &whole, sizeof whole);
    return 0;
}

static int key_error(const struct machine_prop *prop, const char *token, const struct machine_field *fields,
                     size_t n_fields, struct sim_error *error)
{
    char known[256] = "";
    for (size_t i = 0; i < n_fields; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", fields[i].key);
    if (token == NULL)
        return machine_prop_error(prop, NULL, error, "is empty; known:%s", known);
    if (strchr(token, '=') == NULL)
        return machine_prop_error(prop, NULL, error, "'%.80s' is not key=value; known:%s", token, known);
    return machine_prop_error(prop, NULL, error, "unknown key '%.*s'; known:%s", (int)strcspn(token, "="), token,
                              known);
}

static int parse_token(void *base, const struct machine_prop *prop, const char *token,
                       const struct machine_field *fields, size_t n_fields, uint64_t *seen, struct sim_error *error)
{
    size_t length = strcspn(token, "=");
    for (size_t i = 0; i < n_fields && token[length] == '='; i++) {
        if (strlen(fields[i].key) != length || strncmp(fields[i].key, token, length) != 0)
            continue;
        if ((*seen >> i & 1) != 0)
            return machine_prop_error(prop, fields[i].key, error, "given twice");
        *seen |= UINT64_C(1) << i;
        return parse_field(base, prop, &fields[i], token + length + 1, error);
    }
    return key_error(prop, token, fields, n_fields, error);
}

int machine_prop_parse(void *base, const struct machine_prop *prop, const struct machine_field *fields, size_t n_fields,
                       struct sim_error *error)
{
    if (fields[0].key == NULL)
        return parse_field(base, prop, &fields[0], prop->value, error);
    char *copy = xstrdup(prop->value), *rest = NULL;
    uint64_t seen = 0;
    int result = 0;
    for (char *token = strtok_r(copy, " \t\r\n", &rest); token != NULL && result == 0;
         token = strtok_r(NULL, " \t\r\n", &rest))
        result = parse_token(base, prop, token, fields, n_fields, &seen, error);
    free(copy);
    return result == 0 && seen == 0 ? key_error(prop, NULL, fields, n_fields, error) : result;
}

int machine_prop_whole(int *value, const char *text, long max, const char **end)
{
    char *stop;
    long number = strtol(text, &stop, 10);
    if (!isdigit((unsigned char)*text) || number < 1 || number > max)
        return -1;
    *value = (int)number;
    *end = stop;
    return 0;
}
