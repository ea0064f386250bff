/* The encoder: what the parts of the encoded form are written by.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMELINE_ENCODER_H
#define TIMELINE_ENCODER_H

#include "timeline/column.h"
#include "timeline/internal.h"

enum { N_COLUMNS = 6 }; /* at most, of a part */

/* The state of writing; the columns are those of the part that is being written. */
struct encoder {
    const struct timeline *timeline;
    int64_t unit_ps;
    struct column out;
    struct column columns[N_COLUMNS];
};

static inline void encoder_add(struct encoder *encoder, int column, uint64_t number)
{
    column_add(&encoder->columns[column], number);
}

static inline void encoder_add_signed(struct encoder *encoder, int column, int64_t number)
{
    column_add_signed(&encoder->columns[column], number);
}

static inline void encoder_move_columns(struct encoder *encoder, int n_columns)
{
    for (int i = 0; i < n_columns; i++)
        column_move(&encoder->out, &encoder->columns[i]);
}

/* ---- timeline/encode_exact.c: what is kept as it was ---- */

/* The unit, which divides all times of a timeline. */
int64_t encode_unit(const struct timeline *timeline);
void encode_intervals(struct encoder *encoder);
void encode_messages(struct encoder *encoder);
void encode_path(struct encoder *encoder);

#endif
