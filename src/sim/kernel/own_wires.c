/* For each rank, until when its wires would be busy if messages waited for each other there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/own_wires.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

struct own_wires {
    int n_ranks;
    int64_t *out_ps, *in_ps; /* when each rank's are free again */
    /* The message that was looked at last. */
    int from, to;
    int64_t bytes, length_ps, latency_ps;
};

struct own_wires *own_wires_new(int n_ranks)
{
    struct own_wires *wires = xcalloc(1, sizeof *wires);
    wires->n_ranks = n_ranks;
    wires->out_ps = xcalloc((size_t)n_ranks, sizeof *wires->out_ps);
    wires->in_ps = xcalloc((size_t)n_ranks, sizeof *wires->in_ps);
    wires->from = -1;
    return wires;
}

void own_wires_free(struct own_wires *wires)
{
    if (wires == NULL)
        return;
    free(wires->out_ps);
    free(wires->in_ps);
    free(wires);
}

/* A message is on the wire from then on; how much of that it shares with those before. */
static int64_t occupy(int64_t *free_ps, int64_t start_ps, int64_t length_ps)
{
    int64_t shared_ps = int64_min(int64_max(*free_ps - start_ps, 0), length_ps);
    *free_ps = int64_max(*free_ps, start_ps) + length_ps;
    return shared_ps;
}

void own_wires_send(struct kernel *kernel, const struct message *message)
{
    struct own_wires *wires = kernel->own_wires;
    int from = message->sender, to = message->receiver;
    if (wires->from != from || wires->to != to || wires->bytes != message->bytes) {
        struct route room;
        const struct route *route =
            machine_way(kernel->machine, kernel->ranks[from].host, kernel->ranks[to].host, &room);
        wires->from = from;
        wires->to = to;
        wires->bytes = message->bytes;
        wires->length_ps =
            machine_alone_ps(kernel->machine, route, message->bytes, message->exchanges, &wires->latency_ps);
        wires->length_ps -= wires->latency_ps;
    }
    if (from == to || wires->length_ps > PS_MAX - kernel->now_ps - wires->latency_ps ||
        int64_max(wires->out_ps[from], wires->in_ps[to]) > PS_MAX - wires->length_ps)
        return;
    kernel->stats.wire_ps += wires->length_ps;
    kernel->stats.shared_wire_ps +=
        int64_max(occupy(&wires->out_ps[from], kernel->now_ps, wires->length_ps),
                  occupy(&wires->in_ps[to], kernel->now_ps + wires->latency_ps, wires->length_ps));
}
