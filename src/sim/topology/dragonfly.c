/* Dragonfly: routers of a group are all wired, and have wires to other groups; minimal routes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>
#include <stdlib.h>

/* Groups of routers, each wired to all others of its group and to its hosts (Kim et al. 2008), in one of two forms.
 *
 * Three numbers, as in SimGrid: router j of group i has the wire between the groups i and j, if i != j: one such
 * wire at most for each router, so there are no more groups than routers in each. Behind a colon stands how many wires
 * that is: a bundle, one link with the bandwidth of all of them.
 *
 * Four numbers, as built: each router has so many wires to other groups, see struct group_wires.
 *
 * Links: for each host up and down; for each router one to each router of its group; then one by each of its ports. */
struct shape {
    int groups, routers, hosts; /* routers of a group, hosts of a router */
    int bundle;                 /* wires that the link between two groups is */
    const struct group_wires *wires;
};

static struct shape shape_of(const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    const int *side = dimensions->side;
    return (struct shape){.groups = side[0],
                          .routers = side[1],
                          .hosts = side[2],
                          .bundle = dimensions->n_up > 0 ? dimensions->up[0] : 1,
                          .wires = &topology->wires};
}

/* Links from each router to others. */
static int router_links(const struct shape *shape)
{
    return shape->routers + shape->wires->ports;
}

/* The form of four numbers. -1 and why if it has not enough wires. */
static int check_ports(const struct dimensions *dimensions, char *why, size_t why_size)
{
    const int *side = dimensions->side;
    if (dimensions->n_up > 0)
        return sim_error_why(why, why_size, "wires between groups are given both by a fourth number and after a colon");
    return group_wires_check(side[0], side[1], side[3], "router", why, why_size);
}

static int dragonfly_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    const int *side = dimensions->side;
    if (dimensions->n != 3 && dimensions->n != 4)
        return sim_error_why(why, why_size, "%d numbers; allowed: %s", dimensions->n, topology->spec->form);
    if (dimensions->n_up > 1)
        return sim_error_why(why, why_size, "%d numbers after the colon; one, the wires between two groups, is allowed",
                             dimensions->n_up);
    if (dimensions->n == 3 && side[0] > side[1])
        return sim_error_why(why, why_size, "a group of %d routers has wires to at most %d groups, including itself",
                             side[1], side[1]);
    if (dimensions->n == 4 && check_ports(dimensions, why, why_size) != 0)
        return -1;
    int64_t hosts = dimensions_product(side, 3, TOPOLOGY_MAX_HOSTS), routers = (int64_t)side[0] * side[1];
    if (hosts < 0)
        return sim_error_why(why, why_size, "at most %d hosts are allowed", TOPOLOGY_MAX_HOSTS);
    topology->wires = group_wires_of(side[0], side[1], dimensions->n == 4 ? side[3] : 0);
    struct shape shape = shape_of(topology);
    int64_t links = 2 * hosts + routers * router_links(&shape);
    if (links > INT32_MAX / 16)
        return sim_error_why(why, why_size, "the routers of a group have too many wires between them");
    topology->n_hosts = (int)hosts;
    topology->n_switches = (int)routers;
    topology->n_links = (int)links;
    topology->is_listed = dimensions->n == 4;
    topology->max_hops = 5;
    return 0;
}

/* Choose among the smallest that hold n hosts that in which the numbers of groups and of routers in each differ least,
 * so that most routers have a wire to another group; then that with the most hosts to a router, up to 4 and up to half
 * the routers. With many hosts a router has 8 to 16: the links within groups grow with the square of the routers. */
static void dragonfly_choose(struct dimensions *dimensions, int n_hosts)
{
    enum { MANY = 65536 };
    int best = 0, difference = 0, least_hosts = n_hosts > MANY ? 8 : 1, most_hosts = n_hosts > MANY ? 16 : 4;
    for (int hosts = least_hosts; hosts <= most_hosts; hosts++)
        for (int routers = 2 * hosts, groups; (groups = (n_hosts - 1) / (hosts * routers) + 1) * 2 >= routers;
             routers++) {
            int size = groups * routers * hosts;
            if (groups > routers || (best != 0 && (size > best || (size == best && routers - groups > difference))))
                continue;
            best = size;
            difference = routers - groups;
            *dimensions = (struct dimensions){.n = 3, .side = {groups, routers, hosts}};
        }
}

