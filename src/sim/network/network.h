/* Networks: how long messages take. One file <name>.c here, one line in list.def.
 *
 * The simulation puts a message on the network at the present moment and calls `advance` for it, then again at each
 * moment that it asks for, until it says when the message is delivered. Calls come in order of time, so a link that
 * serves first come, first served needs to remember only when it is free. Where the delivery depends on what else will
 * be under way, `advance` says that the transfer shares: network_next() then names it when its end is known. No moment
 * is later than PS_MAX, the end of the kernel's clock, by more than 2 PS_TOO_LONG; the kernel fails there.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_NETWORK_H
#define SIM_NETWORK_NETWORK_H

#include "base/heap.h"
#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

struct transfer {
    const struct route *route; /* with its links; NULL where those are computed */
    int64_t bytes;
    int32_t from, to, hops;
    int32_t next_hop : 30;
    uint32_t done : 2;            /* the kernel's: not 0 if delivered, or nothing is left but the moment of delivery */
    int64_t inject_ps;            /* what the tail is behind the head */
    int64_t latency_ps;           /* what the head takes over all of the route, if no other message is in its way */
    int64_t hop_ps, link_busy_ps; /* of every wire, where the machine has a formula; see struct message_parts. Elsewhere
                                   * hop_ps is of its ends, and within inject_ps. */
};

/* The route for a transfer on that network: without links, in *room, where they are computed and the network does not
 * look at all of them; otherwise a remembered one, NULL if there is none. */
struct network_spec;
const struct route *network_route(const struct network_spec *spec, struct machine *machine, int from, int to,
                                  struct route *room);

/* A transfer that has not begun. */
void transfer_init(struct transfer *transfer, const struct machine *machine, const struct route *route, int64_t bytes,
                   bool exchanges);

/* Have its first byte be the head of a transfer that has been made so, as in LogGP: latency_ps is the time of a message
 * of one byte, L, and inject_ps what the others add, (s - 1) G. */
void transfer_lead_by_byte(struct transfer *transfer, const struct machine *machine, const struct route *route,
                           int64_t bytes, bool exchanges);

/* The network's answer for a transfer. */
enum transfer_state {
    TRANSFER_MOVES,  /* it is to be advanced again at *at */
    TRANSFER_ENDS,   /* it is delivered at *at */
    TRANSFER_SHARES, /* its end depends on others: network_next() names it */
};

struct link_loads;

/* A network in use. Each has a struct of its own, which begins with this one. */
struct network {
    const struct network_spec *spec;
    int64_t
        next_ps; /* before this moment nothing happens of its own; INT64_MAX: nothing at all, as where none shares */
    struct link_loads *loads; /* what it tells of links, borrowed; NULL: not asked for */
    struct heap_entry event;  /* the engine's latest in order; see network_reach() */
    bool has_event;
    uint32_t order;  /* the engine's: that of the events in its queue of the transfer that advances */
    int64_t n_moves; /* moments at which it has moved transfers on of its own */
};

struct network_spec {
    const char *name;
    const char *summary;
    bool is_quiet;     /* what a transfer takes depends on it alone, not on when and on what else is under way */
    bool is_loggp;     /* a message's head is its first byte, see transfer_lead_by_byte(); schedules go by LogGOPS */
    bool lists_routes; /* looks at all links of a route at a time */
    bool needs_wires;  /* works only on machines without message cost formula */
    struct network *(*open)(const struct machine *machine);
    void (*close)(struct network *network);

    /* Move the transfer of a number on, at the moment `now`. *at is not before `now`; of one that shares it is not
     * set. */
    enum transfer_state (*advance)(struct network *network, struct transfer *transfer, uint32_t number, int64_t now,
                                   int64_t *at);

    /* Let happen what happens up to `until`, or until a transfer ends: then true, with its number and the moment. It is
     * called only from next_ps on, which is later than `until` after it has said false. The moment may be later than
     * `until`. */
    bool (*next)(struct network *network, int64_t until, uint32_t *number, int64_t *at);
};

/* One in use; its spec closes it. `loads` has the machine's links, or is NULL. */
struct network *network_open(const struct network_spec *spec, const struct machine *machine, struct link_loads *loads);
/* The last rank is done, or will be, at that moment: what links do later is not of the run. */
void network_end_run(struct network *network, int64_t end_ps);

/* Tell of links that serve a transfer which begins at that moment, each when its head comes: no other message is in its
 * way. */
void network_serve_alone(const struct network *network, const struct machine *machine, const struct transfer *transfer,
                         int64_t now);

/* True if nothing happens of its own at any moment. */
static inline bool network_rests(const struct network *network)
{
    return network->next_ps == INT64_MAX;
}

/* The next transfer that shares and ends: all that end by `until` come, others may. To be asked before anything is
 * advanced that late. */
static inline bool network_next(struct network *network, int64_t until, uint32_t *number, int64_t *at)
{
    if (network_rests(network) || network->next_ps > until)
        return false;
    return network->spec->next(network, until, number, at);
}

/* The engine has come to an event of its queue: key, order and item. An engine that tells all of its events, and of
 * each transfer by which order its own would come, may be told by network_next() alone when a transfer ends. The result
 * is as if the transfer had been advanced by events in its queue. */
static inline void network_reach(struct network *network, struct heap_entry event)
{
    if (!network->has_event || heap_is_before(network->event, event))
        network->event = event;
    network->has_event = true;
}

/* All networks, NULL-terminated. */
extern const struct network_spec *const network_specs[];

/* Each by its name: network_quiet, network_fifo ... */
#define NETWORK(name) extern const struct network_spec network_##name;
#include "sim/network/list.def"
#undef NETWORK

#endif
