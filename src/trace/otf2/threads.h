/* What is known of a rank's further threads, shared by the files that find it out: threads_find.c which of them
 * communicate, threads.c where they wait for each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_THREADS_H
#define TRACE_OTF2_THREADS_H

#include <stddef.h>
#include <stdint.h>

enum { OTF_MOST_THREADS = 1 << 16 }; /* of a rank */

/* A thread that begins of itself. */
struct otf_start {
    int64_t at_ps; /* before shift_ps */
    int thread;
};

/* The forks in which a thread takes part, in order; their numbers count from 1. */
struct otf_part {
    uint64_t *forks;
    size_t n, capacity;
};

struct otf_process {
    int n_threads;          /* further ones */
    struct otf_part *parts; /* of each */
    int64_t *forks_ps;      /* of its own thread, before shift_ps, in order; those within others are left out */
    size_t n_forks, forks_capacity;
    struct otf_start *starts; /* n_threads at most, in order */
    int n_starts;
};

#endif
