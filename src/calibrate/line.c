/* Solves the normal equations of 1 = (start + slope * x) / y.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/line.h"

void line_add(struct line_sums *sums, double x, double y)
{
    double weight = 1 / y, scaled = x / y;
    sums->one += weight;
    sums->x += scaled;
    sums->one_one += weight * weight;
    sums->one_x += weight * scaled;
    sums->x_x += scaled * scaled;
}

struct line line_of(const struct line_sums *sums, double from)
{
    if (!(sums->one_one > 0))
        return (struct line){0, 0};
    double determinant = sums->one_one * sums->x_x - sums->one_x * sums->one_x;
    struct line level = {sums->one / sums->one_one, 0}, line = level;
    if (determinant > 1e-12 * sums->one_one * sums->x_x)
        line = (struct line){(sums->one * sums->x_x - sums->x * sums->one_x) / determinant,
                             (sums->one_one * sums->x - sums->one_x * sums->one) / determinant};
    if (line.slope < 0)
        line = level;
    if (line.start + line.slope * from < 0)
        line = (struct line){0, sums->x / sums->x_x};
    return line;
}
