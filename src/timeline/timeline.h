/* The timeline: what every location did when, recorded from intervals to be drawn, and the bytes that it is drawn from.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     struct timeline *timeline = timeline_new(&setup, NULL);
 *     ... intervals go to timeline_take() ...
 *     timeline_finish(timeline, end_ps);
 *     timeline_encode(&bytes, &length, timeline, 1 << 20);
 *     timeline_free(timeline);
 *
 * Recorded are the intervals of each location, neighbors that are alike made one; the messages with both ends; and the
 * critical path, which the caller adds. Above a limit the messages or the path are dropped and only counted; intervals
 * then become sums in bins. So memory is bounded whatever the length of the run, and what is left out is always said.
 *
 * Bins: a row is a location or, where there are more than TIMELINE_ROWS, a group of consecutive ones; the first
 * processors of ranks, the second ones, and controllers apart. A row has up to TIMELINE_BINS bins of equal width, a
 * power of two in ps, which doubles when time runs past the last. Each bin has the time in each state and in each
 * scope, in sums that are exact.
 *
 * The encoded form
 *
 *   The form is made of numbers and columns. A number is a varint: seven bits a byte, the least ones first, the highest
 *   bit set in all bytes but the last. A signed one is written as 2n, or -2n - 1 where it is below 0. A column is the
 *   number of its bytes, then its numbers without anything between. Columns keep like beside like, for who compresses
 *   them. A name is the number of its bytes, then these, in UTF-8. Names are their number, then each.
 *
 *   'T' 'L' 'N' 4             four bytes
 *   n_ranks n_locations       as in interval.h: controllers come behind the processors of ranks
 *   n_more_processors         that each rank has beside its first
 *   has_progress              1: what is behind these is no controllers (interval.h)
 *   processor_names           of each of these, by location, as "thread 2" or "cpu 1"; none: all are "cpu K"
 *   end_ps                    of the run
 *   unit_ps                   times are in units of so many ps, but for those that are called ps
 *   state_names category_names operation_names scope_names component_names
 *
 *   all_intervals             how many the run has
 *   n_intervals               how many are here: all or 0
 *   n_classes                 then of each class: state kind scope category operation (interval.h; scope_names)
 *   column counts             of each location: how many intervals it has; none where there are no intervals here
 *   column classes            of each interval, location after location, in order of time
 *   column lengths            signed: what it is longer than the last one of its class on its location, first than 0
 *                             An interval begins where its location's last one ends, the first at 0.
 *
 *   all_messages              how many were received
 *   n_messages                how many are here: all or 0
 *   column counts             of each location: how many it sent; none where there are no messages here
 *   column to                 signed: the receiver less the sender, both locations; messages by sender, in order of
 *                             time
 *   column sent               since the sender's last message, first since 0: when the sending began
 *   column taken              signed: the end of the receive, since then
 *   column bytes              signed: more than the sender's last message, first than 0
 *   column tags               signed: likewise
 *
 *   all_segments              of the critical path
 *   n_segments                how many are here: all or 0
 *   column locations          signed: less that of the last, first less 0
 *   column starts             signed: since the end of the last, first since 0
 *   column lengths
 *   column components         index into component_names
 *   column scopes
 *
 *   n_rows n_bins             both 0 where all intervals are here: whoever wants sums makes them
 *   locations_per_row         the last row of the k-th processors, and of the controllers, may have fewer
 *   bin_ps                    the width of a bin; the last may reach beyond the end of the run
 *   cell_ps                   what sums are counted in. 1: they are exact. Else the sum over any bins that are side by
 *                             side is less than one cell_ps off
 *   column states             of each row, of each state, of each bin: the sum in cell_ps
 *   column scopes             of each row, of each scope, of each bin: the sum in cell_ps
 *                             In these two a 0 is followed by how many more there are behind it.
 *
 * There is nothing behind that. The same intervals give the same bytes. */
#ifndef TIMELINE_TIMELINE_H
#define TIMELINE_TIMELINE_H

#include "interval/interval.h"

#include <stddef.h>
#include <stdint.h>

enum { TIMELINE_ROWS = 256, TIMELINE_BINS = 1024 };

struct timeline;

/* How many are kept; above that none. */
struct timeline_limits {
    size_t most_intervals; /* 16 bytes each; usually 1,500,000 */
    size_t most_messages;  /* 56 bytes each; usually 500,000; of the segments, too, with 24 bytes each */
};

/* A piece of the critical path. They are added in order of time. */
struct timeline_segment {
    int64_t start_ps, end_ps;
    int32_t location;
    uint8_t component, scope;
};

/* limits: NULL for the usual ones. Names are copied. */
struct timeline *timeline_new(const struct interval_setup *setup, const struct timeline_limits *limits);
void timeline_free(struct timeline *timeline);

/* Take the next interval: the function of an interval_sink. Messages are recorded only where receipts come, too. */
void timeline_take(void *timeline, const struct interval *interval);

/* The names of the segments' components; to be given before the first segment. */
void timeline_name_components(struct timeline *timeline, const char *const *names, int n_names);
void timeline_add_path_segment(struct timeline *timeline, const struct timeline_segment *segment);

/* After the last interval: the run took that long. */
void timeline_finish(struct timeline *timeline, int64_t end_ps);

/* The encoded form, to be freed. It is exact, with intervals, messages and path, where that takes no more than
 * most_bytes. Else it is an overview, which has bins alone. Where they do not fit, sums are rounded to one byte each,
 * then there are half as many bins again and again, then half the rows. The part that cannot be made smaller is at most
 * a few hundred bytes and the names. Only of a finished timeline. */
void timeline_encode(uint8_t **bytes, size_t *length, const struct timeline *timeline, size_t most_bytes);

#endif
