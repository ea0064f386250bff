/* Laws of costs: their values for calls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/kernel_law.h"

#include <stdlib.h>

const char *const law_size_names[N_LAW_SIZES] = {"m", "n", "k", "iterations"};

void law_free(struct kernel_law *law)
{
    if (law == NULL)
        return;
    free(law->table);
    free(law);
}

bool law_suits(const struct kernel_law *law, const struct law_call *call)
{
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (law->to[s] > 0 && call->sizes[s] < 1)
            return false;
    return (law->to[LAW_ITERATIONS] > 0) == (call->sizes[LAW_ITERATIONS] > 0);
}

bool law_is_outside(const struct kernel_law *law, const struct law_call *call)
{
    for (int s = 0; s < N_LAW_SIZES; s++)
        if (law->to[s] > 0 && (call->sizes[s] < law->from[s] || call->sizes[s] > law->to[s]))
            return true;
    return false;
}

struct regression_place law_place(const struct kernel_law *law, const struct law_call *call, double weight)
{
    struct regression_place place = {.weight = weight};
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        place.x[p] = p < law->n_parameters ? (double)call->sizes[law->parameters[p]] : 1;
    return place;
}

double law_value_s(const struct kernel_law *law, const struct law_call *call, int edge)
{
    struct regression_place place = law_place(law, call, 1);
    if (edge == 0)
        return regression_value(&law->model, place.x);
    struct regression_sum sum = regression_sum(&law->model, &place, 1);
    return edge < 0 ? sum.low : sum.high;
}

void law_format(char *text, size_t size, const struct kernel_law *law)
{
    const char *names[REGRESSION_PARAMETERS] = {NULL};
    for (int p = 0; p < law->n_parameters; p++)
        names[p] = law_size_names[law->parameters[p]];
    regression_formula_format(text, size, &law->model.best.formula, names);
}

const char *law_doubt(const struct kernel_law *law)
{
    unsigned doubts = regression_doubts(&law->model);
    return doubts & REGRESSION_FEW       ? "few points"
           : doubts & REGRESSION_SCATTER ? "points scatter"
           : doubts & REGRESSION_ABOVE   ? "the largest sizes take longer"
           : doubts & REGRESSION_BELOW   ? "the largest sizes take less"
                                         : "";
}
