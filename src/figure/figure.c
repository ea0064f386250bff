/* The table of figures, and the formats that draw them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/figure.h"

#include "figure/internal.h"

#include <string.h>

const struct figure_panel figure_panels[] = {
#define FIGURE(name, table, columns, axis, summary) {name, table, columns, axis, summary},
#include "figure/panels.def"
#undef FIGURE
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
        figure_draw_cells(&frame);
    else
        figure_draw_chart(&frame);
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
