/* Reads lists and ranges of values, such as "1..4,8..64*2,100", by the type of their parameter.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/values.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values so far, and where the message goes. */
struct list {
    const struct param_spec *spec;
    int64_t *values;
    size_t count, capacity;
    int most;
    char *why;
    size_t why_size;
};

static int add_value(struct list *list, int64_t value)
{
    if (list->count >= (size_t)list->most) {
        snprintf(list->why, list->why_size, "more than %d values found, the most that are allowed", list->most);
        return -1;
    }
    list->values = xgrow(list->values, list->count, &list->capacity, sizeof *list->values);
    list->values[list->count++] = value;
    return 0;
}

/* --- ranges --- */

struct range {
    const char *text;
    int64_t from, to, by;
    bool grows; /* by the factor `by`; else by the step */
};

static bool has_ranges(const struct param_spec *spec)
{
    return param_is_number(spec);
}

/* Read what follows the end of a range: a step in the unit of the parameter, or a factor. */
static int parse_growth(struct range *range, const struct list *list, const char *text)
{
    char why[160];
    enum quantity quantity = range->grows ? QUANTITY_COUNT : param_quantity(list->spec);
    int64_t least = range->grows ? 2 : 1;
    if (units_parse(&range->by, quantity, text, why, sizeof why) == 0 && range->by >= least)
        return 0;
    if (quantity == QUANTITY_REAL)
        snprintf(list->why, list->why_size, "the step of '%.80s' is '%.40s'; it must be a number above 0, such as 0.05",
                 range->text, text);
    else
        snprintf(list->why, list->why_size,
                 "the %s of '%.80s' is '%.40s'; it must be a whole number from %" PRId64 " on",
                 range->grows ? "factor" : "step", range->text, text, least);
    return -1;
}

/* Where the parts of "FROM..TO:STEP" or "FROM..TO*FACTOR" begin; `copy` is cut into them. */
static int parse_range(struct range *range, const struct list *list, char *copy)
{
    char *dots = strstr(copy, ".."), *growth = strpbrk(dots + 2, ":*");
    range->by = list->spec->type == PARAM_REAL ? UNITS_REAL : 1;
    range->grows = growth != NULL && *growth == '*';
    if (dots == copy || strchr(".:*", dots[2]) != NULL) {
        snprintf(list->why, list->why_size,
                 "'%.80s' is not a range, such as 1..128, 16..256:16 (step) or 1..128*2 (factor)", range->text);
        return -1;
    }
    *dots = '\0';
    if (growth != NULL)
        *growth++ = '\0';
    if (param_parse(&range->from, list->spec, copy, list->why, list->why_size) != 0 ||
        param_parse(&range->to, list->spec, dots + 2, list->why, list->why_size) != 0)
        return -1;
    if (growth != NULL && parse_growth(range, list, growth) != 0)
        return -1;
    if (range->from > range->to) {
        snprintf(list->why, list->why_size, "'%.80s' ends before it begins", range->text);
        return -1;
    }
    if (!range->grows || range->from > 0)
        return 0;
    snprintf(list->why, list->why_size, "'%.80s' begins with 0, which no factor can increase", range->text);
    return -1;
}

static int add_range(struct list *list, const struct range *range)
{
    int64_t n_steps = (range->to - range->from) / range->by;
    if (!range->grows && n_steps >= list->most) {
        snprintf(list->why, list->why_size,
                 "'%.80s' is %" PRId64 " values; at most %d are allowed: take a step, as in %.20s:1000, or a factor, "
                 "as in %.20s*2",
                 range->text, n_steps + 1, list->most, "FROM..TO", "FROM..TO");
        return -1;
    }
    for (int64_t value = range->from;;) {
        if (add_value(list, value) != 0)
            return -1;
        if (range->grows ? value > range->to / range->by : value > range->to - range->by)
            return 0;
        value = range->grows ? value * range->by : value + range->by;
    }
}

/* --- items --- */

static int add_item(struct list *list, char *item)
{
    int64_t value;
    struct range range = {.text = item};
    if (!has_ranges(list->spec) || strstr(item, "..") == NULL)
        return param_parse(&value, list->spec, item, list->why, list->why_size) != 0 ? -1 : add_value(list, value);
    char *copy = xstrdup(item);
    int status = parse_range(&range, list, copy);
    free(copy);
    return status == 0 ? add_range(list, &range) : -1;
}

static int add_items(struct list *list, const char *text)
{
    char *copy = xstrdup(text), *rest = copy, *item;
    int status = 0;
    while (status == 0 && (item = strsep(&rest, ",")) != NULL) {
        if (*item != '\0') {
            status = add_item(list, item);
        } else {
            snprintf(list->why, list->why_size, "'%.80s' has an empty item; several values are written 1,2,4%s", text,
                     has_ranges(list->spec) ? " or 1..128" : "");
            status = -1;
        }
    }
    free(copy);
    return status;
}

static int compare_values(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int refuse_duplicates(const struct list *list)
{
    char value[128];
    int64_t *sorted = xmalloc(list->count * sizeof *sorted);
    size_t i = 1;
    memcpy(sorted, list->values, list->count * sizeof *sorted);
    sort_stable(sorted, list->count, sizeof *sorted, compare_values);
    while (i < list->count && sorted[i] != sorted[i - 1])
        i++;
    bool found = i < list->count;
    if (found) {
        param_format(value, sizeof value, list->spec, sorted[i]);
        snprintf(list->why, list->why_size, "'%s' is listed twice", value);
    }
    free(sorted);
    return found ? -1 : 0;
}

int values_parse(int64_t **values, int *n_values, const struct param_spec *spec, const char *text, int most, char *why,
                 size_t why_size)
{
    struct list list = {.spec = spec, .most = most, .why = why, .why_size = why_size};
    if (add_items(&list, text) != 0 || refuse_duplicates(&list) != 0) {
        free(list.values);
        return -1;
    }
    *values = list.values;
    *n_values = (int)list.count;
    return 0;
}
