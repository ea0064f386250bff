/* Receives that nothing sends and sends that nothing receives, in a trace of any format; nothing is simulated.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_PAIRS_H
#define TRACE_RECORD_PAIRS_H

#include "base/error.h"
#include "trace/record/record.h"

#include <stdint.h>

/* The first message without its other side: of the lowest rank the first such record. */
struct pairs_lone {
    int64_t n_receives, n_sends; /* how many there are of each */
    bool receives;               /* the first is a receive */
    int rank, peer, tag;
    int64_t position, start_ps; /* as in its record */
};

/* Read all of a trace, and with messages left over twice more; it stands anywhere afterwards. Messages of one sender,
 * receiver, tag and communicator are in their order. Where what comes first decides (has_any), none is alone.
 * *n_records are all. Memory does not grow with the trace. 0, or -1 with the reader's error. */
int pairs_check(struct pairs_lone *lone, int64_t *n_records, struct record_reader *reader, struct sim_error *error);

#endif
