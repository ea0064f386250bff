/* No contention: a message takes the machine's closed formula (Zemerly95, eq. 4, or latency + length / bandwidth),
 * whatever else is under way. */
#include "sim/network/internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "sim/network/link_loads.h"

#include <stdlib.h>

struct quiet {
    struct network network;
    const struct machine *machine;
};

static struct network *quiet_open(const struct machine *machine)
{
    struct quiet *self = xmalloc(sizeof *self);
    *self = (struct quiet){{&network_quiet, INT64_MAX, NULL}, machine};
    return &self->network;
}

static void quiet_close(struct network *network)
{
    free(network);
}

/* Nobody waits: each link serves the message when its head comes. */
static void tell(const struct quiet *self, const struct transfer *transfer, int64_t now)
{
    const struct route *route = transfer->route;
    for (int32_t hop = 0; hop < route->hops; hop++) {
        struct passage passage = passage_of(self->machine, transfer, route->links[hop]);
        link_loads_serve(self->network.loads, route->links[hop], transfer->bytes, now, now, passage.busy_ps);
        now = int64_min(now + passage.head_ps, PS_MAX);
    }
}

static enum transfer_state quiet_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                         int64_t now, int64_t *at)
{
    (void)number;
    const struct quiet *self = (const struct quiet *)network;
    const struct route *route = transfer->route;
    bool formula = cost_model_has_formula(&self->machine->costs, route->hops);
    wide_int head_ps = formula                             ? (wide_int)route->hops * transfer->hop_ps
                       : self->machine->costs.free_latency ? 0
                                                           : route->latency_ps;
    if (network->loads != NULL)
        tell(self, transfer, now);
    *at = now + units_clamp(transfer->inject_ps + head_ps);
    return TRANSFER_ENDS;
}

const struct network_spec network_quiet = {
    .name = "quiet",
    .summary = "no contention: the machine's closed formula",
    .is_quiet = true,
    .open = quiet_open,
    .close = quiet_close,
    .advance = quiet_advance,
};