static int router_link(const struct topology *topology, const struct shape *shape, int router, int place)
{
    return 2 * topology->n_hosts + router * router_links(shape) + place;
}

/* Towards a router of another group: to the router that has a wire there, or across. In the absolute arrangement that
 * is by the numbers of the groups. */
static int go_out(const struct topology *topology, const struct shape *shape, int group, int here, int there, int *next)
{
    const struct group_wires *wires = shape->wires;
    int port = wires->is_absolute ? there / shape->routers : group_wires_towards(wires, here, there);
    int gate = group * shape->routers + (wires->is_absolute ? port : port / wires->ports);
    if (gate != here) {
        *next = gate;
        return router_link(topology, shape, here, gate - group * shape->routers);
    }
    *next = wires->is_absolute ? port * shape->routers + group : group_wires_far_router(wires, group, port);
    return router_link(topology, shape, here, shape->routers + port - (gate - group * shape->routers) * wires->ports);
}

/* Minimal: to the router that has the wire to the other group, across, to the destination's router. A link each. */
static void dragonfly_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    struct shape shape = shape_of(topology);
    int n_hosts = topology->n_hosts, here = from - n_hosts;
    *segment = (struct topology_segment){.count = 1, .end = to};
    if (from < n_hosts) {
        segment->first = 2 * from;
        segment->end = n_hosts + from / shape.hosts;
        return;
    }
    int there = to < n_hosts ? to / shape.hosts : to - n_hosts;
    if (here == there) {
        segment->first = 2 * to + 1;
        return;
    }
    int group = here / shape.routers, first = group * shape.routers, next = there;
    if (there >= first && there < first + shape.routers)
        segment->first = router_link(topology, &shape, here, there - first);
    else
        segment->first = go_out(topology, &shape, group, here, there, &next);
    segment->end = n_hosts + next;
}

/* Valiant's intermediate group, by the router at which a wire to it ends (Kim et al. 2008). */
static int dragonfly_detour(const struct topology *topology, int from, int to, uint64_t random)
{
    struct shape shape = shape_of(topology);
    int group_hosts = shape.routers * shape.hosts;
    int router = group_wires_detour(shape.wires, from / group_hosts, to / group_hosts, random);
    return router < 0 ? -1 : topology->n_hosts + router;
}

static int dragonfly_bundle(const struct topology *topology, int link)
{
    struct shape shape = shape_of(topology);
    int place = link - 2 * topology->n_hosts;
    return place >= 0 && place % router_links(&shape) >= shape.routers ? shape.bundle : 1;
}

static enum wire_level dragonfly_level(const struct topology *topology, int link)
{
    struct shape shape = shape_of(topology);
    int place = link - 2 * topology->n_hosts;
    return place < 0 ? WIRE_HOST : place % router_links(&shape) >= shape.routers ? WIRE_GLOBAL : WIRE_LEAF;
}

static bool dragonfly_ends(const struct topology *topology, int link, int *from, int *to)
{
    struct shape shape = shape_of(topology);
    if (link < 2 * topology->n_hosts) {
        int host = link / 2, router = topology->n_hosts + host / shape.hosts;
        *from = link % 2 == 0 ? host : router;
        *to = link % 2 == 0 ? router : host;
        return true;
    }
    int place = link - 2 * topology->n_hosts, router = place / router_links(&shape),
        peer = place % router_links(&shape);
    int group = router / shape.routers, other = group * shape.routers + peer;
    if (peer >= shape.routers) {
        int port = router % shape.routers * shape.wires->ports + peer - shape.routers;
        other = group_wires_far_router(shape.wires, group, port);
        if (other < 0)
            return false;
    }
    *from = topology->n_hosts + router;
    *to = topology->n_hosts + other;
    return router != other;
}

/* ---- Facts ---- */

/* The fewest wires cut where `far` whole groups are on the far side, and some routers of one more; hosts go with their
 * routers. */
static int64_t least_cut(const struct shape *shape, int64_t far)
{
    int64_t least = INT64_MAX, *between = group_wires_cuts(shape->wires, (int)far);
    int64_t hosts = (int64_t)shape->groups * shape->routers * shape->hosts;
    for (int64_t routers = 0; routers <= shape->routers; routers++) {
        int64_t cut = shape->bundle * between[routers] + routers * (shape->routers - routers) +
                      hosts_to_cut(hosts, (far * shape->routers + routers) * shape->hosts);
        least = cut < least ? cut : least;
    }
    free(between);
    return least;
}

