/* A pen that draws a figure: lines, boxes and text, in points (1/72 inch) from the upper left corner, as SVG, PDF
 * or PNG.
 *
 *     struct pen pen = {.spec = &pen_svg, .width = 241, .height = 150};
 *     pen.spec->box(&pen, 10, 10, 30, 20, "#0072b2");
 *     pen.spec->finish(&pen, stream);
 *
 * Colors are "#rrggbb". Letters are Helvetica's, which PDF readers bring along; what is not ASCII is written as "?" in
 * PDF.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_PEN_H
#define FIGURE_PEN_H

#include "base/builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct point2 {
    double x, y;
};

struct stroke {
    const char *colour;
    double width;
    bool is_dashed;
};

/* Which part of a text is at its place. */
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct letters {
    const char *colour;
    double size; /* points; the base line is at y */
    enum anchor anchor;
    bool is_turned; /* it reads upward */
};

struct pen {
    const struct pen_spec *spec;
    double width, height;
    struct builder drawn;
    void *image; /* of PNG */
};

struct pen_spec {
    void (*line)(struct pen *pen, const struct point2 *points, size_t n, const struct stroke *stroke);
    void (*box)(struct pen *pen, double x, double y, double width, double height, const char *colour);
    void (*text)(struct pen *pen, double x, double y, const char *text, const struct letters *letters);
    /* Write the whole figure, and forget it. */
    void (*finish)(struct pen *pen, FILE *stream);
};

extern const struct pen_spec pen_svg, pen_pdf, pen_png;
/* The reason why this computer cannot draw PNG, or NULL if it can: to be asked before one is drawn. */
const char *pen_png_lack(void);

/* How wide a text is, in points. Source: the metrics of Helvetica (Adobe, AFM). */
double pen_text_width(const char *text, double size);

#endif
