/* An answer, made as a document and printed in the format that is asked for. */
#ifndef SIMRUN_ANSWER_H
#define SIMRUN_ANSWER_H

#include "report/report.h"
#include "study/run.h"

/* The document of runs. */
void answer_runs(FILE *stream, const struct report_spec *format, const struct study *study);

#endif
