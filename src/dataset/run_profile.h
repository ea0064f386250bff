/* A profile by libeppa (EPPA_FILE=NAME.json): totals of a run by function, call site, size of messages and rank.
 *
 * Times are in seconds, as the file has them. The file is checked: ranks are in order, counts and times are not
 * negative.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DATASET_RUN_PROFILE_H
#define DATASET_RUN_PROFILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function of the message library, or one at a call site. */
struct run_profile_call {
    char *site; /* NULL: a function */
    char *function;
    double calls, time_s, bytes; /* sent and received */
    double least_s;              /* of the rank that is in it for the shortest time, of those that call it */
};

struct run_profile_size {
    double from_bytes, to_bytes, count, bytes;
};

struct run_profile_rank {
    double time_s, useful_s, control_s, mpi_s;
    double off_s; /* without a processor, or asleep */
};

struct run_profile {
    char *program;
    double time_s;
    struct run_profile_call *functions, *sites; /* without sites: it has none */
    struct run_profile_size *messages, *collectives;
    struct run_profile_rank *ranks;
    size_t n_functions, n_sites, n_messages, n_collectives, n_ranks;
    bool has_bytes, has_sizes; /* bytes of functions are known; messages and collectives are */
};

/* -1 with an error that names the place in the file. */
int run_profile_load(struct run_profile *profile, const char *file, struct sim_error *error);
void run_profile_dispose(struct run_profile *profile);

#endif
