/* The section of the text report on programs that share memory: profiles, waits and their causes, as CARNIVAL has
 * them. */
#ifndef REPORT_CARNIVAL_H
#define REPORT_CARNIVAL_H

#include "report/report.h"

/* Writes nothing if no run shared memory. The table has a line for each run of *shown. */
void carnival_write(FILE *stream, const struct report *report, const struct report *shown);

/* causes.c: who made whom wait, in sentences; all of them if verbose. */
void causes_write(FILE *stream, const struct report_run *run, bool verbose);

#endif
