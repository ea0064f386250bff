/* Two runs side by side: what differs between them, and which measures moved. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/report.h"

#include <stdio.h>

/* A run, with what a report says of all its runs together. */
struct compare_side {
    int64_t number;
    const char *scenario, *program, *kind, *input;
    const char *scenario_text, *platform_text; /* contents of the files */
    const struct report_run *run;
};

void compare_write_text(FILE *stream, const struct compare_side sides[2]);
/* One JSON document: the times and their factor, and an array of all differences. */
void compare_write_json(FILE *stream, const char *version, const struct compare_side sides[2]);

#endif
