/* What causes are worth: the gain when each is removed beside the share that is attributed to it, why the two differ, and
 * POP's efficiencies. */
#ifndef REPORT_WHAT_IF_H
#define REPORT_WHAT_IF_H

#include "report/report.h"

#include <stdio.h>

/* Nothing for runs of which nobody has asked it. */
void what_if_write(FILE *stream, const struct report *report);

#endif
