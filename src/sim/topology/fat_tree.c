/* Fat tree: levels of switches with several wires upward, chosen by the destination's digits (D-mod-k).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <string.h>

/* A node at level l has a label of as many digits as there are levels: digit i is below up[i] for i < l and below
 * side[i] from there on; its number within the level has digit 0 as the one that varies fastest. A wire from level l to
 * l + 1 joins nodes whose labels differ at most in digit l. Links: up from each node to each of its parents, in that
 * order; the number of the link down is one more. */

/* Digit `digit` of a node of the level above that, or higher, and of a host: the base there is up or side. */
static int up_digit(const struct topology *topology, int number, int digit)
{
    return number / topology->low[digit] % topology->dimensions.up[digit];
}

static int host_digit(const struct topology *topology, int host, int digit)
{
    return host / topology->below[digit] % topology->dimensions.side[digit];
}

/* The number within the level above of the node whose label is that of `number` but for digit `level`. */
static int parent_of(const struct topology *topology, int level, int number, int digit)
{
    int low = topology->low[level], below = number % low, above = number / low / topology->dimensions.side[level];
    return below + low * (digit + topology->dimensions.up[level] * above);
}

static int child_of(const struct topology *topology, int level, int number, int digit)
{
    int low = topology->low[level], below = number % low, above = number / low / topology->dimensions.up[level];
    return below + low * (digit + topology->dimensions.side[level] * above);
}

static int level_size(const struct dimensions *dimensions, int level)
{
    int64_t size = dimensions_product(dimensions->up, level, TOPOLOGY_MAX_NODES);
    int64_t rest = dimensions_product(dimensions->side + level, dimensions->n - level, TOPOLOGY_MAX_NODES);
    return size < 0 || rest < 0 || size * rest > TOPOLOGY_MAX_NODES ? -1 : (int)(size * rest);
}

/* Without a second list: every switch has as many wires up as down. */
static void full_bisection(struct dimensions *dimensions)
{
    dimensions->n_up = dimensions->n;
    for (int l = 0; l < dimensions->n; l++)
        dimensions->up[l] = l == 0 ? 1 : dimensions->side[l - 1];
}

int fat_tree_build(struct topology *topology, char *why, size_t why_size)
{
    struct dimensions *dimensions = &topology->dimensions;
    if (count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    if (dimensions->n_up == 0)
        full_bisection(dimensions);
    if (dimensions->n_up != dimensions->n) {
        snprintf(why, why_size, "%d levels of wires down and %d up; the same number is needed", dimensions->n,
                 dimensions->n_up);
        return -1;
    }
    int64_t nodes = 0, links = 0;
    for (int l = 0; l <= dimensions->n; l++) {
        int size = level_size(dimensions, l);
        topology->level[l] = (int)nodes;
        topology->low[l] = (int)dimensions_product(dimensions->up, l, TOPOLOGY_MAX_NODES);
        topology->below[l] = (int)dimensions_product(dimensions->side, l, TOPOLOGY_MAX_HOSTS);
        if (l < dimensions->n)
            topology->up_link[l] = (int)links;
        nodes += size;
        links += l < dimensions->n ? 2 * (int64_t)size * dimensions->up[l] : 0;
        if (size < 0 || nodes > TOPOLOGY_MAX_NODES || links > 2 * TOPOLOGY_MAX_NODES)
            return sim_error_why(why, why_size, "it has more than %d switches, or wires", TOPOLOGY_MAX_NODES);
    }
    topology->n_switches = (int)nodes - topology->n_hosts;
    topology->n_links = (int)links;
    topology->max_hops = 2 * dimensions->n;
    return 0;
}

static int up_link(const struct topology *topology, int level, int number, int digit)
{
    return topology->up_link[level] + 2 * (number * topology->dimensions.up[level] + digit);
}

static int level_of(const struct topology *topology, int node)
{
    int level = 0;
    while (level < topology->dimensions.n && node >= topology->level[level + 1])
        level++;
    return level;
}

static bool is_above(const struct topology *topology, int level, int number, int host)
{
    return number / topology->low[level] == host / topology->below[level];
}

static void go_down(const struct topology *topology, int level, int here, int to, struct topology_segment *segment)
{
    int digit = up_digit(topology, here, level - 1);
    int child = child_of(topology, level - 1, here, host_digit(topology, to, level - 1));
    *segment = (struct topology_segment){
        .first = up_link(topology, level - 1, child, digit) + 1, .count = 1, .end = topology->level[level - 1] + child};
}

static void go_up(const struct topology *topology, int level, int here, int digit, struct topology_segment *segment)
{
    *segment = (struct topology_segment){.first = up_link(topology, level, here, digit),
                                         .count = 1,
                                         .end = topology->level[level + 1] + parent_of(topology, level, here, digit)};
}

/* Down where the host is under the node, which then has its label from this level's digit on. Else up, by D-mod-k
 * (Zahavi 2012), by whose digits SimGrid goes up: at level l to the parent (to / (up[0] ... up[l-1])) mod up[l]. */
void fat_tree_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    int level = level_of(topology, from), here = from - topology->level[level];
    if (is_above(topology, level, here, to))
        go_down(topology, level, here, to, segment);
    else
        go_up(topology, level, here, up_digit(topology, to, level), segment);
}

