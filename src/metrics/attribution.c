/* Each interval of the critical path by part, scope and rank, and the ranks' useful work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/attribution.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

enum { MOST_RANKS = 1024 }; /* that a path is told apart by: each message that is waited for copies as many numbers */

void attribution_init(struct attribution *attribution, int n_ranks, int n_scopes, bool shared)
{
    size_t ranks = (size_t)n_ranks, scopes = (size_t)n_scopes;
    *attribution = (struct attribution){
        .n_ranks = n_ranks, .n_scopes = n_scopes, .shared = shared, .by_rank = n_ranks <= MOST_RANKS};
    critical_path_init_narrow(&attribution->path, n_ranks, N_PATH_PARTS * n_scopes, attribution->by_rank ? n_ranks : 0);
    attribution->computation_ps = xcalloc(ranks * scopes, sizeof *attribution->computation_ps);
    attribution->useful_ps = xcalloc(ranks, sizeof *attribution->useful_ps);
}

void attribution_dispose(struct attribution *attribution)
{
    critical_path_dispose(&attribution->path);
    free(attribution->computation_ps);
    free(attribution->useful_ps);
}

/* Add to a part of the interval's scope. */
static void add_part(struct attribution *self, const struct interval *interval, int part, int64_t ps)
{
    critical_path_add(&self->path, interval->location, part * self->n_scopes + interval->scope, ps);
}

/* Add the interval's time to the parts of its scope. */
static void add_parts(struct attribution *self, const struct interval *interval, int64_t length_ps)
{
    int part = PART_OVERHEAD, first = interval->state == STATE_CONTROL ? PART_CONTROL_CPU : PART_CPU;
    if (interval->kind == INTERVAL_COMPUTE) {
        for (int c = 0; c < N_WORK_COMPONENTS; c++)
            add_part(self, interval, first + c, interval->work_ps[c]);
        return;
    }
    if (interval->parts_ps != NULL) {
        for (int c = 0; c < N_MESSAGE_PARTS; c++)
            add_part(self, interval, PART_LATENCY + c, interval->parts_ps[c]);
        return;
    }
    if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
        part = interval->kind == INTERVAL_INPUT ? PART_INPUT : PART_OUTPUT;
    else if (interval->state == STATE_LIBRARY)
        part = interval->call & CALL_START ? PART_STARTUP : PART_LIBRARY;
    else if (interval_is_off(interval))
        part = PART_OFF;
    else if (self->shared)
        part = interval->state == STATE_CONTROL ? PART_PROTOCOL : PART_ANSWER;
    else if (interval->state == STATE_CONTROL)
        part = PART_LINK_INIT;
    add_part(self, interval, part, length_ps);
}

static void add_interval(void *data, const struct interval *interval, int64_t length_ps)
{
    struct attribution *self = data;
    add_parts(self, interval, length_ps);
    if (self->by_rank)
        critical_path_add(&self->path, interval->location, N_PATH_PARTS * self->n_scopes + interval->location,
                          length_ps);
}

void attribution_take(void *data, const struct interval *interval)
{
    struct attribution *self = data;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    critical_path_take(&self->path, interval, add_interval, self);
    if (interval->location >= self->n_ranks || interval->state != STATE_USEFUL)
        return;
    self->useful_ps[interval->location] += length_ps;
    if (interval->kind == INTERVAL_COMPUTE)
        self->computation_ps[(size_t)interval->location * (size_t)self->n_scopes + interval->scope] += length_ps;
}

const int64_t *attribution_path(const struct attribution *self)
{
    return critical_path_longest(&self->path);
}

static int64_t load_of(const struct attribution *self, int rank, bool computation)
{
    int64_t sum = 0;
    if (!computation)
        return self->useful_ps[rank];
    for (int scope = 0; scope < self->n_scopes; scope++)
        sum += self->computation_ps[(size_t)rank * (size_t)self->n_scopes + (size_t)scope];
    return sum;
}

int64_t attribution_largest(const struct attribution *self, bool computation)
{
    int64_t largest = 0;
    for (int rank = 0; rank < self->n_ranks; rank++) {
        largest = int64_max(largest, load_of(self, rank, computation));
    }
    return largest;
}

wide_int attribution_sum(const struct attribution *self, bool computation)
{
    wide_int sum = 0;
    for (int rank = 0; rank < self->n_ranks; rank++)
        sum += load_of(self, rank, computation);
    return sum;
}
