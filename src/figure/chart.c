/* Draws lines over numbers, and bars, with their axes and legend.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void figure_write(struct pen *pen, double x, double y, const char *text, enum anchor anchor)
{
    pen->spec->text(pen, x, y, text, &(struct letters){INK, SIZE, anchor, false});
}

/* --- axes --- */

static bool is_wide(double least, double most)
{
    return least > 0 && most >= 16 * least;
}

double figure_part(double value, double low, double high, bool is_log)
{
    return is_log ? log(value / low) / log(high / low) : (value - low) / (high - low);
}

static double y_of(const struct frame *frame, double value)
{
    return frame->top + frame->height * (1 - figure_part(value, frame->low, frame->high, frame->y_is_log));
}

/* The middle of a place: of numbers where they are, of others in equal steps. */
static double x_of(const struct frame *frame, size_t place)
{
    const struct plot *plot = frame->plot;
    if (!plot->is_number || plot->chart != CHART_LINE)
        return frame->left + frame->width * ((double)place + 0.5) / (double)plot->n_places;
    return frame->left + frame->width * figure_part(plot->places[place], plot->places[0],
                                                    plot->places[plot->n_places - 1], frame->x_is_log);
}

/* 1, 2 or 5 times a power of ten, for about five steps. */
double figure_step(double range)
{
    double raw = range / 5, power = pow(10, floor(log10(raw)));
    return raw > 5 * power ? 10 * power : raw > 2 * power ? 5 * power : raw > power ? 2 * power : power;
}

static double next_tick(const struct frame *frame, double tick)
{
    return frame->y_is_log ? tick * 10 : tick + figure_step(frame->high - frame->low);
}

/* A value of the axis in its unit, without the unit's name. */
static void name_tick(char *text, size_t size, const struct frame *frame, double value)
{
    snprintf(text, size, "%.6g", fabs(value) < 1e-12 * frame->high ? 0 : value * frame->scale.factor);
}

/* The ends of the axis of values: of lines over a wide range powers of ten, else 0 and a round number. */
static void find_range(struct frame *frame, double most)
{
    const struct plot *plot = frame->plot;
    frame->y_is_log = plot->chart == CHART_LINE && is_wide(plot->least, plot->most);
    frame->low = frame->y_is_log ? pow(10, floor(log10(plot->least))) : fmin(plot->least, 0);
    frame->high = most > frame->low ? most : frame->low + 1;
    double step = frame->y_is_log ? 0 : figure_step(frame->high - frame->low);
    frame->high = frame->y_is_log ? pow(10, ceil(log10(frame->high) - 1e-9)) : step * ceil(frame->high / step - 1e-9);
    frame->low = frame->y_is_log ? frame->low : step * floor(frame->low / step + 1e-9);
    bool is_share = plot->unit == UNIT_SHARE || plot->unit == UNIT_DIFFERENCE;
    frame->scale = is_share ? (struct scale){100, "%", 0} : scale_for(plot->unit, frame->high);
    frame->x_is_log = plot->is_number && is_wide(plot->places[0], plot->places[plot->n_places - 1]);
}

static double widest_tick(const struct frame *frame)
{
    char text[32];
    double widest = 0;
    for (double tick = frame->low; tick <= frame->high * (1 + 1e-9); tick = next_tick(frame, tick)) {
        name_tick(text, sizeof text, frame, tick);
        widest = fmax(widest, pen_text_width(text, SIZE));
    }
    return widest;
}

/* "time [ms]", "share [%]" */
static char *name_values(const struct frame *frame)
{
    const char *unit = frame->scale.name, *name = frame->plot->y_name;
    if (unit[0] == '\0')
        return xstrdup(name);
    return xformat("%s%s[%s]", name, name[0] != '\0' ? " " : "", unit);
}

