/* Rows of benchmarks put together: for each benchmark and placement of its ranks the median of all repetitions at each
 * length.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_SERIES_H
#define BRING_SERIES_H

#include "measurement/benchmark.h"

enum { SERIES_LENGTHS = 512 }; /* at most */

struct point {
    int64_t bytes;
    double time_s; /* the median */
    double least_s, most_s;
    int n; /* repetitions */
    int file;
    long line; /* of the first of them */
};

struct series {
    const struct benchmark_spec *spec;
    int ranks, hosts, pairs, window, wires; /* as of its rows */
    struct point *points;                   /* lengths ascend */
    int count;
    bool is_used; /* a number of the platform comes from it */
};

struct series_list {
    struct series *items;
    size_t count;
};

/* Leave out points that are more than ten times out of line with the lengths next to them, and note them; of fewer than
 * five points, none. */
void series_leave_out(struct series *series, struct benchmarks *benchmarks);

/* Put the rows together, without what is far out of line. More than SERIES_LENGTHS lengths of one series are an
 * error. */
int series_make(struct series_list *list, struct benchmarks *benchmarks, struct sim_error *error);
void series_dispose(struct series_list *list);

/* The series of a kind with most lengths among those on so many hosts for each pair of ranks: 1 or 2; NULL: there is
 * none. Only those of one pair, or of pairs that have hosts of their own. */
struct series *series_find(const struct series_list *list, enum benchmark_kind kind, int hosts_of_pair);

/* The time at a length, on a straight line between two points; beyond them that of the nearest. */
double series_at(const struct series *series, int64_t bytes);

/* The time from one message to the next of a stream that has no end: a window takes (window - 1) of them, a message and
 * an empty one back, whose times `latency` has. */
double series_gap(const struct series *stream, int i, const struct series *latency);

#endif
