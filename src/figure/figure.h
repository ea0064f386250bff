/* Figures: one picture of a document, without a browser, as SVG or PDF, in the width of a column.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include "report/report.h"

struct figure_panel {
    const char *name, *table, *columns, *axis, *summary;
};

/* All, up to one without a name. */
extern const struct figure_panel figure_panels[];
const struct figure_panel *figure_find(const char *name); /* NULL: none has this name */

enum { FIGURE_LEAST_MM = 40, FIGURE_MOST_MM = 400, FIGURE_USUAL_MM = 85 };

/* Not among report_specs: they need to be told what to draw, document->panel and document->width_mm. */
extern const struct report_spec report_svg, report_pdf;

#endif
