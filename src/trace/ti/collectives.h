/* The lines of collectives: what stands behind each name becomes its record. All return 1, or -1 with an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_COLLECTIVES_H
#define TRACE_TI_COLLECTIVES_H

#include "trace/ti/arguments.h"

int ti_read_barrier(struct ti_call *call);
int ti_read_broadcast(struct ti_call *call);
int ti_read_reduction(struct ti_call *call); /* reduce, allreduce, scan, exscan */

/* alltoall, allgather, gather, scatter. In the last two, the size given for the ranks that are not the
 * root determines the root's. */
int ti_read_exchange(struct ti_call *call);

/* gatherv, allgatherv: what the rank adds, then what each does, which only the root of gatherv needs to know. */
int ti_read_gatherv(struct ti_call *call);
int ti_read_scatterv(struct ti_call *call);
int ti_read_reduce_scatter(struct ti_call *call);
int ti_read_alltoallv(struct ti_call *call);

#endif
