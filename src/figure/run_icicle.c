/* The call tree of a traced program as an icicle: each path below the one around it, as wide as its time, and darker
 * the more of that it waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW (LINE + 2)
#define LEAST 0.3     /* points: narrower paths are left out, with those within them */
#define LIGHTEST 0.12 /* of the shades, so that it differs from the ground */
enum { MOST_LEVELS = 40 };

/* As much of a name as fits into that width, or "". */
static void cut_name(char *text, size_t size, const char *name, double width)
{
    size_t length = strlen(name) < size - 1 ? strlen(name) : size - 1;
    snprintf(text, size, "%.*s", (int)length, name);
    while (length > 0 && pen_text_width(text, SIZE) > width) {
        do
            length--;
        while (length > 0 && (text[length] & 0xc0) == 0x80); /* letters stay whole */
        text[length] = '\0';
    }
    if (length < 3 && length < strlen(name))
        text[0] = '\0';
}

static void draw_path(struct pen *pen, const char *name, double x, double y, double width, double waiting)
{
    char text[120], colour[8];
    figure_shade(colour, LIGHTEST + (1 - LIGHTEST) * waiting);
    pen->spec->box(pen, x, y, fmax(width - 0.5, 0.2), ROW - 0.7, colour);
    cut_name(text, sizeof text, name, width - 4);
    if (text[0] != '\0')
        pen->spec->text(pen, x + 2, y + SIZE + 1, text,
                        &(struct letters){waiting > 0.5 ? "#ffffff" : INK, SIZE, ANCHOR_START, false});
}

static double draw_key(struct pen *pen)
{
    enum { N_STEPS = 6 };
    char colour[8];
    double x = 2 + pen_text_width("waiting 0 %", SIZE) + 4;
    figure_write(pen, 2, SIZE + 2, "waiting 0 %", ANCHOR_START);
    for (int i = 0; i < N_STEPS; i++, x += 9) {
        figure_shade(colour, LIGHTEST + (1 - LIGHTEST) * i / (N_STEPS - 1));
        pen->spec->box(pen, x, 2, 9, 7, colour);
    }
    figure_write(pen, x + 4, SIZE + 2, "100 %", ANCHOR_START);
    return LINE + 6;
}

bool figure_draw_call_tree(struct pen *pen, const struct figure_run *run)
{
    const struct table *rows = figure_run_rows(run, "call_paths");
    size_t n = rows == NULL ? 0 : table_n_rows(rows);
    double *next = xcalloc(n + 1, sizeof *next), whole_s = 0, deepest = 0; /* next: where a path's next one begins */
    for (size_t i = 0; i < n; i++) {
        whole_s += figure_number(rows, i, "outer") < 1 ? figure_number(rows, i, "time_s") : 0;
        deepest = fmax(deepest, fmin(figure_number(rows, i, "depth"), MOST_LEVELS));
    }
    if (!(whole_s > 0)) {
        free(next);
        return false;
    }
    double width = pen->width - 4, top = LINE + 6;
    pen->height = top + ROW * deepest + 2;
    draw_key(pen);
    for (size_t i = 0; i < n; i++) {
        size_t outer = (size_t)fmax(figure_number(rows, i, "outer"), 0),
               level = (size_t)figure_number(rows, i, "depth");
        double time_s = figure_number(rows, i, "time_s"), wide = width * time_s / whole_s,
               x = next[outer <= i ? outer : 0];
        if (isnan(x) || wide < LEAST || level > MOST_LEVELS) {
            next[i + 1] = (double)NAN; /* nor those within it */
            continue;
        }
        next[outer <= i ? outer : 0] += wide;
        next[i + 1] = x;
        draw_path(pen, figure_text(rows, i, "function"), 2 + x, top + ROW * (double)(level - 1), wide,
                  figure_number(rows, i, "idle_s") / time_s);
    }
    free(next);
    return true;
}
