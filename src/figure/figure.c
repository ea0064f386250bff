/* The table of figures, and the formats that draw them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/figure.h"

#include "figure/run.h"

#include <stdlib.h>
#include <string.h>

const struct figure_panel figure_panels[] = {
#define FIGURE(name, table, columns, axis, summary) {name, table, columns, axis, summary, NULL},
#define RUN_FIGURE(panel, name, summary) {panel, NULL, NULL, NULL, summary, figure_draw_##name},
#include "figure/panels.def"
#undef FIGURE
#undef RUN_FIGURE
    {.name = NULL},
};

const struct figure_panel *figure_find(const char *name)
{
    const struct figure_panel *panel = figure_panels;
    while (panel->name != NULL && strcmp(panel->name, name) != 0)
        panel++;
    return panel->name != NULL ? panel : NULL;
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

/* The figure in a pen that is not finished; false: there is nothing to draw. */
static bool draw(struct pen *pen, const struct document *document)
{
    const struct figure_panel *panel = figure_find(document->panel);
    struct figure_run run;
    struct plot plot;
    if (panel->draw != NULL)
        return figure_run_find(&run, document) && panel->draw(pen, &run);
    const struct table *table = find_table(document, panel);
    if (table == NULL)
        return false;
    plot_read(&plot, table, panel->columns);
    plot.y_name = panel->axis;
    if (plot.chart == CHART_NONE)
        plot.chart = plot.is_number ? CHART_LINE : CHART_BAR;
    struct frame frame = {.pen = pen, .plot = &plot};
    (plot.chart == CHART_HEATMAP ? figure_draw_cells : figure_draw_chart)(&frame);
    plot_dispose(&plot);
    return true;
}

static struct pen new_pen(const struct document *document, const struct pen_spec *spec)
{
    double width = document->width_mm / 25.4 * 72;
    return (struct pen){.spec = spec, .width = width, .height = width};
}

static const char *find_obstacle(const struct document *document)
{
    struct pen pen = new_pen(document, &pen_svg);
    bool is_drawn = draw(&pen, document);
    free(builder_take(&pen.drawn));
    return is_drawn ? NULL : "there is nothing to draw of this panel; simrun list panels tells what each shows";
}

static void write_with(FILE *stream, const struct document *document, const struct pen_spec *spec)
{
    struct pen pen = new_pen(document, spec);
    draw(&pen, document);
    spec->finish(&pen, stream);
}

static void svg_write(FILE *stream, const struct document *document)
{
    write_with(stream, document, &pen_svg);
}

static void pdf_write(FILE *stream, const struct document *document)
{
    write_with(stream, document, &pen_pdf);
}

static void png_write(FILE *stream, const struct document *document)
{
    write_with(stream, document, &pen_png);
}

/* Figures of tables, which readers see, and of one run, with all that is drawn of it. */
#define FORMATS(format, about, lack)                                                                                   \
    {                                                                                                                  \
        {.name = #format,                                                                                              \
         .summary = about,                                                                                             \
         .audience = FOR_READERS,                                                                                      \
         .compares_rows = true,                                                                                        \
         .find_lack = lack,                                                                                            \
         .find_obstacle = find_obstacle,                                                                               \
         .write = format##_write},                                                                                     \
        {                                                                                                              \
            .name = #format, .summary = about, .audience = FOR_PROGRAMS | FOR_PAGE | FOR_LISTS,                        \
            .most_drawn = 1, .compares_rows = true, .find_lack = lack, .find_obstacle = find_obstacle,          \
            .write = format##_write                                                                                    \
        }                                                                                                              \
    }
static const struct report_spec formats[][2] = {FORMATS(svg, "a figure as SVG", NULL),
                                                FORMATS(pdf, "a figure as PDF", NULL),
                                                FORMATS(png, "a figure as PNG", pen_png_lack)};

const struct report_spec *figure_format(const char *file, const struct figure_panel *panel)
{
    const char *ending = strrchr(file, '.');
    for (size_t i = 0; ending != NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(ending + 1, formats[i][0].name) == 0)
            return &formats[i][panel->draw != NULL];
    return NULL;
}
