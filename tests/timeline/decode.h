/* Reads the encoded form of a timeline by what timeline.h says of it, and by nothing else, for tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_TIMELINE_DECODE_H
#define TESTS_TIMELINE_DECODE_H

#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decoded_interval {
    int64_t location, start, length, state, kind, scope, category, operation;
};

struct decoded_message {
    int64_t from, to, sent, received, bytes, tag;
};

struct decoded_segment {
    int64_t location, start, length, component, scope;
};

struct decoded_names {
    int64_t count;
    char **names;
};

enum { STATE_NAMES, CATEGORY_NAMES, OPERATION_NAMES, SCOPE_NAMES, COMPONENT_NAMES, N_NAMES };

struct decoded {
    bool valid; /* all bytes were read, and no more */
    int64_t n_ranks, n_locations, n_more_processors, has_progress, end_ps, unit_ps;
    struct decoded_names processors, names[N_NAMES];
    int64_t all_intervals, n_intervals, all_messages, n_messages, all_segments, n_segments;
    struct decoded_interval *intervals; /* times in ps */
    struct decoded_message *messages;
    struct decoded_segment *segments;
    int64_t n_rows, n_bins, locations_per_row, bin_ps, cell_ps;
    int64_t *states, *scopes; /* in ps */
};

struct bytes {
    const uint8_t *at, *end;
    bool failed;
};

