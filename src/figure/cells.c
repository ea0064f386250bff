/* Draws a table as colored cells.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/internal.h"

#include <math.h>
#include <string.h>

void figure_shade(char colour[8], double part)
{
    double t = fmin(fmax(part, 0), 1);
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)(244 - t * 236), (unsigned)(248 - t * 200),
             (unsigned)(252 - t * 145));
}

static bool has_name(const struct plot_series *row, size_t n_places, const char *name)
{
    for (size_t i = 0; i < n_places; i++)
        if (row->texts[i] != NULL && strcmp(row->texts[i], name) == 0)
            return true;
    return false;
}

/* A light color for a name, by the first row that has it. */
static const char *tint_of(const struct plot *plot, const char *name)
{
    static const char *const tints[] = {"#cfe3f3", "#f6d5bd", "#c3e6d9", "#f0dbe8", "#e5e0b8", "#d9d3f7", "#e3e6ea"};
    size_t row = 0;
    while (row + 1 < plot->n_series && !has_name(&plot->series[row], plot->n_places, name))
        row++;
    size_t index = row;
    for (size_t i = 0; i < plot->n_places && strcmp(plot->series[row].texts[i], name) != 0; i++)
        index++;
    return tints[index % (sizeof tints / sizeof tints[0])];
}

/* Cells of names have a color for each name, others one for each value, in steps of equal factors. */
static void draw_cell(const struct frame *frame, const struct plot_series *row, size_t i, double x, double y,
                      double width)
{
    const struct plot *plot = frame->plot;
    char text[32], colour[8];
    const char *shown = row->texts[i];
    double value = row->values[i], part = figure_part(value, plot->least, plot->most, plot->least > 0);
    if (shown == NULL && !isnan(value))
        shown = scale_format(text, sizeof text, plot->unit, value);
    if (shown == NULL || shown[0] == '\0')
        return;
    if (isnan(value))
        snprintf(colour, sizeof colour, "%s", tint_of(plot, shown));
    else
        figure_shade(colour, plot->most > plot->least ? part : 0);
    frame->pen->spec->box(frame->pen, x, y, width - 0.7, LINE + 1, colour);
    frame->pen->spec->text(frame->pen, x + width / 2, y + SIZE + 0.5, shown,
                           &(struct letters){!isnan(value) && part > 0.5 ? "#ffffff" : INK,
                                             SIZE * fmin(1, width / (2 + pen_text_width(shown, SIZE))), ANCHOR_MIDDLE,
                                             false});
}

static double widest_name(const struct plot *plot)
{
    double widest = 0;
    for (size_t s = 0; s < plot->n_series; s++)
        widest = fmax(widest, pen_text_width(plot->series[s].name, SIZE));
    return widest;
}

void figure_draw_cells(struct frame *frame)
{
    const struct plot *plot = frame->plot;
    double step = LINE + 1.7, left = fmin(widest_name(plot) + 6, frame->pen->width / 2);
    double width = (frame->pen->width - left - 2) / (double)plot->n_places;
    frame->pen->height = 2 * LINE + step * (double)plot->n_series + 4;
    for (size_t i = 0; i < plot->n_places; i++) {
        double size = SIZE * fmin(1, width / (2 + pen_text_width(plot->place_names[i], SIZE)));
        frame->pen->spec->text(frame->pen, left + width * ((double)i + 0.5), LINE, plot->place_names[i],
                               &(struct letters){SOFT, size, ANCHOR_MIDDLE, false});
    }
    frame->pen->spec->text(frame->pen, 2, LINE, plot->x_name, &(struct letters){INK, SIZE, ANCHOR_START, false});
    for (size_t s = 0; s < plot->n_series; s++) {
        double y = LINE + 4 + step * (double)s;
        figure_write(frame->pen, 2, y + SIZE + 0.5, plot->series[s].name, ANCHOR_START);
        for (size_t i = 0; i < plot->n_places; i++)
            draw_cell(frame, &plot->series[s], i, left + width * (double)i, y, width);
    }
}
