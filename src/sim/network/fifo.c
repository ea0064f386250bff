/* Links that each serve messages first come, first served.
 *
 * The head of a message waits until the link is free, crosses it and stands at the next one; the tail follows the head
 * at the distance inject_ps. Where the machine has a formula, a link passes messages on packet by packet
 * (store-and-forward): the head takes hop_ps, and the link is busy for link_busy_ps, the time of the message's packets.
 * Elsewhere it cuts through: the head takes the wire's latency, and the link is busy for length / bandwidth. Without
 * contention the delivery is as on `quiet`.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/fifo_internal.h"

#include "base/memory.h"
#include "sim/network/link_loads.h"

#include <assert.h>
#include <stdlib.h>

/* ---- Opening ---- */

/* The least time of a hop; 0 where it is not known to be more. */
static int64_t least_hop_ps(const struct machine *machine)
{
    const struct cost_rows *rows = &machine->costs.message;
    int64_t least_ps = PS_MAX, from_bytes = 0;
    for (int i = 0; i < rows->count; from_bytes = rows->row[i++].max_bytes) {
        const struct message_cost *row = &rows->row[i];
        wide_int ps = row->hop_ps + (wide_int)row->byte_hop_ps * from_bytes;
        least_ps = row->byte_hop_ps < 0 || ps <= 0 ? 0 : int64_min(least_ps, units_clamp(ps));
    }
    int n_wires = rows->count > 0 ? 0 : machine->net->one_wire ? 1 : machine_link_count(machine);
    for (int i = 0; i < n_wires; i++)
        least_ps = int64_min(least_ps, machine->net->wires[i].latency_ps);
    return rows->count == 0 && machine->costs.free_latency ? 0 : least_ps;
}

static struct network *fifo_open(const struct machine *machine)
{
    size_t n_links = (size_t)machine_link_count(machine);
    struct fifo *self = xcalloc(1, sizeof *self + n_links * sizeof self->free_at[0]);
    self->network = (struct network){.spec = &network_fifo, .next_ps = INT64_MAX};
    self->machine = machine;
    self->alike = machine->costs.message.count > 0 || machine->net->one_wire;
    self->least_ps = least_hop_ps(machine);
    if (machine->net->topology != NULL) {
        self->is_drawn = machine->net->topology->is_drawn;
        self->adapts = machine->net->topology->adapts;
        if (machine->net->topology->routing == ROUTING_UGAL_L)
            self->left_ps = xcalloc(2 * (size_t)n_links, sizeof *self->left_ps);
        self->seeks_slowest = (self->is_drawn || self->adapts) && !self->alike;
    }
    self->waiting = xcalloc(n_links, sizeof *self->waiting);
#ifndef NDEBUG
    self->came_ps = xcalloc(n_links, sizeof *self->came_ps);
#endif
    self->late.begun = UINT32_MAX;
    calendar_init(&self->calendar);
    return &self->network;
}

static void fifo_close(struct network *network)
{
    struct fifo *self = (struct fifo *)network;
    calendar_dispose(&self->calendar);
    free(self->flights);
    free(self->tails_ps);
    free(self->links);
    free(self->queue);
    free(self->ended);
    free(self->waiting);
    free(self->left_ps);
    free(self->came_ps);
    free(self);
}

static void *resize(void *block, size_t count, size_t element_size)
{
    return xrealloc(block, count * element_size);
}

static void make_room(struct fifo *self, uint32_t number)
{
    size_t room = self->room > 0 ? self->room : 64;
    while (room <= number)
        room *= 2;
    self->flights = resize(self->flights, room, sizeof *self->flights);
    self->tails_ps = resize(self->tails_ps, room, sizeof *self->tails_ps);
    self->links = resize(self->links, room, sizeof *self->links);
    self->queue = resize(self->queue, room, sizeof *self->queue);
    self->ended = resize(self->ended, room, sizeof *self->ended);
    self->calendar.next = resize(self->calendar.next, room, sizeof *self->calendar.next);
    self->room = room;
}

