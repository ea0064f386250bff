/* The section of the text report on what an application's own formula leaves out. */
#ifndef REPORT_FORECAST_H
#define REPORT_FORECAST_H

#include "report/report.h"

#include <stdio.h>

/* Nothing where no run has a forecast. */
void forecast_write(FILE *stream, const struct report *report);

#endif
