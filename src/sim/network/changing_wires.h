/* The wires of a machine as they are at a moment, where profiles change their bandwidth and latency as time goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_CHANGING_WIRES_H
#define SIM_NETWORK_CHANGING_WIRES_H

#include "sim/machine/machine.h"

#include <stddef.h>
#include <stdint.h>

/* A profile, and its point that comes next. */
struct wire_change {
    int32_t link;
    const struct profile *profile; /* borrowed from the machine */
    size_t point;
    double round_s; /* what its rounds so far have taken */
    int64_t at_ps;  /* INT64_MAX: there is no more */
};

struct changing_wires {
    const struct wire *wires; /* as they are now; machine_wire() of a machine without profiles */
    bool one_wire;
    int64_t next_ps; /* the next change; INT64_MAX: none */
    struct wire *own;
    struct wire_change *changes;
    size_t n_changes;
};

/* At time 0. The machine lives longer. */
void changing_wires_init(struct changing_wires *self, const struct machine *machine);
void changing_wires_dispose(struct changing_wires *self);

static inline const struct wire *changing_wires_at(const struct changing_wires *self, int32_t link)
{
    return &self->wires[self->one_wire ? 0 : link];
}

/* Make all changes up to `now`, and notify of each link that has changed. */
void changing_wires_move(struct changing_wires *self, int64_t now, void (*notify)(void *listener, int32_t link),
                         void *listener);

#endif
