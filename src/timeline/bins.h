/* Bins of time: for each row of locations and each bin the time in each state and in each scope, in exact sums.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMELINE_BINS_H
#define TIMELINE_BINS_H

#include "interval/interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bins {
    int n_ranks, n_locations;
    int locations_per_row, rows_of_kind, n_rows;
    int n_bins, shift; /* a bin is 2^shift ps */
    int n_channels;    /* the states, then the scopes */
    int cell_shift;    /* of sums as they are written, in 2^cell_shift ps: 0, or so that each takes one byte */
    /* One sum for each row, channel and bin. Unsigned: a sum that is too large for any clock wraps. */
    uint64_t *cells;
};

void bins_init(struct bins *bins, int n_ranks, int n_locations, int n_scopes);
void bins_dispose(struct bins *bins);

/* Make bins as wide as it takes until they reach to there, if they do not. */
void bins_reach(struct bins *bins, int64_t end_ps);

/* Add an interval that is not empty; bins become wider where it ends behind the last. */
void bins_add(struct bins *bins, int location, int64_t start_ps, int64_t end_ps, int state, int scope);

/* From now on sums are written in one byte each. */
void bins_round(struct bins *bins);

/* Half as many bins, each twice as wide; half as many rows, each of twice as many locations. */
void bins_halve(struct bins *bins);
void bins_halve_rows(struct bins *bins);

static inline uint64_t *bins_channel(const struct bins *bins, int row, int channel)
{
    return &bins->cells[((size_t)row * (size_t)bins->n_channels + (size_t)channel) * (size_t)bins->n_bins];
}

/* The bins up to the end of the run. */
int bins_used(const struct bins *bins, int64_t end_ps);

#endif
