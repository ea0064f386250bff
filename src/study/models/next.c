/* The measurement to make next, for each model.
 *
 * A measurement costs what it takes: the time that a model of the same series predicts there, on all ranks. Where there
 * are too few points, or the points contradict the formula, how narrow the band becomes cannot be told; then the
 * largest place that is new tests the formula.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/next.h"

#include "base/builder.h"
#include "study/models/law_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT 0.001      /* half a band over the value: no need to measure */
#define HARDLY 0.95      /* of a band: not narrower */
#define LEAST_SHARE 0.01 /* of what was measured at most: nothing costs less */
#define DOUBTED (REGRESSION_SCATTER | REGRESSION_ABOVE | REGRESSION_BELOW)

double models_half_width(const struct regression_forecast *forecast)
{
    double half = (forecast->high - forecast->low) / 2;
    return half == 0 ? 0 : isfinite(half) ? half / fabs(forecast->value) : (double)INFINITY;
}

/* ---- Costs ---- */

static double largest_value(const struct model *model)
{
    double largest = 0;
    for (int i = 0; i < model->n_points; i++)
        largest = fmax(largest, model->points[i].value);
    return largest;
}

/* The time at a place: the largest that models of the series have, as a whole takes longer than its parts; 0: none is
 * of times. */
static double time_at(const struct models *models, const struct model *model, const double *place)
{
    double time = 0;
    for (int i = 0; i < models->n_models; i++) {
        const struct model *other = &models->models[i];
        if (other->series != model->series || other->why[0] != '\0' || other->quantity != UNIT_SECONDS)
            continue;
        double least = LEAST_SHARE * largest_value(other);
        time = fmax(time, fmax(regression_value(&other->model, place), least));
    }
    return time;
}

/* All in one are as dear where no time is known. */
static double cost_of(const struct models *models, const struct model *model, const double *place)
{
    double cost = time_at(models, model, place);
    for (int p = 0; p < models->n_parameters; p++)
        cost *= models->are_ranks[p] ? place[p] : 1;
    return cost > 0 ? cost : 1;
}

/* ---- Proposals ---- */

static double size_of(const struct regression_proposal *proposal)
{
    double size = 1;
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        size *= proposal->x[p];
    return size;
}

static bool is_measured(const struct model *model, const struct models *models, const double *place)
{
    size_t bytes = (size_t)models->n_parameters * sizeof *place;
    for (int i = 0; i < model->n_points; i++)
        if (memcmp(model->points[i].x, place, bytes) == 0)
            return true;
    return false;
}

/* Only the largest place that is new. */
static void keep_test(struct model *model, const struct models *models)
{
    int best = -1;
    for (int i = 0; i < model->n_next; i++)
        if (!is_measured(model, models, model->next[i].x) &&
            (best < 0 || size_of(&model->next[i]) > size_of(&model->next[best])))
            best = i;
    model->n_next = best >= 0;
    if (best < 0)
        return;
    model->next[0] = model->next[best];
    model->next[0].narrowing = NAN;
}

static void propose(struct model *model, const struct models *models)
{
    const double *at = models->at[models->n_at - 1];
    bool tells = model->model.n_points >= REGRESSION_FEW_POINTS && !(regression_doubts(&model->model) & DOUBTED);
    model->n_next = regression_find_places(&model->next, model->points, model->n_points, models->n_parameters, at,
                                           !models->simulated && tells);
    for (int i = 0; i < model->n_next; i++)
        model->next[i].cost = cost_of(models, model, model->next[i].x);
    if (tells)
        regression_propose(model->next, model->n_next, &model->model, at);
    else
        keep_test(model, models);
}

void models_propose(struct models *models)
{
    for (int i = 0; models->n_at > 0 && i < models->n_models; i++)
        if (models->models[i].why[0] == '\0')
            propose(&models->models[i], models);
}

/* ---- In words ---- */

static void add_place(struct builder *text, const struct models *models, const struct model *model, const double *place)
{
    law_add_place(text, models, place);
    builder_add(text, "%s", is_measured(model, models, place) ? " again" : "");
}

static void add_cost(struct builder *text, const struct models *models, const struct model *model, const double *place)
{
    double time = time_at(models, model, place);
    struct scale scale = scale_for(UNIT_SECONDS, time);
    if (!(time > 0))
        return;
    builder_add(text, ", about ");
    law_add_number(text, time * scale.factor);
    builder_add(text, " %s", scale.name);
}

static void add_half_width(struct builder *text, double half)
{
    builder_add(text, half < 0.0995 ? "\302\261%.2g %%" : "\302\261%.0f %%", 100 * half);
}

/* The first of those no larger than what was measured. */
static const struct regression_proposal *find_smaller(const struct models *models, const struct model *model)
{
    for (int i = 0; i < model->n_next; i++) {
        bool within = true;
        for (int p = 0; p < models->n_parameters; p++)
            within &= model->next[i].x[p] <= models->last[p];
        if (within)
            return &model->next[i];
    }
    return NULL;
}

static void add_test(struct builder *text, const struct models *models, const struct model *model)
{
    const double *place = model->next[0].x;
    bool few = model->model.n_points < REGRESSION_FEW_POINTS;
    builder_add(text, models->simulated ? "Simulate " : "Measure ");
    add_place(text, models, model, place);
    add_cost(text, models, model, place);
    builder_add(text, ", to test the formula of ");
    law_add_name(text, model);
    builder_add(text, few ? ": there are too few points to tell more." : ", which its points contradict.");
}

static void add_narrowing(struct builder *text, const struct models *models, const struct model *model, double half)
{
    const struct regression_proposal *best = &model->next[0], *smaller = find_smaller(models, model);
    builder_add(text, "To narrow the band of ");
    law_add_name(text, model);
    builder_add(text, " at ");
    law_add_place(text, models, models->at[models->n_at - 1]);
    builder_add(text, " from ");
    add_half_width(text, half);
    builder_add(text, " to about ");
    add_half_width(text, half * best->narrowing);
    builder_add(text, ", %s ", models->simulated ? "simulate" : "measure");
    add_place(text, models, model, best->x);
    add_cost(text, models, model, best->x);
    if (smaller != NULL && smaller != best && smaller->narrowing <= HARDLY) {
        builder_add(text, "; or, no larger than so far, ");
        add_place(text, models, model, smaller->x);
        builder_add(text, ": ");
        add_half_width(text, half * smaller->narrowing);
    }
    builder_add(text, ".");
}

char *models_next_describe(const struct models *models, const struct model *model)
{
    struct builder text = {0};
    if (model->n_next == 0)
        return NULL;
    double half = models_half_width(&model->forecasts[models->n_at - 1]);
    if (isnan(model->next[0].narrowing))
        add_test(&text, models, model);
    else if (half > EXACT && isfinite(half) && model->next[0].narrowing <= HARDLY)
        add_narrowing(&text, models, model, half);
    return text.length > 0 ? builder_take(&text) : NULL;
}
