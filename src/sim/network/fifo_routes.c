/* Routes on `fifo` that are drawn for each message, or chosen by when links are free.
 *
 * Numbers are drawn in the order in which messages begin, or come to their first switch. That is the order of simulated
 * time, the same in every run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/fifo_internal.h"

#include "base/hash.h"

#include <assert.h>

/* The time that a message waits on a way from a node, without the wire of its destination; its wires between switches,
 * up to its destination; and its first link. */
struct way {
    wide_int wait_ps;
    int hops;
    int32_t first;
};

static int64_t wait_ps(const struct fifo *self, int32_t link, int64_t now)
{
    return int64_max(self->free_at[link] - now, 0);
}

/* How long messages that have crossed a link, minimal ones or those on a detour, will still wait behind it. */
static int64_t behind_ps(const struct fifo *self, int32_t link, bool on_detour, int64_t now)
{
    return int64_max(self->left_ps[2 * (size_t)link + on_detour] - now, 0);
}

/* The queue that a switch sees before a link: with ugal_l also what waits behind it, until which goes on its credits
 * are missing, since nothing else tells a switch of a queue elsewhere. */
static int64_t queue_ps(const struct fifo *self, int32_t link, int64_t now)
{
    int64_t behind = 0;
    if (self->left_ps != NULL)
        behind = int64_max(behind_ps(self, link, false, now), behind_ps(self, link, true, now));
    return wait_ps(self, link, now) + behind;
}

static struct way look(const struct fifo *self, int from, int to, uint32_t drawn, int64_t now)
{
    const struct topology *topology = self->machine->net->topology;
    struct way way = {0, -1, -1};
    struct topology_segment segment;
    for (int here = from; here != to; here = segment.end) {
        topology_follow(topology, here, to, &drawn, &segment);
        assert(segment.count == 1);
        bool counts = segment.end != to && (topology->routing == ROUTING_UGAL_G || here == from);
        way.wait_ps += counts ? queue_ps(self, segment.first, now) : 0;
        way.first = here == from ? segment.first : way.first;
        way.hops++;
    }
    return way;
}

static uint64_t draw(struct fifo *self)
{
    return pseudo_random(self->machine->net->topology->seed, self->n_drawn++);
}

/* By a formula, a longer way may also keep the tail longer behind the head. */
static void fit_tail(struct fifo *self, const struct transfer *transfer, uint32_t number, int hops)
{
    const struct cost_model *costs = &self->machine->costs;
    if (costs->message.count == 0 || hops == transfer->hops)
        return;
    struct message_parts parts = cost_model_message_parts(costs, transfer->bytes, hops, false);
    self->tails_ps[number] = transfer->inject_ps + (hops - transfer->hops) * parts.refill_ps;
}

void fifo_draw_route(struct fifo *self, const struct transfer *transfer, uint32_t number)
{
    struct flight *flight = &self->flights[number];
    const struct topology *topology = self->machine->net->topology;
    if (transfer->route != NULL) { /* within a host */
        route_cursor_begin(&flight->cursor, self->machine, transfer, 0);
        return;
    }
    if (self->adapts) {
        flight->cursor = (struct route_cursor){.end = transfer->from, .to = transfer->to, .is_computed = 1};
        return;
    }
    uint32_t drawn = topology_draw(topology, transfer->from, transfer->to, draw(self));
    if (topology->routing == ROUTING_VALIANT)
        fit_tail(self, transfer, number, look(self, transfer->from, transfer->to, drawn, 0).hops + 1);
    route_cursor_begin(&flight->cursor, self->machine, transfer, drawn);
}

/* Among the ways on from a node that whose link is free first; of equal ones the first. */
static void take_freest(struct fifo *self, struct route_cursor *cursor, int64_t now)
{
    const struct topology *topology = self->machine->net->topology;
    int n = topology->spec->options(topology, cursor->end, cursor->to);
    struct topology_segment segment, best = {0};
    int64_t least_ps = INT64_MAX;
    assert(n > 0);
    for (int i = 0; i < n && least_ps > 0; i++) {
        topology->spec->option(topology, cursor->end, cursor->to, i, &segment);
        int64_t ps = wait_ps(self, segment.first, now);
        best = ps < least_ps ? segment : best;
        least_ps = int64_min(least_ps, ps);
    }
    route_cursor_take(cursor, &best);
}

/* UGAL (Kim et al. 2008): minimal where its queue times its length is not more than that of Valiant's way. With ugal_l
 * both ways may begin with the same link, and so have the same queue: then what counts is what each way's own messages
 * wait behind it, in virtual channels of their own (UGAL-L_VCH there). */
static void choose_way(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now)
{
    struct route_cursor *cursor = &self->flights[number].cursor;
    uint32_t drawn = topology_detour(self->machine->net->topology, transfer->from, transfer->to, draw(self));
    struct way minimal = look(self, cursor->end, cursor->to, 0, now);
    struct way other = drawn != 0 ? look(self, cursor->end, cursor->to, drawn, now) : minimal;
    if (self->left_ps != NULL && drawn != 0 && minimal.first == other.first) {
        minimal.wait_ps = behind_ps(self, minimal.first, false, now);
        other.wait_ps = behind_ps(self, other.first, true, now);
    }
    if (minimal.wait_ps * minimal.hops <= other.wait_ps * other.hops)
        return;
    cursor->drawn = drawn & INT32_MAX;
    fit_tail(self, transfer, number, other.hops + 2);
}

void fifo_choose_link(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now)
{
    int32_t before = self->flights[number].cursor.link;
    const struct topology *topology = self->machine->net->topology;
    struct route_cursor *cursor = &self->flights[number].cursor;
    enum { FIRST_SWITCH = 2 }; /* links that the message has asked for there */
    if (topology->spec->detour == NULL || topology->routing == ROUTING_ADAPTIVE) {
        take_freest(self, cursor, now);
        return;
    }
    if (transfer->next_hop == FIRST_SWITCH)
        choose_way(self, transfer, number, now);
    bool on_detour = cursor->drawn != 0;
    route_cursor_enter(cursor, self->machine, cursor->end);
    if (self->left_ps != NULL && transfer->next_hop > 1) {
        int64_t *left = &self->left_ps[2 * (size_t)before + on_detour];
        *left = int64_max(*left, self->free_at[cursor->link]);
    }
}
