/* Figures: which there are, and how each kind of chart is drawn.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/figure.h"

#include "base/memory.h"
#include "figure/pen.h"
#include "figure/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct figure_panel figure_panels[] = {
#define FIGURE(name, table, columns, axis, summary) {name, table, columns, axis, summary},
#include "figure/panels.def"
#undef FIGURE
    {.name = NULL},
};

#define SIZE 7.5  /* of letters, in points */
#define LINE 10.5 /* from one line of text to the next */
static const char ink[] = "#1c2430", soft[] = "#5c6675", rule[] = "#d5dae1";

/* Where the plot is, and what its axes say. */
struct frame {
    struct pen *pen;
    const struct plot *plot;
    double left, top, width, height;   /* of the plot itself */
    double low, high;                  /* of the axis of values */
    bool x_is_log, y_is_log, has_rows; /* has_rows: places go down, values to the right */
    struct scale scale;                /* of values */
};

const struct figure_panel *figure_find(const char *name)
{
    const struct figure_panel *panel = figure_panels;
    while (panel->name != NULL && strcmp(panel->name, name) != 0)
        panel++;
    return panel->name != NULL ? panel : NULL;
}

static void write(const struct frame *frame, double x, double y, const char *text, enum anchor anchor)
{
    frame->pen->spec->text(frame->pen, x, y, text, &(struct letters){ink, SIZE, anchor, false});
}

/* --- axes --- */

static bool is_wide(double least, double most)
{
    return least > 0 && most >= 16 * least;
}

static double part_of(double value, double low, double high, bool is_log)
{
    return is_log ? log(value / low) / log(high / low) : (value - low) / (high - low);
}

static double y_of(const struct frame *frame, double value)
{
    return frame->top + frame->height * (1 - part_of(value, frame->low, frame->high, frame->y_is_log));
}

/* The middle of a place: of numbers where they are, of others in equal steps. */
static double x_of(const struct frame *frame, size_t place)
{
    const struct plot *plot = frame->plot;
    if (!plot->is_number || plot->chart != CHART_LINE)
        return frame->left + frame->width * ((double)place + 0.5) / (double)plot->n_places;
    return frame->left + frame->width * part_of(plot->places[place], plot->places[0], plot->places[plot->n_places - 1],
                                                frame->x_is_log);
}

/* 1, 2 or 5 times a power of ten, for about five steps. */
static double step_of(double range)
{
    double raw = range / 5, power = pow(10, floor(log10(raw)));
    return raw > 5 * power ? 10 * power : raw > 2 * power ? 5 * power : raw > power ? 2 * power : power;
}

static double next_tick(const struct frame *frame, double tick)
{
    return frame->y_is_log ? tick * 10 : tick + step_of(frame->high - frame->low);
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
    double step = frame->y_is_log ? 0 : step_of(frame->high - frame->low);
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
        frame->pen->spec->line(frame->pen, line, 2, &(struct stroke){rule, 0.5, false});
        name_tick(text, sizeof text, frame, tick);
        write(frame, frame->left - 4, y + SIZE / 3, text, ANCHOR_END);
    }
    frame->pen->spec->text(frame->pen, SIZE, frame->top + frame->height / 2, name,
                           &(struct letters){ink, SIZE, ANCHOR_MIDDLE, true});
    free(name);
}

static void draw_rows_axes(const struct frame *frame)
{
    const struct plot *plot = frame->plot;
    char text[32], *name = name_values(frame);
    double bottom = frame->top + frame->height;
    for (double tick = frame->low; tick <= frame->high * (1 + 1e-9); tick = next_tick(frame, tick)) {
        double x = frame->left + frame->width * part_of(tick, frame->low, frame->high, false);
        const struct point2 line[] = {{x, frame->top}, {x, bottom}};
        frame->pen->spec->line(frame->pen, line, 2, &(struct stroke){rule, 0.5, false});
        name_tick(text, sizeof text, frame, tick);
        write(frame, x, bottom + LINE, text, ANCHOR_MIDDLE);
    }
    for (size_t i = 0; i < plot->n_places; i++)
        write(frame, frame->left - 4,
              frame->top + frame->height * ((double)i + 0.5) / (double)plot->n_places + SIZE / 3, plot->place_names[i],
              ANCHOR_END);
    frame->pen->spec->text(frame->pen, frame->left + frame->width / 2, bottom + 2 * LINE, name,
                           &(struct letters){ink, SIZE, ANCHOR_MIDDLE, false});
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
        write(frame, x, y, plot->place_names[i], ANCHOR_MIDDLE);
        free_to = x - half - 4;
    }
    frame->pen->spec->text(frame->pen, frame->left + frame->width / 2, y + LINE, plot->x_name,
                           &(struct letters){ink, SIZE, ANCHOR_MIDDLE, false});
}

/* --- the legend --- */

