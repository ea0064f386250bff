/* Sums in bins whose width doubles: at first 1 ps, so that it follows from the length of the run alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/bins.h"
#include "timeline/timeline.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* 32 MiB. Programs of very many scopes have fewer bins. */
static const int64_t most_cells = INT64_C(4) << 20;

static int rows_of(int n_locations, int locations_per_row)
{
    return n_locations / locations_per_row + (n_locations % locations_per_row != 0);
}

/* Locations are of kinds, n_ranks each: first processors of ranks, second ones, ...; of the last one, fewer in tests.
 */
static void set_rows(struct bins *bins, int locations_per_row)
{
    int n_whole = bins->n_locations / bins->n_ranks;
    bins->locations_per_row = locations_per_row;
    bins->rows_of_kind = rows_of(bins->n_ranks, locations_per_row);
    bins->n_rows = n_whole * bins->rows_of_kind + rows_of(bins->n_locations % bins->n_ranks, locations_per_row);
}

static int row_of(const struct bins *bins, int location)
{
    return location / bins->n_ranks * bins->rows_of_kind + location % bins->n_ranks / bins->locations_per_row;
}

void bins_init(struct bins *bins, int n_ranks, int n_locations, int n_scopes)
{
    *bins = (struct bins){.n_ranks = n_ranks,
                          .n_locations = n_locations,
                          .n_bins = TIMELINE_BINS,
                          .n_channels = N_LOCATION_STATES + n_scopes};
    set_rows(bins, rows_of(n_locations, TIMELINE_ROWS));
    while (bins->n_rows > TIMELINE_ROWS && bins->rows_of_kind > 1)
        set_rows(bins, bins->locations_per_row + 1);
    int64_t n_channels = (int64_t)bins->n_rows * bins->n_channels;
    while (bins->n_bins > 1 && n_channels * bins->n_bins > most_cells)
        bins->n_bins /= 2;
    bins->cells = xcalloc((size_t)(n_channels * bins->n_bins), sizeof *bins->cells);
}

void bins_dispose(struct bins *bins)
{
    free(bins->cells);
}

/* 2^steps bins become one, as often as there is room for them. */
static void widen(struct bins *bins, int steps)
{
    int n_channels = bins->n_rows * bins->n_channels;
    for (int c = 0; c < n_channels; c++) {
        uint64_t *cells = bins_channel(bins, 0, c);
        for (int bin = 1; bin < bins->n_bins; bin++) {
            uint64_t sum = cells[bin];
            cells[bin] = 0;
            cells[steps < 31 ? bin >> steps : 0] += sum;
        }
    }
    bins->shift += steps;
}

void bins_reach(struct bins *bins, int64_t end_ps)
{
    int steps = 0;
    while ((end_ps - 1) >> (bins->shift + steps) >= bins->n_bins)
        steps++;
    if (steps > 0)
        widen(bins, steps);
}

void bins_add(struct bins *bins, int location, int64_t start_ps, int64_t end_ps, int state, int scope)
{
    if ((end_ps - 1) >> bins->shift >= bins->n_bins)
        bins_reach(bins, end_ps);
    int row = row_of(bins, location);
    uint64_t *of_state = bins_channel(bins, row, state), *of_scope = bins_channel(bins, row, N_LOCATION_STATES + scope);
    while (start_ps < end_ps) {
        int64_t bin = start_ps >> bins->shift, next_ps = (bin + 1) << bins->shift;
        int64_t until_ps = next_ps < end_ps ? next_ps : end_ps;
        of_state[bin] += (uint64_t)(until_ps - start_ps);
        of_scope[bin] += (uint64_t)(until_ps - start_ps);
        start_ps = until_ps;
    }
}

int bins_used(const struct bins *bins, int64_t end_ps)
{
    int64_t used = end_ps > 0 ? ((end_ps - 1) >> bins->shift) + 1 : 0;
    return used < bins->n_bins ? (int)used : bins->n_bins;
}

void bins_round(struct bins *bins)
{
    uint64_t most = (uint64_t)bins->locations_per_row << bins->shift;
    bins->cell_shift = 0;
    while (most >> bins->cell_shift >= INT8_MAX) /* rounding may add 1 */
        bins->cell_shift++;
}

void bins_halve(struct bins *bins)
{
    int n_channels = bins->n_rows * bins->n_channels, half = bins->n_bins / 2;
    widen(bins, 1);
    for (int c = 1; c < n_channels; c++)
        memmove(&bins->cells[(size_t)c * (size_t)half], bins_channel(bins, 0, c), (size_t)half * sizeof *bins->cells);
    bins->n_bins = half;
}

/* Make row `to`, which is not behind `from`, that row, or add it. */
static void move_row(struct bins *bins, int to, int from, bool adds)
{
    size_t n = (size_t)bins->n_channels * (size_t)bins->n_bins;
    uint64_t *sums = bins_channel(bins, to, 0);
    const uint64_t *row = bins_channel(bins, from, 0);
    for (size_t i = 0; i < n; i++)
        sums[i] = (adds ? sums[i] : 0) + row[i];
}

void bins_halve_rows(struct bins *bins)
{
    int n_rows = bins->n_rows, rows_of_kind = bins->rows_of_kind;
    set_rows(bins, 2 * bins->locations_per_row);
    for (int row = 0; row < n_rows; row++) {
        int of_kind = row % rows_of_kind;
        move_row(bins, row / rows_of_kind * bins->rows_of_kind + of_kind / 2, row, of_kind % 2 == 1);
    }
}
