/* Reads conditions such as "ranks=64" or "time_s<10ms", and picks the runs that fulfill all of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include "base/builder.h"
#include "base/condition.h"
#include "base/known.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cut "NAME<=VALUE" into its parts. */
static int parse_condition(struct store_condition *condition, char *text, struct sim_error *error)
{
    struct condition parts;
    if (condition_parse(&parts, text, error) != 0)
        return -1;
    *condition = (struct store_condition){.name = parts.name, .op = parts.op, .text = parts.value};
    return 0;
}

static const char *string_at(const void *table, int i)
{
    const struct store_strings *strings = table;
    return i < strings->count ? strings->items[i] : NULL;
}

/* --- names --- */

static const char *column_at(const void *table, int i)
{
    return ((const char *const *)table)[i];
}

/* A kind of names: how to go through them. */
struct kind {
    const char *(*name_at)(const void *table, int i);
    const void *table;
};

/* "'ranks', 'x.ranks'": names a letter or two away, then those that have the word in them; "" if there are none. */
static char *format_near(const char *word, const struct kind *kinds, size_t n_kinds)
{
    enum { MOST = 5 };
    const char *near[MOST], *name;
    int count = 0;
    for (size_t k = 0; k < n_kinds && count == 0; k++)
        if ((name = known_find_meant(word, kinds[k].name_at, kinds[k].table)) != NULL)
            near[count++] = name;
    for (size_t k = 0; k < n_kinds; k++)
        for (int i = 0; (name = kinds[k].name_at(kinds[k].table, i)) != NULL && count < MOST; i++)
            if (strstr(name, word) != NULL && (count == 0 || strcmp(name, near[0]) != 0))
                near[count++] = name;
    struct builder text = {0};
    for (int i = 0; i < count; i++)
        builder_add(&text, "%s'%s'", i == 0 ? "" : i + 1 < count ? ", " : " or ", near[i]);
    return builder_take(&text);
}

/* Near names, or else the parameters: all names are too many for a message. */
static int refuse_name(struct store *store, const char *name, struct sim_error *error)
{
    struct store_strings parameters = {0}, measures = {0};
    int status = store_parameter_names(&parameters, store, error);
    if (status == 0)
        status = store_measure_names(&measures, store, error);
    if (status == 0) {
        const struct kind kinds[] = {{string_at, &parameters}, {column_at, store_columns}, {string_at, &measures}};
        char *near = format_near(name, kinds, sizeof kinds / sizeof kinds[0]), known[600];
        known_format(known, sizeof known, "", string_at, &parameters);
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                      "condition: no run has '%.80s'%s%s%s simrun store ls -f csv shows all names", name,
                      near[0] != '\0' ? "; did you mean " : "", near[0] != '\0' ? near : known,
                      near[0] != '\0' ? "?" : ";");
        free(near);
    }
    store_strings_dispose(&parameters);
    store_strings_dispose(&measures);
    return -1;
}

/* --- values --- */

/* A number by itself or, of what may have one, with a unit. */
static int parse_number(double *number, const char *text, const struct store_name *name, char *why, size_t why_size)
{
    enum condition_unit unit = !name->is_measure             ? CONDITION_SIZE
                               : name->type == MEASURE_TIME  ? CONDITION_TIME
                               : name->type == MEASURE_RATIO ? CONDITION_RATIO
                                                             : CONDITION_SIZE;
    return condition_number(number, text, unit, why, why_size);
}

/* A text that no run has is a slip. */
static int check_text(struct store *store, const struct store_condition *condition, struct sim_error *error)
{
    struct store_strings texts;
    char known[600];
    bool found = false;
    if (store_texts(&texts, store, condition->name, error) != 0)
        return -1;
    for (int i = 0; i < texts.count; i++)
        found |= strcmp(texts.items[i], condition->text) == 0;
    if (!found) {
        known_format(known, sizeof known, condition->text, string_at, &texts);
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "condition: no run has %s '%.80s'%s", condition->name,
                      condition->text, known);
    }
    store_strings_dispose(&texts);
    return found ? 0 : -1;
}

/* Only numbers have an order, and what is as long as a beginning of 2026-11-22T08:30:00Z. */
static int check_order(const struct store_condition *condition, struct sim_error *error)
{
    bool equal = strcmp(condition->op, "=") == 0 || strcmp(condition->op, "!=") == 0;
    return equal
               ? 0
               : sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                               "condition: %s%s%.80s: '%s' compares numbers; %s is text, known: = !=", condition->name,
                               condition->op, condition->text, condition->op, condition->name);
}

static int check_value(struct store *store, struct store_condition *condition, const struct store_name *name,
                       struct sim_error *error)
{
    char why[160];
    if (name->is_number || name->is_measure) {
        condition->is_number = parse_number(&condition->number, condition->text, name, why, sizeof why) == 0;
        if (condition->is_number)
            return 0;
        if (!name->is_text)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "condition: %s%s%.80s: %s", condition->name,
                                 condition->op, condition->text, why);
    }
    if (check_order(condition, error) != 0)
        return -1;
    return check_text(store, condition, error);
}

static int check_condition(struct store *store, struct store_condition *condition, struct sim_error *error)
{
    struct store_name name;
    if (store_describe(&name, store, condition->name, error) != 0)
        return -1;
    if (!name.is_text && !name.is_number && !name.is_measure)
        return refuse_name(store, condition->name, error);
    return check_value(store, condition, &name, error);
}

int conditions_select(int64_t **ids, int *n_ids, struct store *store, char *const *texts, int n_texts,
                      struct sim_error *error)
{
    struct store_condition *conditions = xcalloc((size_t)n_texts + 1, sizeof *conditions);
    char **copies = xcalloc((size_t)n_texts + 1, sizeof(char *));
    int status = 0;
    for (int i = 0; status == 0 && i < n_texts; i++) {
        copies[i] = xstrdup(texts[i]);
        status = parse_condition(&conditions[i], copies[i], error);
        if (status == 0)
            status = check_condition(store, &conditions[i], error);
    }
    if (status == 0)
        status = store_select(ids, n_ids, store, conditions, n_texts, error);
    for (int i = 0; i < n_texts; i++)
        free(copies[i]);
    free(copies);
    free(conditions);
    return status;
}
