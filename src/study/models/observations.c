/* Finds the observations that models are made of: runs, or rows of their tables, and which of them form a series.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/observations.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct models_table models_tables[] = {
    {TABLE_WORK_PHASES, offsetof(struct work_phases_row, quantums), offsetof(struct work_phases_row, phases)},
    {TABLE_MESSAGE_SIZES, offsetof(struct message_sizes_row, bytes), offsetof(struct message_sizes_row, count)},
    {TABLE_COLLECTIVE_SIZES, offsetof(struct collective_sizes_row, bytes),
     offsetof(struct collective_sizes_row, count)},
    {N_TABLES, 0, 0},
};

/* ---- Observations ---- */

double models_amount(const struct result_table *table, size_t row, const struct models_table *spec)
{
    double count = result_cell_value(table, row, table_column_at(spec->id, spec->count));
    return count > 0 ? result_cell_value(table, row, table_column_at(spec->id, spec->amount)) / count : (double)NAN;
}

const char *models_amount_name(const struct models_table *spec)
{
    return table_specs[spec->id].columns[table_column_at(spec->id, spec->amount)].name;
}

static void add_observation(struct observations *observations, size_t *capacity, struct observation observation,
                            const struct models_request *request)
{
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        observation.x[p] = 1;
    for (int p = 0; p < request->n_parameters; p++)
        observation.x[p] = request->parameters[p] == MODELS_AMOUNT
                               ? models_amount(observation.table, observation.row, request->table)
                               : parameter_value(&observation.run->parameters[request->parameters[p]]);
    observations->list = xgrow(observations->list, (size_t)observations->count, capacity, sizeof *observations->list);
    observations->list[observations->count++] = observation;
}

static void find_all(struct observations *observations, const struct study *study, const struct models_request *request)
{
    size_t capacity = 0;
    for (int i = 0; i < study->n_runs; i++) {
        struct observation observation = {.run = &study->runs[i]};
        if (request->table != NULL)
            observation.table = result_find_table(&study->runs[i].result, request->table->id);
        if (request->table == NULL)
            add_observation(observations, &capacity, observation, request);
        for (; observation.table != NULL && observation.row < observation.table->n_rows; observation.row++)
            add_observation(observations, &capacity, observation, request);
    }
}

bool observation_value(double *value, const struct observation *observation, const struct measure *measure)
{
    if (observation->table != NULL) {
        *value = result_cell_value(observation->table, observation->row, (size_t)measure->narrow);
        return isfinite(*value);
    }
    const struct measure *found = result_find(&observation->run->result, measure->of->group, measure->of->name);
    if (found != NULL)
        *value = measure_value(found);
    return found != NULL;
}

bool observations_mean(const char *measures, const char *group)
{
    for (const char *word = measures;; word++) {
        size_t length = strcspn(word, ".,");
        if (length == strlen(group) && strncmp(word, group, length) == 0)
            return true;
        word += strcspn(word, ",");
        if (*word == '\0')
            return false;
    }
}

/* ---- Series ---- */

static int by_place(const void *a, const void *b)
{
    const struct observation *left = *(const struct observation *const *)a,
                             *right = *(const struct observation *const *)b;
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        if (left->x[p] != right->x[p])
            return left->x[p] < right->x[p] ? -1 : 1;
    return 0;
}

/* True if a parameter of the runs has one value at each place of the model: the work goes with the size. */
static bool goes_along(const struct observation *const *sorted, int count, int parameter)
{
    for (int i = 1; i < count; i++)
        if (by_place(&sorted[i - 1], &sorted[i]) == 0 &&
            strcmp(sorted[i - 1]->run->parameters[parameter].text, sorted[i]->run->parameters[parameter].text) != 0)
            return false;
    return true;
}

static bool is_over(const struct models_request *request, int parameter)
{
    for (int p = 0; p < request->n_parameters; p++)
        if (request->parameters[p] == parameter)
            return true;
    return false;
}