static void draw_value_axis(const struct frame *frame)
{
    char text[32], *name = name_values(frame);
    for (double tick = frame->low; tick <= frame->high * (1 + 1e-9); tick = next_tick(frame, tick)) {
        double y = y_of(frame, tick);
        const struct point2 line[] = {{frame->left, y}, {frame->left + frame->width, y}};
        frame->pen->spec->line(frame->pen, line, 2, &(struct stroke){RULE, 0.5, false});
        name_tick(text, sizeof text, frame, tick);
        figure_write(frame->pen, frame->left - 4, y + SIZE / 3, text, ANCHOR_END);
    }
    frame->pen->spec->text(frame->pen, SIZE, frame->top + frame->height / 2, name,
                           &(struct letters){INK, SIZE, ANCHOR_MIDDLE, true});
    free(name);
}

static void draw_rows_axes(const struct frame *frame)
{
    const struct plot *plot = frame->plot;
    char text[32], *name = name_values(frame);
    double bottom = frame->top + frame->height;
    for (double tick = frame->low; tick <= frame->high * (1 + 1e-9); tick = next_tick(frame, tick)) {
        double x = frame->left + frame->width * figure_part(tick, frame->low, frame->high, false);
        const struct point2 line[] = {{x, frame->top}, {x, bottom}};
        frame->pen->spec->line(frame->pen, line, 2, &(struct stroke){RULE, 0.5, false});
        name_tick(text, sizeof text, frame, tick);
        figure_write(frame->pen, x, bottom + LINE, text, ANCHOR_MIDDLE);
    }
    for (size_t i = 0; i < plot->n_places; i++)
        figure_write(frame->pen, frame->left - 4,
                     frame->top + frame->height * ((double)i + 0.5) / (double)plot->n_places + SIZE / 3,
                     plot->place_names[i], ANCHOR_END);
    frame->pen->spec->text(frame->pen, frame->left + frame->width / 2, bottom + 2 * LINE, name,
                           &(struct letters){INK, SIZE, ANCHOR_MIDDLE, false});
    free(name);
}

/* Names that would touch the one before are left out, the last never: it comes first. */
static void draw_place_axis(const struct frame *frame)
{
    const struct plot *plot = frame->plot;
    double y = frame->top + frame->height + LINE, free_to = INFINITY;
    for (size_t i = plot->n_places; i-- > 0;) {
        double x = x_of(frame, i), half = pen_text_width(plot->place_names[i], SIZE) / 2;
        if (x + half > free_to)
            continue;
        figure_write(frame->pen, x, y, plot->place_names[i], ANCHOR_MIDDLE);
        free_to = x - half - 4;
    }
    frame->pen->spec->text(frame->pen, frame->left + frame->width / 2, y + LINE, plot->x_name,
                           &(struct letters){INK, SIZE, ANCHOR_MIDDLE, false});
}

/* --- the legend --- */

double figure_legend(struct pen *pen, const char *const *names, const char *const *colours, size_t count, bool draws)
{
    double x = 2, y = 2;
    for (size_t i = 0; i < count; i++) {
        double wide = 16 + pen_text_width(names[i], SIZE);
        if (x > 2 && x + wide > pen->width) {
            x = 2;
            y += LINE;
        }
        if (draws) {
            pen->spec->box(pen, x, y + 1, 7, 7, colours[i]);
            figure_write(pen, x + 10, y + SIZE, names[i], ANCHOR_START);
        }
        x += wide;
    }
    return y + LINE + 6;
}

/* Draw it if asked to; its height. One series alone needs none, unless it is a part of a whole. */
static double draw_legend(const struct frame *frame, bool draws)
{
    const struct plot *plot = frame->plot;
    if (plot->n_series < 2 && plot->chart != CHART_STACKED_BAR)
        return SIZE;
    const char **texts = xcalloc(2 * plot->n_series, sizeof *texts);
    for (size_t i = 0; i < plot->n_series; i++) {
        texts[i] = plot->series[i].name;
        texts[plot->n_series + i] = plot->series[i].colour;
    }
    double height = figure_legend(frame->pen, texts, texts + plot->n_series, plot->n_series, draws);
    free(texts);
    return height;
}

/* --- kinds --- */

