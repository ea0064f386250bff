/* Figures as SVG.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/pen.h"

#include <stdlib.h>

static void draw_line(struct pen *pen, const struct point2 *points, size_t n, const struct stroke *stroke)
{
    builder_add(&pen->drawn, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\"%s points=\"", stroke->colour,
                stroke->width, stroke->is_dashed ? " stroke-dasharray=\"3 2\"" : "");
    for (size_t i = 0; i < n; i++)
        builder_add(&pen->drawn, "%s%.2f,%.2f", i > 0 ? " " : "", points[i].x, points[i].y);
    builder_add(&pen->drawn, "\"/>\n");
}

static void draw_box(struct pen *pen, double x, double y, double width, double height, const char *colour)
{
    builder_add(&pen->drawn, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, width,
                height, colour);
}

static void add_escaped(struct builder *drawn, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            builder_add(drawn, "&#%d;", *text);
        else
            builder_add(drawn, "%c", *text);
}

static void draw_text(struct pen *pen, double x, double y, const char *text, const struct letters *letters)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    builder_add(&pen->drawn, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" fill=\"%s\" text-anchor=\"%s\"", x, y,
                letters->size, letters->colour, anchors[letters->anchor]);
    if (letters->is_turned)
        builder_add(&pen->drawn, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    builder_add(&pen->drawn, ">");
    add_escaped(&pen->drawn, text);
    builder_add(&pen->drawn, "</text>\n");
}

static void finish(struct pen *pen, FILE *stream)
{
    char *drawn = builder_take(&pen->drawn);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2fpt\" height=\"%.2fpt\" viewBox=\"0 0 %.2f %.2f\" "
            "font-family=\"Helvetica, Arial, sans-serif\">\n%s</svg>\n",
            pen->width, pen->height, pen->width, pen->height, drawn);
    free(drawn);
}

const struct pen_spec pen_svg = {draw_line, draw_box, draw_text, finish};
