/* The critical path: the longest chain of intervals that led to the present of each rank.
 *
 * No trace is needed. Each rank carries numbers, its row, which say what its chain consists of; a family of metrics
 * chooses them, and adds each interval to them. Where an interval ended because of another rank (CAUSE_PEER), the rank
 * takes over that one's row, and the time since `origin_ps` counts; with CAUSE_CHECKPOINT the row that the message's
 * departure has kept. An interval that departs keeps the row as of its end, or of its beginning.
 *
 * Invariant: while a rank is not idle, the parts of its row add up to its present. Idle time that nothing is followed
 * for adds nothing, unless it is sleep: either what ended the wait replaces the row, or the rank has ended. (interval.h
 * says how intervals come.)
 *
 * Most numbers of most families are 0 in all rows, so rows are narrow: a number has a column from when something is
 * added to it first. Then all rows and checkpoints are laid out anew. So a million ranks take some bytes each, and
 * rows are copied faster.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_CRITICAL_PATH_H
#define METRICS_CRITICAL_PATH_H

#include "interval/interval.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct critical_path {
    int n_ranks;
    int n_parts;          /* the numbers of a row that add up to the time, in ps */
    int n_numbers;        /* all of a row; those behind the parts say the same in another way */
    int n_used;           /* those that have a column */
    int width;            /* the columns of a row; those that no number has are of no value */
    int *columns;         /* of each number; NO_COLUMN: it is 0 in all rows */
    int64_t *rows;        /* one for each rank */
    int64_t *checkpoints; /* one for each message that has departed, as of then; of no value before */
    size_t n_checkpoints;
    int64_t *longest; /* n_numbers: see critical_path_longest() */
};

enum { NO_COLUMN = -1 };

/* Rows of zeros, where each number is its own column; narrow rows. */
void critical_path_init(struct critical_path *path, int n_ranks, int n_parts, int n_more);
void critical_path_init_narrow(struct critical_path *path, int n_ranks, int n_parts, int n_more);
void critical_path_dispose(struct critical_path *path);

/* Good until something is added to another number. */
static inline int64_t *critical_path_row(const struct critical_path *path, int rank)
{
    return &path->rows[(size_t)rank * (size_t)path->width];
}

/* The row of what has departed as `message`; good until the next departure. */
static inline int64_t *critical_path_checkpoint(const struct critical_path *path, uint32_t message)
{
    return &path->checkpoints[(size_t)message * (size_t)path->width];
}

/* Make room for the checkpoints of messages up to that one; new ones are zero. */
void critical_path_grow(struct critical_path *path, uint32_t message);

/* The first critical_path_add() of a number, which gives it a column. */
void critical_path_add_first(struct critical_path *path, int rank, int number, int64_t ps);

/* Add to a number of the rank's row. */
static inline void critical_path_add(struct critical_path *path, int rank, int number, int64_t ps)
{
    int column = path->columns[number];
    if (column != NO_COLUMN)
        critical_path_row(path, rank)[column] += ps;
    else
        critical_path_add_first(path, rank, number, ps);
}

/* Add an interval that takes `length_ps`, which is not 0, on the path to the row of the interval's location. */
typedef void critical_path_interval(void *self, const struct interval *interval, int64_t length_ps);

static inline void critical_path_copy(const struct critical_path *path, int64_t *row, const int64_t *other)
{
    if (path->width == 1)
        *row = *other;
    else
        memcpy(row, other, (size_t)path->width * sizeof *row);
}

/* Keep the row as of now under the interval's message. */
static inline void critical_path_keep(struct critical_path *path, const struct interval *interval)
{
    if (interval->message >= path->n_checkpoints)
        critical_path_grow(path, interval->message);
    critical_path_copy(path, critical_path_checkpoint(path, interval->message),
                       critical_path_row(path, interval->location));
}

/* True if an interval is to be added to the path with this length: it is, unless it is a wait that ends by itself. */
static inline bool critical_path_counts(const struct interval *interval, int64_t length_ps)
{
    return length_ps != 0 && (interval->cause != CAUSE_SELF || interval->state != STATE_IDLE ||
                              interval->wait == WAIT_SLEEP || interval->wait == WAIT_LAUNCH);
}

/* Take the next interval; those of protocol controllers are left out. It is called for each interval of a run, so it is
 * inline, and so becomes what `add_interval` points to. */
static inline void critical_path_take(struct critical_path *path, const struct interval *interval,
                                      critical_path_interval *add_interval, void *self)
{
    if (interval->location >= path->n_ranks)
        return;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (interval->is_checkpoint == CHECKPOINT_BEGINNING)
        critical_path_keep(path, interval);
    assert(length_ps >= 0);
    if (interval->cause != CAUSE_SELF) {
        assert(interval->origin_ps <= interval->end_ps);
        assert(interval->cause != CAUSE_CHECKPOINT || interval->message < path->n_checkpoints);
        critical_path_copy(path, critical_path_row(path, interval->location),
                           interval->cause == CAUSE_PEER ? critical_path_row(path, interval->peer)
                                                         : critical_path_checkpoint(path, interval->message));
        length_ps = interval->end_ps - interval->origin_ps;
    }
    if (critical_path_counts(interval, length_ps))
        add_interval(self, interval, length_ps);
    if (interval->is_checkpoint == CHECKPOINT_END)
        critical_path_keep(path, interval);
}

/* A number of a row. */
static inline int64_t critical_path_number(const struct critical_path *path, const int64_t *row, int number)
{
    return path->columns[number] == NO_COLUMN ? 0 : row[path->columns[number]];
}

/* The sum of a row's parts. */
int64_t critical_path_length(const struct critical_path *path, const int64_t *row);
/* All numbers, one by one and not by column, of the longest row, which is that of the rank that ended last; of equal
 * ones the first. */
const int64_t *critical_path_longest(const struct critical_path *path);
/* The length of the longest row, by its numbers. */
int64_t critical_path_sum(const struct critical_path *path, const int64_t *numbers);

#endif
