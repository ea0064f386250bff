/* Declarations shared by the networks whose links serve messages one by one. Nothing else includes this. */
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
struct walk {
    union {
        const int32_t *links; /* from this one on */
        struct {
            int32_t step, end; /* of the present leg, see struct topology_leg */
        };
    };
    int32_t link, left; /* so many links, this one counted; of a computed route, in the present leg */
    int32_t to;
    bool is_computed;
};

/* Begin the leg from that node. */
static inline void walk_leg(struct walk *walk, const struct machine *machine, int32_t from)
{
    struct topology_leg leg;
    machine->net->topology->spec->leg(machine->net->topology, from, walk->to, &leg);
    walk->step = leg.step;
    walk->end = leg.end;
    walk->link = leg.first;
    walk->left = leg.count;
}

/* At the first link of a transfer that has one. */
static inline void walk_begin(struct walk *walk, const struct machine *machine, const struct transfer *transfer)
{
    walk->to = transfer->to;
    walk->is_computed = transfer->route == NULL;
    if (walk->is_computed) {
        walk_leg(walk, machine, transfer->from);
        return;
    }
    walk->links = transfer->route->links;
    walk->link = walk->links[0];
    walk->left = transfer->hops;
}

/* To the next link; false where there is none. */
static inline bool walk_on(struct walk *walk, const struct machine *machine)
{
    if (--walk->left > 0) {
        walk->link = walk->is_computed ? walk->link + walk->step : *++walk->links;
        return true;
    }
    if (!walk->is_computed || walk->end == walk->to)
        return false;
    walk_leg(walk, machine, walk->end);
    return true;
}

#endif
