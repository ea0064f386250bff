/* A rank's further threads: threads_find.c finds those that are read, threads.c where they wait for each
 * other, forks.c in forks and joins, teams.c at barriers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_THREADS_H
#define TRACE_OTF2_THREADS_H

#include "trace/otf2/streams.h"

enum { OTF_MOST_THREADS = 1 << 16 }; /* of a rank */

/* A thread, or a stream's activity, that begins of itself. */
struct otf_start {
    int64_t at_ps;  /* before shift_ps */
    int64_t number; /* of the activity; else 0 */
    int thread;
};

/* The purposes of marks, which make them different. */
enum otf_mark { OTF_MARK_FORK, OTF_MARK_JOIN, OTF_MARK_CREATE, OTF_MARK_END, OTF_MARK_BARRIER, N_OTF_MARKS };

int64_t otf_mark_of(enum otf_mark purpose, int64_t number, int thread);
/* Name a mark of so many records; wait for it, since the piece began, for the thread `of`, or -1: for several; and as
 * a thread of a team, what for: enum record_sleep. */
void otf_signal_mark(struct otf_cursor *cursor, int64_t mark, uint32_t needed);
void otf_await_mark(struct otf_cursor *cursor, int64_t mark, uint32_t needed, int of);
void otf_await_team(struct otf_cursor *cursor, int64_t mark, uint32_t needed, int of, uint8_t sleep);

/* The forks in which a thread takes part, in order; their numbers count from 1. */
struct otf_part {
    uint64_t *forks;
    size_t n, capacity;
};

/* A fork of a rank's own thread; those within others are left out. */
struct otf_fork {
    int64_t at_ps;        /* before shift_ps */
    size_t first_barrier; /* of its team, among those of the process */
};

/* A barrier of a team, as the first pass finds it. */
struct otf_barrier {
    int64_t last_ps;    /* when the last thread came to it, before shift_ps */
    int last;           /* which one */
    uint32_t n_threads; /* that came to it; 0: they did tasks meanwhile, so that the time they waited is unknown */
};

struct otf_process {
    int n_threads;          /* further ones, but for streams */
    int n_copied_streams;   /* in an archive of simrun's own */
    struct otf_part *parts; /* of each */
    struct otf_fork *forks; /* in order */
    size_t n_forks, forks_capacity;
    struct otf_barrier *barriers; /* fork after fork */
    size_t n_barriers, barriers_capacity;
    struct otf_start *starts; /* in order */
    size_t n_starts, starts_capacity;
    struct otf_offload *offload; /* NULL: there are no streams */
};

/* trace/otf2/threads.c: the process of the cursor's rank; NULL: none has further threads. The record of the rank's own
 * thread. */
struct otf_process *otf_process_of(const struct otf_cursor *cursor);
const struct otf_survey *otf_own_survey(const struct otf_cursor *cursor);
/* True if what threads do to each other counts here: the rank has several, and is in no call. */
bool otf_threads_count(const struct otf_cursor *cursor);
/* True if the thread is at its first event, in no region. */
bool otf_is_at_beginning(const struct otf_cursor *cursor);

/* trace/otf2/forks.c: the thread takes part in its fork no longer. After the last fork, threads of teams are there
 * until the rank ends. */
void otf_leave_fork(struct otf_cursor *cursor);
void otf_end_teams(struct otf_cursor *cursor);

#endif
