/* No contention: a message takes the machine's closed formula (Zemerly95, eq. 4, or latency + length / bandwidth),
 * whatever else is under way. */
#include "sim/network/network.h"

#include "base/memory.h"
#include "base/units.h"

struct quiet {
    const struct machine *machine;
};

static void *quiet_open(const struct machine *machine)
{
    struct quiet *self = xmalloc(sizeof *self);
    self->machine = machine;
    return self;
}

static bool quiet_advance(void *state, struct transfer *transfer, int64_t now, int64_t *at)
{
    const struct quiet *self = state;
    const struct route *route = transfer->route;
    bool formula = self->machine->n_message_rows > 0;
    wide_int head_ps = formula                       ? (wide_int)route->hops * transfer->hop_ps
                       : self->machine->free_latency ? 0
                                                     : route->latency_ps;
    *at = now + units_clamp(transfer->inject_ps + head_ps);
    return false;
}

const struct network_spec network_quiet = {
    .name = "quiet",
    .summary = "no contention: the machine's closed formula",
    .open = quiet_open,
    .advance = quiet_advance,
};
