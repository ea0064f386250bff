/* The timeline of a run: for each rank, or as many neighbors as have no room of their own, the state that took most of
 * each moment, and messages where these are few.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"
#include "figure/timeline_sums.h"

#include "base/scale.h"

#include <math.h>

#define COLUMN 0.4 /* points */
enum { MOST_ROWS = 64, MOST_MESSAGES = 1000 };

struct picture {
    struct pen *pen;
    struct timeline_sums sums;
    double left, top, width, row; /* row: the height of one */
};

/* The state that took most of a column; n_states: none took any. */
static size_t largest_state(const struct timeline_sums *sums, size_t row, size_t column)
{
    const double *times = &sums->sums[(row * sums->n_columns + column) * sums->n_states];
    size_t largest = sums->n_states;
    for (size_t s = 0; s < sums->n_states; s++)
        if (times[s] > (largest == sums->n_states ? 0 : times[largest]))
            largest = s;
    return largest;
}

static void draw_row(const struct picture *picture, size_t row)
{
    const struct timeline_sums *sums = &picture->sums;
    double wide = picture->width / (double)sums->n_columns, gap = picture->row > 4 ? 0.6 : 0;
    for (size_t c = 0, end; c < sums->n_columns; c = end) {
        size_t state = largest_state(sums, row, c);
        for (end = c + 1; end < sums->n_columns && largest_state(sums, row, end) == state; end++)
            ;
        if (state < sums->n_states)
            picture->pen->spec->box(picture->pen, picture->left + wide * (double)c,
                                    picture->top + picture->row * (double)row, wide * (double)(end - c),
                                    picture->row - gap, plot_colour(sums->states[state], state));
    }
}

/* Names that would touch the one before are left out. */
static void name_rows(const struct picture *picture)
{
    char text[24];
    double free_from = -INFINITY;
    for (size_t row = 0; row < picture->sums.n_rows; row++) {
        double y = picture->top + picture->row * ((double)row + 0.5) + SIZE / 3;
        if (y - SIZE < free_from)
            continue;
        snprintf(text, sizeof text, "%zu", row * picture->sums.per_row);
        figure_write(picture->pen, picture->left - 4, y, text, ANCHOR_END);
        free_from = y + 1;
    }
    picture->pen->spec->text(picture->pen, SIZE, picture->top + picture->row * (double)picture->sums.n_rows / 2,
                             picture->sums.are_ranks ? "rank" : "location",
                             &(struct letters){INK, SIZE, ANCHOR_MIDDLE, true});
}

static void draw_axis(const struct picture *picture)
{
    char text[40];
    double end_s = picture->sums.end_s, bottom = picture->top + picture->row * (double)picture->sums.n_rows;
    struct scale scale = scale_for(UNIT_SECONDS, end_s);
    double step = figure_step(end_s * scale.factor);
    for (double tick = 0; tick <= end_s * scale.factor * (1 + 1e-9); tick += step) {
        double x = picture->left + picture->width * tick / (end_s * scale.factor);
        const struct point2 line[] = {{x, bottom}, {x, bottom + 3}};
        picture->pen->spec->line(picture->pen, line, 2, &(struct stroke){SOFT, 0.5, false});
        snprintf(text, sizeof text, "%.6g", tick);
        figure_write(picture->pen, x, bottom + LINE + 2, text, ANCHOR_MIDDLE);
    }
    snprintf(text, sizeof text, "time [%s]", scale.name);
    figure_write(picture->pen, picture->left + picture->width / 2, bottom + 2 * LINE + 1, text, ANCHOR_MIDDLE);
}

static void draw_messages(const struct picture *picture)
{
    const struct timeline_sums *sums = &picture->sums;
    for (size_t i = 0; i < sums->n_messages && sums->per_row == 1; i++) {
        const struct timeline_message *message = &sums->messages[i];
        const struct point2 line[] = {{picture->left + picture->width * message->sent,
                                       picture->top + picture->row * ((double)message->from + 0.5)},
                                      {picture->left + picture->width * message->taken,
                                       picture->top + picture->row * ((double)message->to + 0.5)}};
        picture->pen->spec->line(picture->pen, line, 2, &(struct stroke){INK, 0.3, false});
    }
}

/* The states that the run was in; its height. */
static double draw_legend(const struct picture *picture, bool draws)
{
    const char *names[TIMELINE_STATES], *colours[TIMELINE_STATES];
    const struct timeline_sums *sums = &picture->sums;
    size_t n = 0;
    for (size_t s = 0; s < sums->n_states; s++) {
        double time = 0;
        for (size_t i = 0; i < sums->n_rows * sums->n_columns; i++)
            time += sums->sums[i * sums->n_states + s];
        if (time <= 0)
            continue;
        names[n] = sums->states[s];
        colours[n++] = plot_colour(sums->states[s], s);
    }
    return figure_legend(picture->pen, names, colours, n, draws);
}

bool figure_draw_timeline(struct pen *pen, const struct figure_run *run)
{
    size_t length;
    const unsigned char *bytes = figure_run_timeline(run, &length);
    struct picture picture = {.pen = pen, .left = SIZE + 26, .width = pen->width - SIZE - 26 - 12};
    if (bytes == NULL ||
        !timeline_sums_read(&picture.sums, bytes, length, MOST_ROWS, (size_t)(picture.width / COLUMN), MOST_MESSAGES))
        return false;
    picture.row = fmin(fmax(160.0 / (double)picture.sums.n_rows, 3), 14);
    picture.top = draw_legend(&picture, false);
    pen->height = picture.top + picture.row * (double)picture.sums.n_rows + 2 * LINE + 5;
    draw_legend(&picture, true);
    for (size_t row = 0; row < picture.sums.n_rows; row++)
        draw_row(&picture, row);
    draw_messages(&picture);
    name_rows(&picture);
    draw_axis(&picture);
    timeline_sums_dispose(&picture.sums);
    return true;
}
