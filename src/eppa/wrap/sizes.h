/* How much a member of a collective sends and receives. As Score-P counts: what goes to and comes from every member,
 * itself included, whether MPI_IN_PLACE is given or not. Where blocks differ, their lengths are recorded too.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_WRAP_SIZES_H
#define EPPA_WRAP_SIZES_H

#include "eppa/wrap/comm_table.h"

#include <mpi.h>

struct collective {
    const struct comm *comm;
    int64_t sent, received; /* bytes */
};

void sizes_none(struct collective *coll);
void sizes_bcast(struct collective *coll, int count, MPI_Datatype type, int root);
void sizes_gather(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, int n_to,
                  MPI_Datatype to_type, int root);
void sizes_gatherv(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, const int n_to[],
                   MPI_Datatype to_type, int root);
void sizes_scatter(struct collective *coll, int n_from, MPI_Datatype from_type, const void *to, int n_to,
                   MPI_Datatype to_type, int root);
void sizes_scatterv(struct collective *coll, const int n_from[], MPI_Datatype from_type, const void *to, int n_to,
                    MPI_Datatype to_type, int root);
void sizes_all_to_all(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, int n_to,
                      MPI_Datatype to_type);
void sizes_allgatherv(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, const int n_to[],
                      MPI_Datatype to_type);
void sizes_alltoallv(struct collective *coll, const void *from, const int n_from[], MPI_Datatype from_type,
                     const int n_to[], MPI_Datatype to_type);
void sizes_alltoallw(struct collective *coll, const void *from, const int n_from[], const MPI_Datatype from_types[],
                     const int n_to[], const MPI_Datatype to_types[]);
void sizes_reduce(struct collective *coll, int count, MPI_Datatype type, int root);
void sizes_all_the_same(struct collective *coll, int count, MPI_Datatype type);
void sizes_reduce_scatter(struct collective *coll, const int counts[], MPI_Datatype type);
void sizes_scan(struct collective *coll, int count, MPI_Datatype type);
void sizes_exscan(struct collective *coll, int count, MPI_Datatype type);

#endif
