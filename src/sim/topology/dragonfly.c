/* Dragonfly: routers of a group are all wired, and each has a wire to another group; minimal routes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>
#include <string.h>

/* Groups of routers, each wired to all others of its group and to its hosts (Kim et al. 2008). Router j of group i has
 * the wire between the groups i and j, if i != j: one such wire at most for each router, as in SimGrid, so there are no
 * more groups than routers in each. Behind a colon stands how many wires that is: a bundle, one link with the bandwidth
 * of all of them, as SimGrid has it.
 *
 * Links: for each host up and down; for each router one to each router of its group; one to another group. */
struct shape {
    int groups, routers, hosts; /* routers of a group, hosts of a router */
    int bundle;                 /* wires between two groups */
};

static struct shape shape_of(const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    const int *side = dimensions->side;
    return (struct shape){side[0], side[1], side[2], dimensions->n_up > 0 ? dimensions->up[0] : 1};
}

static int dragonfly_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    if (dimensions->n != 3) {
        snprintf(why, why_size, "%d numbers; allowed: %s", dimensions->n, topology->spec->form);
        return -1;
    }
    if (dimensions->n_up > 1)
        return sim_error_why(why, why_size, "%d numbers after the colon; one, the wires between two groups, is allowed",
                             dimensions->n_up);
    if (dimensions->side[0] > dimensions->side[1])
        return sim_error_why(why, why_size, "a group of %d routers has wires to at most %d groups, including itself",
                             dimensions->side[1], dimensions->side[1]);
    if (count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    int64_t routers = (int64_t)dimensions->side[0] * dimensions->side[1];
    int64_t links = 2 * topology->n_hosts + routers * (dimensions->side[1] + 1);
    if (links > INT32_MAX / 16)
        return sim_error_why(why, why_size, "the routers of a group have too many wires between them");
    topology->n_switches = (int)routers;
    topology->n_links = (int)links;
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

static int local_link(const struct topology *topology, int router, int peer)
{
    struct shape shape = shape_of(topology);
    return 2 * topology->n_hosts + router * (shape.routers + 1) + peer % shape.routers;
}

static int global_link(const struct topology *topology, int router)
{
    struct shape shape = shape_of(topology);
    return 2 * topology->n_hosts + router * (shape.routers + 1) + shape.routers;
}

/* Minimal: to the router that has the wire to the other group, across, to the destination's router. A link each. */
static void dragonfly_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    struct shape shape = shape_of(topology);
    int n_hosts = topology->n_hosts, here = from - n_hosts, there = to / shape.hosts, next = there;
    int group = here / shape.routers, to_group = there / shape.routers, gate = group * shape.routers + to_group;
    segment->count = 1;
    segment->step = 0;
    segment->end = to;
    if (from < n_hosts) {
        segment->first = 2 * from;
        segment->end = n_hosts + from / shape.hosts;
        return;
    }
    if (here == there) {
        segment->first = 2 * to + 1;
        return;
    }
    if (group == to_group || here != gate) {
        next = group == to_group ? there : gate;
        segment->first = local_link(topology, here, next);
    } else {
        next = to_group * shape.routers + group;
        segment->first = global_link(topology, here);
    }
    segment->end = n_hosts + next;
}

static int dragonfly_bundle(const struct topology *topology, int link)
{
    struct shape shape = shape_of(topology);
    int place = link - 2 * topology->n_hosts;
    return place >= 0 && place % (shape.routers + 1) == shape.routers ? shape.bundle : 1;
}

static enum wire_level dragonfly_level(const struct topology *topology, int link)
{
    struct shape shape = shape_of(topology);
    int place = link - 2 * topology->n_hosts;
    return place < 0 ? WIRE_HOST : place % (shape.routers + 1) == shape.routers ? WIRE_GLOBAL : WIRE_LEAF;
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
    int place = link - 2 * topology->n_hosts, router = place / (shape.routers + 1), peer = place % (shape.routers + 1);
    int group = router / shape.routers, within = router % shape.routers, other = group * shape.routers + peer;
    if (peer == shape.routers) {
        other = within * shape.routers + group;
        if (within >= shape.groups)
            return false;
    }
    *from = topology->n_hosts + router;
    *to = topology->n_hosts + other;
    return router != other;
}

/* ---- Facts ---- */

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/* Bundles of a parted group that are cut where `routers` of it go to the far side, with `far` whole groups. First go
 * those with a bundle to a group there, then those without any. */
static int64_t cut_bundles(const struct shape *shape, int64_t routers, int64_t far)
{
    int64_t free = shape->routers - (shape->groups - 1), rest = routers - far;
    return rest < 0 ? -rest : rest > free ? rest - free : 0;
}

/* Whole groups on the far side, and some routers of one more; hosts go with their routers, but for those that are cut
 * off so that either side has half. */
static int64_t cut_wires(const struct shape *shape, int64_t routers, int64_t far)
{
    int64_t hosts = (int64_t)shape->groups * shape->routers * shape->hosts;
    int64_t there = (far * shape->routers + routers) * shape->hosts;
    int64_t between = far * (shape->groups - 1 - far) + cut_bundles(shape, routers, far);
    int64_t low = distance(there, hosts / 2), high = distance(there, (hosts + 1) / 2);
    return shape->bundle * between + routers * (shape->routers - routers) + (low < high ? low : high);
}

static int64_t dragonfly_bisection(const struct shape *shape)
{
    int64_t least = INT64_MAX;
    for (int64_t far = 0; far <= shape->groups / 2 && far < shape->groups; far++)
        for (int64_t routers = 0; routers <= shape->routers; routers++) {
            int64_t wires = cut_wires(shape, routers, far);
            least = wires < least ? wires : least;
        }
    return least;
}

static void dragonfly_facts(struct topology_facts *facts, const struct topology *topology)
{
    struct shape shape = shape_of(topology);
    int64_t groups = shape.groups, routers = shape.routers;
    facts->wires =
        topology->n_hosts + groups * (routers * (routers - 1) / 2) + shape.bundle * (groups * (groups - 1) / 2);
    facts->diameter = groups > 1 ? 5 : routers > 1 ? 3 : shape.hosts > 1 ? 2 : 0;
    facts->bisection = dragonfly_bisection(&shape);
    facts->degree = shape.hosts + routers - 1 + (groups > 1 ? shape.bundle : 0);
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
    snprintf(parameters, sizeof parameters, "%d,%d;1,1;%d,1;%d", shape.groups, shape.bundle, shape.routers,
             shape.hosts);
    write_cluster(stream, topology, text, "DRAGONFLY", parameters);
}

const struct topology_spec topology_dragonfly = {
    .name = "dragonfly",
    .summary = "groups of routers, fully wired within each group, with one wire between any two groups",
    .form =
        "GROUPSxROUTERSxHOSTS, at most as many groups as routers in each; after a colon, the wires between two groups",
    .routing = "minimal: within the group, across, within the other group",
    .has_up = true,
    .choose = dragonfly_choose,
    .build = dragonfly_build,
    .segment = dragonfly_segment,
    .bundle = dragonfly_bundle,
    .level = dragonfly_level,
    .ends = dragonfly_ends,
    .facts = dragonfly_facts,
    .place = dragonfly_place,
    .zone_routing = "Full",
    .write = dragonfly_write,
};
