/* Reads the records of each rank some way ahead: a batch at a time, on a second processor if there is one (helper.h).
 * The records and errors do not depend on that.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_AHEAD_H
#define TRACE_TI_AHEAD_H

#include "trace/ti/batch.h"
#include "trace/ti/decode.h"

#include <stdbool.h>

struct ti_ahead;

/* The decoder is borrowed, and must outlive it. */
struct ti_ahead *ti_ahead_new(struct ti_decoder *decoder);
void ti_ahead_free(struct ti_ahead *ahead);

/* The rank's present batch, which is valid until the next one is asked for; NULL before the first. */
struct ti_batch *ti_ahead_batch(struct ti_ahead *ahead, int rank);

/* Go on with the rank's next batch, after all of one that has ended with TI_MORE or, when those blocks have been read,
 * with TI_BLOCKS. */
struct ti_batch *ti_ahead_next(struct ti_ahead *ahead, int rank);

/* Forget what has been read, and begin again with the first record of each rank. */
void ti_ahead_rewind(struct ti_ahead *ahead);

/* True if a process that is forked now may go on reading: nothing is being read by another thread. */
bool ti_ahead_is_still(const struct ti_ahead *ahead);

#endif
