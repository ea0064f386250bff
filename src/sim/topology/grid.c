/* Meshes and tori, of which rings and hypercubes are special ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* Link numbers: 2 * (host * dimensions + dimension), + 1 downward. */

/* A node's coordinate in a dimension, `rest` having those of the dimensions before divided off; and then also this. A
 * multiplication takes the place of a division: exact, since both are below 2^32. */
static inline int take_coordinate(const struct topology *topology, int dimension, int *rest)
{
    uint64_t reciprocal = topology->reciprocal[dimension];
    int whole = *rest, side = topology->dimensions.side[dimension];
    *rest = reciprocal == 0 ? whole : (int)(((wide_uint)reciprocal * (uint32_t)whole) >> 64);
    return whole - *rest * side;
}

int grid_build(struct topology *topology, char *why, size_t why_size)
{
    const struct dimensions *dimensions = &topology->dimensions;
    if (count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    topology->n_links = 2 * topology->n_hosts * dimensions->n;
    for (int d = 0, stride = 1; d < dimensions->n; stride *= dimensions->side[d++]) {
        uint64_t side = (uint64_t)dimensions->side[d];
        topology->max_hops += dimensions->side[d] - 1;
        topology->below[d] = stride;
        topology->reciprocal[d] = side > 1 ? UINT64_MAX / side + 1 : 0;
    }
    return 0;
}

void grid_choose(struct dimensions *dimensions, int n_hosts)
{
    *dimensions = (struct dimensions){.n = 2};
    dimensions_choose_mesh(n_hosts, n_hosts, n_hosts, &dimensions->side[0], &dimensions->side[1]);
}

/* True if the way in a torus's side is upward. */
static bool goes_up(int here, int there, int side)
{
    int ahead = there >= here ? there - here : there - here + side;
    return ahead < side - ahead || (ahead == side - ahead && here != side / 2);
}

/* A segment goes along one side, and in a torus no further than the wire round. */
static void go_along(const struct topology *topology, int from, int d, int here, int there,
                     struct topology_segment *segment)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int side = dimensions->side[d];
    bool wraps = topology->spec->wraps, up = wraps ? goes_up(here, there, side) : there > here;
    int stride = topology->below[d], far = up ? there - here : here - there, room = up ? side - here : here + 1;
    if (far < 0)
        far += side;
    bool round = wraps && far >= room;
    int count = round ? room : far, next = round ? (up ? 0 : side - 1) : up ? here + far : here - far;
    *segment = (struct topology_segment){.first = 2 * (from * dimensions->n + d) + !up,
                                         .step = (up ? 2 : -2) * stride * dimensions->n,
                                         .count = count,
                                         .end = from + (next - here) * stride};
}

void grid_segment(const struct topology *topology, int from, int to, struct topology_segment *segment)
{
    int d = 0, from_rest = from, to_rest = to;
    int here = take_coordinate(topology, d, &from_rest), there = take_coordinate(topology, d, &to_rest);
    while (here == there) {
        here = take_coordinate(topology, ++d, &from_rest);
        there = take_coordinate(topology, d, &to_rest);
    }
    go_along(topology, from, d, here, there, segment);
}

/* The dimensions in which the two differ. */
int grid_options(const struct topology *topology, int from, int to)
{
    int n = 0;
    for (int d = 0; from != to; d++)
        n += take_coordinate(topology, d, &from) != take_coordinate(topology, d, &to);
    return n;
}

/* One hop along one of them, the first first: that is dimension order. */
void grid_option(const struct topology *topology, int from, int to, int option, struct topology_segment *segment)
{
    int d = -1, from_rest = from, to_rest = to, here = 0, there = 0;
    while (option >= 0) {
        here = take_coordinate(topology, ++d, &from_rest);
        there = take_coordinate(topology, d, &to_rest);
        option -= here != there;
    }
    go_along(topology, from, d, here, there, segment);
    if (segment->count == 1)
        return;
    int stride = topology->below[d];
    segment->count = 1;
    segment->end = from + (segment->step > 0 ? stride : -stride);
}

