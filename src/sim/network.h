/* Networks: how long messages take. One file network_<name>.c, one line in network_list.def.
 *
 * The kernel injects a message at the present moment and then lets the network advance it from one moment to the next
 * until it is delivered. `advance` is called with the moment `now` for which it last asked (the first time: that of the
 * injection); it either returns true with *at >= now, the next moment that it wants to be called, or returns false with
 * *at >= now, the moment of delivery. Calls come in order of time, so a link that serves first come, first served
 * needs to remember only when it is free. No moment asked for is later than PS_MAX, the end of the kernel's clock, by
 * more than 2 PS_MAX; the kernel fails there. */
#ifndef SIM_NETWORK_H
#define SIM_NETWORK_H

#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

struct transfer {
    int64_t bytes;
    const int32_t *links; /* the route, `hops` links */
    int32_t hops;
    int32_t next_hop;
    int64_t inject_ps, hop_ps, link_busy_ps; /* see struct message_parts */
};

struct network_spec {
    const char *name;
    const char *summary;
    void *(*open)(const struct machine *machine); /* state of the links; freed with free() */
    bool (*advance)(void *state, struct transfer *transfer, int64_t now, int64_t *at);
};

/* All networks, NULL-terminated, and their names in the same order. */
extern const struct network_spec *const network_specs[];
extern const char *const network_names[];

#endif
