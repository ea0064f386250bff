/* What a sweep says beyond its single runs: the ranking of alternatives, whether networks rank them alike, and which
 * changes change nothing. */
#ifndef REPORT_STUDY_H
#define REPORT_STUDY_H

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether alternatives are compared: a parameter varies that is no number and none of the problem. */
bool study_is_ranking(const struct report *report);

/* The order of rankings: 0 for runs that are ranked against each other. Runs of different problems are not, nor those
 * on different networks, unless the network is all there is to choose. */
int study_compare_rankings(const struct report *report, const struct report_run *a, const struct report_run *b);

/* Add to the runs of a ranking `rank`, 1 for the fastest, equal for equal times, and `factor_to_best`, and what takes
 * most of each (report_run.dominant, largest_overhead). A decision has its own order, and a sweep over numbers none. */
void study_rank(struct report *report);
/* The same for a run whose place is known already, and the time of the fastest it competes with. */
void study_rank_run(struct report_run *run, int rank, double best_s);

/* Two alternatives, of which one network has the first faster and another one the second; indices of runs. */
struct study_pair {
    int first[2], second[2]; /* each on either network */
};

struct study_pairs {
    struct study_pair *pairs; /* the largest contradictions first */
    int n_pairs;
    int n_compared; /* pairs of alternatives, on each pair of networks */
};

/* Alternatives with the same numbers on all networks of the sweep. Differences of less than a hundred-thousandth are
 * none. pairs are to be freed. */
void study_find_pairs(struct study_pairs *found, const struct report *report);

enum study_reason {
    STUDY_UNUSED,      /* nothing at all changes */
    STUDY_NO_MESSAGES, /* nothing at all changes, and nothing is sent */
    STUDY_ZERO,        /* the component that it concerns takes no time */
    STUDY_UNCONTENDED, /* another network, but no message waits for another */
    STUDY_OFF_PATH,    /* something changes, the critical path does not */
    STUDY_SAME_PATH,   /* the same, though what the parameter concerns is on the path */
    STUDY_BALANCED,    /* the critical path changes, its length does not */
    STUDY_CHOSEN,      /* one value, `fastest`, stood for the other */
    N_STUDY_REASONS
};
extern const char *const study_reason_names[N_STUDY_REASONS];

/* Values of a parameter between which the time is the same to the last picosecond. */
struct study_effect {
    int parameter; /* its index */
    enum study_reason reason;
    bool all;                 /* no value makes a difference */
    int n_settings, n_others; /* of the other parameters: those where it is so, and all there are */
    int first, second;        /* two runs that it is true of */
};

/* To be freed. */
struct study_effect *study_find_effects(int *n_effects, const struct report *report);
/* The sentence, without full stop; to be freed. */
char *study_describe_effect(const struct report *report, const struct study_effect *effect);

/* The sections of the text report. */
void study_write(FILE *stream, const struct report *report);

#endif
