/* Max-min fair sharing of wires: what is on a wire at the same time shares its bandwidth.
 *
 * A transfer first takes the latency of its route, in which it uses no bandwidth. Then it gets its bytes at the
 * rate that fair_share.h finds, until the last. That is the flow model of Casanova and Marchal (2002), CM02 in
 * SimGrid, with each direction of a wire apart. Wires favor short routes, as TCP does: a flow's weight is the
 * inverse of its route's latency. A route without latency counts as one of 1 s, as it does there.
 *
 * Transfers of one route have the same rate at any time, so a route in use is one flow, a stream. It knows how many
 * bytes each of its transfers has got since the stream began; the one with the least bytes to reach ends next.
 * Rates are found anew when the time goes on from a moment at which something has come, ended or changed. So all
 * that happens at one moment is one change.
 *
 * Times are rounded to picoseconds, to the nearest, in end_of() and nowhere else. A transfer that has its slowest
 * wire to itself takes, to the picosecond, what it takes on `quiet`. Each change of its rate adds half a picosecond
 * of error at most. Bytes and rates are doubles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/network.h"

#include "base/debug.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "sim/network/changing_wires.h"
#include "sim/network/fair_share.h"
#include "sim/network/link_loads.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The transfers of a route. */
struct stream {
    const struct route *route;
    struct heap transfers; /* by the bytes of the stream at which they end */
    double bytes;          /* that each has got since the stream began, at since_ps */
    double rate;           /* bytes per picosecond of each; 0: it has none yet */
    double byte_ps;        /* its inverse, exactly that of the slowest wire where that is not shared */
    int64_t since_ps;
};

struct fluid {
    struct network network;
    const struct machine *machine;
    struct changing_wires wires;
    struct fair_share *share;
    struct stream *streams; /* by their number as a flow */
    size_t n_streams, room;
    int32_t *stream_of; /* by the number of the route, 1 + the stream; 0: none */
    size_t n_routes, routes_room;
    struct tracked_heap ends; /* of the streams, when their next transfer ends */
    int64_t changed_ps;       /* the last change, where rates are to be found anew; else -1 */
};

/* ---- Wires ---- */

static double capacity_of(const void *source, int32_t link)
{
    const struct fluid *self = source;
    return 1 / changing_wires_at(&self->wires, link)->byte_ps;
}

static int64_t latency_of(const struct fluid *self, const struct route *route)
{
    int64_t latency_ps = route->beside_ps;
    if (self->wires.n_changes == 0)
        return route->latency_ps;
    for (int32_t hop = 0; hop < route->hops; hop++)
        latency_ps += changing_wires_at(&self->wires, route->links[hop])->latency_ps;
    return latency_ps;
}

static double weight_of(const struct fluid *self, const struct route *route)
{
    static const int64_t without_ps = INT64_C(1000000000000);
    int64_t latency_ps = latency_of(self, route);
    return 1 / (double)(latency_ps > 0 ? latency_ps : without_ps);
}

/* The most that each transfer gets of what stands for no wire, where that is slower than the wires are at first;
 * INFINITY elsewhere. */
static double bound_of(const struct fluid *self, const struct route *route)
{
    double wires_byte_ps = 0;
    for (int32_t hop = 0; hop < route->hops; hop++)
        wires_byte_ps = double_max(wires_byte_ps, machine_wire(self->machine, route->links[hop])->byte_ps);
    return route->byte_ps > wires_byte_ps ? 1 / route->byte_ps : INFINITY;
}

static bool has_link(const struct route *route, int32_t link)
{
    int32_t hop = 0;
    while (hop < route->hops && route->links[hop] != link)
        hop++;
    return hop < route->hops;
}

static void wire_changed(void *listener, int32_t link)
{
    struct fluid *self = listener;
    fair_share_set_capacity(self->share, link, capacity_of(self, link));
    for (size_t i = 0; i < self->ends.heap.count; i++) {
        int32_t stream = (int32_t)self->ends.heap.entries[i].item;
        const struct route *route = self->streams[stream].route;
        if (has_link(route, link))
            fair_share_set_weight(self->share, stream, weight_of(self, route));
    }
}

/* ---- Streams ---- */

static double bytes_at(const struct stream *stream, int64_t now)
{
    assert(now >= stream->since_ps && stream->rate >= 0);
    return stream->bytes + (double)(now - stream->since_ps) * stream->rate;
}

/* When the stream's next transfer ends, should its rate last; `now` at the soonest. */
static int64_t end_of(const struct stream *stream, int64_t now)
{
    double bytes = heap_number(heap_first_key(&stream->transfers)) - stream->bytes;
    int64_t end_ps = stream->since_ps + units_clamp((wide_int)(bytes * stream->byte_ps + 0.5));
    return int64_max(end_ps, now);
}

