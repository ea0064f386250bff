/* Checks a broadcast without time: sends and receives belong together, no rank sends what it does not have, and
 * everybody gets the whole message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/internal.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

struct check {
    const struct user_broadcast_messages *messages;
    struct sim_error *error;
    int64_t *partner; /* of each op: the send of a receive, the receive of a send; -1: none yet */
    int64_t *next;    /* of a send: the following one of the same pair of ranks */
    int64_t *at;      /* of each rank: its next op */
    uint8_t *has;     /* of each rank, a bit for each segment */
    int64_t row;      /* bytes of that */
    bool *is_sent;    /* of each op */
    int32_t *ready;   /* ranks that can go on */
    int n_ready;
};

#define FAIL(check, line, ...) sim_error_set((check)->error, SIM_BAD_INPUT, (check)->messages->label, line, __VA_ARGS__)

static int64_t n_ops(const struct user_broadcast_messages *messages)
{
    return messages->starts[messages->n_ranks];
}

/* --- which receive belongs to which send --- */

/* The first send of each pair that is not taken: an index into firsts. */
struct pairs {
    struct map map;
    struct {
        int64_t first, last;
    } * items;
    size_t count, capacity;
};

static void add_send(struct check *check, struct pairs *pairs, int rank, int64_t i)
{
    struct map_entry *entry = map_add(&pairs->map, map_key(rank, check->messages->ops[i].peer, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)pairs->count;
        pairs->items = xgrow(pairs->items, pairs->count, &pairs->capacity, sizeof *pairs->items);
        pairs->items[pairs->count].first = i;
        pairs->items[pairs->count++].last = i;
        return;
    }
    check->next[pairs->items[entry->index].last] = i;
    pairs->items[entry->index].last = i;
}

static int take_send(struct check *check, struct pairs *pairs, int rank, int64_t i)
{
    const struct user_broadcast_op *op = &check->messages->ops[i];
    uint32_t pair;
    if (!map_get(&pairs->map, map_key(op->peer, rank, 0, 0), &pair) || pairs->items[pair].first < 0)
        return FAIL(check, op->line, "rank %d receives from rank %d, which does not send that", rank, op->peer);
    int64_t send = pairs->items[pair].first;
    const struct user_broadcast_op *other = &check->messages->ops[send];
    if (other->first != op->first || other->count != op->count)
        return FAIL(check, op->line,
                    "rank %d receives segments %d to %d from rank %d, which sends %d to %d (line %d) as the next", rank,
                    op->first, op->first + op->count - 1, op->peer, other->first, other->first + other->count - 1,
                    other->line);
    check->partner[i] = send;
    check->partner[send] = i;
    pairs->items[pair].first = check->next[send];
    return 0;
}

static int pair_up(struct check *check)
{
    const struct user_broadcast_messages *messages = check->messages;
    struct pairs pairs = {.count = 0};
    int status = 0;
    for (int r = 0; r < messages->n_ranks; r++)
        for (int64_t i = messages->starts[r]; i < messages->starts[r + 1]; i++)
            if (messages->ops[i].is_send)
                add_send(check, &pairs, r, i);
    for (int r = 0; r < messages->n_ranks && status == 0; r++)
        for (int64_t i = messages->starts[r]; i < messages->starts[r + 1] && status == 0; i++)
            if (!messages->ops[i].is_send)
                status = take_send(check, &pairs, r, i);
    for (int r = 0; r < messages->n_ranks && status == 0; r++)
        for (int64_t i = messages->starts[r]; i < messages->starts[r + 1] && status == 0; i++)
            if (check->partner[i] < 0)
                status = FAIL(check, messages->ops[i].line, "rank %d sends to rank %d, which does not receive that", r,
                              messages->ops[i].peer);
    map_dispose(&pairs.map);
    free(pairs.items);
    return status;
}

/* --- who has what --- */

static bool has(const struct check *check, int rank, int segment)
{
    return (check->has[rank * check->row + segment / 8] >> segment % 8 & 1) != 0;
}

/* The first of the segments that the rank does not have; -1: it has all. */
static int missing(const struct check *check, int rank, int first, int count)
{
    for (int s = first; s < first + count; s++)
        if (!has(check, rank, s))
            return s;
    return -1;
}

