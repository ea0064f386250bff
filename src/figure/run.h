/* Figures of one run: what they read of it, and the functions that draw them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_RUN_H
#define FIGURE_RUN_H

#include "figure/internal.h"

/* The run that is drawn: a row of the document's table of runs. */
struct figure_run {
    const struct document *document;
    const struct table *table;
};

/* False if the document has no run, or several of which none is drawn. */
bool figure_run_find(struct figure_run *run, const struct document *document);
/* The rows of a table of the run; NULL: it has none. */
const struct table *figure_run_rows(const struct figure_run *run, const char *name);
/* The values of a list in a group of the run; NULL: there is none. */
const struct table *figure_run_list(const struct figure_run *run, const char *group, const char *name);
/* Its timeline as it is encoded (timeline/timeline.h); NULL: there is none. */
const unsigned char *figure_run_timeline(const struct figure_run *run, size_t *length);

/* A cell of a row by the name of its column: as a number, NAN where there is none; as a text, "". */
double figure_number(const struct table *table, size_t row, const char *column);
const char *figure_text(const struct table *table, size_t row, const char *column);

/* The color of a state, or of what time is spent on; by its place where it has none of its own. */
const char *plot_colour(const char *name, size_t index);

/* A figure of a run; false, with nothing drawn, where the run has none of it. */
typedef bool figure_draw_run(struct pen *pen, const struct figure_run *run);
#define FIGURE(name, table, columns, axis, summary)
#define RUN_FIGURE(panel, name, summary) figure_draw_run figure_draw_##name;
#include "figure/panels.def"
#undef FIGURE
#undef RUN_FIGURE

#endif
