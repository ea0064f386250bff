/* LogGP (Alexandrov95): each host has one wire out and one in, where messages wait for each other; between the hosts,
 * messages are not in each other's way. A message of s bytes leaves when the wire out is free and keeps it busy for g +
 * (s - 1) G; its first byte comes L later, and keeps the wire in as busy when that is free; then it is delivered (s -
 * 1) G later. g is the prop `gap`; L is the time of a message of one byte without contention, and (s - 1) G what the
 * others add to that, by the rows of the formula or by the wires. Within a host messages use no wire.
 *
 * Schedules in GOAL have this of their ranks, at the moments of LogGOPSim: see sim/kernel/loggops.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <stdlib.h>

struct loggp {
    struct network network;
    const struct machine *machine;
    int64_t *out_ps, *in_ps; /* of each host, when its wire is free again */
};

static struct network *loggp_open(const struct machine *machine)
{
    struct loggp *self = xmalloc(sizeof *self);
    size_t n_hosts = (size_t)machine->net->n_hosts;
    *self = (struct loggp){{.spec = &network_loggp, .next_ps = INT64_MAX},
                           machine,
                           xcalloc(n_hosts, sizeof *self->out_ps),
                           xcalloc(n_hosts, sizeof *self->in_ps)};
    return &self->network;
}

static void loggp_close(struct network *network)
{
    struct loggp *self = (struct loggp *)network;
    free(self->out_ps);
    free(self->in_ps);
    free(self);
}

/* Have the wire from when it is free; that moment. */
static int64_t take(int64_t *free_ps, int64_t now, int64_t busy_ps)
{
    int64_t start_ps = int64_max(*free_ps, now);
    *free_ps = int64_min(start_ps + busy_ps, PS_TOO_LONG);
    return start_ps;
}

/* First on the wire out; then, when the first byte has come, on the wire in. */
static enum transfer_state loggp_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                         int64_t now, int64_t *at)
{
    (void)number;
    struct loggp *self = (struct loggp *)network;
    int64_t busy_ps = units_clamp((wide_int)self->machine->costs.gap_ps + transfer->inject_ps);
    assert(transfer->inject_ps >= 0 && transfer->latency_ps >= 0);
    if (transfer->hops == 0) {
        *at = now + units_clamp((wide_int)transfer->inject_ps + transfer->latency_ps);
        return TRANSFER_ENDS;
    }
    if (transfer->next_hop++ == 0) {
        int64_t leaves_ps = take(&self->out_ps[transfer->from], now, busy_ps);
        network_serve_alone(network, self->machine, transfer, leaves_ps);
        *at = leaves_ps + transfer->latency_ps;
        return TRANSFER_MOVES;
    }
    *at = take(&self->in_ps[transfer->to], now, busy_ps) + transfer->inject_ps;
    return TRANSFER_ENDS;
}

const struct network_spec network_loggp = {
    .name = "loggp",
    .summary = "LogGP: messages wait for each other on their hosts' own wires, one out and one in",
    .is_loggp = true,
    .open = loggp_open,
    .close = loggp_close,
    .advance = loggp_advance,
};
