/* Analysis of a trace: the records of all ranks become intervals, as a simulation gives them, so that every metric and
 * every writer of traces works on real runs too. docs/explain/models/traces.md says which state each moment of a rank
 * is.
 *
 * It reads the trace once, rank beside rank. Memory grows with the ranks, the communicators and the messages and
 * collectives under way, not with the length of the trace.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_ANALYSIS_ANALYSIS_H
#define TRACE_ANALYSIS_ANALYSIS_H

#include "base/error.h"
#include "interval/interval.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* The scopes of intervals: "" for what comes after a rank's last record, "program" for time in none of the trace's
 * scopes, then those of the trace. Names are printable, short and different. If there are more than intervals can name,
 * the rest are in the last. */
struct analysis_scopes {
    const char **names; /* count of them */
    int count;
    char (*texts)[40];
    uint8_t *scope_of;       /* of each of the trace's scopes */
    struct repeats *repeats; /* what the intervals mark as iterations; NULL: nothing. Borrowed */
    bool *nests;             /* [scope * count + parent]: as analysis_run() has found them within each other */
};

void analysis_scopes_init(struct analysis_scopes *scopes, const struct record_info *info);
void analysis_scopes_dispose(struct analysis_scopes *scopes);

/* A rank that is waiting when an aborted run ends. */
struct analysis_wait {
    int rank;
    int64_t from_ps;
    int peer;         /* that it waits for; -1: the trace does not say */
    const char *what; /* the call, borrowed from the reader; NULL: the trace does not say */
};

/* Where a rank stands when an aborted run ends. */
struct analysis_stand {
    const char *what; /* the call, borrowed from the reader; NULL: not known, or none */
    int64_t from_ps;  /* since when; of a rank that is in no call, the end of its last one */
    int64_t number;   /* of the collective among those of the group */
    int rank;
    int peer;   /* that it waits for; -1: the trace does not say */
    int group;  /* of a collective: index of its members; -1: the trace does not say, it may be all ranks */
    bool waits; /* else all but the rank and the time is unset */
    bool is_collective;
};

enum { ANALYSIS_MOST_ABSENT = 3 };

/* The collective in which most ranks wait when an aborted run ends. */
struct analysis_hang {
    const char *what; /* its name, borrowed from the reader; NULL: none waits in a collective */
    int n_in, n_members;
    int64_t last_ps; /* when the last of those that are in it came */
    int n_absent;    /* members that have not come, and where the first of them stand */
    struct analysis_stand absent[ANALYSIS_MOST_ABSENT];
};

/* Facts about a trace that its intervals do not give. */
struct analysis_stats {
    int64_t end_ps; /* of the last record of all ranks: T_par */
    int64_t records;
    int64_t quantums;         /* of work, as the programmer counted them */
    int64_t message_quantums; /* and of messages */
    int64_t clock_errors;  /* waits that ended, by the clocks, before what they waited for had begun; taken as idle */
    int64_t n_unfinished;  /* of a run that was aborted, or lacks calls: waits for what never came */
    int64_t n_collectives; /* calls of collectives, one for each of their members */
    struct analysis_wait first_unfinished; /* the one that begins first; of none, zero */
    struct analysis_hang hang;
    struct unreceived unreceived;
    int n_silent;      /* ranks of an aborted run that say nothing for the last thousandth of its time, or longer: */
    int silent_rank;   /* the one that says nothing for longest, */
    int64_t silent_ps; /* and the end of its last record */
};

/* Give the intervals of the trace, which has times, to the sinks. The reader stands at the beginning, and at the end
 * afterwards. -1 with SIM_BAD_INPUT, naming rank, time, peer and tag, where the records contradict themselves or each
 * other: a receive without a send, a synchronous send without a receive, a collective that its members do not agree on,
 * a rank that goes back in time. In a trace that was aborted, or lacks calls, the other side may be missing. */
int analysis_run(struct analysis_stats *stats, struct record_reader *reader, const char *file,
                 const struct analysis_scopes *scopes, const struct interval_sink *sinks, int n_sinks,
                 struct sim_error *error);

#endif
