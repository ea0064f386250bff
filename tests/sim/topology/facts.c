/* Closed forms of topologies against what a search over their links finds; and where nodes are drawn.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"

#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>

/* The wires at each node; a bundle is as many as it has. */
struct wires {
    int n_nodes;
    int *count, *first, *to; /* those of a node begin at first */
};

static struct wires wires_of(const struct topology *topology)
{
    struct wires wires = {.n_nodes = topology->n_hosts + topology->n_switches};
    int from, to;
    wires.count = xcalloc((size_t)wires.n_nodes, sizeof *wires.count);
    wires.first = xcalloc((size_t)wires.n_nodes + 1, sizeof *wires.first);
    for (int link = 0; link < topology->n_links; link++)
        if (topology->spec->ends(topology, link, &from, &to))
            wires.first[from + 1] += topology_bundle(topology, link);
    for (int node = 0; node < wires.n_nodes; node++)
        wires.first[node + 1] += wires.first[node];
    wires.to = xcalloc((size_t)wires.first[wires.n_nodes] + 1, sizeof *wires.to);
    for (int link = 0; link < topology->n_links; link++)
        for (int i = 0; topology->spec->ends(topology, link, &from, &to) && i < topology_bundle(topology, link); i++)
            wires.to[wires.first[from] + wires.count[from]++] = to;
    return wires;
}

static void wires_dispose(struct wires *wires)
{
    free(wires->count);
    free(wires->first);
    free(wires->to);
}

static int64_t most_wires(const struct wires *wires, int n_nodes)
{
    int most = 0;
    for (int node = 0; node < n_nodes; node++)
        most = wires->count[node] > most ? wires->count[node] : most;
    return most;
}

/* Hops to the host that is farthest from any. */
static int64_t farthest(const struct wires *wires, int n_hosts)
{
    int *queue = xcalloc((size_t)wires->n_nodes, sizeof *queue), *hops = xcalloc((size_t)wires->n_nodes, sizeof *hops);
    int most = 0;
    for (int start = 0; start < n_hosts; start++) {
        int n = 1;
        for (int node = 0; node < wires->n_nodes; node++)
            hops[node] = node == start ? 0 : -1;
        queue[0] = start;
        for (int i = 0; i < n; i++)
            for (int w = wires->first[queue[i]]; w < wires->first[queue[i] + 1]; w++)
                if (hops[wires->to[w]] < 0) {
                    hops[wires->to[w]] = hops[queue[i]] + 1;
                    queue[n++] = wires->to[w];
                }
        for (int host = 0; host < n_hosts; host++)
            most = hops[host] > most ? hops[host] : most;
    }
    free(queue);
    free(hops);
    return most;
}

/* The fewest wires between two sides that share the hosts evenly, of all ways to deal out the nodes; the last one stays
 * where it is. From one way to the next a single node changes sides (Gray code). */
static int64_t fewest_cut(const struct wires *wires, int n_hosts)
{
    bool far[32] = {false};
    int n_far = 0, cut = 0, least = wires->n_nodes > 1 ? INT32_MAX : 0;
    for (uint32_t i = 1; i < UINT32_C(1) << (wires->n_nodes - 1); i++) {
        int node = __builtin_ctz(i);
        for (int w = wires->first[node]; w < wires->first[node + 1]; w++)
            cut += far[wires->to[w]] == far[node] ? 1 : -1;
        far[node] = !far[node];
        n_far += node < n_hosts ? (far[node] ? 1 : -1) : 0;
        if ((n_far == n_hosts / 2 || n_far == (n_hosts + 1) / 2) && cut < least)
            least = cut;
    }
    return n_hosts > 1 ? least : 0;
}

static void expect(const struct topology *topology, const char *what, int64_t found, int64_t expected)
{
    char name[200];
    topology_format(name, sizeof name, topology);
    if (found == expected)
        return;
    fprintf(stderr, "%s: %s is %lld, not %lld\n", name, what, (long long)found, (long long)expected);
    CU_FAIL("a closed form");
}

