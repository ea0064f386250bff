/* From the sizes that an OTF2 archive gives of a collective to the bytes of a record.
 *
 * OTF2 has two numbers for each member: the bytes it sent and those it received. Tools count them as if each member
 * sent its block to every receiver by itself (Score-P's rule). With n members, block b and the member's own rank `me`:
 *
 *     broadcast, scatter                           root sends n b, every member receives b
 *     gather, reduce                               every member sends b, the root receives n b
 *     allgather, allreduce, alltoall,
 *     reduce_scatter_block                         every member sends n b and receives n b
 *     scan                                         sends (n - me) b, receives (me + 1) b
 *
 * With MPI_IN_PLACE what a member would send to itself is missing: n - 1 for n, and n - me - 1, me in a scan; an exscan
 * never sends to itself. From that b follows exactly, except that n b and (n - 1) b' may be the same number: a total
 * that n divides is taken as n b.
 *
 * Where blocks differ (v), allgatherv and gatherv still give exactly what the member adds, and scatterv what it
 * receives; of scatterv's root and of alltoallv and alltoallw the mean block remains, rounded down, and of
 * reduce_scatter the member's own block.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_SIZES_H
#define TRACE_OTF2_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct otf_collective {
    uint8_t op; /* OTF2_CollectiveOp */
    bool is_root;
    uint64_t n_members, me; /* me < n_members */
    uint64_t sent, received;
};

/* The record's kind of collective: enum record_collective, or -1 for what moves no data of the program's (making and
 * freeing handles and memory) and for unknown operations. */
int otf_collective_kind(uint8_t op);

/* True if the members' blocks may differ. */
bool otf_collective_varies(uint8_t op);

/* True if the operation has a root. */
bool otf_collective_has_root(uint8_t op);

/* The bytes of the record; otf_collective_kind() is not -1. */
uint64_t otf_collective_bytes(const struct otf_collective *call);

/* The other way: whether a kind of collective (enum record_collective) has a root; and its operation and both sizes for
 * a member's bytes, of a call whose is_root, n_members and me are set. With blocks: of different lengths. */
bool otf_collective_is_rooted(int kind);
void otf_collective_write(struct otf_collective *call, int kind, bool with_blocks, uint64_t bytes);

#endif
