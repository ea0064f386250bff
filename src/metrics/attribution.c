/* Each interval of the critical path by part, scope and processor, and the processors' useful work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/attribution.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

enum {
    MOST_PROCESSORS = 1024
}; /* that a path is told apart by: each message that is waited for copies as many numbers */

void attribution_init(struct attribution *attribution, int n_ranks, int n_each, int n_scopes, bool shared)
{
    int n_processors = n_ranks * n_each;
    *attribution = (struct attribution){.n_ranks = n_ranks,
                                        .n_processors = n_processors,
                                        .n_scopes = n_scopes,
                                        .shared = shared,
                                        .by_processor = n_processors <= MOST_PROCESSORS};
    critical_path_init_narrow(&attribution->path, n_processors, N_PATH_PARTS * n_scopes,
                              attribution->by_processor ? n_processors : 0);
    attribution->computation_ps = xcalloc((size_t)n_processors * (size_t)n_scopes, sizeof *attribution->computation_ps);
    attribution->useful_ps = xcalloc((size_t)n_processors, sizeof *attribution->useful_ps);
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
    if (self->by_processor)
        critical_path_add(&self->path, interval->location, N_PATH_PARTS * self->n_scopes + interval->location,
                          length_ps);
}

void attribution_take(void *data, const struct interval *interval)
{
    struct attribution *self = data;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    critical_path_take(&self->path, interval, add_interval, self);
    if (interval->location >= self->n_processors || interval->state != STATE_USEFUL)
        return;
    self->useful_ps[interval->location] += length_ps;
    if (interval->kind == INTERVAL_COMPUTE)
        self->computation_ps[(size_t)interval->location * (size_t)self->n_scopes + interval->scope] += length_ps;
}

const int64_t *attribution_path(const struct attribution *self)
{
    return critical_path_longest(&self->path);
}

int64_t attribution_largest(const struct attribution *self)
{
    int64_t largest = 0;
    for (int processor = 0; processor < self->n_processors; processor++)
        largest = int64_max(largest, self->useful_ps[processor]);
    return largest;
}

wide_int attribution_sum(const struct attribution *self)
{
    wide_int sum = 0;
    for (int processor = 0; processor < self->n_processors; processor++)
        sum += self->useful_ps[processor];
    return sum;
}

static int64_t computation_of(const struct attribution *self, int processor)
{
    int64_t sum = 0;
    for (int scope = 0; scope < self->n_scopes; scope++)
        sum += self->computation_ps[(size_t)processor * (size_t)self->n_scopes + (size_t)scope];
    return sum;
}

int64_t attribution_imbalance(const struct attribution *self, int64_t *mean_ps)
{
    int64_t most_more_ps = -1;
    for (int first = 0; first < self->n_processors; first += self->n_ranks) {
        int64_t largest = 0;
        wide_int sum = 0;
        for (int rank = 0; rank < self->n_ranks; rank++) {
            int64_t load_ps = computation_of(self, first + rank);
            largest = int64_max(largest, load_ps);
            sum += load_ps;
        }
        int64_t mean = (int64_t)(sum / self->n_ranks);
        if (largest - mean <= most_more_ps)
            continue;
        most_more_ps = largest - mean;
        *mean_ps = mean;
    }
    return most_more_ps;
}