/* Draw it if asked to; its height. One series alone needs none, unless it is a part of a whole. */
static double draw_legend(const struct frame *frame, double width, bool draws)
{
    const struct plot *plot = frame->plot;
    double x = 2, y = 2;
    if (plot->n_series < 2 && plot->chart != CHART_STACKED_BAR)
        return SIZE;
    for (size_t i = 0; i < plot->n_series; i++) {
        const struct plot_series *series = &plot->series[i];
        double wide = 16 + pen_text_width(series->name, SIZE);
        if (x > 2 && x + wide > width) {
            x = 2;
            y += LINE;
        }
        if (draws) {
            frame->pen->spec->box(frame->pen, x, y + 1, 7, 7, series->colour);
            write(frame, x + 10, y + SIZE, series->name, ANCHOR_START);
        }
        x += wide;
    }
    return y + LINE + 6;
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
    double low = part_of(fmin(from, to), frame->low, frame->high, false);
    double high = part_of(fmax(from, to), frame->low, frame->high, false);
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

/* From white to dark blue. */
static void shade(char colour[8], double part)
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
    double value = row->values[i], part = part_of(value, plot->least, plot->most, plot->least > 0);
    if (shown == NULL && !isnan(value))
        shown = scale_format(text, sizeof text, plot->unit, value);
    if (shown == NULL || shown[0] == '\0')
        return;
    if (isnan(value))
        snprintf(colour, sizeof colour, "%s", tint_of(plot, shown));
    else
        shade(colour, plot->most > plot->least ? part : 0);
    frame->pen->spec->box(frame->pen, x, y, width - 0.7, LINE + 1, colour);
    frame->pen->spec->text(frame->pen, x + width / 2, y + SIZE + 0.5, shown,
                           &(struct letters){!isnan(value) && part > 0.5 ? "#ffffff" : ink,
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

static void draw_cells(struct frame *frame)
{
    const struct plot *plot = frame->plot;
    double step = LINE + 1.7, left = fmin(widest_name(plot) + 6, frame->pen->width / 2);
    double width = (frame->pen->width - left - 2) / (double)plot->n_places;
    frame->pen->height = 2 * LINE + step * (double)plot->n_series + 4;
    for (size_t i = 0; i < plot->n_places; i++) {
        double size = SIZE * fmin(1, width / (2 + pen_text_width(plot->place_names[i], SIZE)));
        frame->pen->spec->text(frame->pen, left + width * ((double)i + 0.5), LINE, plot->place_names[i],
                               &(struct letters){soft, size, ANCHOR_MIDDLE, false});
    }
    frame->pen->spec->text(frame->pen, 2, LINE, plot->x_name, &(struct letters){ink, SIZE, ANCHOR_START, false});
    for (size_t s = 0; s < plot->n_series; s++) {
        double y = LINE + 4 + step * (double)s;
        write(frame, 2, y + SIZE + 0.5, plot->series[s].name, ANCHOR_START);
        for (size_t i = 0; i < plot->n_places; i++)
            draw_cell(frame, &plot->series[s], i, left + width * (double)i, y, width);
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

static void draw_chart(struct frame *frame)
{
    const struct plot *plot = frame->plot;
    struct pen *pen = frame->pen;
    find_range(frame, plot->chart == CHART_STACKED_BAR ? largest_sum(plot) : plot->most);
    frame->top = draw_legend(frame, pen->width, false);
    frame->has_rows = plot->chart != CHART_LINE && !plot->is_number;
    frame->left = frame->has_rows ? fmin(widest_place(plot) + 8, pen->width / 2) : SIZE + 8 + widest_tick(frame);
    frame->width = pen->width - frame->left - 10;
    frame->height = frame->has_rows ? 1.6 * LINE * (double)plot->n_places : 0.55 * pen->width;
    pen->height = frame->top + frame->height + 2 * LINE + 5;
    draw_legend(frame, pen->width, true);
    if (frame->has_rows) {
        draw_rows_axes(frame);
    } else {
        draw_value_axis(frame);
        draw_place_axis(frame);
    }
    (plot->chart == CHART_LINE ? draw_lines : draw_bars)(frame);
}

/* --- the formats --- */

/* The first table that a panel draws; NULL: the document has none. */
static const struct table *find_table(const struct document *document, const struct figure_panel *panel)
{
    for (size_t i = 0; i < document->n_items; i++) {
        const struct table *table = document->items[i].table;
        if (table == NULL || strcmp(table->id, panel->table) != 0 || table_n_rows(table) == 0)
            continue;
        struct plot plot;
        bool is_there = plot_read(&plot, table, panel->columns);
        plot_dispose(&plot);
        if (is_there)
            return table;
    }
    return NULL;
}

static const char *find_obstacle(const struct document *document)
{
    return find_table(document, figure_find(document->panel)) != NULL
               ? NULL
               : "there is nothing to draw of this panel; simrun list panels tells what each shows";
}

static void draw(FILE *stream, const struct document *document, const struct pen_spec *spec)
{
    const struct figure_panel *panel = figure_find(document->panel);
    struct pen pen = {.spec = spec, .width = document->width_mm / 25.4 * 72, .height = document->width_mm / 25.4 * 72};
    struct plot plot;
    plot_read(&plot, find_table(document, panel), panel->columns);
    plot.y_name = panel->axis;
    if (plot.chart == CHART_NONE)
        plot.chart = plot.is_number ? CHART_LINE : CHART_BAR;
    struct frame frame = {.pen = &pen, .plot = &plot};
    if (plot.chart == CHART_HEATMAP)
        draw_cells(&frame);
    else
        draw_chart(&frame);
    spec->finish(&pen, stream);
    plot_dispose(&plot);
}

static void svg_write(FILE *stream, const struct document *document)
{
    draw(stream, document, &pen_svg);
}

static void pdf_write(FILE *stream, const struct document *document)
{
    draw(stream, document, &pen_pdf);
}

const struct report_spec report_svg = {.name = "svg",
                                       .summary = "a figure as SVG",
                                       .audience = FOR_READERS,
                                       .compares_rows = true,
                                       .find_obstacle = find_obstacle,
                                       .write = svg_write};
const struct report_spec report_pdf = {.name = "pdf",
                                       .summary = "a figure as PDF",
                                       .audience = FOR_READERS,
                                       .compares_rows = true,
                                       .find_obstacle = find_obstacle,
                                       .write = pdf_write};
