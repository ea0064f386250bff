/* Writes steps one after another, and reads those of each rank by turns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/spool.h"

#include "base/memory.h"
#include "base/range.h"
#include "os/temporary.h"
#include "os/write_at.h"
#include "trace/record/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALL_STEPS = 64 * 1024, FEWEST_STEPS = 32, MOST_STEPS = 2048 };

static const char name[] = "the temporary file of a GOAL schedule";

int goal_spool_open(struct goal_spool *spool, int n_ranks, struct sim_error *error)
{
    *spool = (struct goal_spool){.descriptor = temporary_open(NULL), .n_ranks = n_ranks};
    if (spool->descriptor < 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%s (in $TMPDIR or /tmp) cannot be made: %s", name,
                             strerror(errno));
    spool->ranks = xcalloc((size_t)n_ranks, sizeof *spool->ranks);
    spool->capacity = (size_t)int_min(int_max(ALL_STEPS / n_ranks, FEWEST_STEPS), MOST_STEPS);
    spool->buffer = xmalloc(MOST_STEPS * sizeof *spool->buffer);
    return 0;
}

void goal_spool_dispose(struct goal_spool *spool)
{
    for (int r = 0; spool->ranks != NULL && r < spool->n_ranks; r++)
        free(spool->ranks[r].buffer);
    free(spool->ranks);
    free(spool->buffer);
    if (spool->descriptor >= 0)
        close(spool->descriptor);
    *spool = (struct goal_spool){.descriptor = -1};
}

/* --- writing --- */

static int64_t written(const struct goal_spool *spool)
{
    return spool->end + (int64_t)spool->filled;
}

void goal_spool_begin(struct goal_spool *spool, int rank)
{
    spool->ranks[rank].first = written(spool);
}

void goal_spool_end(struct goal_spool *spool, int rank)
{
    spool->ranks[rank].count = written(spool) - spool->ranks[rank].first;
}

static int flush(struct goal_spool *spool, struct sim_error *error)
{
    int status = write_at(spool->descriptor, spool->buffer, spool->filled * sizeof *spool->buffer,
                          spool->end * (int64_t)sizeof *spool->buffer, name, error);
    spool->end += (int64_t)spool->filled;
    spool->filled = 0;
    return status;
}

int goal_spool_take(void *self, const struct goal_step *step, struct sim_error *error)
{
    struct goal_spool *spool = self;
    if (spool->filled == MOST_STEPS && flush(spool, error) != 0)
        return -1;
    spool->buffer[spool->filled++] = *step;
    return 0;
}

int goal_spool_finish(struct goal_spool *spool, struct sim_error *error)
{
    int status = flush(spool, error);
    free(spool->buffer);
    spool->buffer = NULL;
    return status;
}

/* --- reading --- */

static int fill(struct goal_spool *spool, struct goal_spool_rank *self, struct sim_error *error)
{
    int64_t left = self->count - self->next, size = sizeof *self->buffer;
    size_t n = left < (int64_t)spool->capacity ? (size_t)left : spool->capacity;
    if (self->buffer == NULL)
        self->buffer = xmalloc(spool->capacity * sizeof *self->buffer);
    self->at = 0;
    self->filled = n;
    return lines_read_at(spool->descriptor, self->buffer, n * sizeof *self->buffer, (self->first + self->next) * size,
                         name, error);
}

int goal_spool_next(struct goal_spool *spool, int rank, struct goal_step *step, struct sim_error *error)
{
    struct goal_spool_rank *self = &spool->ranks[rank];
    if (self->next == self->count)
        return 0;
    if (self->at == self->filled && fill(spool, self, error) != 0)
        return -1;
    *step = self->buffer[self->at++];
    self->next++;
    return 1;
}

void goal_spool_rewind(struct goal_spool *spool, int rank)
{
    struct goal_spool_rank *self = &spool->ranks[rank];
    self->next = 0;
    self->at = self->filled = 0;
}
