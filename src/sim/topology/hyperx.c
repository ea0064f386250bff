/* HyperX: switches in a grid, in which all that differ in one coordinate are wired; routes in dimension order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>

/* The last number of the dimensions is that of the hosts of a switch, the others are the sides of the grid (Ahn et al.
 * 2009: S1 ... SL and T, with one wire between two switches). Of one side it is a complete graph of switches, of sides
 * of 2 a hypercube.
 *
 * Links: for each host up and down; then for each switch one to each place of each of its lines, of which that to
 * itself is none. */
static int sides_of(const struct topology *topology)
{
    return topology->dimensions.n - 1;
}

static int hosts_of(const struct topology *topology)
{
    return topology->dimensions.side[topology->dimensions.n - 1];
}

/* Links of a switch, and where those of a side begin among them. */
static int line_start(const struct topology *topology, int d)
{
    int start = 0;
    for (int i = 0; i < d; i++)
        start += topology->dimensions.side[i];
    return start;
}

static int hyperx_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    if (dimensions->n < 2)
        return sim_error_why(why, why_size, "one number; allowed: %s", topology->spec->form);
    if (count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    topology->n_switches = topology->n_hosts / hosts_of(topology);
    int64_t links =
        2 * (int64_t)topology->n_hosts + (int64_t)topology->n_switches * line_start(topology, sides_of(topology));
    if (links > INT32_MAX / 16)
        return sim_error_why(why, why_size, "its switches have too many wires");
    topology->n_links = (int)links;
    topology->is_listed = true;
    topology->max_hops = 2 + sides_of(topology);
    for (int d = 0, stride = 1; d < sides_of(topology); stride *= dimensions->side[d++])
        topology->below[d] = stride;
    return 0;
}

/* Two sides as long as each other, and half as many hosts of a switch: then any half of it has about the wires to the
 * other that its hosts can fill. */
static void hyperx_choose(struct dimensions *dimensions, int n_hosts)
{
    int side = 1, hosts;
    while ((int64_t)side * side * ((side + 1) / 2) < n_hosts)
        side++;
    hosts = (int)(((int64_t)n_hosts + (int64_t)side * side - 1) / ((int64_t)side * side));
    *dimensions = (struct dimensions){.n = 3, .side = {side, side, hosts}};
}

static int coordinate(const struct topology *topology, int number, int d)
{
    return number / topology->below[d] % topology->dimensions.side[d];
}

static int switch_of(const struct topology *topology, int node)
{
    return node < topology->n_hosts ? node / hosts_of(topology) : node - topology->n_hosts;
}

/* From a switch to that of its line with the destination's coordinate. */
static void go_along(const struct topology *topology, int here, int there, int d, struct topology_segment *segment)
{
    int place = coordinate(topology, there, d);
    int links = line_start(topology, sides_of(topology)), next = place - coordinate(topology, here, d);
    *segment = (struct topology_segment){
        .first = 2 * topology->n_hosts + here * links + line_start(topology, d) + place,
        .count = 1,
        .end = topology->n_hosts + here + next * topology->below[d],
    };
}

/* True, and the segment, where there is but one way on: of a host, and to one. */
static bool at_the_edge(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    bool is_host = from < topology->n_hosts;
    if (!is_host && switch_of(topology, from) != switch_of(topology, to))
        return false;
    *segment = (struct topology_segment){.first = is_host ? 2 * from : 2 * to + 1,
                                         .count = 1,
                                         .end = is_host ? topology->n_hosts + switch_of(topology, from) : to};
    return true;
}

static int hyperx_options(const struct topology *topology, int from, int to)
{
    int here = switch_of(topology, from), there = switch_of(topology, to), n = 0;
    for (int d = 0; d < sides_of(topology); d++)
        n += coordinate(topology, here, d) != coordinate(topology, there, d);
    return from < topology->n_hosts || n == 0 ? 1 : n;
}

/* Along one of the dimensions in which the two differ, the first first: that is dimension order. */
static void hyperx_option(const struct topology *topology, int from, int to, int option,
                          struct topology_segment *segment)
{
    if (at_the_edge(topology, from, to, segment))
        return;
    int here = switch_of(topology, from), there = switch_of(topology, to), d = -1;
    while (option >= 0) {
        d++;
        option -= coordinate(topology, here, d) != coordinate(topology, there, d);
    }
    go_along(topology, here, there, d, segment);
}

static void hyperx_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    hyperx_option(topology, from, to, 0, segment);
}

