/* The transfer that a message asks of a network, and the opening of a network.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/internal.h"

#include "base/range.h"
#include "sim/network/link_loads.h"

const struct route *network_route(const struct network_spec *spec, struct machine *machine, int from, int to,
                                  struct route *room)
{
    return spec->lists_routes ? machine_route(machine, from, to) : machine_way(machine, from, to, room);
}

void transfer_init(struct transfer *transfer, const struct machine *machine, const struct route *route, int64_t bytes,
                   bool exchanges)
{
    int64_t wire_bytes = cost_model_wire_bytes(&machine->costs, bytes);
    *transfer = (struct transfer){.route = route->number != ROUTE_COMPUTED ? route : NULL,
                                  .bytes = wire_bytes,
                                  .from = route->from,
                                  .to = route->to,
                                  .hops = route->hops,
                                  .latency_ps = machine->costs.free_latency ? 0 : route->latency_ps - route->beside_ps};
    if (cost_model_has_formula(&machine->costs, route->hops)) {
        struct message_parts parts = cost_model_message_parts(&machine->costs, bytes, route->hops, exchanges);
        transfer->inject_ps = cost_model_tail_ps(&parts, route->hops);
        transfer->hop_ps = parts.hop_ps;
        transfer->latency_ps = units_clamp((wide_int)route->hops * parts.hop_ps);
        transfer->link_busy_ps = parts.link_busy_ps;
    } else {
        double tail_ps = machine->costs.free_length ? 0 : (double)wire_bytes * route->byte_ps + 0.5;
        transfer->hop_ps = route->from == route->to ? 0 : cost_model_endpoint_ps(&machine->costs, bytes, exchanges);
        transfer->inject_ps =
            units_clamp((machine->costs.free_latency ? 0 : route->beside_ps) + transfer->hop_ps + (wide_int)tail_ps);
    }
}

/* The time of such a message if nothing else is under way. */
static wide_int alone_ps(const struct machine *machine, const struct route *route, int64_t bytes, bool exchanges)
{
    struct transfer transfer;
    transfer_init(&transfer, machine, route, bytes, exchanges);
    return (wide_int)transfer.latency_ps + transfer.inject_ps;
}

void transfer_lead_by_byte(struct transfer *transfer, const struct machine *machine, const struct route *route,
                           int64_t bytes, bool exchanges)
{
    wide_int all_ps = (wide_int)transfer->latency_ps + transfer->inject_ps;
    wide_int first_ps = bytes > 1 ? alone_ps(machine, route, 1, exchanges) : all_ps;
    transfer->latency_ps = units_clamp(first_ps < all_ps ? first_ps : all_ps);
    transfer->inject_ps = units_clamp(all_ps - transfer->latency_ps);
}

struct network *network_open(const struct network_spec *spec, const struct machine *machine, struct link_loads *loads)
{
    struct network *network = spec->open(machine);
    network->loads = loads;
    return network;
}

void network_end_run(struct network *network, int64_t end_ps)
{
    if (network->loads != NULL)
        link_loads_end(network->loads, end_ps);
}

void network_serve_alone(const struct network *network, const struct machine *machine, const struct transfer *transfer,
                         int64_t now)
{
    struct route_cursor cursor;
    if (network->loads == NULL || transfer->hops == 0)
        return;
    uint32_t drawn =
        transfer->route == NULL ? topology_draw_pair(machine->net->topology, transfer->from, transfer->to) : 0;
    route_cursor_begin(&cursor, machine, transfer, drawn);
    do {
        struct passage passage = passage_of(machine, transfer, cursor.link);
        link_loads_serve(network->loads, cursor.link, transfer->bytes, now, now, passage.busy_ps);
        now = int64_min(now + passage.head_ps, PS_TOO_LONG);
    } while (route_cursor_next(&cursor, machine, false));
}
