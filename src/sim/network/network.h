/* Networks: how long messages take. One file network_<name>.c, one line in sim/network/list.def.
 *
 * The kernel injects a message at the present moment and then lets the network advance it from one moment to the next
 * until it is delivered. `advance` is called with the moment `now` for which it last asked (the first time: that of the
 * injection); it either returns true with *at >= now, the next moment that it wants to be called, or returns false with
 * *at >= now, the moment of delivery. Calls come in order of time, so a link that serves first come, first served
 * needs to remember only when it is free. No moment asked for is later than PS_MAX, the end of the kernel's clock, by
 * more than 2 PS_MAX; the kernel fails there. */
#ifndef SIM_NETWORK_NETWORK_H
#define SIM_NETWORK_NETWORK_H

#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

struct transfer {
    const struct route *route;
    int64_t bytes;
    int32_t next_hop;
    int32_t done;                 /* the kernel's: delivered, or nothing left but the moment of delivery */
    int64_t inject_ps;            /* what the tail is behind the head */
    int64_t hop_ps, link_busy_ps; /* of every wire, where the machine has a formula; see struct message_parts */
};

/* A transfer that has not begun. */
void transfer_init(struct transfer *transfer, const struct machine *machine, const struct route *route, int64_t bytes);

struct network_spec {
    const char *name;
    const char *summary;
    bool needs_wires;                             /* works only on machines without message cost formula */
    void *(*open)(const struct machine *machine); /* state of the links; freed with free() */
    bool (*advance)(void *state, struct transfer *transfer, int64_t now, int64_t *at);

    /* A network with a clock of its own has these three in place of `advance`. `host` runs the kernel's loop where the
     * network needs it. `start` begins a transfer for a message at the present, `now`. `wait` lets time pass until
     * `until`, or until a transfer is complete before that: then it returns true with its message and the time. */
    void (*host)(void *state, void (*loop)(void *), void *argument);
    void (*start)(void *state, uint32_t message, const struct transfer *transfer, int64_t now);
    bool (*wait)(void *state, int64_t until, uint32_t *message, int64_t *now);
};

/* All networks, NULL-terminated, and their names in the same order. */
extern const struct network_spec *const network_specs[];
extern const char *const network_names[];

/* The one without contention, and the one whose links serve messages one after another. */
extern const struct network_spec network_quiet, network_fifo;

#endif
