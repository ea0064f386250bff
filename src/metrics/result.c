#include "metrics/result.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_init(struct result *result)
{
    *result = (struct result){0};
}

void result_dispose(struct result *result)
{
    free(result->measures);
    free(result->state_ps);
}

static struct measure *add(struct result *result, const char *group, const char *name, enum measure_type type)
{
    result->measures = xgrow(result->measures, result->n_measures, &result->capacity, sizeof *result->measures);
    struct measure *measure = &result->measures[result->n_measures++];
    memset(measure, 0, sizeof *measure);
    snprintf(measure->group, sizeof measure->group, "%s", group);
    snprintf(measure->name, sizeof measure->name, "%s", name);
    measure->type = type;
    return measure;
}

void result_add_time(struct result *result, const char *group, const char *name, wide_int ps)
{
    add(result, group, name, MEASURE_TIME)->number = ps;
}

void result_add_count(struct result *result, const char *group, const char *name, wide_int count)
{
    add(result, group, name, MEASURE_COUNT)->number = count;
}

void result_add_ratio(struct result *result, const char *group, const char *name, double ratio)
{
    add(result, group, name, MEASURE_RATIO)->ratio = ratio;
}

const struct measure *result_find(const struct result *result, const char *group, const char *name)
{
    for (size_t i = 0; i < result->n_measures; i++)
        if (strcmp(result->measures[i].group, group) == 0 && strcmp(result->measures[i].name, name) == 0)
            return &result->measures[i];
    return NULL;
}

double measure_value(const struct measure *measure)
{
    switch (measure->type) {
    case MEASURE_TIME:
        return units_seconds(measure->number);
    case MEASURE_COUNT:
        return (double)measure->number;
    case MEASURE_RATIO:
    default:
        return measure->ratio;
    }
}
