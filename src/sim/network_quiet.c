/* No contention: a message takes the machine's closed formula (paper 001, eq. 4), whatever else is under way. */
#include "sim/network.h"

#include "base/units.h"

#include <stddef.h>

static bool quiet_advance(void *state, struct transfer *transfer, int64_t now, int64_t *at)
{
    (void)state;
    *at = now + units_clamp(transfer->inject_ps + (wide_int)transfer->hops * transfer->hop_ps);
    return false;
}

const struct network_spec network_quiet = {
    .name = "quiet",
    .summary = "no contention: the machine's closed formula",
    .advance = quiet_advance,
};
