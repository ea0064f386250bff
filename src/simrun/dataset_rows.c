/* Selects rows of datasets, and groups them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/dataset_rows.h"

#include "base/condition.h"
#include "base/known.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- Conditions ---- */

static int check_text(const struct condition *condition, const struct dataset *dataset, int column,
                      struct sim_error *error)
{
    const uint32_t *texts = dataset->columns[column].texts;
    if (condition_is_order(condition))
        return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0,
                             "condition: '%s' compares numbers; %.80s is text, known: = !=", condition->op,
                             condition->name);
    for (size_t row = 0; row < dataset->n_rows; row++)
        if (strcmp(dataset->texts[texts[row]], condition->value) == 0)
            return 0;
    return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0, "condition: no row has %.80s '%.80s'", condition->name,
                         condition->value);
}

/* A value with a unit is in that of the column: s or B. */
static int find_number(double *number, const struct condition *condition, const struct dataset *dataset, int column,
                       struct sim_error *error)
{
    char why[200];
    bool is_time = strcmp(dataset->columns[column].unit, "s") == 0;
    if (condition_number(number, condition->value, is_time ? CONDITION_TIME : CONDITION_SIZE, why, sizeof why) == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0, "condition: %.80s%s%.80s: %s", condition->name,
                         condition->op, condition->value, why);
}

static int mark(bool *marks, const struct condition *condition, const struct dataset *dataset, struct sim_error *error)
{
    char known[600];
    double number = 0;
    int column = dataset_find(dataset, condition->name, strlen(condition->name));
    if (column < 0) {
        known_format(known, sizeof known, condition->name, dataset_name_at, dataset);
        return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0, "condition: no column is called '%.80s'%s",
                             condition->name, known);
    }
    const struct dataset_column *own = &dataset->columns[column];
    if ((dataset_is_number(own) ? find_number(&number, condition, dataset, column, error)
                                : check_text(condition, dataset, column, error)) != 0)
        return -1;
    for (size_t row = 0; row < dataset->n_rows; row++) {
        int order = dataset_is_number(own) ? (own->numbers[row] > number) - (own->numbers[row] < number)
                                           : strcmp(dataset->texts[own->texts[row]], condition->value);
        marks[row] &= condition_holds(condition, order);
    }
    return 0;
}

int dataset_rows_select(struct dataset *dataset, char *const *conditions, int n_conditions, struct sim_error *error)
{
    bool *marks = xmalloc(dataset->n_rows * sizeof *marks);
    int status = 0;
    memset(marks, true, dataset->n_rows * sizeof *marks);
    for (int i = 0; i < n_conditions && status == 0; i++) {
        struct condition condition;
        char *copy = xstrdup(conditions[i]);
        status = condition_parse(&condition, copy, error);
        if (status == 0)
            status = mark(marks, &condition, dataset, error);
        free(copy);
    }
    if (status == 0 && n_conditions > 0)
        dataset_keep(dataset, marks);
    free(marks);
    if (status == 0 && dataset->n_rows == 0)
        return sim_error_set(error, SIM_BAD_INPUT, dataset->file, 0, "no row fulfills the conditions");
    return status;
}

/* ---- Groups ---- */

size_t dataset_rows_fold(uint32_t *groups, const struct dataset *dataset, int column, size_t most)
{
    const struct dataset_column *own = &dataset->columns[column];
    struct map map = {0};
    size_t n_groups = 0;
    for (size_t row = 0; row < dataset->n_rows && n_groups <= most; row++) {
        struct map_key key = {.high = groups[row]};
        if (dataset_is_number(own))
            memcpy(&key.low, &own->numbers[row], sizeof key.low);
        else
            key.low = own->texts[row];
        struct map_entry *entry = map_add(&map, key);
        if (entry->index == MAP_NOTHING)
            entry->index = (uint32_t)n_groups++;
        groups[row] = entry->index;
    }
    map_dispose(&map);
    return n_groups;
}

void dataset_rows_bucket(uint32_t **rows, size_t **firsts, const struct dataset *dataset, const uint32_t *groups,
                         size_t n_groups)
{
    size_t *next = xcalloc(n_groups + 1, sizeof *next);
    *rows = xmalloc((dataset->n_rows + 1) * sizeof **rows);
    *firsts = xcalloc(n_groups + 1, sizeof **firsts);
    for (size_t row = 0; row < dataset->n_rows; row++)
        (*firsts)[groups[row] + 1]++;
    for (size_t g = 0; g < n_groups; g++)
        (*firsts)[g + 1] += (*firsts)[g];
    memcpy(next, *firsts, n_groups * sizeof *next);
    for (size_t row = 0; row < dataset->n_rows; row++)
        (*rows)[next[groups[row]]++] = (uint32_t)row;
    free(next);
}