/* The same where some routers of every group are. */
static int64_t least_plane(const struct shape *shape)
{
    int64_t least = INT64_MAX, groups = shape->groups, hosts = groups * shape->routers * shape->hosts;
    for (int64_t routers = 0; routers <= shape->routers; routers++) {
        int64_t cut = groups * routers * (shape->routers - routers) + group_wires_crossing(shape->wires, (int)routers) +
                      hosts_to_cut(hosts, groups * routers * shape->hosts);
        least = cut < least ? cut : least;
    }
    return least;
}

static int64_t dragonfly_bisection(const struct shape *shape)
{
    int64_t least = shape->wires->is_absolute ? INT64_MAX : least_plane(shape);
    for (int64_t far = 0; far <= shape->groups / 2 && far < shape->groups; far++) {
        int64_t wires = least_cut(shape, far);
        least = wires < least ? wires : least;
    }
    return least;
}

static void dragonfly_facts(struct topology_facts *facts, const struct topology *topology)
{
    struct shape shape = shape_of(topology);
    int64_t groups = shape.groups, routers = shape.routers;
    bool one_step = group_wires_of_all(shape.wires); /* each router has a wire to each group */
    facts->wires = topology->n_hosts + groups * (routers * (routers - 1) / 2) +
                   shape.bundle * shape.wires->copies * (groups * (groups - 1) / 2);
    facts->diameter = groups > 1 ? (one_step ? 3 : 4) + (routers > 1) : routers > 1 ? 3 : shape.hosts > 1 ? 2 : 0;
    facts->bisection = dragonfly_bisection(&shape);
    facts->degree = shape.hosts + routers - 1 + shape.bundle * group_wires_most(shape.wires);
    facts->host_degree = 1;
}

/* Groups on a circle, the routers of each on a circle, and around them its hosts. */
static void dragonfly_place(double at[3], const struct topology *topology, int node)
{
    struct shape shape = shape_of(topology);
    bool is_host = node < topology->n_hosts;
    int router = is_host ? node / shape.hosts : node - topology->n_hosts, n_hosts = shape.routers * shape.hosts;
    double inner = circle_radius(shape.routers), outer = fmax(inner + 1, circle_radius(n_hosts));
    if (shape.groups > 1)
        place_on_circle(at, router / shape.routers, shape.groups, (outer + 0.5) / sin(acos(-1) / shape.groups));
    if (is_host)
        place_on_circle(at, node % n_hosts, n_hosts, outer);
    else /* in the middle of its hosts */
        place_on_circle(at, 2 * (router % shape.routers) * shape.hosts + shape.hosts - 1, 2 * n_hosts, inner);
}

static void dragonfly_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    struct shape shape = shape_of(topology);
    char parameters[80];
    if (topology->is_listed) {
        write_routes(stream, topology, text);
        return;
    }
    snprintf(parameters, sizeof parameters, "%d,%d;1,1;%d,1;%d", shape.groups, shape.bundle, shape.routers,
             shape.hosts);
    write_cluster(stream, topology, text, "DRAGONFLY", parameters);
}

const struct topology_spec topology_dragonfly = {
    .name = "dragonfly",
    .summary = "groups of routers, fully wired within each group, with wires between any two groups",
    .form = "GROUPSxROUTERSxHOSTS, at most as many groups as routers in each; after a colon, the wires between two "
            "groups; or GROUPSxROUTERSxHOSTSxWIRES, with so many wires of each router to other groups",
    .routing = "minimal: within the group, across, within the other group",
    .routings = ROUTING_BIT(MINIMAL) | ROUTING_BIT(VALIANT) | ROUTING_BIT(UGAL_L) | ROUTING_BIT(UGAL_G),
    .has_up = true,
    .choose = dragonfly_choose,
    .build = dragonfly_build,
    .segment = dragonfly_segment,
    .detour = dragonfly_detour,
    .bundle = dragonfly_bundle,
    .level = dragonfly_level,
    .ends = dragonfly_ends,
    .facts = dragonfly_facts,
    .place = dragonfly_place,
    .zone_routing = "Full",
    .write = dragonfly_write,
};
