/* The rules by which the sizes of each kind of collective become the bytes of a record.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/sizes.h"

#include "trace/record/record.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>

/* A total of n blocks, or of n - 1. */
static uint64_t share(uint64_t total, uint64_t n)
{
    return n > 1 && total % n != 0 && total % (n - 1) == 0 ? total / (n - 1) : total / n;
}

static uint64_t bytes_none(const struct otf_collective *call)
{
    (void)call;
    return 0;
}

static uint64_t bytes_broadcast(const struct otf_collective *call)
{
    return call->received > 0 ? call->received : call->sent;
}

/* A root that works in place neither sends nor receives its own block. */
static uint64_t root_block(uint64_t own, uint64_t total, const struct otf_collective *call)
{
    return own == 0 && call->is_root && call->n_members > 1 ? total / (call->n_members - 1) : own;
}

static uint64_t bytes_to_root(const struct otf_collective *call)
{
    return root_block(call->sent, call->received, call);
}

static uint64_t bytes_from_root(const struct otf_collective *call)
{
    return root_block(call->received, call->sent, call);
}

static uint64_t bytes_sent(const struct otf_collective *call)
{
    return call->sent;
}

static uint64_t bytes_scatterv(const struct otf_collective *call)
{
    return call->is_root ? share(call->sent, call->n_members) : call->received;
}

static uint64_t bytes_all(const struct otf_collective *call)
{
    return share(call->sent, call->n_members);
}

static uint64_t bytes_mean(const struct otf_collective *call)
{
    return call->sent / call->n_members;
}

static uint64_t bytes_reduce_scatter(const struct otf_collective *call)
{
    return share(call->received, call->n_members);
}

/* The bytes of a scan or exscan in place. */
static uint64_t bytes_others(const struct otf_collective *call)
{
    uint64_t after = call->n_members - call->me - 1;
    return after > 0 ? call->sent / after : call->me > 0 ? call->received / call->me : 0;
}

/* Sent : received is n - me : me + 1, unless in place. */
static uint64_t bytes_scan(const struct otf_collective *call)
{
    uint64_t block = call->received / (call->me + 1);
    bool counts_itself = block * (call->me + 1) == call->received &&
                         call->sent / (call->n_members - call->me) == block &&
                         call->sent % (call->n_members - call->me) == 0;
    return counts_itself ? block : bytes_others(call);
}

