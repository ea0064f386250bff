/* Links that each serve messages first come, first served.
 *
 * The head of a message waits until the link is free, crosses it and stands at the next one; the tail follows the head
 * at the distance inject_ps. Where the machine has a formula, a link passes messages on packet by packet
 * (store-and-forward): the head takes hop_ps, and the link is busy for link_busy_ps, the time of the message's packets.
 * Elsewhere it cuts through: the head takes the wire's latency, and the link is busy for length / bandwidth. Without
 * contention the delivery is as on `quiet`. */
#include "sim/network/internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "sim/network/link_loads.h"

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
    self->network = (struct network){&network_fifo, INT64_MAX, NULL};
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
    struct passage passage = passage_of(self->machine, transfer, link);
    int64_t start = int64_max(now, self->free_at[link]);
    self->free_at[link] = start + passage.busy_ps;
    if (network->loads != NULL)
        link_loads_serve(network->loads, link, transfer->bytes, now, start, passage.busy_ps);
    *at = start + passage.head_ps;
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
