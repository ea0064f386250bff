/* Adds up what one rank does, as it goes: memory does not grow with the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_PROFILE_TALLY_H
#define EPPA_PROFILE_TALLY_H

#include "eppa/archive/regions.h"
#include "eppa/archive/spool.h"

#include <stdbool.h>
#include <stdint.h>

enum { N_SIZE_CLASSES = 64 }; /* of 0 bytes; of 2^(c-1) ... 2^c - 1 */

/* Calls of a function, or of one call site. Polls in a row share their time evenly. */
struct tally_calls {
    int64_t n_calls, time_ns;
    int64_t shortest_ns, longest_ns; /* of a call */
    int64_t sent, received;          /* bytes */
};

/* A function at a call site; `site` counts from 1. */
struct tally_site {
    uint32_t site;
    uint16_t region;
    struct tally_calls calls;
};

struct tally_class {
    int64_t n, bytes;
};

/* Times of the thread that initialized MPI: they add up to end_ns - begin_ns. */
enum tally_state {
    TALLY_USEFUL,
    TALLY_CONTROL,
    TALLY_IDLE, /* as the program says */
    TALLY_MPI,
    TALLY_WITHOUT, /* lacking a processor; in the order of the regions */
    TALLY_ASLEEP,
    TALLY_OFF,     /* one of these two */
    TALLY_FOREIGN, /* lacking a processor that no rank can have had: known in the end */
    N_TALLY_STATES
};

struct tally {
    int64_t begin_ns, end_ns;
    int64_t state_ns[N_TALLY_STATES];
    struct tally_calls functions[N_REGIONS];        /* of all threads, as messages, collectives and sites */
    int64_t n_others, others_ns;                    /* calls of other threads */
    struct tally_class messages[N_SIZE_CLASSES];    /* that it sends */
    struct tally_class collectives[N_SIZE_CLASSES]; /* by the larger of what it sends and receives in one */
    struct tally_site *sites;
    uint32_t n_sites;
    struct define_cores cores; /* 0: not known */
    char library[SPOOL_MAX_LIBRARY];
    struct define_processor processor;
    uint64_t n_unrecorded;
    struct define_off off; /* 0: recording was never off */
};
extern struct tally tally;

/* Begin; with room for call sites if there will be any. */
void tally_open(bool has_sites);
/* The records from `window` to `end`. */
void tally_take(const unsigned char *window, const unsigned char *end);
/* Take from a definition what a profile has, too. */
void tally_define(enum definition_kind kind, const void *data, size_t length);
/* Add to what is there. */
void tally_add_calls(struct tally_calls *sum, const struct tally_calls *calls);

#endif
