/* The subjects of parameters and of a program's phases: so that they need not be guessed from names.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_SUBJECT_H
#define BASE_SUBJECT_H

#include <stdbool.h>

enum subject {
    SUBJECT_NONE,
    SUBJECT_BROADCAST, /* the collectives, in the order of enum coll_family */
    SUBJECT_SCATTER,
    SUBJECT_GATHER,
    SUBJECT_REDUCE,
    SUBJECT_ALLREDUCE,
    SUBJECT_ALLGATHER,
    SUBJECT_ALLTOALL,
    SUBJECT_BARRIER,
    SUBJECT_IO,
    SUBJECT_RANKS,
    SUBJECT_NETWORK,
    SUBJECT_TOPOLOGY,   /* how hosts are wired */
    SUBJECT_DIMENSIONS, /* of a topology */
    SUBJECT_PLATFORM,
    SUBJECT_ROUTING, /* the ways of messages on a topology */
};

/* The names of collectives; "" of SUBJECT_NONE. */
enum { N_SUBJECT_NAMES = SUBJECT_BARRIER + 1 };
extern const char *const subject_names[N_SUBJECT_NAMES];

/* A phase of a program: a scope that is a collective's, or one of several that readers take for one. */
struct phase_spec {
    const char *name; /* the scope's; NULL ends a list */
    enum subject subject;
    const char *part; /* what several phases are shown as; NULL: it stands for itself */
};

/* True if both are shown as the same part. */
bool phase_same_part(const struct phase_spec *a, const struct phase_spec *b);

#endif