static void check_row(const struct topology_case *row, int most_nodes)
{
    const struct topology topology = topology_of_row(row);
    struct topology_facts facts;
    topology_facts(&facts, &topology);
    struct wires wires = wires_of(&topology);
    expect(&topology, "hosts", facts.hosts, topology.n_hosts);
    expect(&topology, "switches", facts.switches, topology.n_switches);
    expect(&topology, "wires", facts.wires, wires.first[wires.n_nodes] / 2);
    if (!topology_has_bundles(&topology))
        expect(&topology, "links", facts.wires, topology_wire_count(&topology, NULL));
    expect(&topology, "degree", facts.degree, most_wires(&wires, wires.n_nodes));
    expect(&topology, "host_degree", facts.host_degree, most_wires(&wires, topology.n_hosts));
    expect(&topology, "diameter", facts.diameter, farthest(&wires, topology.n_hosts));
    if (wires.n_nodes <= most_nodes)
        expect(&topology, "bisection", facts.bisection, fewest_cut(&wires, topology.n_hosts));
    wires_dispose(&wires);
}

static void test_rows(void)
{
    for (int i = 0; i < N_TOPOLOGY_ROWS; i += testing_one_in())
        check_row(&topology_rows[i], 18);
}

/* Small ones, for the bisection: even and odd sides, lines and rings, levels and groups. */
static void test_small(void)
{
    static const struct topology_case rows[] = {
        {"mesh", "4", ACYCLIC},
        {"mesh", "2x2", ACYCLIC},
        {"mesh", "3x3", ACYCLIC},
        {"mesh", "5x3", ACYCLIC},
        {"mesh", "4x3", ACYCLIC},
        {"mesh", "3x6", ACYCLIC},
        {"mesh", "5x4", ACYCLIC},
        {"mesh", "2x3x3", ACYCLIC},
        {"mesh", "2x2x2x2", ACYCLIC},
        {"mesh", "3x1x5", ACYCLIC},
        {"torus", "3x2", ACYCLIC},
        {"torus", "3x3", ACYCLIC},
        {"torus", "5x2", ACYCLIC},
        {"torus", "7x2", ACYCLIC},
        {"torus", "9x2", ACYCLIC},
        {"torus", "4x3", ACYCLIC},
        {"torus", "5x3", ACYCLIC},
        {"torus", "4x4", ACYCLIC},
        {"torus", "5x4", ACYCLIC},
        {"torus", "6x3", ACYCLIC},
        {"torus", "3x2x2", ACYCLIC},
        {"torus", "3x3x2", ACYCLIC},
        {"torus", "5x2x2", ACYCLIC},
        {"torus", "2x2x4", ACYCLIC},
        {"ring", "6", ACYCLIC},
        {"ring", "9", ACYCLIC},
        {"hypercube", "8", ACYCLIC},
        {"hypercube", "16", ACYCLIC},
        {"star", "6", ACYCLIC},
        {"star", "9", ACYCLIC},
        {"tree", "3x3", ACYCLIC},
        {"tree", "2x3", ACYCLIC},
        {"tree", "3x2", ACYCLIC},
        {"tree", "4x3", ACYCLIC},
        {"tree", "2x2x3", ACYCLIC},
        {"tree", "3x3x1", ACYCLIC},
        {"tree", "5x2", ACYCLIC},
        {"fat_tree", "2x2", ACYCLIC},
        {"fat_tree", "3x3", ACYCLIC},
        {"fat_tree", "2x3", ACYCLIC},
        {"fat_tree", "3x3:1x2", ACYCLIC},
        {"fat_tree", "4x2:1x3", ACYCLIC},
        {"fat_tree", "2x4:2x1", ACYCLIC},
        {"fat_tree", "3x3:2x1", ACYCLIC},
        {"fat_tree", "2x2x2", ACYCLIC},
        {"fat_tree", "2x3:1x5", ACYCLIC},
        {"fat_tree", "5x2:1x2", ACYCLIC},
        {"fat_tree", "3x3:2x2", ACYCLIC},
        {"dragonfly", "1x3x1", ACYCLIC},
        {"dragonfly", "1x3x2", ACYCLIC},
        {"dragonfly", "1x4x1", ACYCLIC},
        {"dragonfly", "1x5x2", ACYCLIC},
        {"dragonfly", "2x2x1", ACYCLIC},
        {"dragonfly", "2x3x1", ACYCLIC},
        {"dragonfly", "2x2x2", ACYCLIC},
        {"dragonfly", "2x4x1", ACYCLIC},
        {"dragonfly", "3x3x1", ACYCLIC},
        {"complete", "7", ACYCLIC},
        {"complete", "8", ACYCLIC},
        {"dragonfly", "3x4x1", ACYCLIC},
        {"dragonfly", "3x3x2:2", ACYCLIC},
        {"dragonfly", "2x3x2:3", ACYCLIC},
        {"dragonfly", "3x4x1:3", ACYCLIC},
        {"dragonfly", "2x2x2:2", ACYCLIC},
        {"dragonfly", "3x3x1:5", ACYCLIC},
        {"dragonfly", "1x3x2:2", ACYCLIC},
        {"dragonfly", "1x3x4", ACYCLIC},
        {"dragonfly", "1x4x4", ACYCLIC},
        {"dragonfly", "3x3x2", ACYCLIC},
        {"mesh", "7x3", ACYCLIC},
        {"torus", "7x3", ACYCLIC},
        {"dragonfly", "3x2x1x1", ACYCLIC},
        {"dragonfly", "3x2x2x2", ACYCLIC},
        {"dragonfly", "3x3x1x2", ACYCLIC},
        {"dragonfly", "4x3x1x2", ACYCLIC},
        {"dragonfly", "5x2x1x2", ACYCLIC},
        {"dragonfly", "2x4x2x1", ACYCLIC},
        {"dragonfly", "3x3x2x1", ACYCLIC},
        {"dragonfly_plus", "2x2x2:2x1", ACYCLIC},
        {"dragonfly_plus", "3x2x1:2x1", ACYCLIC},
        {"dragonfly_plus", "3x2x2:2x2", ACYCLIC},
        {"dragonfly_plus", "1x3x2:2x1", ACYCLIC},
        {"dragonfly_plus", "2x3x1:4x1", ACYCLIC},
        {"hyperx", "4x3", ACYCLIC},
        {"hyperx", "3x3x1", ACYCLIC},
        {"hyperx", "3x3x2", ACYCLIC},
        {"hyperx", "4x3x1", ACYCLIC},
        {"hyperx", "2x3x2x1", ACYCLIC},
        {"hyperx", "5x2x1", ACYCLIC},
        {"hyperx", "5x3", ACYCLIC},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i += (size_t)testing_one_in())
        check_row(&rows[i], 28);
}