/* All ways up. */
static int fat_tree_options(const struct topology *topology, int from, int to)
{
    int level = level_of(topology, from);
    return is_above(topology, level, from - topology->level[level], to) ? 1 : topology->dimensions.up[level];
}

/* The way of D-mod-k is the first of them, so that it is taken where all are free. */
static void fat_tree_option(const struct topology *topology, int from, int to, int option,
                            struct topology_segment *segment)
{
    int level = level_of(topology, from), here = from - topology->level[level];
    if (is_above(topology, level, here, to))
        go_down(topology, level, here, to, segment);
    else
        go_up(topology, level, here, (up_digit(topology, to, level) + option) % topology->dimensions.up[level],
              segment);
}

int fat_tree_hops(const struct topology *topology, int from, int to)
{
    int level = 0;
    for (; from != to; level++) {
        from /= topology->dimensions.side[level];
        to /= topology->dimensions.side[level];
    }
    return 2 * level;
}

bool fat_tree_ends(const struct topology *topology, int link, int *from, int *to)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int level = dimensions->n - 1;
    while (link < topology->up_link[level])
        level--;
    int wire = (link - topology->up_link[level]) / 2, number = wire / dimensions->up[level];
    int child = topology->level[level] + number;
    int parent = topology->level[level + 1] + parent_of(topology, level, number, wire % dimensions->up[level]);
    *from = link % 2 == 0 ? child : parent;
    *to = link % 2 == 0 ? parent : child;
    return true;
}

enum wire_level fat_tree_level(const struct topology *topology, int link)
{
    bool is_host = topology->dimensions.n < 2 || link < topology->up_link[1];
    return is_host ? WIRE_HOST : topology->dimensions.n < 3 || link < topology->up_link[2] ? WIRE_LEAF : WIRE_SPINE;
}

/* The nodes at the upper end of a level's wires of which each branch of a node has all of its own. */
static int64_t nodes_of_level(const struct topology *topology, int level)
{
    int next = level < topology->dimensions.n ? topology->level[level + 1] : topology->n_hosts + topology->n_switches;
    return next - topology->level[level];
}

/* Wires at least that are cut to take one branch below a level from the rest: those of one of its levels. */
static int64_t branch_wires(const struct topology *topology, int level)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t least = INT64_MAX,
            branches = dimensions_product(dimensions->side + level, dimensions->n - level, INT64_MAX);
    for (int l = 0; l <= level; l++) {
        int64_t wires = nodes_of_level(topology, l) * dimensions->up[l] / branches;
        least = wires < least ? wires : least;
    }
    return least;
}

