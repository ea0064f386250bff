/* The messages, bytes and waiting of each pair of ranks or, above 256 ranks, of each pair of hosts. Above 256 hosts
 * neighbors are put together, equally many in each row and column.
 *
 * Messages and bytes add up to the run's, exactly. A rank's idle time before it receives or goes on sending is the
 * waiting of that message's pair. With waiting for no message, such as that at the end of a program, it adds up to
 * state_s.idle.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

enum { MOST_PLACES = 256 };

struct pair {
    int64_t messages, bytes;
    int64_t sender_ps, receiver_ps; /* that each has waited for the other */
};

struct communication_matrix {
    int n_ranks, n_processors, n_places;
    bool by_host;
    int each;           /* so many neighboring hosts or ranks are one place */
    int32_t *place_of;  /* of each rank; protocol controllers behind them are at the places of their ranks */
    int64_t *idle_ps;   /* of each rank, since its last interval of a message */
    wide_int other_ps;  /* waiting for no message */
    struct pair *pairs; /* [from * n_places + to] */
};

static void *communication_matrix_open(const struct interval_setup *setup)
{
    struct communication_matrix *self = xcalloc(1, sizeof *self);
    int n_hosts = 0;
    self->n_ranks = setup->n_ranks;
    self->n_processors = interval_processors(setup);
    self->by_host = setup->n_ranks > MOST_PLACES && setup->host_of != NULL;
    self->place_of = xcalloc((size_t)setup->n_locations, sizeof *self->place_of);
    self->idle_ps = xcalloc((size_t)interval_processors(setup), sizeof *self->idle_ps);
    for (int i = 0; i < setup->n_locations; i++) {
        int rank = i % setup->n_ranks;
        self->place_of[i] = self->by_host ? setup->host_of(setup->placement, rank) : rank;
        n_hosts = int_max(n_hosts, self->place_of[i] + 1);
    }
    self->each = (n_hosts - 1) / MOST_PLACES + 1;
    self->n_places = (n_hosts - 1) / self->each + 1;
    for (int i = 0; i < setup->n_locations; i++)
        self->place_of[i] /= self->each;
    self->pairs = xcalloc((size_t)self->n_places * (size_t)self->n_places, sizeof *self->pairs);
    return self;
}

static struct pair *pair_of(const struct communication_matrix *self, int from, int to)
{
    return &self->pairs[self->place_of[from] * self->n_places + self->place_of[to]];
}

/* --- intervals --- */

static void take_waiting(struct communication_matrix *self, const struct interval *interval)
{
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (interval->kind == INTERVAL_COMMUNICATE && interval->peer >= 0)
        self->idle_ps[interval->location] += length_ps;
    else
        self->other_ps += length_ps;
}

static void take_message(struct communication_matrix *self, const struct interval *interval)
{
    struct pair *pair = pair_of(self, interval->location, interval->peer);
    pair->messages++;
    pair->bytes += interval->bytes;
}

/* The rank has been idle because of this interval's message, of which it is one of the ends. */
static void end_waiting(struct communication_matrix *self, const struct interval *interval)
{
    int64_t *idle_ps = &self->idle_ps[interval->location];
    if (interval->state == STATE_SEND)
        pair_of(self, interval->location, interval->peer)->sender_ps += *idle_ps;
    else
        pair_of(self, interval->peer, interval->location)->receiver_ps += *idle_ps;
    *idle_ps = 0;
}

static void communication_matrix_take(void *data, const struct interval *interval)
{
    struct communication_matrix *self = data;
    if (interval->is_message)
        take_message(self, interval);
    if (interval->location >= self->n_processors) /* an op that goes on by itself waits for no rank */
        return;
    if (interval->state == STATE_IDLE)
        take_waiting(self, interval);
    else if (interval->kind == INTERVAL_COMMUNICATE && interval->peer >= 0 && self->idle_ps[interval->location] > 0)
        end_waiting(self, interval);
}

/* --- the report --- */

static void add_pair(struct result_table *table, const struct communication_matrix *self, int from, int to)
{
    const struct pair *pair = &self->pairs[from * self->n_places + to];
    if (pair->messages == 0 && pair->sender_ps == 0 && pair->receiver_ps == 0)
        return;
    *result_add_communication_matrix(table) =
        (struct communication_matrix_row){.from = from * self->each,
                                          .to = to * self->each,
                                          .messages = pair->messages,
                                          .bytes = pair->bytes,
                                          .wait_ps = (wide_int)pair->sender_ps + pair->receiver_ps,
                                          .sender_wait_ps = pair->sender_ps,
                                          .receiver_wait_ps = pair->receiver_ps};
}

static void add_pairs(const struct communication_matrix *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_COMMUNICATION_MATRIX);
    for (int from = 0; from < self->n_places; from++)
        for (int to = 0; to < self->n_places; to++)
            add_pair(table, self, from, to);
}

/* The kind of the places, and the waiting that is in no pair. */
static void add_places(const struct communication_matrix *self, struct result *result)
{
    wide_int other_ps = self->other_ps;
    for (int rank = 0; rank < self->n_processors; rank++)
        other_ps += self->idle_ps[rank];
    *result_add_communication_matrix_of(result_add_table(result, TABLE_COMMUNICATION_MATRIX_OF)) =
        (struct communication_matrix_of_row){self->by_host ? PLACE_HOST : PLACE_RANK, self->each, other_ps};
}

static void communication_matrix_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct communication_matrix *self = data;
    (void)totals;
    add_pairs(self, result);
    add_places(self, result);
}

static void communication_matrix_free(void *data)
{
    struct communication_matrix *self = data;
    free(self->pairs);
    free(self->place_of);
    free(self->idle_ps);
    free(self);
}

const struct metric_spec metric_communication_matrix = {
    .name = "communication_matrix",
    .summary = "messages, bytes and waiting by sender and receiver; by host for more than 256 ranks",
    .details = DETAIL_BIT(DETAIL_MESSAGES),
    .open = communication_matrix_open,
    .take = communication_matrix_take,
    .report = communication_matrix_report,
    .free = communication_matrix_free,
};
