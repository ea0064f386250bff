/* A second thread that fills batches. It begins with the first batches that wait for it; if it is late, the thread that
 * takes them fills them. It has at most one batch of each rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_HELPER_H
#define TRACE_TI_HELPER_H

#include "trace/ti/batch.h"
#include "trace/ti/decode.h"

#include <stdbool.h>

struct ti_helper;

/* Fills batches of `capacity` records. NULL where the process has one processor only, or there are no threads. */
struct ti_helper *ti_helper_new(struct ti_decoder *decoder, int capacity);
void ti_helper_free(struct ti_helper *helper);

/* Give it a batch. Until it is taken or dropped the rank belongs to the helper. */
void ti_helper_ask(struct ti_helper *helper, int rank, struct ti_batch *batch);
/* The batch that it was given for the rank is full when this returns. */
void ti_helper_take(struct ti_helper *helper, int rank);
/* The batch is left as it is, full or not. */
void ti_helper_drop(struct ti_helper *helper, int rank);

/* True if the thread has begun. */
bool ti_helper_runs(const struct ti_helper *helper);

#endif