/* ---- The network ---- */

void fifo_say_service(const struct fifo *self, const struct flight *flight, uint32_t number, int64_t start_ps)
{
    int32_t link = flight->cursor.link;
    DEBUG(NETWORK, flight->at_ps, "link", link, "serves message %u from %.12f s to %.12f s, waited for %.12f s", number,
          DEBUG_S(start_ps), DEBUG_S(self->free_at[link]), DEBUG_S(start_ps - flight->at_ps));
}

static void begin(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now)
{
    if (number >= self->room)
        make_room(self, number);
    struct flight *flight = &self->flights[number];
    const struct heap_entry *event = &self->network.event;
    assert(now >= self->begun_ps); /* the engine calls in the order of time */
    assert(transfer->next_hop == 1 && transfer->hops > 0);
    self->n_begun = now == self->begun_ps ? self->n_begun + 1 : 1;
    self->begun_ps = now;
    flight->at_ps = now;
    flight->turn = (uint64_t)event->order << 32 | event->item;
    flight->begun = self->n_begun;
    flight->order = self->network.order;
    self->tails_ps[number] = self->seeks_slowest ? 0 : transfer->inject_ps;
    if (self->is_drawn || self->adapts)
        fifo_draw_route(self, transfer, number);
    else
        route_cursor_begin(&flight->cursor, self->machine, transfer, 0);
    if (self->alike)
        flight->passage = passage_of(self->machine, transfer, 0);
    else
        flight->bytes = transfer->bytes;
}

static void set_next(struct fifo *self)
{
    self->network.next_ps = self->n_ended > 0 ? 0 : fifo_days_next_ps(self);
}

/* The engine calls again when the head has come to the next link. */
static enum transfer_state step(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now,
                                int64_t *at)
{
    struct flight *flight = &self->flights[number];
    if (self->adapts && flight->cursor.left == 0)
        fifo_choose_link(self, transfer, number, now);
    int32_t link = flight->cursor.link;
    struct passage passage = passage_at(self, flight);
    flight->at_ps = now;
    if (self->network.loads != NULL)
        link_loads_serve(self->network.loads, link, transfer->bytes, now, int64_max(now, self->free_at[link]),
                         passage.busy_ps);
    bool goes_on = serve(self, flight, number);
    *at = flight->at_ps;
    return goes_on ? TRANSFER_MOVES : TRANSFER_ENDS;
}

static enum transfer_state fifo_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                        int64_t now, int64_t *at)
{
    struct fifo *self = (struct fifo *)network;
    bool looks_ahead = network->has_event && network->loads == NULL && self->least_ps > 0 && !self->adapts;
    if (transfer->hops == 0) {
        *at = now + transfer->inject_ps;
        return TRANSFER_ENDS;
    }
    if (transfer->next_hop++ == 0)
        begin(self, transfer, number, now);
    assert(transfer->next_hop <= transfer->hops || self->is_drawn || self->adapts);
    if (!looks_ahead)
        return step(self, transfer, number, now, at);
    fifo_days_join(self, number, now);
    set_next(self);
    return TRANSFER_SHARES;
}

static bool fifo_next(struct network *network, int64_t until, uint32_t *number, int64_t *at)
{
    struct fifo *self = (struct fifo *)network;
    if (self->n_ended == 0)
        fifo_days_pass(self, until);
    bool ends = self->n_ended > 0;
    if (ends) {
        *number = self->ended[--self->n_ended];
        assert(*number < self->room && self->flights[*number].at_ps >= 0);
        *at = self->flights[*number].at_ps;
    }
    set_next(self);
    return ends;
}

const struct network_spec network_fifo = {
    .name = "fifo",
    .summary = "every link serves messages first come, first served",
    .open = fifo_open,
    .close = fifo_close,
    .advance = fifo_advance,
    .next = fifo_next,
};
