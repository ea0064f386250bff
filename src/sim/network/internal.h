/* Declarations shared by the networks whose links serve messages one by one. Nothing else includes this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_INTERNAL_H
#define SIM_NETWORK_INTERNAL_H

#include "sim/network/network.h"

#include "base/units.h"

/* The time of a link for a message: until its head has crossed it, and until its tail has left it. */
struct passage {
    int64_t head_ps, busy_ps;
};

static inline struct passage wire_passage(const struct machine *machine, int64_t bytes, int32_t link)
{
    const struct wire *wire = machine_wire(machine, link);
    double busy = (double)bytes * wire->byte_ps + 0.5;
    return (struct passage){machine->costs.free_latency ? 0 : wire->latency_ps,
                            machine->costs.free_length ? 0 : units_clamp((wide_int)busy)};
}

static inline struct passage passage_of(const struct machine *machine, const struct transfer *transfer, int32_t link)
{
    if (machine->costs.message.count > 0)
        return (struct passage){transfer->hop_ps, transfer->link_busy_ps};
    return wire_passage(machine, transfer->bytes, link);
}

/* The next link of a route, and what comes behind it: the links of a remembered one, or how to compute them. */
struct route_cursor {
    union {
        const int32_t *links; /* from this one on */
        struct {
            int32_t step, end; /* of the present segment, see struct topology_segment */
        };
    };
    int32_t link, left; /* so many links, this one counted; of a computed route, in the present segment; 0: the next one
                         * is to be chosen when the head comes to `end` */
    int32_t to;
    uint32_t is_computed : 1;
    uint32_t drawn : 31; /* see topology_draw() */
};

static inline void route_cursor_take(struct route_cursor *cursor, const struct topology_segment *segment)
{
    cursor->step = segment->step;
    cursor->end = segment->end;
    cursor->link = segment->first;
    cursor->left = segment->count;
}

/* Enter the segment that begins at that node. */
static inline void route_cursor_enter(struct route_cursor *cursor, const struct machine *machine, int32_t from)
{
    const struct topology *topology = machine->net->topology;
    struct topology_segment segment;
    uint32_t drawn = cursor->drawn;
    if (drawn == 0) {
        topology->spec->segment(topology, from, cursor->to, &segment);
    } else {
        topology_follow(topology, from, cursor->to, &drawn, &segment);
        cursor->drawn = drawn & INT32_MAX;
    }
    route_cursor_take(cursor, &segment);
}

/* At the first link of a transfer that has one, by what is drawn of a computed route. */
static inline void route_cursor_begin(struct route_cursor *cursor, const struct machine *machine,
                                      const struct transfer *transfer, uint32_t drawn)
{
    cursor->to = transfer->to;
    cursor->is_computed = transfer->route == NULL;
    cursor->drawn = drawn & INT32_MAX;
    if (cursor->is_computed) {
        route_cursor_enter(cursor, machine, transfer->from);
        return;
    }
    cursor->links = transfer->route->links;
    cursor->link = cursor->links[0];
    cursor->left = transfer->hops;
}

/* To the next link; false where there is none. Where links are chosen when the head comes to them, the next one may
 * still have to be. */
static inline bool route_cursor_next(struct route_cursor *cursor, const struct machine *machine, bool chooses)
{
    if (--cursor->left > 0) {
        cursor->link = cursor->is_computed ? cursor->link + cursor->step : *++cursor->links;
        return true;
    }
    if (!cursor->is_computed || cursor->end == cursor->to)
        return false;
    if (!chooses)
        route_cursor_enter(cursor, machine, cursor->end);
    return true;
}

#endif
