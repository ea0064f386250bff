/* Links that each serve messages first come, first served.
 *
 * The head of a message waits until the link is free, crosses it and stands at the next one; the tail follows the head
 * at the distance inject_ps. Where the machine has a formula, a link passes messages on packet by packet
 * (store-and-forward): the head takes hop_ps, and the link is busy for link_busy_ps, the time of the message's packets.
 * Elsewhere it cuts through: the head takes the wire's latency, and the link is busy for length / bandwidth. Without
 * contention the delivery is as on `quiet`. */
#include "sim/network/network.h"

#include "base/memory.h"
#include "base/units.h"

#include <stdlib.h>

struct fifo {
    struct network network;
    const struct machine *machine;
    int64_t free_at[]; /* of each link */
};

static struct network *fifo_open(const struct machine *machine)
{
    size_t n_links = (size_t)machine_link_count(machine);
    struct fifo *self = xcalloc(1, sizeof *self + n_links * sizeof self->free_at[0]);
    self->network = (struct network){&network_fifo, INT64_MAX};
    self->machine = machine;
    return &self->network;
}

static void fifo_close(struct network *network)
{
    free(network);
}

static enum transfer_state fifo_advance(struct network *network, struct transfer *transfer, uint32_t number,
                                        int64_t now, int64_t *at)
{
    (void)number;
    struct fifo *self = (struct fifo *)network;
    const struct route *route = transfer->route;
    if (transfer->next_hop == route->hops) {
        *at = now + transfer->inject_ps;
        return TRANSFER_ENDS;
    }
    int32_t link = route->links[transfer->next_hop++];
    int64_t head_ps = transfer->hop_ps, busy_ps = transfer->link_busy_ps;
    if (self->machine->costs.n_message_rows == 0) {
        const struct machine *machine = self->machine;
        const struct wire *wire = machine_wire(machine, link);
        double busy = (double)transfer->bytes * wire->byte_ps + 0.5;
        head_ps = machine->costs.free_latency ? 0 : wire->latency_ps;
        busy_ps = machine->costs.free_length ? 0 : units_clamp((wide_int)busy);
    }
    int64_t start = now > self->free_at[link] ? now : self->free_at[link];
    self->free_at[link] = start + busy_ps;
    *at = start + head_ps;
    if (transfer->next_hop < route->hops)
        return TRANSFER_MOVES;
    *at += transfer->inject_ps;
    return TRANSFER_ENDS;
}

const struct network_spec network_fifo = {
    .name = "fifo",
    .summary = "every link serves messages first come, first served",
    .open = fifo_open,
    .close = fifo_close,
    .advance = fifo_advance,
};
