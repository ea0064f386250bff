/* When the ports of ranks are free.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ports.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>

struct ports {
    double byte_ps;
    int64_t *out_ps, *in_ps; /* of each rank */
};

struct ports *ports_new(const struct kernel_run *run)
{
    double bandwidth_Bps = run->machine->net->style.core_bandwidth_Bps;
    size_t n_ranks = (size_t)run->placement->n_ranks;
    if (!(bandwidth_Bps > 0) || run->network->is_quiet || run->network->is_loggp || run->machine->costs.free_length)
        return NULL;
    struct ports *ports = xmalloc(sizeof *ports);
    *ports = (struct ports){1e12 / bandwidth_Bps, xcalloc(n_ranks, sizeof *ports->out_ps),
                            xcalloc(n_ranks, sizeof *ports->in_ps)};
    return ports;
}

void ports_free(struct ports *ports)
{
    if (ports == NULL)
        return;
    free(ports->out_ps);
    free(ports->in_ps);
    free(ports);
}

/* Control messages and messages within a host use no port. */
static bool is_used(const struct message *message)
{
    return message->transfer.hops > 0 && (message->phase == PHASE_DATA || message->phase == PHASE_RENDEZVOUS_DATA);
}

static int64_t length_ps(const struct ports *ports, const struct message *message)
{
    return units_clamp((wide_int)((double)message->transfer.bytes * ports->byte_ps + 0.5));
}

int64_t ports_leave(struct ports *ports, const struct message *message, int64_t now)
{
    if (!is_used(message))
        return now;
    int64_t *free_ps = &ports->out_ps[message->sender], start_ps = int64_max(*free_ps, now);
    *free_ps = int64_min(start_ps + length_ps(ports, message), PS_TOO_LONG);
    return start_ps;
}

int64_t ports_come(struct ports *ports, const struct message *message, int64_t now)
{
    if (!is_used(message))
        return now;
    int64_t *free_ps = &ports->in_ps[message->receiver];
    *free_ps = int64_min(int64_max(*free_ps + length_ps(ports, message), now), PS_TOO_LONG);
    return *free_ps;
}
