/* The contents of a figure: values over categories or numbers, read from a table of a document.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FIGURE_PLOT_H
#define FIGURE_PLOT_H

#include "document/document.h"

/* A line, a part of stacked bars, or a row of cells. */
struct plot_series {
    char *name;
    const char *colour; /* "#rrggbb" */
    double *values;     /* one for each place, in the base unit; NAN where there is none */
    const char **texts; /* as readers see them; NULL where they do as their unit says */
};

struct plot {
    enum chart chart;
    const char *x_name;
    const char *y_name; /* what values are; "": they say so themselves */
    enum unit unit;
    bool is_number; /* places are numbers, in rising order */
    size_t n_places, n_series, capacity;
    double *places;
    char **place_names;
    struct plot_series *series;
    double least, most; /* of the values */
};

/* columns: names with commas between, or "" for all in the unit of the first, up to where others begin. False if the
 * table has none of them. Strings are the table's own. */
bool plot_read(struct plot *plot, const struct table *table, const char *columns);
void plot_dispose(struct plot *plot);

#endif