int grid_hops(const struct topology *topology, int from, int to)
{
    int hops = 0;
    for (int d = 0; from != to; d++) {
        int side = topology->dimensions.side[d];
        int far = abs(take_coordinate(topology, d, &from) - take_coordinate(topology, d, &to));
        hops += topology->spec->wraps && 2 * far > side ? side - far : far;
    }
    return hops;
}

bool grid_ends(const struct topology *topology, int link, int *from, int *to)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int host = link / 2 / dimensions->n, d = link / 2 % dimensions->n, side = dimensions->side[d];
    int stride = topology->below[d], here = host / stride % side;
    int next = link % 2 == 0 ? here + 1 : here - 1;
    if ((next < 0 || next == side) && (!topology->spec->wraps || side <= 2))
        return false;
    *from = host;
    *to = host + ((next + side) % side - here) * stride;
    return true;
}

/* ---- Facts ---- */

/* How often a cut through a side of that length costs a wire: a ring is cut in two places. */
static int cuts_of(const struct topology *topology, int side)
{
    return topology->spec->wraps && side > 2 ? 2 : 1;
}

/* Cut across the side that is longest for its cuts. If its length is even, these are all. If not, the layer in its
 * middle is cut in halves likewise. (Aroca and Fernandez Anta 2014, who prove it for meshes and for tori.) */
static int64_t grid_bisection(const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t layer = topology->n_hosts, wires = 0;
    bool done[DIMENSIONS_MAX] = {false}, halved = false;
    for (int i = 0; i < dimensions->n && !halved; i++) {
        int best = -1, best_cuts = 1;
        for (int d = 0; d < dimensions->n; d++) {
            int cuts = cuts_of(topology, dimensions->side[d]);
            if (done[d] ||
                (best >= 0 && (int64_t)dimensions->side[d] * best_cuts <= (int64_t)dimensions->side[best] * cuts))
                continue;
            best = d;
            best_cuts = cuts;
        }
        layer /= dimensions->side[best];
        wires += dimensions->side[best] > 1 ? layer * best_cuts : 0;
        halved = dimensions->side[best] % 2 == 0;
        done[best] = true;
    }
    return wires;
}

void grid_facts(struct topology_facts *facts, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    for (int d = 0; d < dimensions->n; d++) {
        int side = dimensions->side[d];
        bool is_ring = topology->spec->wraps && side > 2;
        facts->wires += (int64_t)topology->n_hosts / side * (is_ring ? side : side - 1);
        facts->diameter += is_ring ? side / 2 : side - 1;
        facts->degree += side > 2 ? 2 : side - 1;
    }
    facts->host_degree = facts->degree;
    facts->bisection = grid_bisection(topology);
}

/* The first three sides are the axes. Further ones repeat all that is so far along an axis, with a gap. */
void grid_place(double at[3], const struct topology *topology, int node)
{
    const struct dimensions *dimensions = &topology->dimensions;
    double pitch[3] = {1, 1, 1};
    for (int d = 0; d < dimensions->n; d++) {
        int side = dimensions->side[d], axis = d % 3;
        at[axis] += node % side * pitch[axis];
        pitch[axis] *= side + (d >= 3 ? 0.5 : 0.25);
        node /= side;
    }
}

/* Sides of 1 are left out: there SimGrid would have wires from nodes to themselves. */
void torus_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    const struct dimensions *dimensions = &topology->dimensions;
    char parameters[8 * DIMENSIONS_MAX] = "";
    for (int d = 0; d < dimensions->n; d++)
        if (dimensions->side[d] > 1)
            snprintf(parameters + strlen(parameters), sizeof parameters - strlen(parameters), "%s%d",
                     parameters[0] == '\0' ? "" : ",", dimensions->side[d]);
    write_cluster(stream, topology, text, "TORUS", parameters[0] == '\0' ? "1" : parameters);
}
