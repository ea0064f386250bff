/* Records of a rank that have been read before they are asked for, and how they end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_BATCH_H
#define TRACE_TI_BATCH_H

#include "base/error.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* A record of TI, without the fields that it never has; a batch of these is small enough to stay in the cache. */
struct ti_short {
    int64_t length; /* bytes; of RECORD_SLEEP end_ps */
    double flops;
    int64_t position;
    int32_t peer, tag;
    uint32_t request;
    uint8_t kind, collective;
    bool exchanges : 1, combines : 1, synchronous : 1, control : 1, any_tag : 1;
};

enum ti_batch_end {
    TI_MORE,   /* further records are to be read */
    TI_ENDED,  /* the rank has no further one */
    TI_BLOCKS, /* the next one has blocks, for which a batch has no room */
    TI_FAILED, /* the next line is wrong */
};

struct ti_batch {
    struct ti_short *records;
    int at, count;
    uint8_t end;                       /* enum ti_batch_end */
    int64_t split_line, exchange_line; /* the first of the rank so far; 0: none */
    struct sim_error *error;           /* of TI_FAILED */
};

static inline void ti_shorten(struct ti_short *to, const struct record *from)
{
    *to = (struct ti_short){.length = from->kind == RECORD_SLEEP ? from->end_ps : from->bytes,
                            .flops = from->flops,
                            .position = from->position,
                            .peer = from->peer,
                            .tag = from->tag,
                            .request = from->request,
                            .kind = from->kind,
                            .collective = from->collective,
                            .exchanges = from->exchanges,
                            .combines = from->combines,
                            .synchronous = from->synchronous,
                            .control = from->control,
                            .any_tag = from->any_tag};
}

static inline void ti_lengthen(struct record *to, const struct ti_short *from)
{
    *to = (struct record){.end_ps = from->kind == RECORD_SLEEP ? from->length : 0,
                          .bytes = from->kind == RECORD_SLEEP ? 0 : from->length,
                          .idle_ps = -1,
                          .flops = from->flops,
                          .position = from->position,
                          .peer = from->peer,
                          .tag = from->tag,
                          .request = from->request,
                          .kind = from->kind,
                          .collective = from->collective,
                          .exchanges = from->exchanges,
                          .combines = from->combines,
                          .synchronous = from->synchronous,
                          .control = from->control,
                          .any_tag = from->any_tag};
}

#endif