static int32_t new_stream(struct fluid *self, const struct route *route, int64_t now)
{
    int32_t number = fair_share_add(self->share, route->links, route->hops, weight_of(self, route));
    double bound = bound_of(self, route);
    if (bound < INFINITY)
        fair_share_set_bound(self->share, number, bound);
    if ((size_t)number == self->n_streams) {
        self->streams = xgrow(self->streams, self->n_streams, &self->room, sizeof *self->streams);
        self->streams[self->n_streams++].transfers = (struct heap){0};
        tracked_heap_track(&self->ends, self->room);
    }
    self->streams[number] =
        (struct stream){.route = route, .transfers = self->streams[number].transfers, .since_ps = now};
    assert(self->streams[number].transfers.count == 0);
    if (self->network.loads != NULL)
        link_loads_begin_flow(self->network.loads, number, route, now);
    return number;
}

static int32_t *stream_of(struct fluid *self, const struct route *route)
{
    while ((size_t)route->number >= self->n_routes) {
        self->stream_of = xgrow(self->stream_of, self->n_routes, &self->routes_room, sizeof *self->stream_of);
        while (self->n_routes < self->routes_room)
            self->stream_of[self->n_routes++] = 0;
    }
    return &self->stream_of[route->number];
}

/* A transfer has its latency behind it. */
static void enter(struct fluid *self, const struct transfer *transfer, uint32_t number, int64_t now)
{
    int32_t *place = stream_of(self, transfer->route);
    if (*place == 0)
        *place = 1 + new_stream(self, transfer->route, now);
    else
        fair_share_set_count(self->share, *place - 1, (int32_t)self->streams[*place - 1].transfers.count + 1);
    struct stream *stream = &self->streams[*place - 1];
    heap_push(&stream->transfers,
              (struct heap_entry){.key = heap_key(bytes_at(stream, now) + (double)transfer->bytes), .item = number});
    if (stream->rate > 0)
        tracked_heap_set(&self->ends, (uint32_t)*place - 1, end_of(stream, now));
    if (self->network.loads != NULL)
        link_loads_join_flow(self->network.loads, *place - 1, transfer->bytes, now);
    self->changed_ps = now;
}

/* The transfer that ends next ends now; its number. */
static uint32_t leave(struct fluid *self, int64_t now)
{
    uint32_t index = self->ends.heap.entries[0].item;
    struct stream *stream = &self->streams[index];
    assert(stream->transfers.count > 0 && now >= stream->since_ps);
    /* All its bytes have come, but for what the rounding to picoseconds leaves. */
    assert(bytes_at(stream, now) >= heap_number(heap_first_key(&stream->transfers)) * (1 - 1e-9) - stream->rate - 1);
    uint32_t number = heap_pop(&stream->transfers).item;
    if (self->network.loads != NULL)
        link_loads_leave_flow(self->network.loads, (int)index, now);
    fair_share_set_count(self->share, (int32_t)index, (int32_t)stream->transfers.count);
    assert(self->network.next_ps <= now);
    if (stream->transfers.count > 0) {
        tracked_heap_set(&self->ends, index, end_of(stream, now));
    } else {
        if (self->network.loads != NULL)
            link_loads_end_flow(self->network.loads, (int)index, now);
        tracked_heap_pop(&self->ends);
        *stream_of(self, stream->route) = 0;
    }
    self->changed_ps = now;
    return number;
}

/* ---- Rates ---- */

/* A wire to itself gives the very time that it gives on `quiet`. */
static double byte_time(const struct stream *stream)
{
    bool is_full = fabs(stream->rate * stream->route->byte_ps - 1) < 1e-12;
    return is_full ? stream->route->byte_ps : 1 / stream->rate;
}

/* The time of a byte on the stream's route, as its wires are now, if it were alone. */
static double alone_byte_ps(const struct fluid *self, const struct route *route)
{
    double byte_ps = 1 / bound_of(self, route);
    if (self->wires.n_changes == 0)
        return route->byte_ps;
    for (int32_t hop = 0; hop < route->hops; hop++)
        byte_ps = double_max(byte_ps, changing_wires_at(&self->wires, route->links[hop])->byte_ps);
    return byte_ps;
}

static void report_rate(const struct fluid *self, int32_t number)
{
    const struct stream *stream = &self->streams[number];
    link_loads_rate_flow(self->network.loads, number, stream->rate, 1 / alone_byte_ps(self, stream->route),
                         fair_share_bottleneck(self->share, number), stream->since_ps);
}

