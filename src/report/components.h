/* The sections of the text report on the components of the machine along the critical path. */
#ifndef REPORT_COMPONENTS_H
#define REPORT_COMPONENTS_H

#include "report/report.h"

#include <stdio.h>

/* The largest of processing, memory, communication and I/O on the critical path; *share is its part of the time. */
const char *components_dominant(const struct report_run *run, double *share);

void components_write_path(FILE *stream, const struct report *report);
void components_write_bottlenecks(FILE *stream, const struct report *report);

#endif
