/* Communication against the size of messages (Lemeire07, section 1.2): in classes by powers of two, how many messages,
 * how much time their sending, receiving and waiting takes, and what a byte costs.
 *
 * Traces have them, and simulations if asked. A rank is in one message at a time: its sending, receiving and
 * idling since its last message's end is that of the message which ends next. In a trace only that counts which names
 * the other end: a rank may be in calls that move no message, or move data of which the trace says no more. Collectives
 * that the trace of a real run has are counted apart, with the waiting for their members.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { N_CLASSES = 64 }; /* of 0 bytes; of 2^(c-1) ... 2^c - 1 */

struct class
{
    int64_t count;
    wide_int bytes, state_ps[N_LOCATION_STATES];
};

/* The time that a rank has spent on the message that ends next. */
struct pending {
    int64_t state_ps[N_LOCATION_STATES];
    bool is_any;
};

struct message_sizes {
    int n_paths;             /* processors of ranks, and what goes on by itself */
    bool has_functions;      /* of a real run: waiting and calls name the other end, if there is one */
    struct pending *pending; /* of each rank: for messages, for collectives */
    struct class messages[N_CLASSES], collectives[N_CLASSES];
};

static void *message_sizes_open(const struct interval_setup *setup)
{
    struct message_sizes *self = xcalloc(1, sizeof *self);
    self->n_paths = interval_paths(setup);
    self->has_functions = setup->n_functions > 0;
    self->pending = xcalloc(2 * (size_t)self->n_paths, sizeof *self->pending);
    return self;
}

static int class_of(int64_t bytes)
{
    return bytes <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes);
}

static bool is_for_collective(const struct interval *interval)
{
    return interval->is_collective || (interval->state == STATE_IDLE && interval->wait >= WAIT_BARRIER &&
                                       interval->wait <= WAIT_EARLY_SCAN && interval->peer < 0);
}

/* Where the interval's time goes until its message ends; NULL: it is for none. */
static struct pending *pending_of(const struct message_sizes *self, const struct interval *interval)
{
    bool for_collective = self->has_functions && is_for_collective(interval);
    if (self->has_functions && interval->peer < 0 && !for_collective)
        return NULL;
    return &self->pending[2 * interval->location + for_collective];
}

static bool ends_message(const struct interval *interval)
{
    return interval->is_message || interval->is_receipt || interval->is_collective ||
           (interval->bytes != 0 && !interval->is_checkpoint && interval->state != STATE_IDLE);
}

static void add_pending(struct class *class, struct pending *pending)
{
    for (int s = STATE_SEND; s < N_LOCATION_STATES; s++)
        class->state_ps[s] += pending->state_ps[s];
    *pending = (struct pending){0};
}

static void message_sizes_take(void *data, const struct interval *interval)
{
    struct message_sizes *self = data;
    if (interval->kind != INTERVAL_COMMUNICATE || interval->location >= self->n_paths)
        return;
    struct pending *pending = pending_of(self, interval);
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (pending == NULL)
        return;
    if (!ends_message(interval)) {
        pending->state_ps[interval->state] += length_ps;
        pending->is_any = true;
        return;
    }
    struct class *class = (interval->is_collective ? self->collectives : self->messages) + class_of(interval->bytes);
    class->state_ps[interval->state] += length_ps;
    if (pending->is_any)
        add_pending(class, pending);
    if (interval->is_message || interval->is_collective) {
        class->count += interval->is_message + interval->is_collective;
        class->bytes += interval->bytes;
    }
}

/* The rows of both tables are alike. */
static struct message_sizes_row row_of(int c, const struct class *class)
{
    double communication_s = units_seconds(class->state_ps[STATE_SEND] + class->state_ps[STATE_RECEIVE]);
    return (struct message_sizes_row){
        .from_bytes = c == 0 ? 0 : INT64_C(1) << (c - 1),
        .to_bytes = c == 0 ? 0 : (int64_t)((UINT64_C(1) << c) - 1),
        .count = class->count,
        .bytes = class->bytes,
        .send_ps = class->state_ps[STATE_SEND],
        .receive_ps = class->state_ps[STATE_RECEIVE],
        .idle_ps = class->state_ps[STATE_IDLE],
        .mean_s = class->count > 0 ? communication_s / (double)class->count : NAN,
        .bandwidth_Bps = communication_s > 0 ? (double)class->bytes / communication_s : NAN,
    };
}

/* Classes without messages are left out. */
static void add_table(struct result *result, enum table_id id, const struct class *classes)
{
    struct result_table *table = NULL;
    for (int c = 0; c < N_CLASSES; c++) {
        if (classes[c].count == 0)
            continue;
        if (table == NULL)
            table = result_add_table(result, id);
        *(struct message_sizes_row *)result_add_row(table) = row_of(c, &classes[c]);
    }
}

static void message_sizes_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct message_sizes *self = data;
    (void)totals;
    add_table(result, TABLE_MESSAGE_SIZES, self->messages);
    add_table(result, TABLE_COLLECTIVE_SIZES, self->collectives);
}

static void message_sizes_free(void *data)
{
    struct message_sizes *self = data;
    free(self->pending);
    free(self);
}

const struct metric_spec metric_message_sizes = {
    .name = "message_sizes",
    .summary = "number, time and bandwidth of messages by their size",
    .source = "Lemeire07, section 1.2",
    .details = DETAIL_BIT(DETAIL_MESSAGES),
    .always_for_traces = true,
    .open = message_sizes_open,
    .take = message_sizes_take,
    .report = message_sizes_report,
    .free = message_sizes_free,
};
