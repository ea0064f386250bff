/* Shared by the files that draw figures: letters, colors, and where a plot is.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_INTERNAL_H
#define FIGURE_INTERNAL_H

#include "figure/pen.h"
#include "figure/plot.h"

#define SIZE 7.5  /* of letters, in points */
#define LINE 10.5 /* from one line of text to the next */
#define INK "#1c2430"
#define SOFT "#5c6675"
#define RULE "#d5dae1"

/* Where the plot is, and what its axes say. */
struct frame {
    struct pen *pen;
    const struct plot *plot;
    double left, top, width, height;   /* of the plot itself */
    double low, high;                  /* of the axis of values */
    bool x_is_log, y_is_log, has_rows; /* has_rows: places go down, values to the right */
    struct scale scale;                /* of values */
};

/* Text in ink. */
void figure_write(struct pen *pen, double x, double y, const char *text, enum anchor anchor);
/* From white, at 0, to dark blue, at 1. */
void figure_shade(char colour[8], double part);
/* A colored square and a name for each; how high they are. draws: false to find that out. */
double figure_legend(struct pen *pen, const char *const *names, const char *const *colours, size_t count, bool draws);
/* Which part of the way from `low` to `high` a value is; in factors. */
double figure_part(double value, double low, double high, bool is_log);
/* 1, 2 or 5 times a power of ten, for about five steps. */
double figure_step(double range);

/* Lines or bars; colored cells. The height of the pen is set. */
void figure_draw_chart(struct frame *frame);
void figure_draw_cells(struct frame *frame);

#endif
