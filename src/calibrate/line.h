/* A straight line by least squares of the relative deviation, which is one that times can have.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_LINE_H
#define CALIBRATE_LINE_H

/* start + slope * x */
struct line {
    double start, slope;
};

/* Sums over the points, all above 0 in y: 1/y, x/y and their products. Begins with zeros. */
struct line_sums {
    double one, x, one_one, one_x, x_x;
};

void line_add(struct line_sums *sums, double x, double y);

/* The slope is not below 0, nor the line from `from` on; all 0 without points. */
struct line line_of(const struct line_sums *sums, double from);

#endif