static void draw_lines(const struct frame *frame)
{
    const struct plot *plot = frame->plot;
    struct point2 *points = xcalloc(plot->n_places + 1, sizeof *points);
    for (size_t s = 0; s < plot->n_series; s++) {
        const struct plot_series *series = &plot->series[s];
        size_t n = 0;
        for (size_t i = 0; i < plot->n_places; i++)
            if (!isnan(series->values[i]) && (!frame->y_is_log || series->values[i] > 0))
                points[n++] = (struct point2){x_of(frame, i), y_of(frame, series->values[i])};
        bool is_measured = strcmp(series->name, "measured") == 0;
        if (plot->is_number && n > 1 && !is_measured)
            frame->pen->spec->line(frame->pen, points, n, &(struct stroke){series->colour, 1.2, s >= 8});
        for (size_t i = 0; i < n; i++)
            frame->pen->spec->box(frame->pen, points[i].x - 1.6, points[i].y - 1.6, 3.2, 3.2, series->colour);
    }
    free(points);
}

/* A bar from one value to another, where the place begins: upward, or to the right in rows. */
static void draw_bar(const struct frame *frame, double begin, double thickness, double from, double to,
                     const char *colour)
{
    double low = figure_part(fmin(from, to), frame->low, frame->high, false);
    double high = figure_part(fmax(from, to), frame->low, frame->high, false);
    if (frame->has_rows)
        frame->pen->spec->box(frame->pen, frame->left + frame->width * low, begin, frame->width * (high - low),
                              thickness, colour);
    else
        frame->pen->spec->box(frame->pen, begin, frame->top + frame->height * (1 - high), thickness,
                              frame->height * (high - low), colour);
}

static void draw_bars(const struct frame *frame)
{
    const struct plot *plot = frame->plot;
    bool stacks = plot->chart == CHART_STACKED_BAR;
    double room = (frame->has_rows ? frame->height : frame->width) / (double)plot->n_places;
    double thickness = 0.8 * room / (stacks ? 1 : (double)plot->n_series);
    for (size_t i = 0; i < plot->n_places; i++) {
        double from = 0, begin = (frame->has_rows ? frame->top : frame->left) + room * ((double)i + 0.1);
        for (size_t s = 0; s < plot->n_series; s++) {
            double value = plot->series[s].values[i];
            if (!isnan(value))
                draw_bar(frame, begin + (stacks ? 0 : (double)s * thickness), thickness, from, from + value,
                         plot->series[s].colour);
            from += stacks && !isnan(value) ? value : 0;
        }
    }
}

static double widest_place(const struct plot *plot)
{
    double widest = 0;
    for (size_t i = 0; i < plot->n_places; i++)
        widest = fmax(widest, pen_text_width(plot->place_names[i], SIZE));
    return widest;
}

static double largest_sum(const struct plot *plot)
{
    double most = 0;
    for (size_t i = 0; i < plot->n_places; i++) {
        double sum = 0;
        for (size_t s = 0; s < plot->n_series; s++)
            sum += isnan(plot->series[s].values[i]) ? 0 : plot->series[s].values[i];
        most = fmax(most, sum);
    }
    return most;
}

void figure_draw_chart(struct frame *frame)
{
    const struct plot *plot = frame->plot;
    struct pen *pen = frame->pen;
    find_range(frame, plot->chart == CHART_STACKED_BAR ? largest_sum(plot) : plot->most);
    frame->top = draw_legend(frame, false);
    frame->has_rows = plot->chart != CHART_LINE && !plot->is_number;
    frame->left = frame->has_rows ? fmin(widest_place(plot) + 8, pen->width / 2) : SIZE + 8 + widest_tick(frame);
    frame->width = pen->width - frame->left - 10;
    frame->height = frame->has_rows ? 1.6 * LINE * (double)plot->n_places : 0.55 * pen->width;
    pen->height = frame->top + frame->height + 2 * LINE + 5;
    draw_legend(frame, true);
    if (frame->has_rows) {
        draw_rows_axes(frame);
    } else {
        draw_value_axis(frame);
        draw_place_axis(frame);
    }
    (plot->chart == CHART_LINE ? draw_lines : draw_bars)(frame);
}
