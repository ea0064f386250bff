/* Decisions: which candidate is best. Runs that differ in a parameter whose values are candidates are ranked against
 * each other, once for each combination of the values of all other parameters. */
#ifndef REPORT_DECISION_H
#define REPORT_DECISION_H

#include "report/report.h"

#include <stdio.h>

/* Candidates, the best first and the discarded last. */
struct decision_ranking {
    struct report_run **runs; /* borrowed */
    int n_runs, n_ranked;     /* the latter without the discarded */
};

struct decision {
    struct decision_ranking *rankings; /* in the order of the parameters that are no candidates */
    int n_rankings;
    struct report_run **runs;
};

/* Up to so many rankings are shown one by one. */
enum { DECISION_FEW = 6 };

/* The runs are those of the report. */
void decision_init(struct decision *decision, const struct report *report);
void decision_dispose(struct decision *decision);

/* Add to each run that is not discarded processors_used, the ranks that compute, and place, 1 for the best by the
 * measure report->decision; of equal ones the faster is better, then the earlier. And what study_rank_run() adds, by
 * the time within the ranking. */
void decision_rank(struct report *report);

/* The best run of the last ranking that has any that is not discarded; NULL: none has. */
struct report_run *decision_find_last_best(const struct report *report);

/* "data moved" of "bytes". */
const char *decision_title(const char *measure);
/* The parameters that vary, candidates or the others: "grid 4x3", "size 4096, network fifo". */
char *decision_append_name(char *line, const struct report *report, const struct report_run *run, bool candidate);
/* To be freed. */
char *decision_name_candidate(const struct report *report, const struct report_run *run);
/* " for size 4096", or nothing. */
char *decision_append_group(char *line, const struct report *report, const struct report_run *run);

/* For the text report: which candidates are best, and the rankings as tables. */
void decision_write_answers(FILE *stream, const struct report *report, const struct decision *decision);
void decision_write_tables(FILE *stream, const struct report *report, const struct decision *decision);

#endif
