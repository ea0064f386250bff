/* Routings by themselves: each way that may be chosen joins, is as long as it should be, and ends where it should;
 * there are as many as closed forms say; and what is drawn is drawn evenly. Large topologies by random pairs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"

#include "base/hash.h"
#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>

static const uint64_t stream = 7;

static void expect(const struct topology *topology, const char *what, int64_t found, int64_t expected)
{
    char name[200];
    if (found == expected)
        return;
    topology_format(name, sizeof name, topology);
    fprintf(stderr, "%s, %s: %s is %lld, not %lld\n", name, routing_names[topology->routing], what, (long long)found,
            (long long)expected);
    CU_FAIL("a route");
}

/* ---- One way ---- */

/* The links of a segment join; the node behind them. */
static int walk(const struct topology *topology, int here, const struct topology_segment *segment)
{
    int start = -1, end = here;
    for (int i = 0; i < segment->count; i++) {
        bool is_link = topology->spec->ends(topology, segment->first + i * segment->step, &start, &end);
        expect(topology, "a link that is one", is_link, true);
        expect(topology, "where a link begins", start, here);
        here = end;
    }
    expect(topology, "where a segment ends", end, segment->end);
    return end;
}

/* Hops of a message by what has been drawn of it. `random`: where there are options, one of them. */
static int follow(const struct topology *topology, int from, int to, uint32_t drawn, uint64_t random)
{
    const struct topology_spec *spec = topology->spec;
    bool chooses = topology->adapts && (spec->detour == NULL || topology->routing == ROUTING_ADAPTIVE);
    int hops = 0, by = topology->routing != ROUTING_ECMP && drawn != 0 ? (int)drawn - 1 : -1;
    bool passed = by < 0;
    for (int here = from; here != to && hops <= topology->max_hops;) {
        struct topology_segment segment;
        int n = chooses ? spec->options(topology, here, to) : 0;
        if (n > 0)
            spec->option(topology, here, to, (int)(pseudo_random(random, (uint64_t)hops) % (uint64_t)n), &segment);
        else
            topology_follow(topology, here, to, &drawn, &segment);
        here = walk(topology, here, &segment);
        hops += segment.count;
        passed |= here == by;
    }
    expect(topology, "whether it has gone by the switch drawn", passed, true);
    expect(topology, "more than max_hops", hops > topology->max_hops, false);
    return hops;
}

/* A pair by the routing that is set, and by a switch that is drawn where there is such a routing. Minimal ones are as
 * long as topology_hops() says. */
static void check_pair(const struct topology *topology, int from, int to, uint64_t random)
{
    struct topology minimal = *topology;
    topology_set_routing(&minimal, ROUTING_AUTO, 1);
    int shortest = topology_hops(&minimal, from, to);
    uint32_t drawn = topology->is_drawn ? topology_draw(topology, from, to, random) : 0;
    int hops = follow(topology, from, to, drawn, random);
    if (topology->routing != ROUTING_VALIANT)
        expect(topology, "the length of a way", hops, shortest);
    if (topology->spec->detour != NULL && topology->routing != ROUTING_ADAPTIVE)
        follow(topology, from, to, topology_detour(topology, from, to, random), random);
}

static void check_routings(struct topology *topology, int n_pairs)
{
    for (int routing = 1; routing < N_ROUTINGS; routing++) {
        if (!topology_set_routing(topology, (enum routing)routing, 3))
            continue;
        for (int i = 0; i < n_pairs; i++) {
            uint64_t random = pseudo_random(stream, (uint64_t)i);
            int from = (int)(random % (uint64_t)topology->n_hosts),
                to = (int)((random >> 32) % (uint64_t)topology->n_hosts);
            if (from != to)
                check_pair(topology, from, to, random);
        }
    }
}

static void test_ways(void)
{
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        check_routings(&topology, 300);
    }
}

/* As many hosts as there may be, or nearly. */
static void test_large(void)
{
    static const struct topology_case rows[] = {
        {"dragonfly", "512x64x32x8", CYCLIC},
        {"dragonfly", "256x256x16", CYCLIC},
        {"dragonfly_plus", "256x64x64:64x4", ACYCLIC},
        {"slim_fly", "79x84", CYCLIC},
        {"hyperx", "32x32x32x32", ACYCLIC},
        {"fat_tree", "16x16x16x16x16:1x8x8x4x4", ACYCLIC},
        {"fat_tree", "4x4x4x4x4x4x4x4x4x4:1x2x2x2x2x2x2x2x2x2", ACYCLIC},
        {"torus", "64x128x128", CYCLIC},
        {"mesh", "1024x1024", ACYCLIC},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct topology topology = topology_of_row(&rows[r]);
        expect(&topology, "a million hosts", topology.n_hosts > 1048000, true);
        check_routings(&topology, 300);
    }
}

