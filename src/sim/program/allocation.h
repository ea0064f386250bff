/* The hosts that ranks are to be put on, as users of Slurm, Open MPI and MPICH write them down.
 *
 * Each line is one of the following; '#' begins a comment.
 *
 *     host slots=2              Open MPI: so many ranks; without, as many as ranks_per_host says
 *     host:2                    MPICH
 *     rank 0=host slot=1        Open MPI's rankfile: a line for each rank; the slot is passed over
 *     node[01-04,7],node9       Slurm's hostlist, wherever a host is; a host of several lines has as many ranks more
 *
 * Sources: Slurm, man page of scontrol (show hostnames) and of srun (arbitrary distribution); Open MPI, man page of
 * prte-map (hostfiles and rankfiles); MPICH, wiki of Hydra (host file).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_ALLOCATION_H
#define SIM_PROGRAM_ALLOCATION_H

#include "base/error.h"

#include <stdbool.h>

struct allocated_host {
    char *name;
    int slots; /* 0: not said */
    int rank;  /* that is to be there; -1: none in particular */
    long line;
};

struct allocation {
    char *file;                   /* for messages */
    struct allocated_host *hosts; /* n_hosts, in their order */
    int n_hosts;
    bool has_ranks; /* a rankfile: each host is for its rank */
};

/* Read the text of a file; if is_file is false, messages have no line. Nothing is to be disposed of after an error,
 * which names the line and what is allowed. */
int allocation_parse(struct allocation *allocation, const char *text, const char *file, bool is_file,
                     struct sim_error *error);
void allocation_dispose(struct allocation *allocation);

#endif
