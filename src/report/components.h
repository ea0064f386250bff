/* The sections of the text report on the components of the machine along the critical path. */
#ifndef REPORT_COMPONENTS_H
#define REPORT_COMPONENTS_H

#include "report/report.h"

#include <stdbool.h>

#include <stdio.h>

/* The largest of processing, memory, communication and I/O on the critical path; *share is its part of the time. */
const char *components_dominant(const struct report_run *run, double *share);

/* The largest component without parts on the critical path, such as communication.broadcast; NULL if nothing takes
 * time. */
const char *components_largest(const struct report_run *run, double *share);
/* Whether a component of the run's critical path has no parts. */
bool components_is_leaf(const struct result *result, const struct measure *component);

void components_write_path(FILE *stream, const struct report *report);
void components_write_bottlenecks(FILE *stream, const struct report *report);

#endif
