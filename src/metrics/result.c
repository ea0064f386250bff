/* The list of a run's measures and tables, and look-up by group and name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/result.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_init(struct result *result)
{
    *result = (struct result){0};
}

void result_remove_bins(struct result_bins *bins)
{
    free(bins->link);
    free(bins->busy_ps);
    free(bins->bytes);
    *bins = (struct result_bins){.n_links = 0};
}

void result_dispose(struct result *result)
{
    for (size_t i = 0; i < result->n_tables; i++)
        free(result->tables[i].rows);
    free(result->tables);
    free(result->measures);
    result_remove_bins(&result->link_bins);
    free(result->state_ps);
    free(result->timeline);
    result_init(result);
}

static const char *keep(const char *text, int size)
{
    char cut[MEASURE_NAME];
    snprintf(cut, sizeof cut, "%.*s", size - 1, text);
    return intern_text(cut);
}

static const struct measure_name *keep_name(const char *group, const char *name, enum measure_id id,
                                            enum measure_type type, bool is_wide)
{
    bool is_known = id != M_NONE && !measure_specs[id].is_family;
    const struct measure_name found = {.group = is_known ? measure_specs[id].group : keep(group, MEASURE_GROUP),
                                       .name = is_known ? measure_specs[id].name : keep(name, MEASURE_NAME),
                                       .id = (uint32_t)id,
                                       .type = (uint16_t)type,
                                       .is_wide = is_wide};
    return intern_bytes(&found, sizeof found);
}

const struct measure_name *measure_name_kept(const char *group, const char *name, enum measure_id id,
                                             enum measure_type type)
{
    return keep_name(group, name, id, type, false);
}

static struct measure *grow(struct result *result)
{
    result->measures = xgrow(result->measures, result->n_measures, &result->capacity, sizeof *result->measures);
    return &result->measures[result->n_measures++];
}

/* The measure behind the last one, whose identity is often that of the row behind. */
static struct measure *add(struct result *result, const char *group, const char *name, enum measure_type type,
                           bool is_wide)
{
    struct measure *measure = grow(result);
    enum measure_id hint = result->n_measures > 1 ? (enum measure_id)measure[-1].of->id : M_TIME;
    measure->of = keep_name(group, name, measure_identify(group, name, hint), type, is_wide);
    return measure;
}

static void add_number(struct result *result, const char *group, const char *name, enum measure_type type,
                       wide_int number)
{
    bool is_wide = number < INT64_MIN || number > INT64_MAX;
    struct measure *measure = add(result, group, name, type, is_wide);
    if (is_wide)
        measure->wide = intern_bytes(&number, sizeof number);
    else
        measure->narrow = (int64_t)number;
}

wide_int measure_number(const struct measure *measure)
{
    wide_int number = measure->narrow;
    if (measure->of->is_wide)
        memcpy(&number, measure->wide, sizeof number);
    return number;
}

void result_add_time(struct result *result, const char *group, const char *name, wide_int ps)
{
    add_number(result, group, name, MEASURE_TIME, ps);
}

void result_add_count(struct result *result, const char *group, const char *name, wide_int count)
{
    add_number(result, group, name, MEASURE_COUNT, count);
}

void result_add_ratio(struct result *result, const char *group, const char *name, double ratio)
{
    add(result, group, name, MEASURE_RATIO, false)->ratio = ratio;
}

const struct measure *result_find(const struct result *result, const char *group, const char *name)
{
    for (size_t i = 0; i < result->n_measures; i++)
        if (strcmp(result->measures[i].of->group, group) == 0 && strcmp(result->measures[i].of->name, name) == 0)
            return &result->measures[i];
    return NULL;
}

const struct measure *result_get(const struct result *result, enum measure_id id)
{
    for (size_t i = 0; i < result->n_measures; i++)
        if (result->measures[i].of->id == id)
            return &result->measures[i];
    return NULL;
}

const struct measure *result_get_of(const struct result *result, enum measure_id family, const char *part)
{
    char name[MEASURE_NAME];
    measure_name_of(name, sizeof name, family, part);
    return result_find(result, measure_specs[family].group, name);
}

void result_set_bins(struct result_bins *bins, size_t n_links, size_t n_bins)
{
    bins->n_links = n_links;
    bins->n_bins = n_bins;
    bins->link = xcalloc(n_links, sizeof *bins->link);
    bins->busy_ps = xcalloc(n_links * n_bins, sizeof *bins->busy_ps);
    bins->bytes = xcalloc(n_links * n_bins, sizeof *bins->bytes);
}

void result_remove_group(struct result *result, const char *group)
{
    size_t n_left = 0;
    for (size_t i = 0; i < result->n_measures; i++)
        if (strcmp(result->measures[i].of->group, group) != 0)
            result->measures[n_left++] = result->measures[i];
    result->n_measures = n_left;
}

void result_remove_table(struct result *result, enum table_id id)
{
    size_t n_left = 0;
    for (size_t i = 0; i < result->n_tables; i++)
        if (result->tables[i].id == id)
            free(result->tables[i].rows);
        else
            result->tables[n_left++] = result->tables[i];
    result->n_tables = n_left;
}

void result_trim(struct result *result, size_t n_more)
{
    if (result->capacity > result->n_measures + n_more) {
        result->capacity = result->n_measures + n_more;
        result->measures = xrealloc(result->measures, result->capacity * sizeof *result->measures);
    }
    if (result->tables_capacity > result->n_tables && result->n_tables > 0) {
        result->tables = xrealloc(result->tables, result->n_tables * sizeof *result->tables);
        result->tables_capacity = result->n_tables;
    }
}

void result_append(struct result *result, struct result *more)
{
    for (size_t i = 0; i < more->n_measures; i++)
        *grow(result) = more->measures[i];
    for (size_t i = 0; i < more->n_tables; i++)
        *result_add_table(result, more->tables[i].id) = more->tables[i];
    more->n_tables = 0;
    if (more->timeline != NULL) {
        free(result->timeline);
        result->timeline = more->timeline;
        result->timeline_length = more->timeline_length;
        more->timeline = NULL;
    }
    result_dispose(more);
}

void result_take_over(struct result *result, struct result *first)
{
    struct result before = *result;
    size_t n_first = first->n_measures;
    for (size_t i = 0; i < before.n_measures; i++) {
        size_t known = 0;
        while (known < n_first && !measure_same(&first->measures[known], &before.measures[i]))
            known++;
        if (known == n_first)
            *grow(first) = before.measures[i];
    }
    result->measures = first->measures;
    result->n_measures = first->n_measures;
    result->capacity = first->capacity;
    free(before.measures);
    result_init(first);
}

double measure_value(const struct measure *measure)
{
    switch (measure->of->type) {
    case MEASURE_TIME:
        return units_seconds(measure_number(measure));
    case MEASURE_COUNT:
        return (double)measure_number(measure);
    case MEASURE_RATIO:
    case MEASURE_TEXT:
    default:
        return measure->ratio;
    }
}