/* Values from the literature. */
static void test_known(void)
{
    static const struct {
        struct topology_case row;
        int64_t diameter, bisection, wires, degree;
    } rows[] = {
        {{"mesh", "16x8", ACYCLIC}, 22, 8, 232, 4},
        {{"torus", "16x8", ACYCLIC}, 12, 16, 256, 4},
        {{"hypercube", "128", ACYCLIC}, 7, 64, 448, 7},
        {{"star", "128", ACYCLIC}, 2, 64, 128, 128},
        {{"tree", "8x8x2", ACYCLIC}, 6, 1, 146, 9},
        {{"fat_tree", "4x4x4", ACYCLIC}, 6, 32, 192, 8},
        {{"complete", "128", ACYCLIC}, 1, 4096, 8128, 127},
        {{"ring", "128", ACYCLIC}, 64, 2, 128, 2},
        {{"dragonfly", "8x8x2", ACYCLIC}, 5, 16, 380, 10},
        {{"dragonfly", "8x8x2:5", ACYCLIC}, 5, 64, 492, 14},
        {{"dragonfly", "24x32x4:5", ACYCLIC}, 5, 720, 16356, 40},
        {{"dragonfly", "33x8x4x4", ACYCLIC}, 5, 272, 2508, 15},
        {{"slim_fly", "5x4", ACYCLIC}, 4, 65, 375, 11},
        {{"hyperx", "8x8x4", ACYCLIC}, 4, 128, 704, 18},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct topology topology = topology_of_row(&rows[i].row);
        struct topology_facts facts;
        topology_facts(&facts, &topology);
        expect(&topology, "diameter", facts.diameter, rows[i].diameter);
        expect(&topology, "bisection", facts.bisection, rows[i].bisection);
        expect(&topology, "wires", facts.wires, rows[i].wires);
        expect(&topology, "degree", facts.degree, rows[i].degree);
    }
}

/* ---- Slim flies ---- */

/* The second eigenvalue of the switches' graph, all of whose switches have k wires: by powers of the matrix A + k, in
 * which all eigenvalues are positive, on a vector without a share of the first. */
