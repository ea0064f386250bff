/* The table of a machine's routes; and the source that is a topology.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/routes.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The routes from one host to so many with successive numbers. So the table is thin where all send to all. */
enum { BLOCK_HOSTS = 8 };
struct block {
    struct route *to[BLOCK_HOSTS]; /* NULL: not asked for yet */
};

struct route_table {
    const struct route_source *source;
    void *self; /* the source's */
    struct route_ends ends;
    char name[32];       /* of a topology's host or link that was asked for last */
    struct map blocks;   /* by the first host and the number of the block */
    int32_t count;       /* of routes */
    int64_t bytes;       /* that the routes take, with their blocks */
    struct route *local; /* from a host to itself, where it takes no time */
    bool has_loops;      /* otherwise it is the source's */
};

/* ---- The table ---- */

enum { ALLOCATOR_BYTES = 16 }; /* that it keeps for itself, about */

static struct map_key key_of(int from, int to)
{
    return map_key_64((uint64_t)(uint32_t)from << 32 | (uint32_t)to / BLOCK_HOSTS);
}

static struct block *block_for(struct route_table *routes, int from, int to)
{
    struct map_entry *entry = map_add(&routes->blocks, key_of(from, to));
    if (entry->index == MAP_NOTHING) {
        entry->pointer = xcalloc(1, sizeof(struct block));
        routes->bytes += (int64_t)(2 * sizeof *entry + sizeof(struct block)) + ALLOCATOR_BYTES;
    }
    return entry->pointer;
}

static struct route *add_route(struct route_table *routes, struct route *route)
{
    routes->bytes += (int64_t)(sizeof *route + (size_t)route->hops * sizeof route->links[0]) + ALLOCATOR_BYTES;
    route->number = routes->count++;
    block_for(routes, route->from, route->to)->to[(uint32_t)route->to % BLOCK_HOSTS] = route;
    return route;
}

struct route_table *machine_routes_new(const struct route_source *source, void *self, const struct route_ends *ends)
{
    struct route_table *routes = xcalloc(1, sizeof *routes);
    *routes = (struct route_table){.source = source, .self = self, .ends = *ends};
    routes->local = xcalloc(1, sizeof *routes->local);
    return routes;
}

static void free_routes(struct route_table *routes)
{
    for (size_t i = 0; i < routes->blocks.size; i++)
        if (routes->blocks.entries[i].index != MAP_NOTHING) {
            struct block *block = routes->blocks.entries[i].pointer;
            for (int to = 0; to < BLOCK_HOSTS; to++)
                free(block->to[to]);
            free(block);
        }
    map_dispose(&routes->blocks);
    routes->count = 0;
    routes->bytes = 0;
}

void machine_routes_close(struct route_table *routes)
{
    if (routes == NULL)
        return;
    routes->source->close(routes->self);
    free_routes(routes);
    free(routes->ends.hosts);
    free(routes->ends.links);
    free(routes->ends.wires);
    free(routes->local);
    free(routes);
}

struct route *route_new(int from, int to, size_t most_hops)
{
    struct route *route = xmalloc(sizeof *route + most_hops * sizeof route->links[0]);
    *route = (struct route){.from = from, .to = to};
    return route;
}

void route_add(struct route *route, int link, const struct wire *wire)
{
    route->links[route->hops++] = link;
    route->latency_ps += wire->latency_ps;
    route->byte_ps = double_max(route->byte_ps, wire->byte_ps);
}

void route_add_pipe(struct route *route, const struct wire *pipe)
{
    route->latency_ps += pipe->latency_ps;
    route->beside_ps += pipe->latency_ps;
    route->byte_ps = double_max(route->byte_ps, pipe->byte_ps);
}

struct wire wire_of(double bandwidth_Bps, double latency_s)
{
    return (struct wire){llround(latency_s * 1e12), 1e12 / bandwidth_Bps};
}

/* ---- What is asked of it ---- */

static double core_byte_ps(const struct interconnect *net)
{
    return net->style.core_bandwidth_Bps > 0 ? 1e12 / net->style.core_bandwidth_Bps : 0;
}

/* Apart, so that the way to a route that is known is short. */
static __attribute__((noinline)) const struct route *find_route(const struct interconnect *net, int from, int to)
{
    struct route_table *routes = net->routes;
    if (routes->bytes > MACHINE_ROUTES_MOST_BYTES)
        return NULL;
    struct route *found = routes->source->find(routes->self, from, to);
    if (found == NULL && from == to)
        return routes->local;
    if (found != NULL && from != to)
        found->byte_ps = double_max(found->byte_ps, core_byte_ps(net));
    return found != NULL ? add_route(routes, found) : NULL;
}

const struct route *machine_route(struct machine *machine, int from_host, int to_host)
{
    struct route_table *routes = machine->net->routes;
    assert(from_host >= 0 && from_host < routes->ends.n_hosts && to_host >= 0 && to_host < routes->ends.n_hosts);
    if (from_host == to_host && !routes->has_loops)
        return routes->local;
    const struct map_entry *entry = map_find(&routes->blocks, key_of(from_host, to_host));
    const struct block *block = entry != NULL ? entry->pointer : NULL;
    if (block != NULL && block->to[(uint32_t)to_host % BLOCK_HOSTS] != NULL)
        return block->to[(uint32_t)to_host % BLOCK_HOSTS];
    return find_route(machine->net, from_host, to_host);
}

