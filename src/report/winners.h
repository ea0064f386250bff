/* Where which candidate is the best one: a matrix over the parameters that are no candidates. */
#ifndef REPORT_WINNERS_H
#define REPORT_WINNERS_H

#include "report/decision.h"

#include <stdbool.h>

/* Nothing, and false, unless exactly one or two of these parameters vary, and candidates do. One parameter of few
 * values needs no matrix, and of very many values there is none. */
bool winners_write(FILE *stream, const struct report *report, const struct decision *decision);

#endif
