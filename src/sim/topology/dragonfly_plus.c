/* Dragonfly+: groups of leaf and spine switches, whose spines have wires to other groups; minimal routes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>
#include <stdlib.h>

/* Shpiner et al. 2017. GROUPSxLEAVESxHOSTS:SPINESxWIRES: in each group each leaf is wired to each spine, hosts are on
 * the leaves, and each spine has so many wires to other groups, see struct group_wires. Switches are numbered by group,
 * in each the leaves before the spines.
 *
 * Links: for each host up and down; for each group those from each leaf to each spine, with the way back one more; then
 * for each spine one by each of its ports. */
struct shape {
    int groups, leaves, hosts, spines; /* leaves and spines of a group, hosts of a leaf */
    const struct group_wires *wires;
};

static struct shape shape_of(const struct topology *topology)
{
    const int *side = topology->dimensions.side, *up = topology->dimensions.up;
    return (struct shape){side[0], side[1], side[2], up[0], &topology->wires};
}

static int dragonfly_plus_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    const int *side = dimensions->side, *up = dimensions->up;
    if (dimensions->n != 3 || dimensions->n_up != 2)
        return sim_error_why(why, why_size, "%d numbers and %d after the colon; allowed: %s", dimensions->n,
                             dimensions->n_up, topology->spec->form);
    if (group_wires_check(side[0], up[0], up[1], "spine", why, why_size) != 0 ||
        count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    int64_t switches = (int64_t)side[0] * (side[1] + (int64_t)up[0]);
    int64_t links = 2 * (int64_t)topology->n_hosts + side[0] * (int64_t)up[0] * (2 * (int64_t)side[1] + up[1]);
    if (switches > TOPOLOGY_MAX_NODES || links > INT32_MAX / 16)
        return sim_error_why(why, why_size, "it has too many switches or wires");
    topology->wires = group_wires_of(side[0], up[0], up[1]);
    topology->n_switches = (int)switches;
    topology->n_links = (int)links;
    topology->is_listed = true;
    topology->max_hops = 6;
    return 0;
}

/* As balanced as in the paper: as many leaves as spines and hosts of a leaf, of which half go to other groups; and no
 * more groups than needed. */
static void dragonfly_plus_choose(struct dimensions *dimensions, int n_hosts)
{
    int radix = 1;
    while ((int64_t)radix * radix * ((int64_t)radix * radix + 1) < n_hosts)
        radix++;
    int groups = (n_hosts - 1) / (radix * radix) + 1, wires = groups - 1 < radix ? groups - 1 : radix;
    *dimensions =
        (struct dimensions){.n = 3, .n_up = 2, .side = {groups, radix, radix}, .up = {radix, wires > 0 ? wires : 1}};
}

/* ---- Routes ---- */

/* A switch, by its group and its place there; `spine` counted from 0, -1 of a leaf. */
struct place {
    int group, leaf, spine;
};

static struct place place_of(const struct topology *topology, const struct shape *shape, int node)
{
    if (node < topology->n_hosts) {
        int leaf = node / shape->hosts;
        return (struct place){leaf / shape->leaves, leaf % shape->leaves, -1};
    }
    int number = node - topology->n_hosts, size = shape->leaves + shape->spines, within = number % size;
    bool is_leaf = within < shape->leaves;
    return (struct place){number / size, is_leaf ? within : -1, is_leaf ? -1 : within - shape->leaves};
}

static int leaf_node(const struct topology *topology, const struct shape *shape, int group, int leaf)
{
    return topology->n_hosts + group * (shape->leaves + shape->spines) + leaf;
}

static int spine_node(const struct topology *topology, const struct shape *shape, int spine)
{
    return leaf_node(topology, shape, spine / shape->spines, shape->leaves + spine % shape->spines);
}

/* The link from a leaf up to a spine; that down is the next. */
static int up_link(const struct topology *topology, const struct shape *shape, int group, int leaf, int spine)
{
    return 2 * topology->n_hosts + 2 * ((group * shape->leaves + leaf) * shape->spines + spine);
}

static int port_link(const struct topology *topology, const struct shape *shape, int spine, int port)
{
    return up_link(topology, shape, shape->groups, 0, 0) + spine * shape->wires->ports + port;
}

