/* The runs of a sweep, dealt by rank 0 of a program of MPI to the other ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_DEAL_H
#define MPI_DEAL_H

#include "base/error.h"

/* From now on sweeps are dealt (workers_elsewhere); on one rank they are not. */
void deal_begin(int rank, int n_ranks);
/* The rank is done, with an error or NULL: rank 0 lets the others go, and these say what is wrong and wait for that. */
void deal_end(const struct sim_error *error);

#endif