/* A number that the program says is what its work depends on, for which the size in a row of a table stands. */
static bool is_size(const struct models_request *request, const struct study_parameter *parameter)
{
    return request->table != NULL && parameter->subject != SUBJECT_RANKS && !isnan(parameter_value(parameter));
}

/* Which parameters tell series apart, to be freed; and the names of those that go along with the model's own. */
static bool *find_others(struct models *models, const struct observations *observations, const struct study *study,
                         const struct models_request *request)
{
    int n = study->runs[0].n_parameters;
    bool *others = xcalloc((size_t)n + 1, sizeof *others);
    const struct observation **sorted = xcalloc((size_t)observations->count + 1, sizeof(const struct observation *));
    struct builder along = {0};
    for (int i = 0; i < observations->count; i++)
        sorted[i] = &observations->list[i];
    sort_stable(sorted, (size_t)observations->count, sizeof(const struct observation *), by_place);
    for (int i = 0; i < n; i++) {
        const struct study_parameter *parameter = &study->runs[0].parameters[i];
        if (is_over(request, i) || parameter->is_label || !study_varies(study, i))
            continue;
        others[i] = !is_size(request, parameter) && !goes_along(sorted, observations->count, i);
        if (!others[i])
            builder_add(&along, "%s%s", along.length > 0 ? ", " : "", parameter->name);
    }
    models->along = builder_take(&along);
    free(sorted);
    return others;
}

/* "broadcast neighbour, n 256", on the heap. */
static char *name_series(const struct observation *observation, const bool *others)
{
    const struct study_run *run = observation->run;
    const struct result_table *table = observation->table;
    struct builder name = {0};
    for (int i = 0; i < run->n_parameters; i++)
        if (others[i] && run->parameters[i].text[0] != '\0')
            builder_add(&name, "%s%s %s", name.length == 0 ? "" : ", ", run->parameters[i].name,
                        run->parameters[i].text);
    const struct table_spec *spec = table != NULL ? &table_specs[table->id] : NULL;
    for (size_t c = 0; table != NULL && c < spec->n_columns; c++)
        if (kind_specs[spec->columns[c].kind].type == MEASURE_TEXT)
            builder_add(&name, "%s%s %s", name.length == 0 ? "" : ", ", spec->columns[c].name,
                        result_cell(table, observation->row, c).text);
    return builder_take(&name);
}

static void find_series(struct observations *observations, struct models *models, const bool *others)
{
    size_t capacity = 0;
    for (int i = 0; i < observations->count; i++) {
        struct observation *observation = &observations->list[i];
        char *name = name_series(observation, others);
        while (observation->series < models->n_series && strcmp(models->series[observation->series], name) != 0)
            observation->series++;
        if (observation->series < models->n_series) {
            free(name);
            continue;
        }
        models->series = xgrow(models->series, (size_t)models->n_series, &capacity, sizeof *models->series);
        models->series[models->n_series++] = name;
    }
}

static void find_range(struct models *models, const struct observations *observations, const struct study *study,
                       const struct models_request *request)
{
    for (int p = 0; p < request->n_parameters; p++) {
        models->parameters[p] = request->parameters[p] == MODELS_AMOUNT
                                    ? models_amount_name(request->table)
                                    : study->runs[0].parameters[request->parameters[p]].name;
        if (request->parameters[p] != MODELS_AMOUNT)
            models->are_ranks[p] = study_is_ranks(study, request->parameters[p]);
        models->over_ranks = models->are_ranks[0];
        models->first[p] = INFINITY;
        for (int i = 0; i < observations->count; i++) {
            double x = observations->list[i].x[p];
            models->first[p] = fmin(models->first[p], x);
            models->last[p] = fmax(models->last[p], x);
        }
    }
}

void observations_find(struct observations *observations, struct models *models, const struct study *study,
                       const struct models_request *request)
{
    *observations = (struct observations){NULL, 0};
    find_all(observations, study, request);
    find_range(models, observations, study, request);
    bool *others = find_others(models, observations, study, request);
    find_series(observations, models, others);
    free(others);
}