const struct route *machine_way(struct machine *machine, int from_host, int to_host, struct route *room)
{
    const struct interconnect *net = machine->net;
    if (net->topology == NULL || from_host == to_host)
        return machine_route(machine, from_host, to_host);
    *room = (struct route){.from = from_host, .to = to_host, .number = ROUTE_COMPUTED};
    if (net->one_wire) {
        room->hops = topology_hops(net->topology, from_host, to_host);
        room->latency_ps = room->hops * net->wires->latency_ps;
        room->byte_ps = double_max(net->wires->byte_ps, core_byte_ps(net));
        return room;
    }
    struct topology_segment segment;
    uint32_t drawn = topology_draw_pair(net->topology, from_host, to_host);
    room->byte_ps = core_byte_ps(net);
    for (int here = from_host; here != to_host; here = segment.end) {
        topology_follow(net->topology, here, to_host, &drawn, &segment);
        const struct wire *wire = machine_wire(machine, segment.first);
        room->hops += segment.count;
        room->latency_ps += segment.count * wire->latency_ps;
        room->byte_ps = double_max(room->byte_ps, wire->byte_ps);
    }
    return room;
}

int64_t machine_routes_full(const struct machine *machine)
{
    const struct route_table *routes = machine->net->routes;
    return routes->bytes > MACHINE_ROUTES_MOST_BYTES ? routes->count : 0;
}

void machine_forget_routes(struct machine *machine)
{
    static const int64_t many_bytes = INT64_C(1) << 26;
    struct route_table *routes = machine->net->routes;
    if (routes == NULL || routes->bytes < many_bytes)
        return;
    free_routes(routes);
}

void *machine_routes_source(const struct route_table *routes, const struct route_source *source)
{
    return routes->source == source ? routes->self : NULL;
}

void machine_routes_take_loops(struct route_table *routes)
{
    routes->has_loops = true;
}

bool machine_routes_have_loops(const struct route_table *routes)
{
    return routes->has_loops;
}

int machine_routes_host_count(const struct route_table *routes)
{
    return routes->ends.n_hosts;
}

void machine_routes_cores(const struct route_table *routes, int *least, int *most)
{
    const struct listed_host *hosts = routes->ends.hosts;
    *least = *most = hosts != NULL && routes->ends.n_hosts > 0 ? hosts[0].cores : 0;
    for (int i = 1; hosts != NULL && i < routes->ends.n_hosts; i++) {
        *least = hosts[i].cores < *least ? hosts[i].cores : *least;
        *most = hosts[i].cores > *most ? hosts[i].cores : *most;
    }
}

const struct wire *machine_routes_wires(const struct route_table *routes)
{
    return routes->ends.wires;
}

const char *machine_host_name(const struct machine *machine, int host)
{
    struct route_table *routes = machine->net->routes;
    if (routes->ends.hosts != NULL)
        return routes->ends.hosts[host].name;
    snprintf(routes->name, sizeof routes->name, "n%d", host);
    return routes->name;
}

double machine_host_speed(const struct machine *machine, int host)
{
    const struct listed_host *hosts = machine->net->routes->ends.hosts;
    return hosts != NULL ? hosts[host].speed_flopps : machine->net->style.speed_flopps;
}

const char *machine_link_name(const struct machine *machine, int link)
{
    const struct topology *topology = &machine->net->wiring;
    struct route_table *routes = machine->net->routes;
    int from = 0, to = 0;
    if (routes->ends.links != NULL)
        return routes->ends.links[link].name;
    bool is_link = topology->spec->ends(topology, link, &from, &to);
    snprintf(routes->name, sizeof routes->name, is_link ? "n%d-n%d" : "none", from, to);
    return routes->name;
}

void machine_link_speed(const struct machine *machine, int link, double *bandwidth_Bps, double *latency_s)
{
    const struct listed_link *links = machine->net->routes->ends.links;
    struct wire_speed wire = links != NULL ? (struct wire_speed){links[link].bandwidth_Bps, links[link].latency_s}
                                           : topology_wire(&machine->net->wiring, &machine->net->style, link);
    *bandwidth_Bps = wire.bandwidth_Bps;
    *latency_s = wire.latency_s;
}

int machine_link_count(const struct machine *machine)
{
    return machine->net->routes->ends.n_links;
}

/* ---- Topologies as a source ---- */

struct computed {
    struct topology topology;
    const struct wire *wires; /* of each link; or one */
    bool one_wire;
    int32_t *scratch; /* room for the longest route */
};

static struct route *find_computed(void *self, int from, int to)
{
    struct computed *computed = self;
    const struct topology *topology = &computed->topology;
    int hops = topology_route(topology, from, to, computed->scratch);
    assert(hops <= topology->max_hops);
    struct route *route = route_new(from, to, (size_t)hops);
    for (int i = 0; i < hops; i++)
        route_add(route, computed->scratch[i], &computed->wires[computed->one_wire ? 0 : computed->scratch[i]]);
    return route;
}

static void close_computed(void *self)
{
    struct computed *computed = self;
    free(computed->scratch);
    free(computed);
}

static const struct route_source computed_source = {.find = find_computed, .close = close_computed};

struct route_table *machine_routes_compute(const struct topology *topology, const struct topology_style *style)
{
    struct computed *computed = xcalloc(1, sizeof *computed);
    computed->topology = *topology;
    computed->one_wire = topology_is_uniform(topology, style);
    int n_wires = computed->one_wire ? 1 : topology->n_links;
    struct wire *wires = xmalloc((size_t)n_wires * sizeof *wires);
    for (int i = 0; i < n_wires; i++) {
        struct wire_speed wire = topology_wire(topology, style, i);
        wires[i] = wire_of(wire.bandwidth_Bps, wire.latency_s);
    }
    computed->wires = wires;
    computed->scratch = xmalloc((size_t)topology->max_hops * sizeof *computed->scratch);
    const struct route_ends ends = {.n_hosts = topology->n_hosts, .n_links = topology->n_links, .wires = wires};
    return machine_routes_new(&computed_source, computed, &ends);
}
