/* The section of the text report on measures other than the time that the reference has: simulated and measured. */
#ifndef REPORT_MEASURED_H
#define REPORT_MEASURED_H

#include "report/report.h"

#include <stdio.h>

/* Nothing if the reference has none. */
void measured_write(FILE *stream, const struct report *report);

#endif
