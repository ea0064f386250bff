/* The section of the text report on a sweep over grids of processes. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "report/report.h"

#include <stdio.h>

/* Matrices of rows by columns, of the forecast where there is one and of the simulated time. Nothing where the runs
 * differ in anything else than a WIDTHxHEIGHT and the number of ranks, where two have the same one, or where there are
 * few. */
void grid_write(FILE *stream, const struct report *report);

#endif
