/* What causes are worth: the gain when each is removed beside the share that is attributed to it, why the two differ,
 * and POP's efficiencies. */
#ifndef REPORT_WHAT_IF_H
#define REPORT_WHAT_IF_H

#include "report/report.h"

#include <stdio.h>

/* A line for each run of which it was asked, with what gains most; nothing for others. */
void what_if_write_answer(FILE *stream, const struct report *report);

/* All of it, for the same runs. */
void what_if_write(FILE *stream, const struct report *report);

#endif
