/* The critical path: the longest chain of intervals that led to the present of each rank.
 *
 * No trace is needed. Each rank carries numbers, its row, which say what its chain consists of; a family of metrics
 * chooses them, and adds each interval to them. Where an interval ended because of another rank (CAUSE_PEER), the rank
 * takes over that one's row, and the time since `origin_ps` counts; with CAUSE_CHECKPOINT the row that the message's
 * departure has kept. An event that departs keeps the row as of its end, or of its beginning.
 *
 * Invariant: while a rank is not idle, the parts of its row add up to its present. Idle time that nothing is followed
 * for adds nothing: either what ended the wait replaces the row, or the rank has ended. (event.h says how events
 * come.) */
#ifndef METRICS_CRITICAL_PATH_H
#define METRICS_CRITICAL_PATH_H

#include "event/event.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct critical_path {
    int n_ranks;
    int n_parts;          /* the numbers of a row that add up to the time, in ps */
    int n_numbers;        /* all of a row; those behind the parts say the same in another way */
    int64_t *rows;        /* one for each rank */
    int64_t *checkpoints; /* one for each message that has departed, as of then; of no value before */
    size_t n_checkpoints;
};

/* Rows of zeros. */
void critical_path_init(struct critical_path *path, int n_ranks, int n_parts, int n_more);
void critical_path_dispose(struct critical_path *path);

static inline int64_t *critical_path_row(const struct critical_path *path, int rank)
{
    return &path->rows[(size_t)rank * (size_t)path->n_numbers];
}

/* The row of what has departed as `message`; good until the next departure. */
static inline int64_t *critical_path_checkpoint(const struct critical_path *path, uint32_t message)
{
    return &path->checkpoints[(size_t)message * (size_t)path->n_numbers];
}

/* Make room for the checkpoints of messages up to that one; new ones are zero. */
void critical_path_grow(struct critical_path *path, uint32_t message);

/* Add an interval that takes `length_ps`, which is not 0, on the path to the rank's row. */
typedef void critical_path_add(void *self, int64_t *row, const struct event *event, int64_t length_ps);

/* Keep the row as of now under the event's message. */
static inline void critical_path_keep(struct critical_path *path, const struct event *event, const int64_t *row)
{
    if (event->message >= path->n_checkpoints)
        critical_path_grow(path, event->message);
    memcpy(critical_path_checkpoint(path, event->message), row, (size_t)path->n_numbers * sizeof *row);
}

/* Take the next event; those of protocol controllers are left out. It is called for each event of a run, so it is
 * inline, and so becomes what `add_interval` points to. */
static inline void critical_path_take(struct critical_path *path, const struct event *event,
                                      critical_path_add *add_interval, void *self)
{
    if (event->location >= path->n_ranks)
        return;
    int64_t *row = critical_path_row(path, event->location), length_ps = event->end_ps - event->start_ps;
    size_t size = (size_t)path->n_numbers * sizeof *row;
    if (event->is_checkpoint == CHECKPOINT_BEGINNING)
        critical_path_keep(path, event, row);
    if (event->cause != CAUSE_SELF) {
        memcpy(row,
               event->cause == CAUSE_PEER ? critical_path_row(path, event->peer)
                                          : critical_path_checkpoint(path, event->message),
               size);
        length_ps = event->end_ps - event->origin_ps;
    }
    if (length_ps != 0 && (event->cause != CAUSE_SELF || event->state != STATE_IDLE))
        add_interval(self, row, event, length_ps);
    if (event->is_checkpoint == CHECKPOINT_END)
        critical_path_keep(path, event, row);
}

/* The sum of a row's parts. */
int64_t critical_path_length(const struct critical_path *path, const int64_t *row);
/* The longest row, which is that of the rank that ended last; of equal ones the first. */
const int64_t *critical_path_longest(const struct critical_path *path);

#endif
