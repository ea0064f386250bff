/* Figures: one picture of a document, without a browser, as SVG, PDF or PNG, in the width of a column.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include "report/report.h"

struct pen;
struct figure_run;

struct figure_panel {
    const char *name, *table, *columns, *axis, *summary;
    bool (*draw)(struct pen *pen, const struct figure_run *run); /* of one run; NULL: of the table */
};

/* All, up to one without a name. */
extern const struct figure_panel figure_panels[];
const struct figure_panel *figure_find(const char *name); /* NULL: none has this name */

enum { FIGURE_LEAST_MM = 40, FIGURE_MOST_MM = 400, FIGURE_USUAL_MM = 85 };

/* The format for a file with that name, by its ending; NULL: there is none. Formats are not among report_specs: they
 * need to be told what to draw, document->panel and document->width_mm. */
const struct report_spec *figure_format(const char *file, const struct figure_panel *panel);

#endif
