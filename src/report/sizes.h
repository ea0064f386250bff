/* Communication against the size of messages, of traces. */
#ifndef REPORT_SIZES_H
#define REPORT_SIZES_H

#include "report/report.h"

/* Of runs whose metrics have it. Programs that are simulated have not: there it would be what the machine's own formula
 * says. */
void sizes_write(FILE *stream, const struct report *report);

#endif
