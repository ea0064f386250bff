/* What networks share whose links serve messages one by one. Nothing else includes this. */
#ifndef SIM_NETWORK_INTERNAL_H
#define SIM_NETWORK_INTERNAL_H

#include "sim/network/network.h"

#include "base/units.h"

/* What a link takes for a message: until its head has crossed it, and until its tail has left it. */
struct passage {
    int64_t head_ps, busy_ps;
};

static inline struct passage passage_of(const struct machine *machine, const struct transfer *transfer, int32_t link)
{
    if (machine->costs.message.count > 0)
        return (struct passage){transfer->hop_ps, transfer->link_busy_ps};
    const struct wire *wire = machine_wire(machine, link);
    double busy = (double)transfer->bytes * wire->byte_ps + 0.5;
    return (struct passage){machine->costs.free_latency ? 0 : wire->latency_ps,
                            machine->costs.free_length ? 0 : units_clamp((wide_int)busy)};
}

#endif
