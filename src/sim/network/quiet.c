/* No contention: a message takes the machine's closed formula (Zemerly95, eq. 4, or latency + length / bandwidth),
 * whatever else is under way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/internal.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>

struct quiet {
    struct network network;
    const struct machine *machine;
};

static struct network *quiet_open(const struct machine *machine)
{
    struct quiet *self = xmalloc(sizeof *self);
    *self = (struct quiet){{.spec = &network_quiet, .next_ps = INT64_MAX}, machine};
    return &self->network;
}

static void quiet_close(struct network *network)
{
    free(network);
}

static enum transfer_state quiet_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                         int64_t now, int64_t *at)
{
    (void)number;
    const struct quiet *self = (const struct quiet *)network;
    network_serve_alone(network, self->machine, transfer, now);
    assert(transfer->inject_ps >= 0 && transfer->latency_ps >= 0);
    *at = now + units_clamp((wide_int)transfer->inject_ps + transfer->latency_ps);
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
