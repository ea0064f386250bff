/* Reads an encoded timeline, item after item in the order of timeline/timeline.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/timeline_sums.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A timeline has at most so many rows, and so many bins in each. */
enum { MOST_BINS = 1 << 12 };

/* --- numbers and columns --- */

struct reader {
    const unsigned char *at, *end;
    bool failed;
};

static uint64_t number(struct reader *reader)
{
    uint64_t value = 0;
    for (int shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
        unsigned char byte = *reader->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    reader->failed = true;
    return 0;
}

static int64_t signed_number(struct reader *reader)
{
    uint64_t value = number(reader);
    return value & 1 ? -(int64_t)(value / 2) - 1 : (int64_t)(value / 2);
}

/* So many bytes, as a reader of their own. */
static struct reader part(struct reader *reader)
{
    uint64_t length = number(reader);
    if (length > (uint64_t)(reader->end - reader->at)) {
        reader->failed = true;
        length = 0;
    }
    struct reader made = {reader->at, reader->at + length, reader->failed};
    reader->at += length;
    return made;
}

static void skip_names(struct reader *reader)
{
    for (uint64_t n = number(reader); n > 0 && !reader->failed; n--)
        part(reader);
}

static void read_states(struct reader *reader, struct timeline_sums *sums)
{
    uint64_t n = number(reader);
    reader->failed |= n > TIMELINE_STATES;
    for (uint64_t i = 0; i < n && !reader->failed; i++) {
        struct reader name = part(reader);
        snprintf(sums->states[i], sizeof sums->states[i], "%.*s", (int)(name.end - name.at), (const char *)name.at);
    }
    sums->n_states = reader->failed ? 0 : (size_t)n;
}

/* --- sums --- */

static double *cell(const struct timeline_sums *sums, size_t row, size_t column)
{
    return &sums->sums[(row * sums->n_columns + column) * sums->n_states];
}

/* Add an amount that is spread evenly from one part of the time to another. */
static void add(struct timeline_sums *sums, size_t row, double from, double to, size_t state, double amount)
{
    double first = fmax(from, 0) * (double)sums->n_columns, last = fmin(to, 1) * (double)sums->n_columns;
    if (!(last > first) || amount <= 0)
        return;
    for (size_t c = (size_t)first; c < sums->n_columns && (double)c < last; c++) {
        double share = (fmin(last, (double)c + 1) - fmax(first, (double)c)) / (last - first);
        cell(sums, row, c)[state] += share * amount;
    }
}

static void make_rows(struct timeline_sums *sums, uint64_t n, size_t most_rows)
{
    sums->per_row = (size_t)((n + most_rows - 1) / most_rows);
    sums->n_rows = (size_t)((n + sums->per_row - 1) / sums->per_row);
    sums->sums = xcalloc(sums->n_rows * sums->n_columns * sums->n_states + 1, sizeof *sums->sums);
}

/* --- intervals --- */

static void read_intervals(struct reader *reader, struct timeline_sums *sums, uint64_t n_locations, double end)
{
    uint64_t n_classes = number(reader);
    if (n_classes > (uint64_t)(reader->end - reader->at) / 5) {
        reader->failed = true;
        return;
    }
    uint8_t *state_of = xcalloc((size_t)n_classes + 1, 1);
    int64_t *length_of = xcalloc((size_t)n_classes + 1, sizeof *length_of);
    for (uint64_t c = 0; c < n_classes; c++) {
        uint64_t state = number(reader);
        for (int i = 0; i < 4; i++)
            number(reader);
        reader->failed |= state >= sums->n_states;
        state_of[c] = (uint8_t)state;
    }
    struct reader counts = part(reader), classes = part(reader), lengths = part(reader);
    for (uint64_t l = 0; l < n_locations && counts.at < counts.end && !reader->failed; l++) {
        double at = 0;
        memset(length_of, 0, (size_t)n_classes * sizeof *length_of);
        for (uint64_t i = number(&counts); i > 0 && !classes.failed && !lengths.failed; i--) {
            uint64_t c = number(&classes);
            if (c >= n_classes) {
                reader->failed = true;
                break;
            }
            length_of[c] += signed_number(&lengths);
            double to = at + (double)length_of[c];
            add(sums, (size_t)l / sums->per_row, at / end, to / end, state_of[c], to - at);
            at = to;
        }
    }
    reader->failed |= counts.failed || classes.failed || lengths.failed;
    free(length_of);
    free(state_of);
}

static void read_messages(struct reader *reader, struct timeline_sums *sums, uint64_t n_locations, double end,
                          size_t most)
{
    number(reader);
    uint64_t n = number(reader);
    struct reader counts = part(reader), to = part(reader), sent = part(reader), taken = part(reader);
    part(reader); /* bytes */
    part(reader); /* tags */
    if (n == 0 || n > most)
        return;
    sums->messages = xcalloc((size_t)n, sizeof *sums->messages);
    for (uint64_t l = 0; l < n_locations && !counts.failed; l++) {
        double at = 0;
        for (uint64_t i = number(&counts); i > 0 && sums->n_messages < n && !to.failed && !sent.failed; i--) {
            at += (double)number(&sent);
            sums->messages[sums->n_messages++] = (struct timeline_message){
                (int64_t)l, (int64_t)l + signed_number(&to), at / end, (at + (double)signed_number(&taken)) / end};
        }
    }
    reader->failed |= counts.failed || to.failed || sent.failed || taken.failed;
}

/* --- bins --- */

/* They take the place of intervals, if there are any. A 0 is followed by how many more there are behind it. */
static void read_bins(struct reader *reader, struct timeline_sums *sums, double end_ps, size_t most_rows)
{
    uint64_t n_rows = number(reader), n_bins = number(reader), zeros = 0;
    size_t per_row = (size_t)number(reader);
    double bin_ps = (double)number(reader), cell_ps = (double)number(reader);
    struct reader states = part(reader);
    part(reader); /* scopes */
    reader->failed |= n_rows > MOST_BINS || n_bins > MOST_BINS;
    if (n_rows == 0 || reader->failed)
        return;
    free(sums->sums);
    make_rows(sums, n_rows, most_rows);
    for (uint64_t r = 0; r < n_rows && !states.failed; r++)
        for (size_t s = 0; s < sums->n_states; s++)
            for (uint64_t b = 0; b < n_bins && !states.failed; b++) {
                uint64_t value = zeros > 0 ? 0 : number(&states);
                zeros = zeros > 0 ? zeros - 1 : value == 0 ? number(&states) : 0;
                add(sums, (size_t)r / sums->per_row, (double)b * bin_ps / end_ps, (double)(b + 1) * bin_ps / end_ps, s,
                    (double)value * cell_ps);
            }
    sums->per_row *= per_row;
    reader->failed |= states.failed;
}

/* --- all --- */

bool timeline_sums_read(struct timeline_sums *sums, const unsigned char *bytes, size_t length, size_t most_rows,
                        size_t n_columns, size_t most_messages)
{
    struct reader reader = {bytes, bytes + length, false};
    *sums = (struct timeline_sums){.n_columns = n_columns};
    if (length < 4 || memcmp(bytes, "TLN\4", 4) != 0)
        return false;
    reader.at += 4;
    uint64_t n_ranks = number(&reader), n_locations = number(&reader);
    number(&reader); /* more processors */
    number(&reader); /* progress */
    skip_names(&reader);
    double end_ps = (double)number(&reader), end = end_ps / fmax((double)number(&reader), 1);
    read_states(&reader, sums);
    for (int i = 0; i < 4; i++) /* categories, operations, scopes, components */
        skip_names(&reader);
    sums->are_ranks = n_ranks == n_locations;
    sums->end_s = end_ps / 1e12;
    reader.failed |= n_locations == 0 || n_locations > INT32_MAX || !(end > 0);
    if (reader.failed)
        return false;
    number(&reader); /* all intervals */
    number(&reader); /* those here */
    make_rows(sums, n_locations, most_rows);
    read_intervals(&reader, sums, n_locations, end);
    read_messages(&reader, sums, n_locations, end, most_messages);
    number(&reader); /* all segments */
    number(&reader); /* those here */
    for (int i = 0; i < 5; i++)
        part(&reader);
    read_bins(&reader, sums, end_ps, most_rows);
    if (reader.failed)
        timeline_sums_dispose(sums);
    return !reader.failed;
}

void timeline_sums_dispose(struct timeline_sums *sums)
{
    free(sums->sums);
    free(sums->messages);
    *sums = (struct timeline_sums){0};
}
