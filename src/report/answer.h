/* How the text report begins: the answer, the platform with what all runs have in common, and what should be known. */
#ifndef REPORT_ANSWER_H
#define REPORT_ANSWER_H

#include "report/report.h"

#include <stdio.h>

/* The fastest run: of all, or, where the size of the problem varies with something else, one for each size, of which
 * there may be 8. Else the range of the times. */
void answer_write(FILE *stream, const struct report *report);

/* Only what follows on the answer. */
void answer_write_platform(FILE *stream, const struct report *report);

#endif