static double second_eigenvalue(const struct topology *topology, const struct wires *wires, double k)
{
    enum { STEPS = 400 };
    int n = topology->n_switches, first = topology->n_hosts;
    double *vector = xcalloc((size_t)n, sizeof *vector), *next = xcalloc((size_t)n, sizeof *next), length = 1;
    for (int i = 0; i < n; i++)
        vector[i] = testing_random_to(1000);
    for (int step = 0; step < STEPS; step++) {
        double mean = 0, square = 0;
        for (int i = 0; i < n; i++)
            mean += vector[i] / n;
        for (int i = 0; i < n; i++) {
            next[i] = k * (vector[i] - mean);
            for (int w = wires->first[first + i]; w < wires->first[first + i + 1]; w++)
                next[i] += wires->to[w] >= first ? vector[wires->to[w] - first] - mean : 0;
            square += next[i] * next[i];
        }
        length = sqrt(square);
        for (int i = 0; i < n; i++)
            vector[i] = next[i] / length;
    }
    free(vector);
    free(next);
    return length - k;
}

/* The cut that the bisection is the wires of: half of the columns of the one half, rounded down, and of the other,
 * rounded up. No cut has less than n / 4 (k - second eigenvalue) wires (Fiedler 1975), for n switches. */
static void test_slim_flies(void)
{
    static const struct topology_case rows[] = {{"slim_fly", "3x4", CYCLIC},
                                                {"slim_fly", "5x4", CYCLIC},
                                                {"slim_fly", "7x6", CYCLIC},
                                                {"slim_fly", "13x10", CYCLIC}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const struct topology topology = topology_of_row(&rows[r]);
        struct topology_facts facts;
        struct wires wires = wires_of(&topology);
        int q = topology.dimensions.side[0], hosts = topology.dimensions.side[1], cut = 0, n_far = 0;
        bool *far = xcalloc((size_t)wires.n_nodes, sizeof *far);
        for (int node = 0; node < wires.n_nodes; node++) {
            int number = node < topology.n_hosts ? node / hosts : node - topology.n_hosts, x = number / q % q;
            far[node] = number < q * q ? x < q / 2 : x <= q / 2;
            n_far += node < topology.n_hosts && far[node];
        }
        for (int node = 0; node < wires.n_nodes; node++)
            for (int w = wires.first[node]; w < wires.first[node + 1]; w++)
                cut += far[node] && !far[wires.to[w]];
        topology_facts(&facts, &topology);
        double k = (double)(facts.degree - hosts), second = second_eigenvalue(&topology, &wires, k);
        double least = topology.n_switches / 4.0 * (k - second);
        expect(&topology, "hosts of a half", n_far, topology.n_hosts / 2);
        expect(&topology, "the wires of the cut", facts.bisection, cut);
        CU_ASSERT_DOUBLE_EQUAL(least, q * q * q / 2.0, 1e-6 * least);
        free(far);
        wires_dispose(&wires);
    }
}

/* ---- Drawings ---- */

/* No two nodes are closer than half of what neighbors are apart. */
static void test_places(void)
{
    for (int i = 0; i < N_TOPOLOGY_ROWS; i++) {
        const struct topology topology = topology_of_row(&topology_rows[i]);
        int n_nodes = topology.n_hosts + topology.n_switches;
        double nearest = INFINITY;
        double(*at)[3] = xcalloc((size_t)n_nodes, sizeof *at);
        for (int node = 0; node < n_nodes; node++) {
            topology_place(at[node], &topology, node);
            for (int other = 0; other < node; other++)
                nearest = fmin(nearest, hypot(hypot(at[node][0] - at[other][0], at[node][1] - at[other][1]),
                                              at[node][2] - at[other][2]));
        }
        if (nearest < 0.5) {
            fprintf(stderr, "%s %s: two nodes are %g apart\n", topology_rows[i].name, topology_rows[i].dimensions,
                    nearest);
            CU_FAIL("nodes that are drawn in one place");
        }
        free(at);
    }
}

static void test_place_of_mesh(void)
{
    const struct topology_case row = {"mesh", "16x8", ACYCLIC};
    const struct topology topology = topology_of_row(&row);
    double at[3];
    topology_place(at, &topology, 3 * 16 + 5);
    CU_ASSERT_DOUBLE_EQUAL(at[0], 5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(at[1], 3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(at[2], 0, 1e-9);
}

int main(void)
{
    static const struct test tests[] = {
        {"rows", test_rows},
        {"small ones", test_small},
        {"known ones", test_known},
        {"slim flies", test_slim_flies},
        {"places", test_places},
        {"place of a mesh", test_place_of_mesh},
        {NULL, NULL},
    };
    return testing_run("facts of topologies", tests);
}
