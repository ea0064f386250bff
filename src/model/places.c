/* Where a measurement could be made next: at places that are measured already, and at those one step away from them.
 *
 * The values of a parameter tell which ones can be had: 2, 4, 8, 16 may be all that a program takes. So a step goes on
 * as the last one does, by the same factor; or, if all differences are equal, by so many of them that half as many
 * values more would fill it. Only where a step is much larger than the least one, there is a value between two.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOLE 1.5    /* times the least step, in logarithms: a value is missing */
#define EQUAL 1.001 /* steps that differ by a smaller factor are equal */

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int by_place(const void *a, const void *b)
{
    const struct regression_proposal *left = a, *right = b;
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        if (left->x[p] != right->x[p])
            return left->x[p] < right->x[p] ? -1 : 1;
    return 0;
}

struct places {
    struct regression_proposal *list; /* on the heap */
    size_t n, capacity;
};

/* ---- Values of one parameter ---- */

struct values {
    double *list; /* different ones, rising */
    int n;
    double *next; /* those that could be had, too, rising */
    int n_next;
    bool whole, even; /* all are whole numbers; steps are equal */
};

static void add_next(struct values *values, double value)
{
    double rounded = values->whole ? round(value) : value;
    bool known = !(rounded > 0);
    for (int i = 0; i < values->n; i++)
        known |= rounded == values->list[i];
    if (!known)
        values->next[values->n_next++] = rounded;
}

/* A step on from `to`, as that from `from`; of equal differences so many. */
static double go_on(const struct values *values, double from, double to, int n_equal)
{
    return values->even ? to + n_equal * (to - from) : to * (to / from);
}

static void find_next(struct values *values)
{
    const double *list = values->list;
    int n = values->n;
    double least = INFINITY;
    for (int i = 1; i < n; i++)
        least = fmin(least, list[i] / list[i - 1]);
    add_next(values, go_on(values, list[1], list[0], 1));
    for (int i = 1; i < n && !values->even; i++)
        if (log(list[i] / list[i - 1]) > HOLE * log(least))
            add_next(values, sqrt(list[i] * list[i - 1]));
    add_next(values, go_on(values, list[n - 2], list[n - 1], (n + 1) / 2));
}

static void find_values(struct values *values, const struct places *places, int parameter)
{
    *values = (struct values){.list = xmalloc(places->n * sizeof(double)),
                              .next = xmalloc((places->n + 1) * sizeof(double)),
                              .whole = true,
                              .even = true};
    for (size_t i = 0; i < places->n; i++)
        values->list[i] = places->list[i].x[parameter];
    sort_stable(values->list, places->n, sizeof(double), by_number);
    for (size_t i = 0; i < places->n; i++)
        if (i == 0 || values->list[i] != values->list[values->n - 1])
            values->list[values->n++] = values->list[i];
    double step = values->n > 1 ? values->list[1] - values->list[0] : 0;
    for (int i = 0; i < values->n; i++) {
        values->whole &= values->list[i] == floor(values->list[i]);
        values->even &= i == 0 || fabs(values->list[i] - values->list[i - 1] - step) <= (EQUAL - 1) * step;
    }
    if (values->n > 1)
        find_next(values);
}

/* ---- Places ---- */

static void add_place(struct places *places, const double *place)
{
    places->list = xgrow(places->list, places->n, &places->capacity, sizeof *places->list);
    places->list[places->n] = (struct regression_proposal){.cost = 1, .narrowing = 1};
    memcpy(places->list[places->n++].x, place, sizeof places->list->x);
}

/* Equal ones become one. */
static void sort_out(struct places *places)
{
    size_t n = 0;
    if (places->n > 0)
        sort_stable(places->list, places->n, sizeof *places->list, by_place);
    for (size_t i = 0; i < places->n; i++)
        if (n == 0 || by_place(&places->list[i], &places->list[n - 1]) != 0)
            places->list[n++] = places->list[i];
    places->n = n;
}

/* The measured places without repetitions, of which there may be millions. */
static struct places find_measured(const struct regression_point *points, int n_points, int n_parameters)
{
    struct places places = {0};
    size_t most = 1024;
    for (int i = 0; i < n_points; i++) {
        if (places.n == most) {
            sort_out(&places);
            most = 2 * places.n + 1024;
        }
        double place[REGRESSION_PARAMETERS];
        for (int p = 0; p < REGRESSION_PARAMETERS; p++)
            place[p] = p < n_parameters ? points[i].x[p] : 1;
        add_place(&places, place);
    }
    sort_out(&places);
    return places;
}

static bool is_below(const double *place, const double *limit, int n_parameters)
{
    for (int p = 0; p < n_parameters; p++)
        if (place[p] < limit[p])
            return true;
    return false;
}

int regression_find_places(struct regression_proposal **list, const struct regression_point *points, int n_points,
                           int n_parameters, const double *limit, bool again)
{
    struct places measured = find_measured(points, n_points, n_parameters), places = {0};
    for (size_t i = 0; again && i < measured.n; i++)
        if (is_below(measured.list[i].x, limit, n_parameters))
            add_place(&places, measured.list[i].x);
    for (int p = 0; p < n_parameters; p++) {
        struct values values;
        find_values(&values, &measured, p);
        for (size_t i = 0; i < measured.n; i++)
            for (int k = 0; k < values.n_next; k++) {
                double place[REGRESSION_PARAMETERS];
                memcpy(place, measured.list[i].x, sizeof place);
                place[p] = values.next[k];
                if (is_below(place, limit, n_parameters))
                    add_place(&places, place);
            }
        free(values.list);
        free(values.next);
    }
    free(measured.list);
    sort_out(&places);
    *list = places.list;
    return (int)places.n;
}
