/* The messages of a neighbor collective: each member sends one to each of its neighbors and receives one from
 * each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_WRAP_NEIGHBOURS_H
#define EPPA_WRAP_NEIGHBOURS_H

#include "eppa/wrap/comm_table.h"

#include <stdint.h>

struct neighbour_message {
    int64_t bytes;
    uint32_t request;
    int peer; /* or MPI_PROC_NULL */
    int tag;
};

struct neighbour_list {
    uint32_t comm_id;
    int n_in, n_out;
    struct neighbour_message *in; /* n_in, then n_out of them in one block */
    struct neighbour_message *out;
};

/* Messages of no length yet; NULL if memory is short or the communicator has no topology. */
struct neighbour_list *neighbour_list_new(struct comm *comm);
void neighbour_list_free(struct neighbour_list *list);

/* The lengths: the same for all; the same to all; of each; of each with a type for each. list may be NULL. */
void neighbours_same(struct neighbour_list *list, int n_from, MPI_Datatype from_type, int n_to, MPI_Datatype to_type);
void neighbours_gather(struct neighbour_list *list, int n_from, MPI_Datatype from_type, const int n_to[],
                       MPI_Datatype to_type);
void neighbours_each(struct neighbour_list *list, const int n_from[], MPI_Datatype from_type, const int n_to[],
                     MPI_Datatype to_type);
void neighbours_typed(struct neighbour_list *list, const int n_from[], const MPI_Datatype from_types[],
                      const int n_to[], const MPI_Datatype to_types[]);

/* Record that they begin, and that they are complete. list may be NULL. */
void neighbours_begin(struct neighbour_list *list);
void neighbours_complete(const struct neighbour_list *list, int64_t time_ns);

#endif
