/* Reads the lines of collectives: their lengths, their root, and what each rank has of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/collectives.h"

#include <stddef.h>

int ti_read_barrier(struct ti_call *call)
{
    return ti_read_end(call, 1);
}

int ti_read_broadcast(struct ti_call *call)
{
    int64_t count, bytes;
    if (ti_read_count(call, &count) != 0 || ti_read_root(call) != 0 || ti_read_datatype(call, &bytes) != 0)
        return -1;
    call->record->bytes = count * bytes;
    return ti_read_end(call, 1);
}

int ti_read_reduction(struct ti_call *call)
{
    int64_t count, bytes;
    if (ti_read_count(call, &count) != 0 || ti_read_flops(call, &call->record->flops) != 0 ||
        (call->record->collective == RECORD_REDUCE && ti_read_root(call) != 0) || ti_read_datatype(call, &bytes) != 0)
        return -1;
    call->record->bytes = count * bytes;
    return ti_read_end(call, 1);
}

int ti_read_exchange(struct ti_call *call)
{
    struct record *record = call->record;
    int64_t sent, received, sent_bytes, received_bytes;
    bool gathers = record->collective == RECORD_GATHER, scatters = record->collective == RECORD_SCATTER;
    if (ti_read_count(call, &sent) != 0 || ti_read_count(call, &received) != 0 ||
        ((gathers || scatters) && ti_read_root(call) != 0) ||
        ti_read_datatypes(call, &sent_bytes, &received_bytes) != 0)
        return -1;
    bool is_root = record->peer == call->rank;
    record->bytes = (gathers && is_root) || (scatters && !is_root) ? received * received_bytes : sent * sent_bytes;
    return ti_read_end(call, 1);
}

static int read_counts(struct ti_call *call, int64_t *counts)
{
    for (int r = 0; r < call->n_ranks; r++) {
        int64_t count;
        if (ti_read_count(call, &count) != 0)
            return -1;
        if (counts != NULL)
            counts[r] = count;
    }
    return 0;
}

static void scale_blocks(struct ti_call *call, int64_t bytes)
{
    for (int r = 0; r < call->n_ranks; r++)
        call->blocks[r] *= bytes;
    call->record->blocks = call->blocks;
}

int ti_read_gatherv(struct ti_call *call)
{
    struct record *record = call->record;
    int64_t sent, sent_bytes, received_bytes;
    bool rooted = record->collective == RECORD_GATHER;
    if (ti_read_count(call, &sent) != 0 || read_counts(call, call->blocks) != 0 ||
        (rooted && ti_read_root(call) != 0) || ti_read_datatypes(call, &sent_bytes, &received_bytes) != 0)
        return -1;
    if (!rooted && ti_has_more(call) && read_counts(call, NULL) != 0) /* where the blocks are put */
        return -1;
    scale_blocks(call, received_bytes);
    if (rooted && record->peer != call->rank)
        call->blocks[call->rank] = sent * sent_bytes;
    record->bytes = call->blocks[call->rank];
    return ti_read_end(call, 1);
}

int ti_read_scatterv(struct ti_call *call)
{
    struct record *record = call->record;
    int64_t received, sent_bytes, received_bytes;
    if (read_counts(call, call->blocks) != 0 || ti_read_count(call, &received) != 0 || ti_read_root(call) != 0 ||
        ti_read_datatypes(call, &sent_bytes, &received_bytes) != 0)
        return -1;
    scale_blocks(call, sent_bytes);
    if (record->peer != call->rank)
        call->blocks[call->rank] = received * received_bytes;
    record->bytes = call->blocks[call->rank];
    return ti_read_end(call, 1);
}

int ti_read_reduce_scatter(struct ti_call *call)
{
    int64_t bytes;
    if (read_counts(call, call->blocks) != 0 || ti_read_flops(call, &call->record->flops) != 0 ||
        ti_read_datatype(call, &bytes) != 0)
        return -1;
    scale_blocks(call, bytes);
    call->record->bytes = call->blocks[call->rank];
    return ti_read_end(call, 1);
}

int ti_read_alltoallv(struct ti_call *call)
{
    int64_t size, sent_bytes, received_bytes;
    if (ti_read_integer(call, &size, "the length of the buffer", 0, TI_MAX_COUNT) != 0 ||
        read_counts(call, call->blocks) != 0 ||
        ti_read_integer(call, &size, "the length of the buffer", 0, TI_MAX_COUNT) != 0 ||
        read_counts(call, NULL) != 0 || ti_read_datatypes(call, &sent_bytes, &received_bytes) != 0)
        return -1;
    scale_blocks(call, sent_bytes);
    call->record->bytes = call->blocks[call->rank];
    return ti_read_end(call, 1);
}
