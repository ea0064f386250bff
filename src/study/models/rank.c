/* The order in which models are told.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/rank.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_SHARE 0.01 /* of the largest: it matters */
#define SAME 0.001       /* growth that differs by less, relatively, is the same */

struct ranked {
    int place;
    bool matters;
    double growth; /* logarithm of its factor over SAME, rounded */
    double value;
};

/* The largest values of a measure. */
struct largest {
    const struct measure_name *of;
    double value;
};

static double value_of(const struct models *models, const struct model *model)
{
    return models->n_at > 0 ? fabs(model->forecasts[models->n_at - 1].value) : 0;
}

static struct largest *find_largest(struct largest *list, size_t *n, const struct measure *measure)
{
    for (size_t i = 0; i < *n; i++)
        if (list[i].of == measure->of)
            return &list[i];
    list[*n] = (struct largest){measure->of, 0};
    return &list[(*n)++];
}

static int by_growth(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->matters != right->matters)
        return left->matters ? -1 : 1;
    if (isnan(left->growth) != isnan(right->growth))
        return isnan(left->growth) - isnan(right->growth);
    if (left->growth != right->growth && !isnan(left->growth))
        return left->growth < right->growth ? 1 : -1;
    return (left->value < right->value) - (left->value > right->value);
}

int models_rank(int **list, int *n_matter, const struct models *models)
{
    size_t n_models = (size_t)models->n_models + 1, n_largest = 0;
    struct largest *largest = xmalloc(n_models * sizeof *largest);
    struct ranked *ranked = xmalloc(n_models * sizeof *ranked);
    int n = 0;
    for (int i = 0; i < models->n_models; i++) {
        const struct model *model = &models->models[i];
        if (model->why[0] != '\0')
            continue;
        struct largest *own = find_largest(largest, &n_largest, model->measure);
        own->value = fmax(own->value, value_of(models, model));
        ranked[n++] = (struct ranked){
            .place = i, .growth = round(log(models_factor(models, model)) / SAME), .value = value_of(models, model)};
    }
    *n_matter = 0;
    for (int i = 0; i < n; i++) {
        const struct model *model = &models->models[ranked[i].place];
        double least = LEAST_SHARE * find_largest(largest, &n_largest, model->measure)->value;
        ranked[i].matters = ranked[i].value >= least;
        *n_matter += ranked[i].matters;
    }
    if (n > 0)
        sort_stable(ranked, (size_t)n, sizeof *ranked, by_growth);
    *list = xmalloc(n_models * sizeof **list);
    for (int i = 0; i < n; i++)
        (*list)[i] = ranked[i].place;
    free(largest);
    free(ranked);
    return n;
}