/* Spines counted over all groups, as struct group_wires has them: that which is to be reached; of a leaf, one that
 * depends on the leaf. */
static int spine_towards(const struct shape *shape, struct place there)
{
    return there.group * shape->spines + (there.spine >= 0 ? there.spine : there.leaf % shape->spines);
}

static void go_up(const struct topology *topology, const struct shape *shape, struct place here, int spine,
                  struct topology_segment *segment)
{
    segment->first = up_link(topology, shape, here.group, here.leaf, spine % shape->spines);
    segment->end = spine_node(topology, shape, spine);
}

static void go_down(const struct topology *topology, const struct shape *shape, struct place here, int leaf,
                    struct topology_segment *segment)
{
    segment->first = up_link(topology, shape, here.group, leaf, here.spine) + 1;
    segment->end = leaf_node(topology, shape, here.group, leaf);
}

/* From a leaf to the spine of its group that has the wire to the other one; from that across; from another spine, at
 * which Valiant's way has come into a third group, down to a leaf. */
static void go_out(const struct topology *topology, const struct shape *shape, struct place here, struct place there,
                   struct topology_segment *segment)
{
    int from = here.group * shape->spines + (here.spine >= 0 ? here.spine : 0), to = spine_towards(shape, there);
    int port =
        here.spine >= 0 ? group_wires_towards(shape->wires, from, to) : group_wires_to(shape->wires, here.group, to);
    int gate = port / shape->wires->ports;
    if (here.spine < 0) {
        go_up(topology, shape, here, here.group * shape->spines + gate, segment);
    } else if (gate == here.spine) {
        segment->first = port_link(topology, shape, from, port % shape->wires->ports);
        segment->end = spine_node(topology, shape, group_wires_far_router(shape->wires, here.group, port));
    } else {
        go_down(topology, shape, here, to % shape->leaves, segment);
    }
}

static void dragonfly_plus_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    struct shape shape = shape_of(topology);
    struct place here = place_of(topology, &shape, from), there = place_of(topology, &shape, to);
    bool same_group = here.group == there.group;
    *segment = (struct topology_segment){.count = 1, .end = to};
    if (from < topology->n_hosts) {
        segment->first = 2 * from;
        segment->end = leaf_node(topology, &shape, here.group, here.leaf);
    } else if (same_group && here.leaf == there.leaf && here.spine == there.spine) {
        segment->first = 2 * to + 1;
    } else if (!same_group) {
        go_out(topology, &shape, here, there, segment);
    } else if (here.spine >= 0) {
        go_down(topology, &shape, here, there.leaf >= 0 ? there.leaf : there.spine % shape.leaves, segment);
    } else {
        go_up(topology, &shape, here, spine_towards(&shape, there), segment);
    }
}

/* The spine of a third group at which a wire from the group ends. */
static int dragonfly_plus_detour(const struct topology *topology, int from, int to, uint64_t random)
{
    struct shape shape = shape_of(topology);
    int group_hosts = shape.leaves * shape.hosts;
    int spine = group_wires_detour(shape.wires, from / group_hosts, to / group_hosts, random);
    return spine < 0 ? -1 : spine_node(topology, &shape, spine);
}

static enum wire_level dragonfly_plus_level(const struct topology *topology, int link)
{
    struct shape shape = shape_of(topology);
    return link >= port_link(topology, &shape, 0, 0) ? WIRE_GLOBAL : leaf_level(topology, link);
}

static bool dragonfly_plus_ends(const struct topology *topology, int link, int *from, int *to)
{
    struct shape shape = shape_of(topology);
    int wire = (link - 2 * topology->n_hosts) / 2, ports = port_link(topology, &shape, 0, 0);
    bool is_down = link % 2 == 1;
    if (link >= ports) {
        int spine = (link - ports) / shape.wires->ports, group = spine / shape.spines;
        int port = (link - ports) - group * shape.spines * shape.wires->ports;
        int other = group_wires_far_router(shape.wires, group, port);
        *from = spine_node(topology, &shape, spine);
        *to = other < 0 ? *from : spine_node(topology, &shape, other);
        return other >= 0;
    }
    int leaf = link < 2 * topology->n_hosts ? link / 2 / shape.hosts : wire / shape.spines;
    int low = leaf_node(topology, &shape, leaf / shape.leaves, leaf % shape.leaves);
    int high = spine_node(topology, &shape, leaf / shape.leaves * shape.spines + wire % shape.spines);
    if (link < 2 * topology->n_hosts) {
        high = low;
        low = link / 2;
    }
    *from = is_down ? high : low;
    *to = is_down ? low : high;
    return true;
}

