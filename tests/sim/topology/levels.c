/* Where each link of a topology is, found by search, and what its wires then are: by themselves and in a machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"
#include "tests/testing.h"

#include "base/memory.h"
#include "sim/machine/machine.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>

static const struct topology_case bundled_rows[] = {{"dragonfly", "3x5x2:2", CYCLIC},
                                                    {"dragonfly", "1x4x2:3", ACYCLIC}};
enum { N_ROWS = N_TOPOLOGY_ROWS + 2 };

static const struct topology_case *row_at(int i)
{
    return i < N_TOPOLOGY_ROWS ? &topology_rows[i] : &bundled_rows[i - N_TOPOLOGY_ROWS];
}

/* ---- Levels by search ---- */

/* The number of links from each node down to the nearest host; a step over all links as long as one is shortened. */
static int *heights_of(const struct topology *topology)
{
    int n_nodes = topology->n_hosts + topology->n_switches, from, to;
    int *height = xmalloc((size_t)n_nodes * sizeof *height);
    bool changes = true;
    for (int i = 0; i < n_nodes; i++)
        height[i] = i < topology->n_hosts ? 0 : 1 << 20;
    while (changes) {
        changes = false;
        for (int link = 0; link < topology->n_links; link++)
            if (topology->spec->ends(topology, link, &from, &to) && height[from] > height[to] + 1) {
                height[from] = height[to] + 1;
                changes = true;
            }
    }
    return height;
}

/* The group of a dragonfly that a switch is of: its hosts follow each other. */
static int group_of(const struct topology *topology, int node)
{
    int from, to, hosts_of_group = topology->n_hosts / topology->dimensions.side[0];
    for (int link = 0; link < topology->n_links; link++)
        if (topology->spec->ends(topology, link, &from, &to) && to == node && from < topology->n_hosts)
            return from / hosts_of_group;
    return -1;
}

static enum wire_level found_level(const struct topology *topology, const int *height, int from, int to)
{
    int higher = height[from] > height[to] ? height[from] : height[to];
    if (height[from] != height[to] || higher == 0)
        return higher <= 1 ? WIRE_HOST : higher == 2 ? WIRE_LEAF : WIRE_SPINE;
    if (higher > 1) /* spines of a Dragonfly+ */
        return WIRE_GLOBAL;
    bool has_groups = topology->spec == &topology_dragonfly;
    return has_groups && group_of(topology, from) != group_of(topology, to) ? WIRE_GLOBAL : WIRE_LEAF;
}

/* ---- Wires ---- */

static const struct topology_style style = {
    .speed_flopps = 1e9,
    .bandwidth_Bps = 1e8,
    .latency_s = 1e-6,
    .levels = {[WIRE_LEAF] = {2e8, 3e-6}, [WIRE_SPINE] = {4e8, 5e-6}, [WIRE_GLOBAL] = {16e8, 7e-6}},
};

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * b;
}

static const struct wire_speed expected_wires[N_WIRE_LEVELS] = {
    [WIRE_HOST] = {1e8, 1e-6}, [WIRE_LEAF] = {2e8, 3e-6}, [WIRE_SPINE] = {4e8, 5e-6}, [WIRE_GLOBAL] = {16e8, 7e-6}};

/* The expected wire of a link. */
static struct wire_speed expected_wire(const struct topology *topology, const int *height, int link)
{
    int from, to;
    topology->spec->ends(topology, link, &from, &to);
    enum wire_level level = found_level(topology, height, from, to);
    struct wire_speed wire = expected_wires[level];
    if (level == WIRE_GLOBAL && topology->spec == &topology_dragonfly && topology->dimensions.n_up > 0)
        wire.bandwidth_Bps *= topology->dimensions.up[0];
    return wire;
}

static int check_wires(const struct topology *topology, const struct machine *machine)
{
    int *height = heights_of(topology), failures = 0, from, to;
    for (int link = 0; link < topology->n_links; link++) {
        if (!topology->spec->ends(topology, link, &from, &to))
            continue;
        struct wire_speed expected = expected_wire(topology, height, link), told;
        struct wire_speed found = topology_wire(topology, &style, link);
        machine_link_speed(machine, link, &told.bandwidth_Bps, &told.latency_s);
        failures += !same(found.bandwidth_Bps, expected.bandwidth_Bps) || !same(found.latency_s, expected.latency_s) ||
                    !same(told.bandwidth_Bps, expected.bandwidth_Bps) || !same(told.latency_s, expected.latency_s);
    }
    free(height);
    return failures;
}

/* ---- Routes of a machine ---- */

/* Its latencies add up, and the slowest of its wires is its rate, whichever way it is asked for. */
static int check_route(struct machine *machine, const struct topology *topology, const int *height, int from, int to)
{
    const struct route *route = machine_route(machine, from, to);
    struct route room;
    const struct route *way = machine_way(machine, from, to, &room);
    double latency_ps = 0, byte_ps = 0;
    for (int i = 0; i < route->hops; i++) {
        struct wire_speed wire = expected_wire(topology, height, route->links[i]);
        latency_ps += 1e12 * wire.latency_s;
        byte_ps = fmax(byte_ps, 1e12 / wire.bandwidth_Bps);
    }
    return from != to && (!same((double)route->latency_ps, latency_ps) || !same(route->byte_ps, byte_ps) ||
                          way->latency_ps != route->latency_ps || !same(way->byte_ps, byte_ps));
}

static int check_routes(struct machine *machine, const struct topology *topology)
{
    int *height = heights_of(topology), failures = 0;
    for (int to = 0; to < topology->n_hosts; to++)
        failures += check_route(machine, topology, height, 0, to) +
                    check_route(machine, topology, height, topology->n_hosts / 2, to);
    free(height);
    return failures;
}

static void test_levels(void)
{
    for (int i = 0; i < N_ROWS; i++) {
        struct topology topology = topology_of_row(row_at(i));
        struct machine base, machine;
        machine_init(&base, "base", "base.xml");
        base.net->style = style;
        machine_derive(&machine, &base, &topology);
        int failures = check_wires(&topology, &machine) + check_routes(&machine, &topology);
        if (failures > 0)
            fprintf(stderr, "%s %s: %d faults\n", row_at(i)->name, row_at(i)->dimensions, failures);
        CU_ASSERT_EQUAL(failures, 0);
        machine_dispose(&machine);
        machine_dispose(&base);
    }
}

/* One wire stands for all only if no level has its own, and none is a bundle. */
static void test_uniform(void)
{
    const struct topology_style plain = {.speed_flopps = 1e9, .bandwidth_Bps = 1e8, .latency_s = 1e-6};
    struct topology fat_tree = topology_of_row(&(struct topology_case){"fat_tree", "4x4:1x2", ACYCLIC});
    struct topology bundled = topology_of_row(&bundled_rows[0]);
    CU_ASSERT_TRUE(topology_is_uniform(&fat_tree, &plain));
    CU_ASSERT_FALSE(topology_is_uniform(&fat_tree, &style));
    CU_ASSERT_FALSE(topology_is_uniform(&bundled, &plain));
}

int main(void)
{
    return testing_run("levels of wires",
                       (const struct test[]){{"each link", test_levels}, {"all alike", test_uniform}, {NULL, NULL}});
}