static void give(struct check *check, int rank, const struct user_broadcast_op *op)
{
    for (int s = op->first; s < op->first + op->count; s++)
        check->has[rank * check->row + s / 8] |= (uint8_t)(1 << s % 8);
}

/* Have a rank go on until it waits for what has not been sent. */
static int go_on(struct check *check, int rank)
{
    const struct user_broadcast_messages *messages = check->messages;
    for (int64_t *i = &check->at[rank]; *i < messages->starts[rank + 1]; ++*i) {
        const struct user_broadcast_op *op = &messages->ops[*i];
        if (!op->is_send && !check->is_sent[check->partner[*i]])
            return 0;
        if (!op->is_send) {
            give(check, rank, op);
            continue;
        }
        int segment = missing(check, rank, op->first, op->count);
        if (segment >= 0 && messages->n_segments == 1)
            return FAIL(check, op->line, "rank %d sends to rank %d what it does not have yet", rank, op->peer);
        if (segment >= 0)
            return FAIL(check, op->line, "rank %d sends to rank %d segment %d, which it does not have yet", rank,
                        op->peer, segment);
        check->is_sent[*i] = true;
        if (check->at[op->peer] == check->partner[*i])
            check->ready[check->n_ready++] = op->peer;
    }
    return 0;
}

static int check_all_have_all(const struct check *check)
{
    const struct user_broadcast_messages *messages = check->messages;
    int n_missing = 0, rank = -1, segment = -1;
    for (int r = messages->n_ranks - 1; r >= 0; r--) {
        int s = missing(check, r, 0, messages->n_segments);
        if (check->at[r] < messages->starts[r + 1])
            return 0; /* it waits for ever */
        if (s >= 0) {
            n_missing++;
            rank = r;
            segment = s;
        }
    }
    if (n_missing == 0)
        return 0;
    if (n_missing == 1 && messages->n_segments == 1)
        return FAIL(check, 0, "rank %d never gets the message", rank);
    return messages->n_segments == 1
               ? FAIL(check, 0, "%d of %d ranks never get the message, such as rank %d", n_missing, messages->n_ranks,
                      rank)
               : FAIL(check, 0, "%d of %d ranks never get all segments; rank %d, for example, not segment %d",
                      n_missing, messages->n_ranks, rank, segment);
}

static int follow(struct check *check)
{
    const struct user_broadcast_op all = {.first = 0, .count = check->messages->n_segments};
    give(check, 0, &all);
    for (int r = check->messages->n_ranks - 1; r >= 0; r--)
        check->ready[check->n_ready++] = r;
    while (check->n_ready > 0)
        if (go_on(check, check->ready[--check->n_ready]) != 0)
            return -1;
    return check_all_have_all(check);
}

int user_broadcast_check_delivery(const struct user_broadcast_messages *messages, struct sim_error *error)
{
    size_t ops = (size_t)n_ops(messages), ranks = (size_t)messages->n_ranks;
    struct check check = {.messages = messages, .error = error, .row = (messages->n_segments + 7) / 8};
    if ((int64_t)messages->n_ranks * messages->n_segments > OWN_MAX_PARTS)
        return FAIL(&check, 0, "%d ranks with %d segments each; together at most %d are allowed", messages->n_ranks,
                    messages->n_segments, OWN_MAX_PARTS);
    check.partner = xmalloc((ops + 1) * sizeof *check.partner);
    check.next = xmalloc((ops + 1) * sizeof *check.next);
    check.is_sent = xcalloc(ops + 1, sizeof *check.is_sent);
    check.at = xmalloc(ranks * sizeof *check.at);
    check.has = xcalloc(ranks, (size_t)check.row);
    check.ready = xmalloc((ranks + ops + 1) * sizeof *check.ready);
    for (size_t i = 0; i < ops; i++)
        check.partner[i] = check.next[i] = -1;
    for (size_t r = 0; r < ranks; r++)
        check.at[r] = messages->starts[r];
    int status = pair_up(&check) != 0 ? -1 : follow(&check);
    free(check.partner);
    free(check.next);
    free(check.is_sent);
    free(check.at);
    free(check.has);
    free(check.ready);
    return status;
}
