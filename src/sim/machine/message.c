/* What a message costs without contention: the rows of the platform's formula. */
#include "sim/machine/machine.h"

#include "base/units.h"

#include <assert.h>

static const struct message_cost *row_for(const struct machine *machine, int64_t bytes)
{
    const struct message_cost *row = machine->message;
    while (row->max_bytes < bytes)
        row++;
    return row;
}

static wide_int hop_time(const struct message_cost *row, int64_t bytes)
{
    return row->hop_ps + (wide_int)row->byte_hop_ps * bytes;
}

struct message_parts machine_message_parts(const struct machine *machine, int64_t bytes)
{
    assert(bytes >= 0);
    const struct message_cost *row = row_for(machine, bytes);
    wide_int hop = hop_time(row, bytes), busy = hop;
    if (bytes > machine->packet_bytes) {
        const struct message_cost *packet = row_for(machine, machine->packet_bytes);
        int64_t rest = bytes % machine->packet_bytes;
        busy = bytes / machine->packet_bytes * hop_time(packet, machine->packet_bytes);
        if (rest > 0)
            busy += hop_time(packet, rest);
    }
    wide_int inject = row->start_ps + (wide_int)row->byte_ps * bytes;
    return (struct message_parts){.inject_ps = inject > 0 ? units_clamp(inject) : 0, /* below 0 only without latency */
                                  .hop_ps = units_clamp(hop),
                                  .link_busy_ps = units_clamp(busy)};
}

int64_t machine_alone_ps(const struct machine *machine, const struct route *route, int64_t bytes, int64_t *latency_ps)
{
    if (machine->n_message_rows > 0) {
        int64_t all_ps = machine_message_ps(machine, bytes, route->hops);
        int64_t empty_ps = machine_message_ps(machine, 0, route->hops);
        *latency_ps = empty_ps < all_ps ? empty_ps : all_ps;
        return all_ps;
    }
    *latency_ps = machine->free_latency ? 0 : route->latency_ps;
    return units_clamp(*latency_ps + (wide_int)(machine->free_length ? 0 : (double)bytes * route->byte_ps + 0.5));
}

int64_t machine_message_ps(const struct machine *machine, int64_t bytes, int hops)
{
    struct message_parts parts = machine_message_parts(machine, bytes);
    return units_clamp((wide_int)parts.inject_ps + (wide_int)hops * parts.hop_ps);
}
