/* Store-and-forward by packet over links that each serve messages first come, first served.
 *
 * The head of a message waits until the link is free, crosses it in hop_ps and stands at the next one; the tail follows
 * the head at the distance inject_ps. A link is busy for link_busy_ps, the time that the message's packets take on it.
 * Without contention the delivery is at now + hops * hop_ps + inject_ps, as on `quiet`. */
#include "sim/network.h"

#include "base/memory.h"

static void *fifo_open(const struct machine *machine)
{
    return xcalloc((size_t)machine_link_count(machine), sizeof(int64_t)); /* when each link is free */
}

static bool fifo_advance(void *state, struct transfer *transfer, int64_t now, int64_t *at)
{
    int64_t *free_at = state;
    if (transfer->next_hop == transfer->hops) {
        *at = now + transfer->inject_ps;
        return false;
    }
    int64_t *link = &free_at[transfer->links[transfer->next_hop++]];
    int64_t start = now > *link ? now : *link;
    *link = start + transfer->link_busy_ps;
    *at = start + transfer->hop_ps;
    if (transfer->next_hop < transfer->hops)
        return true;
    *at += transfer->inject_ps;
    return false;
}

const struct network_spec network_fifo = {
    .name = "fifo",
    .summary = "every link serves messages first come, first served; store-and-forward by packet",
    .open = fifo_open,
    .advance = fifo_advance,
};
