/* What each alternative of a study costs at its best. */
#ifndef REPORT_FACTORS_H
#define REPORT_FACTORS_H

#include "report/report.h"

/* A matrix: for each value of a parameter that is an alternative, and each problem, by how much the fastest run that
 * has the value is slower than the fastest of all. Nothing where the table of times says the same, or where there are
 * many. */
void factors_write(FILE *stream, const struct report *report);

#endif