/* Give the streams the rates that follow from what is under way at the moment of the last change. */
static void find_rates(struct fluid *self)
{
    const int32_t *changed;
    size_t n_changed = fair_share_solve(self->share, &changed);
    for (size_t i = 0; i < n_changed; i++) {
        struct stream *stream = &self->streams[changed[i]];
        double rate = fair_share_rate(self->share, changed[i]);
        assert(rate > 0 && rate < INFINITY && stream->transfers.count > 0);
        assert(self->changed_ps >= stream->since_ps);
        assert(rate * alone_byte_ps(self, stream->route) < 1 + 1e-9); /* none is faster than alone */
        if (rate == stream->rate)
            continue;
        stream->bytes = bytes_at(stream, self->changed_ps);
        stream->since_ps = self->changed_ps;
        stream->rate = rate;
        stream->byte_ps = byte_time(stream);
        DEBUG(NETWORK, self->changed_ps, "stream", changed[i], "host %d to %d: %zu messages, each %.6g B/s, by link %d",
              stream->route->from, stream->route->to, stream->transfers.count, rate * 1e12,
              fair_share_bottleneck(self->share, changed[i]));
        tracked_heap_set(&self->ends, (uint32_t)changed[i], end_of(stream, self->changed_ps));
        if (self->network.loads != NULL)
            report_rate(self, changed[i]);
    }
    self->changed_ps = -1;
}

static void change_wires(struct fluid *self, int64_t now)
{
    assert(now >= self->changed_ps);
    changing_wires_move(&self->wires, now, wire_changed, self);
    self->changed_ps = now;
}

/* ---- The network ---- */

/* While nothing is under way wires may change as they like. */
static int64_t next_wires_ps(const struct fluid *self)
{
    return self->ends.heap.count > 0 ? self->wires.next_ps : INT64_MAX;
}

static void set_next(struct fluid *self)
{
    int64_t next_ps = heap_first_key(&self->ends.heap), wires_ps = next_wires_ps(self);
    if (self->changed_ps >= 0 && self->changed_ps < next_ps)
        next_ps = self->changed_ps + 1;
    self->network.next_ps = wires_ps < next_ps ? wires_ps : next_ps;
}

static enum transfer_state fluid_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                         int64_t now, int64_t *at)
{
    struct fluid *self = (struct fluid *)network;
    const struct route *route = transfer->route;
    bool is_new = transfer->next_hop++ == 0; /* the latency is still to come */
    if (now >= self->wires.next_ps)
        change_wires(self, now);
    if (is_new && self->network.loads != NULL)
        link_loads_depart(self->network.loads, route, transfer->bytes);
    int64_t latency_ps = is_new && !self->machine->costs.free_latency ? latency_of(self, route) : 0;
    *at = now + (route->hops == 0 ? transfer->inject_ps : latency_ps + (is_new ? transfer->hop_ps : 0));
    if (route->hops == 0 || transfer->bytes == 0 || self->machine->costs.free_length)
        return TRANSFER_ENDS;
    if (*at > now)
        return TRANSFER_MOVES;
    enter(self, transfer, number, now);
    set_next(self);
    return TRANSFER_SHARES;
}

static bool fluid_next(struct network *network, int64_t until, uint32_t *number, int64_t *at)
{
    struct fluid *self = (struct fluid *)network;
    bool ends = false;
    while (!ends && self->network.next_ps <= until && self->network.next_ps < INT64_MAX) {
        int64_t end_ps = heap_first_key(&self->ends.heap);
        if (self->changed_ps >= 0 && self->changed_ps < end_ps) {
            find_rates(self);
        } else if (next_wires_ps(self) <= end_ps) {
            change_wires(self, self->wires.next_ps);
        } else {
            *at = end_ps;
            *number = leave(self, end_ps);
            ends = true;
        }
        set_next(self);
    }
    return ends;
}

static struct network *fluid_open(const struct machine *machine)
{
    struct fluid *self = xcalloc(1, sizeof *self);
    self->network = (struct network){.spec = &network_fluid, .next_ps = INT64_MAX};
    self->machine = machine;
    self->changed_ps = -1;
    self->share = fair_share_new(machine_link_count(machine), capacity_of, self);
    changing_wires_init(&self->wires, machine);
    return &self->network;
}

static void fluid_close(struct network *network)
{
    struct fluid *self = (struct fluid *)network;
    for (size_t i = 0; i < self->n_streams; i++)
        heap_dispose(&self->streams[i].transfers);
    tracked_heap_dispose(&self->ends);
    changing_wires_dispose(&self->wires);
    fair_share_free(self->share);
    free(self->stream_of);
    free(self->streams);
    free(self);
}

const struct network_spec network_fluid = {
    .name = "fluid",
    .summary = "max-min fair sharing of wires",
    .lists_routes = true,
    .needs_wires = true,
    .open = fluid_open,
    .close = fluid_close,
    .advance = fluid_advance,
    .next = fluid_next,
};
