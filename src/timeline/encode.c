/* Writes the encoded form: its parts are in the order of timeline.h, which says what they mean. Here are the header,
 * the bins, and which of the two forms it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/encoder.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- What it is of ---- */

static void add_name(struct column *out, const char *name)
{
    size_t length = strlen(name);
    column_add(out, length);
    column_add_bytes(out, name, length);
}

static void add_names(struct column *out, const char *const *names, int n_names)
{
    column_add(out, (uint64_t)n_names);
    for (int i = 0; i < n_names; i++)
        add_name(out, names[i]);
}

/* The names of further processors, if they have some. */
static void add_processors(struct column *out, const struct interval_setup *setup)
{
    int n = setup->processor_names != NULL ? interval_processors(setup) - setup->n_ranks : 0;
    column_add(out, (uint64_t)n);
    for (int i = 0; i < n; i++) {
        char name[PROCESSOR_NAME];
        interval_name_processor(name, setup, setup->n_ranks + i);
        add_name(out, name);
    }
}

static void encode_header(struct encoder *encoder)
{
    static const uint8_t magic[] = {'T', 'L', 'N', 4};
    const struct timeline *timeline = encoder->timeline;
    struct column *out = &encoder->out;
    column_add_bytes(out, magic, sizeof magic);
    column_add(out, (uint64_t)timeline->n_ranks);
    column_add(out, (uint64_t)timeline->n_locations);
    column_add(out, (uint64_t)timeline->setup.n_more_processors);
    column_add(out, timeline->setup.has_progress);
    add_processors(out, &timeline->setup);
    column_add(out, (uint64_t)timeline->end_ps);
    column_add(out, (uint64_t)encoder->unit_ps);
    add_names(out, location_state_names, N_LOCATION_STATES);
    add_names(out, category_names, N_CATEGORIES);
    add_names(out, operation_names, N_OPERATIONS);
    add_names(out, (const char *const *)timeline->scopes, timeline->n_scopes);
    add_names(out, (const char *const *)timeline->components, timeline->n_components);
}

/* ---- Bins ---- */

/* A sum in cells is what the sum up to it is longer than that before, so that what is lost does not add up. */
static void add_cells(struct encoder *encoder, int column, const uint64_t *sums, int n_cells, int cell_shift)
{
    wide_int sum_ps = 0, written = 0;
    uint64_t n_zeros = 0;
    for (int i = 0; i < n_cells; i++) {
        sum_ps += sums[i];
        uint64_t cell = (uint64_t)((sum_ps >> cell_shift) - written);
        written += cell;
        if (n_zeros > 0 && cell != 0) {
            encoder_add(encoder, column, n_zeros - 1);
            n_zeros = 0;
        }
        if (cell != 0 || n_zeros == 0)
            encoder_add(encoder, column, cell);
        n_zeros += cell == 0;
    }
    if (n_zeros > 0)
        encoder_add(encoder, column, n_zeros - 1);
}

static void encode_bins(struct encoder *encoder, const struct bins *bins)
{
    int n_bins = bins_used(bins, encoder->timeline->end_ps);
    column_add(&encoder->out, (uint64_t)bins->n_rows);
    column_add(&encoder->out, (uint64_t)n_bins);
    column_add(&encoder->out, (uint64_t)bins->locations_per_row);
    column_add(&encoder->out, UINT64_C(1) << bins->shift);
    column_add(&encoder->out, UINT64_C(1) << bins->cell_shift);
    for (int row = 0; row < bins->n_rows; row++)
        for (int c = 0; c < bins->n_channels; c++)
            add_cells(encoder, c < N_LOCATION_STATES ? 0 : 1, bins_channel(bins, row, c), n_bins, bins->cell_shift);
    encoder_move_columns(encoder, 2);
}

static void encode_no_bins(struct encoder *encoder)
{
    for (int i = 0; i < 2; i++)
        column_add(&encoder->out, 0);
    for (int i = 0; i < 3; i++)
        column_add(&encoder->out, 1);
    encoder_move_columns(encoder, 2);
}

/* ---- The two forms ---- */

static void encode(struct encoder *encoder)
{
    encoder->unit_ps = encode_unit(encoder->timeline);
    encoder->out.length = 0;
    encode_header(encoder);
    encode_intervals(encoder);
    encode_messages(encoder);
    encode_path(encoder);
    if (encoder->timeline->has_bins)
        encode_bins(encoder, &encoder->timeline->bins);
    else
        encode_no_bins(encoder);
}

/* The bins of a timeline that may have none; to be disposed of. */
static struct bins make_bins(const struct timeline *timeline)
{
    struct bins bins;
    bins_init(&bins, timeline->n_ranks, timeline->n_locations, timeline->n_scopes);
    if (!timeline->has_bins) {
        timeline_fill(&bins, timeline);
        return bins;
    }
    size_t size = (size_t)bins.n_rows * (size_t)bins.n_channels * (size_t)bins.n_bins * sizeof *bins.cells;
    memcpy(bins.cells, timeline->bins.cells, size);
    bins.shift = timeline->bins.shift;
    return bins;
}

/* Make the next thing smaller: the sums, bins down to 64, then rows, then bins again. False if nothing is left. */
static bool make_smaller(struct bins *bins)
{
    enum { FEW_BINS = 64 };
    bool has_rows = bins->rows_of_kind > 1, is_rounded = bins->cell_shift > 0;
    if (is_rounded && (bins->n_bins > FEW_BINS || (!has_rows && bins->n_bins > 1)))
        bins_halve(bins);
    else if (is_rounded && has_rows)
        bins_halve_rows(bins);
    else if (is_rounded)
        return false;
    bins_round(bins);
    return is_rounded || bins->cell_shift > 0;
}

/* As it is for a timeline that has kept nothing but bins. */
static void encode_overview(struct encoder *encoder, size_t most_bytes)
{
    struct timeline overview = *encoder->timeline;
    overview.n_intervals = overview.n_messages = overview.n_segments = 0;
    overview.bins = make_bins(encoder->timeline);
    overview.has_bins = true;
    encoder->timeline = &overview;
    do
        encode(encoder);
    while (encoder->out.length > most_bytes && make_smaller(&overview.bins));
    bins_dispose(&overview.bins);
}

void timeline_encode(uint8_t **bytes, size_t *length, const struct timeline *timeline, size_t most_bytes)
{
    struct encoder encoder = {.timeline = timeline};
    assert(timeline->end_ps >= 0);
    encode(&encoder);
    if (encoder.out.length > most_bytes)
        encode_overview(&encoder, most_bytes);
    *bytes = encoder.out.bytes;
    *length = encoder.out.length;
    for (int i = 0; i < N_COLUMNS; i++)
        free(encoder.columns[i].bytes);
}
