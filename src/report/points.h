/* The measured values of a model, point by point, for formats that write each point once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_POINTS_H
#define REPORT_POINTS_H

#include "document/document.h"

#include <stddef.h>

/* The repetitions at one point. */
struct point {
    size_t row; /* the first of them in the table of measured values */
    const double *values;
    size_t count;
    double mean, fitted; /* measured, and by the formula */
};

/* How many columns of such a table are parameters: the others are the value and the formula's value. */
static inline size_t points_parameters(const struct table *measured)
{
    return measured->n_columns - 2;
}

typedef void take_point(void *self, const struct table *measured, const struct point *point);
/* Call a function for each point, in the order of the parameters. */
void points_each(const struct table *measured, take_point *take, void *self);

/* Statistics of the values at a point. */
struct point_statistics {
    double median, least, most, deviation; /* the standard deviation of the values themselves */
};
struct point_statistics point_find_statistics(const struct point *point);

/* Sums over the points, of the means and the formula. */
struct point_errors {
    size_t count;
    double squares, relative_squares, relative, symmetric, sum;
};
struct point_errors points_find_errors(const struct table *measured);

#endif