static int hyperx_hops(const struct topology *topology, int from, int to)
{
    int here = switch_of(topology, from), there = switch_of(topology, to);
    return from == to ? 0 : 2 + (here == there ? 0 : hyperx_options(topology, topology->n_hosts + here, to));
}

static int hyperx_detour(const struct topology *topology, int from, int to, uint64_t random)
{
    return any_other_switch(topology, switch_of(topology, from), switch_of(topology, to), random);
}

static bool hyperx_ends(const struct topology *topology, int link, int *from, int *to)
{
    if (link < 2 * topology->n_hosts) {
        int host = link / 2, parent = topology->n_hosts + switch_of(topology, host);
        *from = link % 2 == 0 ? host : parent;
        *to = link % 2 == 0 ? parent : host;
        return true;
    }
    int links = line_start(topology, sides_of(topology)), place = link - 2 * topology->n_hosts;
    int here = place / links, d = 0;
    for (place %= links; place >= topology->dimensions.side[d]; d++)
        place -= topology->dimensions.side[d];
    int next = place - coordinate(topology, here, d);
    *from = topology->n_hosts + here;
    *to = *from + next * topology->below[d];
    return next != 0;
}

/* The shortest side that is left to cut; of equal ones the first. */
static int shortest(const struct topology *topology, const bool *done)
{
    int best = -1;
    for (int d = 0; d < sides_of(topology); d++)
        if (!done[d] && (best < 0 || topology->dimensions.side[d] < topology->dimensions.side[best]))
            best = d;
    return best;
}

/* The lines of the shortest side are cut into halves; if it is odd, the switches in the middle along the next one, and
 * so on, and of a last one its hosts. Or half of all hosts are cut off. */
static int64_t hyperx_bisection(const struct topology *topology)
{
    int64_t wires = 0, layer = topology->n_switches, hosts = topology->n_hosts / 2;
    bool done[DIMENSIONS_MAX] = {false}, halved = false;
    for (int i = 0; i < sides_of(topology) && !halved; i++) {
        int d = shortest(topology, done);
        int64_t side = topology->dimensions.side[d];
        layer /= side;
        wires += layer * (side / 2) * ((side + 1) / 2);
        halved = side % 2 == 0;
        done[d] = true;
    }
    wires += halved ? 0 : hosts_of(topology) / 2;
    return wires < hosts ? wires : hosts;
}

static void hyperx_facts(struct topology_facts *facts, const struct topology *topology)
{
    int hosts = hosts_of(topology);
    facts->wires = topology->n_hosts;
    facts->degree = hosts;
    facts->diameter = topology->n_hosts > 1 ? 2 : 0;
    for (int d = 0; d < sides_of(topology); d++) {
        int64_t side = topology->dimensions.side[d];
        facts->wires += topology->n_switches * (side - 1) / 2;
        facts->degree += side - 1;
        facts->diameter += side > 1;
    }
    facts->bisection = hyperx_bisection(topology);
    facts->host_degree = 1;
}

/* Switches in a grid, the first three sides being its axes, and around each its hosts. */
static void hyperx_place(double at[3], const struct topology *topology, int node)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int hosts = hosts_of(topology), number = switch_of(topology, node);
    double radius = fmax(circle_radius(hosts), 1), pitch[3] = {2 * radius + 1, 2 * radius + 1, 2 * radius + 1};
    if (node < topology->n_hosts)
        place_on_circle(at, node % hosts, hosts, radius);
    for (int d = 0; d < sides_of(topology); d++) {
        int axis = d % 3;
        at[axis] += number % dimensions->side[d] * pitch[axis];
        pitch[axis] *= dimensions->side[d] + 0.5;
        number /= dimensions->side[d];
    }
}

const struct topology_spec topology_hyperx = {
    .name = "hyperx",
    .summary = "switches in a grid, each wired to all others of its lines",
    .form = "SIDExSIDE...xHOSTS, at least one side; hosts of a switch",
    .routing = "dimension order, one wire in each",
    .routings = ROUTING_BIT(DIMENSION_ORDER) | ROUTING_BIT(VALIANT) | ROUTING_BIT(UGAL_L) | ROUTING_BIT(UGAL_G) |
                ROUTING_BIT(ADAPTIVE),
    .choose = hyperx_choose,
    .build = hyperx_build,
    .segment = hyperx_segment,
    .options = hyperx_options,
    .option = hyperx_option,
    .detour = hyperx_detour,
    .hops = hyperx_hops,
    .level = leaf_level,
    .ends = hyperx_ends,
    .facts = hyperx_facts,
    .place = hyperx_place,
    .zone_routing = "Full",
    .write = write_routes,
};