/* ---- Facts ---- */

/* The fewest wires cut where `far` whole groups are on the far side, and some leaves and spines of one more; hosts go
 * with their leaves. */
static int64_t least_cut(const struct shape *shape, int far)
{
    int64_t least = INT64_MAX, *between = group_wires_cuts(shape->wires, far);
    int64_t hosts = (int64_t)shape->groups * shape->leaves * shape->hosts;
    for (int64_t leaves = 0; leaves <= shape->leaves; leaves++)
        for (int64_t spines = 0; spines <= shape->spines; spines++) {
            int64_t within = leaves * (shape->spines - spines) + (shape->leaves - leaves) * spines;
            int64_t cut = between[spines] + within + hosts_to_cut(hosts, (far * shape->leaves + leaves) * shape->hosts);
            least = cut < least ? cut : least;
        }
    free(between);
    return least;
}

static int64_t dragonfly_plus_bisection(const struct shape *shape)
{
    int64_t least = INT64_MAX;
    for (int far = 0; far <= shape->groups / 2 && far < shape->groups; far++) {
        int64_t wires = least_cut(shape, far);
        least = wires < least ? wires : least;
    }
    return least;
}

static void dragonfly_plus_facts(struct topology_facts *facts, const struct topology *topology)
{
    struct shape shape = shape_of(topology);
    int64_t groups = shape.groups, most = group_wires_most(shape.wires);
    int64_t leaf = shape.hosts + shape.spines, spine = shape.leaves + (groups > 1 ? most : 0);
    facts->wires =
        topology->n_hosts + groups * shape.leaves * shape.spines + shape.wires->copies * (groups * (groups - 1) / 2);
    facts->diameter = groups > 1 ? 5 : shape.leaves > 1 ? 4 : shape.hosts > 1 ? 2 : 0;
    facts->bisection = dragonfly_plus_bisection(&shape);
    facts->degree = leaf > spine ? leaf : spine;
    facts->host_degree = 1;
}

/* Groups on a circle, each a circle of spines, around it one of leaves, and around that its hosts. */
static void dragonfly_plus_place(double at[3], const struct topology *topology, int node)
{
    struct shape shape = shape_of(topology);
    struct place place = place_of(topology, &shape, node);
    int n_hosts = shape.leaves * shape.hosts;
    double inner = circle_radius(shape.spines), middle = fmax(inner + 1, circle_radius(shape.leaves)),
           outer = fmax(middle + 1, circle_radius(n_hosts));
    if (shape.groups > 1)
        place_on_circle(at, place.group, shape.groups, (outer + 0.5) / sin(acos(-1) / shape.groups));
    if (node < topology->n_hosts)
        place_on_circle(at, node % n_hosts, n_hosts, outer);
    else if (place.spine >= 0)
        place_on_circle(at, place.spine, shape.spines, inner);
    else
        place_on_circle(at, 2 * place.leaf * shape.hosts + shape.hosts - 1, 2 * n_hosts, middle);
}

const struct topology_spec topology_dragonfly_plus = {
    .name = "dragonfly_plus",
    .summary = "groups of leaf switches, with hosts, and spine switches, with wires between any two groups",
    .form = "GROUPSxLEAVESxHOSTS:SPINESxWIRES, leaves and spines of a group, hosts of a leaf, and wires of a spine to "
            "other groups",
    .routing = "minimal: up to a spine, across, down",
    .routings = ROUTING_BIT(MINIMAL) | ROUTING_BIT(VALIANT) | ROUTING_BIT(UGAL_L) | ROUTING_BIT(UGAL_G),
    .has_up = true,
    .choose = dragonfly_plus_choose,
    .build = dragonfly_plus_build,
    .segment = dragonfly_plus_segment,
    .detour = dragonfly_plus_detour,
    .level = dragonfly_plus_level,
    .ends = dragonfly_plus_ends,
    .facts = dragonfly_plus_facts,
    .place = dragonfly_plus_place,
    .zone_routing = "Full",
    .write = write_routes,
};