static uint64_t decode_number(struct bytes *bytes)
{
    uint64_t number = 0;
    for (int shift = 0; bytes->at < bytes->end && shift < 64; shift += 7) {
        uint8_t byte = *bytes->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    bytes->failed = true;
    return 0;
}

static int64_t decode_count(struct bytes *bytes)
{
    return (int64_t)decode_number(bytes);
}

static int64_t decode_signed(struct bytes *bytes)
{
    uint64_t number = decode_number(bytes);
    return number % 2 == 0 ? (int64_t)(number / 2) : -(int64_t)(number / 2) - 1;
}

static struct bytes decode_column(struct bytes *bytes)
{
    uint64_t length = decode_number(bytes);
    if (length > (uint64_t)(bytes->end - bytes->at)) {
        bytes->failed = true;
        length = 0;
    }
    struct bytes column = {bytes->at, bytes->at + length, false};
    bytes->at += length;
    return column;
}

static void decode_end(struct bytes *bytes, const struct bytes *columns, int n_columns)
{
    for (int i = 0; i < n_columns; i++)
        bytes->failed |= columns[i].failed || columns[i].at != columns[i].end;
}

static void decode_names(struct bytes *bytes, struct decoded_names *names)
{
    names->count = decode_count(bytes);
    names->names = xcalloc((size_t)names->count, sizeof *names->names);
    for (int64_t i = 0; i < names->count; i++) {
        struct bytes name = decode_column(bytes);
        names->names[i] = xformat("%.*s", (int)(name.end - name.at), (const char *)name.at);
    }
}

static void decode_intervals(struct bytes *bytes, struct decoded *to)
{
    to->all_intervals = decode_count(bytes);
    to->n_intervals = decode_count(bytes);
    to->intervals = xcalloc((size_t)to->n_intervals, sizeof *to->intervals);
    int64_t n_classes = decode_count(bytes);
    int64_t(*classes)[5] = xcalloc((size_t)n_classes, sizeof *classes);
    int64_t *last = xcalloc((size_t)n_classes, sizeof *last);
    for (int64_t i = 0; i < 5 * n_classes; i++)
        classes[i / 5][i % 5] = decode_count(bytes);
    struct bytes columns[3];
    for (int i = 0; i < 3; i++)
        columns[i] = decode_column(bytes);
    int64_t n = 0;
    for (int64_t location = 0; to->n_intervals > 0 && location < to->n_locations; location++) {
        int64_t at = 0;
        memset(last, 0, (size_t)n_classes * sizeof *last);
        for (int64_t left = decode_count(&columns[0]); left > 0 && n < to->n_intervals; left--) {
            int64_t class = decode_count(&columns[1]), *its = classes[class];
            last[class] += decode_signed(&columns[2]) * to->unit_ps;
            to->intervals[n++] =
                (struct decoded_interval){location, at, last[class], its[0], its[1], its[2], its[3], its[4]};
            at += last[class];
        }
    }
    bytes->failed |= n != to->n_intervals;
    decode_end(bytes, columns, 3);
    free(classes);
    free(last);
}

static void decode_messages(struct bytes *bytes, struct decoded *to)
{
    to->all_messages = decode_count(bytes);
    to->n_messages = decode_count(bytes);
    to->messages = xcalloc((size_t)to->n_messages, sizeof *to->messages);
    struct bytes columns[6];
    for (int i = 0; i < 6; i++)
        columns[i] = decode_column(bytes);
    int64_t n = 0;
    for (int64_t from = 0; to->n_messages > 0 && from < to->n_locations; from++) {
        struct decoded_message last = {.from = from};
        for (int64_t left = decode_count(&columns[0]); left > 0 && n < to->n_messages; left--) {
            last.to = from + decode_signed(&columns[1]);
            last.sent += decode_count(&columns[2]) * to->unit_ps;
            last.received = last.sent + decode_signed(&columns[3]) * to->unit_ps;
            last.bytes += decode_signed(&columns[4]);
            last.tag += decode_signed(&columns[5]);
            to->messages[n++] = last;
        }
    }
    bytes->failed |= n != to->n_messages;
    decode_end(bytes, columns, 6);
}

static void decode_segments(struct bytes *bytes, struct decoded *to)
{
    struct decoded_segment last = {0};
    to->all_segments = decode_count(bytes);
    to->n_segments = decode_count(bytes);
    to->segments = xcalloc((size_t)to->n_segments, sizeof *to->segments);
    struct bytes columns[5];
    for (int i = 0; i < 5; i++)
        columns[i] = decode_column(bytes);
    for (int64_t i = 0; i < to->n_segments; i++) {
        last.location += decode_signed(&columns[0]);
        last.start += last.length + decode_signed(&columns[1]) * to->unit_ps;
        last.length = decode_count(&columns[2]) * to->unit_ps;
        last.component = decode_count(&columns[3]);
        last.scope = decode_count(&columns[4]);
        to->segments[i] = last;
    }
    decode_end(bytes, columns, 5);
}

static int64_t *decode_cells(struct bytes *bytes, int64_t n_cells, int64_t cell_ps)
{
    struct bytes column = decode_column(bytes);
    int64_t *cells = xcalloc((size_t)n_cells, sizeof *cells), i = 0;
    while (i < n_cells && !column.failed) {
        cells[i] = decode_count(&column);
        cells[i] *= cell_ps;
        i += cells[i] == 0 ? 1 + decode_count(&column) : 1;
    }
    bytes->failed |= i != n_cells;
    decode_end(bytes, &column, 1);
    return cells;
}

static struct decoded decode(const uint8_t *data, size_t length)
{
    struct decoded to = {0};
    struct bytes bytes = {data + 4, data + length, false};
    if (length < 4 || memcmp(data, "TLN\4", 4) != 0)
        return to;
    to.n_ranks = decode_count(&bytes);
    to.n_locations = decode_count(&bytes);
    to.n_more_processors = decode_count(&bytes);
    to.has_progress = decode_count(&bytes);
    decode_names(&bytes, &to.processors);
    to.end_ps = decode_count(&bytes);
    to.unit_ps = decode_count(&bytes);
    for (int i = 0; i < N_NAMES; i++)
        decode_names(&bytes, &to.names[i]);
    decode_intervals(&bytes, &to);
    decode_messages(&bytes, &to);
    decode_segments(&bytes, &to);
    to.n_rows = decode_count(&bytes);
    to.n_bins = decode_count(&bytes);
    to.locations_per_row = decode_count(&bytes);
    to.bin_ps = decode_count(&bytes);
    to.cell_ps = decode_count(&bytes);
    to.states = decode_cells(&bytes, to.n_rows * to.names[STATE_NAMES].count * to.n_bins, to.cell_ps);
    to.scopes = decode_cells(&bytes, to.n_rows * to.names[SCOPE_NAMES].count * to.n_bins, to.cell_ps);
    to.valid = !bytes.failed && bytes.at == bytes.end;
    return to;
}

static void free_names(struct decoded_names *names)
{
    for (int64_t k = 0; k < names->count; k++)
        free(names->names[k]);
    free(names->names);
}

static void decoded_dispose(struct decoded *decoded)
{
    free_names(&decoded->processors);
    for (int i = 0; i < N_NAMES; i++)
        free_names(&decoded->names[i]);
    free(decoded->intervals);
    free(decoded->messages);
    free(decoded->segments);
    free(decoded->states);
    free(decoded->scopes);
}

#endif
