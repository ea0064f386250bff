/* Makes records of the lines of each rank. Ranks are independent of each other: two threads may read two of them at
 * the same time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_DECODE_H
#define TRACE_TI_DECODE_H

#include "base/error.h"
#include "trace/record/record.h"
#include "trace/ti/batch.h"

#include <stdint.h>

struct ti_decoder;

struct ti_decoder *ti_decoder_open(const char *file, struct sim_error *error);
void ti_decoder_close(struct ti_decoder *decoder);
int ti_decoder_ranks(const struct ti_decoder *decoder);
/* See ti_source_has_any(). */
int ti_decoder_has_any(const struct ti_decoder *decoder, struct sim_error *error);
const char *ti_decoder_file(const struct ti_decoder *decoder, int rank);

/* Begin again with the rank's first line. */
void ti_decoder_rewind(struct ti_decoder *decoder, int rank);

/* Fill a batch with the rank's next records, no more than `capacity`. */
void ti_decoder_fill(struct ti_decoder *decoder, int rank, struct ti_batch *batch, int capacity);

/* The rank's next record, after a batch that ended with TI_BLOCKS; blocks has room for as many as there are ranks.
 * 1, or -1 with an error. */
int ti_decoder_blocks(struct ti_decoder *decoder, int rank, int64_t *blocks, struct record *record,
                      struct sim_error *error);

#endif
