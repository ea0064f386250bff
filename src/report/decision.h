/* Decisions: which candidate is best. Runs that differ in a parameter whose values are candidates are ranked against each
 * other, once for each combination of the values of all other parameters. */
#ifndef REPORT_DECISION_H
#define REPORT_DECISION_H

#include "report/report.h"

#include <stdio.h>

/* Add to each run that is not discarded processors_used, the ranks that compute, and place, 1 for the best by the measure
 * report->decision; of equal ones the faster is better, then the earlier. */
void decision_rank(struct report *report);

/* The best run of the last ranking that has any that is not discarded; NULL: none has. */
struct report_run *decision_find_last_best(const struct report *report);

/* For the text report: a sentence for each ranking, and the rankings as tables. */
void decision_write_answers(FILE *stream, const struct report *report);
void decision_write_tables(FILE *stream, const struct report *report);

#endif
