/* When the ports of ranks, and the network cards and memories of hosts, are free.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ports.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>

struct ports {
    double byte_ps;
    int64_t gap_ps;      /* of a card, besides the length on the wire */
    double wire_byte_ps; /* of a host */
    double memory_byte_ps;
    int ranks_per_host;
    int64_t *out_ps, *in_ps;                       /* of each rank */
    int64_t *card_out_ps, *card_in_ps, *memory_ps; /* of each slot */
};

enum { MEGABYTE = 1000000 };

struct ports *ports_new(const struct kernel_run *run)
{
    const struct cost_model *costs = &run->machine->costs;
    const struct placement *placement = run->placement;
    double bandwidth_Bps = costs->free_length ? 0 : run->machine->net->style.core_bandwidth_Bps;
    double memory_Bps = costs->free_length || placement->ranks_per_host == 1 ? 0 : (double)costs->local_Bps;
    int64_t gap_ps = costs->free_latency ? 0 : costs->node_gap_ps;
    size_t n_ranks = (size_t)placement->n_ranks, n_slots = (size_t)placement->n_slots;
    bool is_bound = bandwidth_Bps > 0 || memory_Bps > 0 || gap_ps > 0;
    if (!is_bound || run->network->is_quiet || run->network->is_loggp)
        return NULL;
    struct ports *ports = xmalloc(sizeof *ports);
    *ports = (struct ports){.byte_ps = bandwidth_Bps > 0 ? 1e12 / bandwidth_Bps : 0,
                            .gap_ps = gap_ps,
                            .wire_byte_ps = costs->free_length ? 0 : placement_wire_ps(placement, MEGABYTE) / MEGABYTE,
                            .memory_byte_ps = memory_Bps > 0 ? 1e12 / memory_Bps : 0,
                            .ranks_per_host = placement->ranks_per_host,
                            .out_ps = xcalloc(n_ranks, sizeof *ports->out_ps),
                            .in_ps = xcalloc(n_ranks, sizeof *ports->in_ps),
                            .card_out_ps = xcalloc(n_slots, sizeof *ports->card_out_ps),
                            .card_in_ps = xcalloc(n_slots, sizeof *ports->card_in_ps),
                            .memory_ps = xcalloc(n_slots, sizeof *ports->memory_ps)};
    return ports;
}

void ports_free(struct ports *ports)
{
    if (ports == NULL)
        return;
    free(ports->out_ps);
    free(ports->in_ps);
    free(ports->card_out_ps);
    free(ports->card_in_ps);
    free(ports->memory_ps);
    free(ports);
}

static bool has_data(const struct message *message)
{
    return message->phase == PHASE_DATA || message->phase == PHASE_RENDEZVOUS_DATA;
}

/* Control messages and messages within a host use no port. */
static bool is_used(const struct message *message)
{
    return message->transfer.hops > 0 && has_data(message);
}

static int64_t length_ps(const struct message *message, double byte_ps)
{
    return units_clamp((wide_int)((double)message->transfer.bytes * byte_ps + 0.5));
}

/* When the card has its turn for a message that asks `now`. */
static int64_t take_turn(const struct ports *ports, int64_t *free_ps, const struct message *message, int64_t now)
{
    int64_t turn_ps = int64_max(*free_ps, now);
    if (ports->gap_ps > 0)
        *free_ps = int64_min(turn_ps + ports->gap_ps + length_ps(message, ports->wire_byte_ps), PS_TOO_LONG);
    return turn_ps;
}

/* When a message within a host sets out so that it does not end before the host's memory has dealt with it, and all
 * that have asked before. */
static int64_t through_memory(const struct ports *ports, const struct message *message, int64_t now)
{
    int64_t *free_ps = &ports->memory_ps[message->sender / ports->ranks_per_host];
    int64_t own_ps = message->transfer.inject_ps + message->transfer.latency_ps;
    *free_ps = int64_min(int64_max(*free_ps, now) + length_ps(message, ports->memory_byte_ps), PS_TOO_LONG);
    return int64_max(*free_ps - own_ps, now);
}

int64_t ports_leave(struct ports *ports, const struct message *message, int64_t now)
{
    if (!is_used(message))
        return now;
    int64_t *free_ps = &ports->out_ps[message->sender], start_ps = int64_max(*free_ps, now);
    *free_ps = int64_min(start_ps + length_ps(message, ports->byte_ps), PS_TOO_LONG);
    return start_ps;
}

int64_t ports_leave_host(struct ports *ports, const struct message *message, int64_t now)
{
    if (ports->memory_byte_ps > 0 && message->transfer.hops == 0 && has_data(message))
        return through_memory(ports, message, now);
    if (!is_used(message))
        return now;
    return take_turn(ports, &ports->card_out_ps[message->sender / ports->ranks_per_host], message, now);
}

int64_t ports_come(struct ports *ports, const struct message *message, int64_t now)
{
    if (!is_used(message))
        return now;
    int64_t *free_ps = &ports->in_ps[message->receiver];
    int64_t turn_ps = take_turn(ports, &ports->card_in_ps[message->receiver / ports->ranks_per_host], message, now);
    *free_ps = int64_min(int64_max(*free_ps + length_ps(message, ports->byte_ps), turn_ps), PS_TOO_LONG);
    return *free_ps;
}
