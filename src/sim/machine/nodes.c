/* Nodes of a machine, and the ends of its links: from numbers where it is a topology, else from routes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/nodes.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNSEEN = -2, SEVERAL = NO_NODE };

struct machine_nodes {
    struct machine *machine;
    struct topology topology; /* spec NULL: not known */
    int pitch;                /* of a mesh: node (x, y) of the topology is host y * pitch + x; 0: hosts are its nodes */
    struct link_ends *ends;   /* of each link; NULL: the topology has them */
    int32_t *way;             /* room for a route of the topology */
};

/* ---- What is known ---- */

static void mesh_of(struct topology *topology, const struct interconnect *net)
{
    struct dimensions dimensions = {.n = 2, .side = {net->mesh_width, net->mesh_height}};
    struct sim_error ignored;
    *topology = (struct topology){.spec = NULL};
    if (net->mesh_width > 0)
        topology_init(topology, &topology_mesh, &dimensions, 1, &ignored);
}

bool machine_topology(struct topology *topology, const struct machine *machine)
{
    const struct interconnect *net = machine->net;
    if (net->wiring.spec != NULL)
        *topology = net->wiring;
    else
        mesh_of(topology, net);
    return topology->spec != NULL;
}

/* ---- The ends of listed links ---- */

/* An end that two routes put elsewhere is not known. */
static void see(int32_t *end, int node)
{
    *end = *end == UNSEEN || *end == node ? node : SEVERAL;
}

/* The topology's node of a host, or NO_NODE; and back. */
static int place_of(const struct machine_nodes *self, int host)
{
    if (self->pitch == 0)
        return host;
    int x = host % self->pitch, y = host / self->pitch, width = self->topology.dimensions.side[0];
    return x < width && y < self->topology.dimensions.side[1] ? y * width + x : NO_NODE;
}

static int node_at(const struct machine_nodes *self, int place)
{
    int width = self->topology.dimensions.side[0];
    if (place >= self->topology.n_hosts)
        return self->machine->net->n_hosts + place - self->topology.n_hosts;
    return self->pitch == 0 ? place : place / width * self->pitch + place % width;
}

/* The topology knows the nodes that a route goes through, if it has as many hops. */
static bool follow(const struct machine_nodes *self, const struct route *route)
{
    const struct topology *topology = &self->topology;
    int from = topology->spec != NULL ? place_of(self, route->from) : NO_NODE;
    int to = topology->spec != NULL ? place_of(self, route->to) : NO_NODE;
    if (from == NO_NODE || to == NO_NODE || topology_route(topology, from, to, self->way) != route->hops)
        return false;
    for (int32_t hop = 0; hop < route->hops; hop++) {
        topology->spec->ends(topology, self->way[hop], &from, &to);
        see(&self->ends[route->links[hop]].from, node_at(self, from));
        see(&self->ends[route->links[hop]].to, node_at(self, to));
    }
    return true;
}

static void look_at(const struct machine_nodes *self, int from, int to)
{
    const struct route *route = from != to ? machine_route(self->machine, from, to) : NULL;
    if (route == NULL || route->hops == 0 || follow(self, route))
        return;
    see(&self->ends[route->links[0]].from, from);
    see(&self->ends[route->links[route->hops - 1]].to, to);
}

static void look_both_ways(const struct machine_nodes *self, int host, int distance)
{
    int other = host + distance;
    if (other >= self->machine->net->n_hosts || (self->pitch > 0 && place_of(self, other) == NO_NODE))
        return;
    look_at(self, host, other);
    look_at(self, other, host);
}

/* The routes between hosts that are a power of two apart, of many only those to the next; and of a mesh a row. */
static void look_at_routes(const struct machine_nodes *self)
{
    enum { FEW_HOSTS = 1024 };
    int n_hosts = self->machine->net->n_hosts, most = n_hosts <= FEW_HOSTS ? n_hosts : 2;
    for (int host = 0; host < n_hosts; host++) {
        if (self->pitch > 0 && place_of(self, host) == NO_NODE)
            continue;
        for (int distance = 1; distance < most; distance *= 2)
            look_both_ways(self, host, distance);
        if (self->pitch > 0)
            look_both_ways(self, host, self->pitch);
    }
}

static void find_ends(struct machine_nodes *self)
{
    size_t n_links = (size_t)machine_link_count(self->machine);
    self->ends = xcalloc(n_links + 1, sizeof *self->ends);
    for (size_t link = 0; link < n_links; link++)
        self->ends[link] = (struct link_ends){UNSEEN, UNSEEN};
    look_at_routes(self);
    for (size_t link = 0; link < n_links; link++) {
        self->ends[link].from = self->ends[link].from < 0 ? NO_NODE : self->ends[link].from;
        self->ends[link].to = self->ends[link].to < 0 ? NO_NODE : self->ends[link].to;
    }
}

/* ---- All of it ---- */

struct machine_nodes *machine_nodes_new(struct machine *machine)
{
    struct machine_nodes *nodes = xcalloc(1, sizeof *nodes);
    nodes->machine = machine;
    if (machine_topology(&nodes->topology, machine) && machine->net->wiring.spec == NULL)
        nodes->pitch = machine->net->mesh_pitch;
    nodes->way = xcalloc((size_t)nodes->topology.max_hops + 1, sizeof *nodes->way);
    if (machine->net->topology == NULL)
        find_ends(nodes);
    return nodes;
}

void machine_nodes_free(struct machine_nodes *nodes)
{
    if (nodes == NULL)
        return;
    free(nodes->ends);
    free(nodes->way);
    free(nodes);
}

int machine_nodes_count(const struct machine_nodes *nodes)
{
    return nodes->machine->net->n_hosts + nodes->topology.n_switches;
}

bool machine_node_is_host(const struct machine_nodes *nodes, int node)
{
    return node < nodes->machine->net->n_hosts;
}

bool machine_node_is_drawn(const struct machine_nodes *nodes, int node)
{
    return !machine_node_is_host(nodes, node) || place_of(nodes, node) != NO_NODE;
}

void machine_node_name(char *text, size_t text_size, const struct machine_nodes *nodes, int node)
{
    if (machine_node_is_host(nodes, node))
        snprintf(text, text_size, "%s", machine_host_name(nodes->machine, node));
    else
        snprintf(text, text_size, "n%d", node);
}

void machine_node_place(double at[3], const struct machine_nodes *nodes, int node)
{
    int n_hosts = nodes->machine->net->n_hosts;
    if (nodes->topology.spec != NULL && machine_node_is_host(nodes, node))
        topology_place(at, &nodes->topology, place_of(nodes, node));
    else if (nodes->topology.spec != NULL)
        topology_place(at, &nodes->topology, node - n_hosts + nodes->topology.n_hosts);
    else
        topology_place_on_circle(at, node, n_hosts);
}

bool machine_link_is_one(const struct machine_nodes *nodes, int link)
{
    int from, to;
    return nodes->ends != NULL || nodes->topology.spec->ends(&nodes->topology, link, &from, &to);
}

struct link_ends machine_link_ends(const struct machine_nodes *nodes, int link)
{
    int from = NO_NODE, to = NO_NODE;
    if (nodes->ends != NULL)
        return nodes->ends[link];
    nodes->topology.spec->ends(&nodes->topology, link, &from, &to);
    return (struct link_ends){from, to};
}