/* ---- How many ---- */

/* All ways from a node by its options. */
static int64_t count_ways(const struct topology *topology, int from, int to)
{
    int64_t ways = 0;
    int n = from == to ? 0 : topology->spec->options(topology, from, to);
    for (int i = 0; i < n; i++) {
        struct topology_segment segment;
        topology->spec->option(topology, from, to, i, &segment);
        ways += count_ways(topology, segment.end, to);
    }
    return from == to ? 1 : ways;
}

/* On a mesh from corner to corner, (4 + 2)! / (4! 2!), and with a third side (2 + 1 + 3)! / (2! 1! 3!); on a torus the
 * same of half its sides; on a fat tree the product of the wires up; on a HyperX those of L dimensions, L!. */
static void test_counts(void)
{
    static const struct {
        struct topology_case row;
        int from, to;
        int64_t ways;
    } rows[] = {
        {{"mesh", "5x3", ACYCLIC}, 0, 14, 15},
        {{"mesh", "3x2x4", ACYCLIC}, 0, 23, 60},
        {{"torus", "5x5", ACYCLIC}, 0, 12, 6},
        {{"hypercube", "16", ACYCLIC}, 0, 15, 24},
        {{"fat_tree", "4x4x4", ACYCLIC}, 0, 63, 16},
        {{"fat_tree", "4x4x4", ACYCLIC}, 0, 15, 4},
        {{"fat_tree", "4x4x2x2:1x2x3x5", ACYCLIC}, 0, 63, 30},
        {{"hyperx", "3x3x3x2", ACYCLIC}, 0, 53, 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct topology topology = topology_of_row(&rows[i].row);
        expect(&topology, "the number of ways", count_ways(&topology, rows[i].from, rows[i].to), rows[i].ways);
    }
}

/* ---- Evenly ---- */

/* Switches by which Valiant's ways go between two hosts: each as often, within five standard deviations. */
static void test_even(void)
{
    static const struct {
        struct topology_case row;
        int n; /* switches, of which each may be drawn: of third groups, all wires to them; else all others */
    } rows[] = {
        {{"dragonfly", "9x4x2x2", CYCLIC}, 7},
        {{"dragonfly", "5x4x2x2", CYCLIC}, 6},
        {{"dragonfly_plus", "5x3x2:2x2", CYCLIC}, 3},
        {{"slim_fly", "5x1", CYCLIC}, 48},
        {{"hyperx", "3x4x1", CYCLIC}, 10},
    };
    enum { DRAWS = 20000 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct topology topology = topology_of_row(&rows[i].row);
        int *count = xcalloc((size_t)(topology.n_hosts + topology.n_switches), sizeof *count), n = 0;
        for (uint64_t draw = 0; draw < DRAWS; draw++)
            count[topology_detour(&topology, 0, topology.n_hosts - 1, pseudo_random(stream, draw)) - 1]++;
        double mean = (double)DRAWS / rows[i].n;
        for (int node = 0; node < topology.n_hosts + topology.n_switches; node++) {
            n += count[node] > 0;
            if (count[node] > 0)
                expect(&topology, "how even it is", fabs(count[node] - mean) < 5 * sqrt(mean), true);
        }
        expect(&topology, "the number of switches drawn", n, rows[i].n);
        free(count);
    }
}

/* Another seed draws otherwise; the same draws the same. */
static void test_seeds(void)
{
    struct topology topology = topology_of_row(&(struct topology_case){"fat_tree", "8x8", ACYCLIC}), other = topology;
    topology_set_routing(&topology, ROUTING_ECMP, 1);
    topology_set_routing(&other, ROUTING_ECMP, 2);
    int differ = 0;
    for (int to = 8; to < 64; to++) {
        int32_t a[4], b[4], c[4];
        topology_route(&topology, 0, to, a);
        topology_route(&other, 0, to, b);
        topology_route(&topology, 0, to, c);
        differ += a[1] != b[1];
        expect(&topology, "the same once more", memcmp(a, c, sizeof a), 0);
    }
    expect(&topology, "whether seeds matter", differ > 30, true);
    CU_ASSERT_FALSE(topology_set_routing(&topology, ROUTING_VALIANT, 1));
}

int main(void)
{
    static const struct test tests[] = {
        {"ways", test_ways},   {"large ones", test_large}, {"how many", test_counts},
        {"evenly", test_even}, {"seeds", test_seeds},      {NULL, NULL},
    };
    return testing_run("routings", tests);
}
