/* Plans the shapes to measure at: cubes, panels, thin matrices, and points spread evenly by Halton sequences.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/shapes.h"

#include <assert.h>
#include <math.h>

enum { N_CUBES = 9, N_THIN_WIDTHS = 3, N_THIN = 4, N_SPREAD = 30 };

struct plan {
    struct fit_sample *samples;
    int capacity, count;
    int n_dimensions, from, to;
    int next; /* in the Halton sequence */
};

/* The Halton sequence: its points fill the unit interval evenly, and with prime bases the unit cube. */
static double halton(int index, int base)
{
    double value = 0, share = 1;
    for (; index > 0; index /= base) {
        share /= base;
        value += share * (index % base);
    }
    return value;
}

/* The dimension at a share of the way from `from` to `to`, in the logarithm. */
static int dimension_at(const struct plan *plan, double share)
{
    return (int)lround(plan->from * pow((double)plan->to / plan->from, share));
}

static void add(struct plan *plan, const int dimensions[3])
{
    if (plan->count == plan->capacity)
        return;
    plan->samples[plan->count++] =
        (struct fit_sample){dimensions[0], dimensions[1], plan->n_dimensions > 2 ? dimensions[2] : 1, 0};
}

static void spread(struct plan *plan, int dimensions[3])
{
    static const int bases[] = {2, 3, 5};
    for (int d = 0; d < 3; d++)
        dimensions[d] = dimension_at(plan, halton(plan->next, bases[d]));
    plan->next++;
}

/* One dimension is 1, 2 or 4 times the smallest. */
static void add_thin(struct plan *plan)
{
    int dimensions[3];
    for (int d = 0; d < plan->n_dimensions; d++)
        for (int width = 0; width < N_THIN_WIDTHS; width++)
            for (int i = 0; i < N_THIN; i++) {
                spread(plan, dimensions);
                if (plan->from << width <= plan->to)
                    dimensions[d] = plan->from << width;
                add(plan, dimensions);
            }
}

int shapes_plan(struct fit_sample *samples, int capacity, int n_dimensions, int from, int to, int seed)
{
    assert(from > 0 && from <= to && (n_dimensions == 2 || n_dimensions == 3));
    struct plan plan = {samples, capacity, 0, n_dimensions, from, to, 1 + 1000 * seed};
    int dimensions[3];
    for (int i = 0; i < N_CUBES; i++) {
        dimensions[0] = dimensions[1] = dimensions[2] = dimension_at(&plan, (double)i / (N_CUBES - 1));
        add(&plan, dimensions);
    }
    add_thin(&plan);
    for (int i = 0; i < N_SPREAD; i++) {
        spread(&plan, dimensions);
        add(&plan, dimensions);
    }
    return plan.count;
}