static const struct {
    uint64_t (*bytes)(const struct otf_collective *call);
    uint8_t kind; /* enum record_collective */
    bool has_root;
} operations[] = {
    [OTF2_COLLECTIVE_OP_BARRIER] = {bytes_none, RECORD_BARRIER, false},
    [OTF2_COLLECTIVE_OP_BCAST] = {bytes_broadcast, RECORD_BROADCAST, true},
    [OTF2_COLLECTIVE_OP_GATHER] = {bytes_to_root, RECORD_GATHER, true},
    [OTF2_COLLECTIVE_OP_GATHERV] = {bytes_sent, RECORD_GATHER, true},
    [OTF2_COLLECTIVE_OP_SCATTER] = {bytes_from_root, RECORD_SCATTER, true},
    [OTF2_COLLECTIVE_OP_SCATTERV] = {bytes_scatterv, RECORD_SCATTER, true},
    [OTF2_COLLECTIVE_OP_ALLGATHER] = {bytes_all, RECORD_ALLGATHER, false},
    [OTF2_COLLECTIVE_OP_ALLGATHERV] = {bytes_all, RECORD_ALLGATHER, false},
    [OTF2_COLLECTIVE_OP_ALLTOALL] = {bytes_all, RECORD_ALLTOALL, false},
    [OTF2_COLLECTIVE_OP_ALLTOALLV] = {bytes_mean, RECORD_ALLTOALL, false},
    [OTF2_COLLECTIVE_OP_ALLTOALLW] = {bytes_mean, RECORD_ALLTOALL, false},
    [OTF2_COLLECTIVE_OP_ALLREDUCE] = {bytes_all, RECORD_ALLREDUCE, false},
    [OTF2_COLLECTIVE_OP_REDUCE] = {bytes_to_root, RECORD_REDUCE, true},
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = {bytes_reduce_scatter, RECORD_REDUCE_SCATTER, false},
    [OTF2_COLLECTIVE_OP_SCAN] = {bytes_scan, RECORD_SCAN, false},
    [OTF2_COLLECTIVE_OP_EXSCAN] = {bytes_others, RECORD_EXSCAN, false},
    [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = {bytes_reduce_scatter, RECORD_REDUCE_SCATTER, false},
};

int otf_collective_kind(uint8_t op)
{
    return op < sizeof operations / sizeof operations[0] ? operations[op].kind : -1;
}

bool otf_collective_varies(uint8_t op)
{
    return op == OTF2_COLLECTIVE_OP_GATHERV || op == OTF2_COLLECTIVE_OP_SCATTERV ||
           op == OTF2_COLLECTIVE_OP_ALLGATHERV || op == OTF2_COLLECTIVE_OP_ALLTOALLV ||
           op == OTF2_COLLECTIVE_OP_ALLTOALLW;
}

bool otf_collective_has_root(uint8_t op)
{
    return otf_collective_kind(op) >= 0 && operations[op].has_root;
}

uint64_t otf_collective_bytes(const struct otf_collective *call)
{
    return operations[call->op].bytes(call);
}

/* --- from records to operations --- */

/* The operations without and with blocks of their own lengths, and by what number of blocks they count as sent and as
 * received. */
enum factor { NOTHING, OWN, ALL, ALL_OF_ROOT, AFTER, FURTHER, UP_TO, BEFORE };

static const struct {
    uint8_t operation, with_blocks, sent, received;
    bool has_root;
} written[N_RECORD_COLLECTIVES] = {
    [RECORD_BARRIER] = {OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_OP_BARRIER, NOTHING, NOTHING, false},
    [RECORD_BROADCAST] = {OTF2_COLLECTIVE_OP_BCAST, OTF2_COLLECTIVE_OP_BCAST, ALL_OF_ROOT, OWN, true},
    [RECORD_REDUCE] = {OTF2_COLLECTIVE_OP_REDUCE, OTF2_COLLECTIVE_OP_REDUCE, OWN, ALL_OF_ROOT, true},
    [RECORD_ALLREDUCE] = {OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, ALL, ALL, false},
    [RECORD_SCAN] = {OTF2_COLLECTIVE_OP_SCAN, OTF2_COLLECTIVE_OP_SCAN, AFTER, UP_TO, false},
    [RECORD_EXSCAN] = {OTF2_COLLECTIVE_OP_EXSCAN, OTF2_COLLECTIVE_OP_EXSCAN, FURTHER, BEFORE, false},
    [RECORD_GATHER] = {OTF2_COLLECTIVE_OP_GATHER, OTF2_COLLECTIVE_OP_GATHERV, OWN, ALL_OF_ROOT, true},
    [RECORD_ALLGATHER] = {OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_COLLECTIVE_OP_ALLGATHERV, ALL, ALL, false},
    [RECORD_SCATTER] = {OTF2_COLLECTIVE_OP_SCATTER, OTF2_COLLECTIVE_OP_SCATTERV, ALL_OF_ROOT, OWN, true},
    [RECORD_ALLTOALL] = {OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_COLLECTIVE_OP_ALLTOALLV, ALL, ALL, false},
    [RECORD_REDUCE_SCATTER] = {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, OTF2_COLLECTIVE_OP_REDUCE_SCATTER, ALL, ALL,
                               false},
    [RECORD_FENCE] = {OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_OP_BARRIER, NOTHING, NOTHING, false},
    [RECORD_HANDLE] = {OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING, false},
    [RECORD_FILE] = {OTF2_COLLECTIVE_OP_BARRIER, OTF2_COLLECTIVE_OP_BARRIER, OWN, OWN, false},
};

static uint64_t total(enum factor factor, uint64_t bytes, uint64_t n_members, uint64_t me, bool is_root)
{
    const uint64_t factors[] = {[NOTHING] = 0,
                                [OWN] = 1,
                                [ALL] = n_members,
                                [ALL_OF_ROOT] = is_root ? n_members : 0,
                                [AFTER] = n_members - me,
                                [FURTHER] = n_members - me - 1,
                                [UP_TO] = me + 1,
                                [BEFORE] = me};
    return factors[factor] * bytes;
}

bool otf_collective_is_rooted(int kind)
{
    return written[kind].has_root;
}

void otf_collective_write(struct otf_collective *call, int kind, bool with_blocks, uint64_t bytes)
{
    call->op = with_blocks ? written[kind].with_blocks : written[kind].operation;
    call->sent = total((enum factor)written[kind].sent, bytes, call->n_members, call->me, call->is_root);
    call->received = total((enum factor)written[kind].received, bytes, call->n_members, call->me, call->is_root);
}
