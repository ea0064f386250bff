/* The communication matrix of a run: how many bytes each rank sends to each other one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"

#include "base/scale.h"

#include <math.h>

/* The scale from the least to the most, above the matrix; its height. */
static double draw_key(struct pen *pen, double least, double most)
{
    enum { N_STEPS = 8 };
    char text[40], colour[8];
    double x = 2;
    figure_write(pen, x, SIZE + 2, scale_format(text, sizeof text, UNIT_BYTES, least), ANCHOR_START);
    x += pen_text_width(text, SIZE) + 4;
    for (int i = 0; i < N_STEPS; i++, x += 9) {
        figure_shade(colour, 0.15 + 0.85 * i / (N_STEPS - 1));
        pen->spec->box(pen, x, 2, 9, 7, colour);
    }
    figure_write(pen, x + 4, SIZE + 2, scale_format(text, sizeof text, UNIT_BYTES, most), ANCHOR_START);
    return LINE + 6;
}

/* Every how many places have a name, so that names do not touch. */
static int step_of_names(int n, double each)
{
    int step = 1;
    while (step < n && step * each < 22)
        step *= 2;
    return step;
}

static void draw_names(struct pen *pen, int n, int per_place, double left, double top, double each)
{
    char text[20];
    for (int i = 0; i < n; i += step_of_names(n, each)) {
        snprintf(text, sizeof text, "%d", i * per_place);
        figure_write(pen, left + each * (i + 0.5), top - 4, text, ANCHOR_MIDDLE);
        figure_write(pen, left - 4, top + each * (i + 0.5) + SIZE / 3, text, ANCHOR_END);
    }
}

bool figure_draw_matrix(struct pen *pen, const struct figure_run *run)
{
    const struct table *rows = figure_run_rows(run, "communication_matrix"),
                       *of = figure_run_rows(run, "communication_matrix_of");
    size_t n_rows = rows == NULL ? 0 : table_n_rows(rows);
    double least = INFINITY, most = 0, last = 0;
    int per_place = of == NULL ? 1 : (int)fmax(figure_number(of, 0, "each"), 1);
    const char *place = of == NULL ? "rank" : figure_text(of, 0, "of");
    for (size_t i = 0; i < n_rows; i++) {
        double bytes = figure_number(rows, i, "bytes");
        least = bytes > 0 ? fmin(least, bytes) : least;
        most = fmax(most, bytes);
        last = fmax(last, fmax(figure_number(rows, i, "from"), figure_number(rows, i, "to")));
    }
    if (most <= 0)
        return false;
    int n = (int)last / per_place + 1;
    double left = 2 * SIZE + 22, key = LINE + 6, top = key + 2 * LINE + 2, side = pen->width - left - 4,
           each = side / n;
    char text[40], colour[8];
    pen->height = top + side + 4;
    draw_key(pen, least, most);
    snprintf(text, sizeof text, "to %.30s", place);
    figure_write(pen, left + side / 2, key + SIZE, text, ANCHOR_MIDDLE);
    snprintf(text, sizeof text, "from %.30s", place);
    pen->spec->text(pen, SIZE, top + side / 2, text, &(struct letters){INK, SIZE, ANCHOR_MIDDLE, true});
    figure_shade(colour, 0);
    pen->spec->box(pen, left, top, side, side, colour);
    draw_names(pen, n, per_place, left, top, each);
    double thin = each > 4 ? 0.4 : 0;
    for (size_t i = 0; i < n_rows; i++) {
        double bytes = figure_number(rows, i, "bytes");
        if (bytes <= 0)
            continue;
        figure_shade(colour, most > least ? 0.15 + 0.85 * log(bytes / least) / log(most / least) : 1);
        pen->spec->box(pen, left + each * floor(figure_number(rows, i, "to") / per_place),
                       top + each * floor(figure_number(rows, i, "from") / per_place), each - thin, each - thin,
                       colour);
    }
    return true;
}
