/* Which algorithms `fastest` stood for. */
#ifndef REPORT_FASTEST_H
#define REPORT_FASTEST_H

#include "report/report.h"

/* Nothing where no run asked for the fastest. */
void fastest_write(FILE *stream, const struct report *report);

#endif