/* From the top: half of the branches go. Of an odd number one is left, which is parted likewise. */
static int64_t tree_bisection(const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t wires = 0;
    for (int level = dimensions->n - 1; level >= 0; level--) {
        wires += dimensions->side[level] / 2 * branch_wires(topology, level);
        if (dimensions->side[level] % 2 == 0)
            break;
    }
    return wires;
}

void fat_tree_facts(struct topology_facts *facts, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    facts->wires = topology->n_links / 2;
    facts->bisection = tree_bisection(topology);
    facts->host_degree = dimensions->up[0];
    for (int level = 0; level <= dimensions->n; level++) {
        int64_t down = level > 0 ? dimensions->side[level - 1] : 0,
                up = level < dimensions->n ? dimensions->up[level] : 0;
        facts->degree = down + up > facts->degree ? down + up : facts->degree;
        facts->diameter = down > 1 ? 2 * level : facts->diameter;
    }
}

/* Hosts in a line, each level of switches in a line above it. */
void fat_tree_place(double at[3], const struct topology *topology, int node)
{
    int level = 0;
    int64_t widest = 0;
    for (int l = 0; l <= topology->dimensions.n; l++) {
        level = node >= topology->level[l] ? l : level;
        widest = nodes_of_level(topology, l) > widest ? nodes_of_level(topology, l) : widest;
    }
    double step = (double)widest / (double)nodes_of_level(topology, level);
    at[0] = (node - topology->level[level] + 0.5) * step - 0.5;
    at[1] = level * (1 + (double)widest / (4 * topology->dimensions.n));
}

static void append_list(char *text, size_t text_size, const char *before, const int *side, int n)
{
    for (int i = 0; i < n; i++)
        snprintf(text + strlen(text), text_size - strlen(text), "%s%d", i == 0 ? before : ",",
                 side != NULL ? side[i] : 1);
}

void fat_tree_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    const struct dimensions *dimensions = &topology->dimensions;
    char parameters[32 * DIMENSIONS_MAX];
    snprintf(parameters, sizeof parameters, "%d", dimensions->n);
    append_list(parameters, sizeof parameters, ";", dimensions->side, dimensions->n);
    append_list(parameters, sizeof parameters, ";", dimensions->up, dimensions->n);
    append_list(parameters, sizeof parameters, ";", NULL, dimensions->n);
    write_cluster(stream, topology, text, "FAT_TREE", parameters);
}

/* Up to three levels, as machines have them: of the least power of two from 4 on with which that is possible, the
 * uppermost with what is left to do. */
void fat_tree_choose(struct dimensions *dimensions, int n_hosts)
{
    int arity = 4, rest = n_hosts;
    while (arity * arity * arity < n_hosts)
        arity *= 2;
    *dimensions = (struct dimensions){.n = 0};
    do {
        dimensions->side[dimensions->n++] = rest < arity ? rest : arity;
        rest = (rest + arity - 1) / arity;
    } while (rest > 1);
}

const struct topology_spec topology_fat_tree = {
    .name = "fat_tree",
    .summary = "hosts under levels of switches, with several uplinks from each",
    .has_up = true,
    .form = "DOWNxDOWN...[:UPxUP...], levels from the hosts up; without UP, as many wires up as down",
    .routing = "up and down; the destination determines the way up (D-mod-k)",
    .routings = ROUTING_BIT(DMODK) | ROUTING_BIT(ECMP) | ROUTING_BIT(LEAST_LOADED),
    .choose = fat_tree_choose,
    .build = fat_tree_build,
    .segment = fat_tree_segment,
    .options = fat_tree_options,
    .option = fat_tree_option,
    .hops = fat_tree_hops,
    .level = fat_tree_level,
    .ends = fat_tree_ends,
    .facts = fat_tree_facts,
    .place = fat_tree_place,
    .zone_routing = "Full",
    .write = fat_tree_write,
};
