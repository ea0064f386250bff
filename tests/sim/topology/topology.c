/* Topologies by themselves: routes against shortest paths found by search, closed forms of distances and wires, cycles
 * of waiting links, dimensions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"

#include "base/memory.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdint.h>

static int failures;

/* A failed check of a row, named; at most some are printed. */
static void expect(const struct topology_case *row, const char *what, int64_t found, int64_t expected)
{
    if (found == expected)
        return;
    if (failures++ < 20)
        fprintf(stderr, "%s %s: %s is %lld, not %lld\n", row->name, row->dimensions, what, (long long)found,
                (long long)expected);
}

/* ---- The graph, as its links say ---- */

struct graph {
    int n_nodes;
    int *first, *to; /* the neighbors of node i: to[first[i]] ... to[first[i + 1] - 1] */
};

static struct graph graph_of(const struct topology *topology)
{
    int n = topology->n_hosts + topology->n_switches, from, to;
    struct graph graph = {n, xcalloc((size_t)n + 2, sizeof(int)), xcalloc((size_t)topology->n_links + 1, sizeof(int))};
    for (int link = 0; link < topology->n_links; link++)
        if (topology->spec->ends(topology, link, &from, &to))
            graph.first[from + 2]++;
    for (int i = 2; i <= n; i++)
        graph.first[i] += graph.first[i - 1];
    for (int link = 0; link < topology->n_links; link++)
        if (topology->spec->ends(topology, link, &from, &to))
            graph.to[graph.first[from + 1]++] = to;
    return graph;
}

static void graph_dispose(struct graph *graph)
{
    free(graph->first);
    free(graph->to);
}

/* A wire between two groups, of which a minimal route of a dragonfly has one at most, though there may be a shorter way
 * by a third group. */
static bool is_global(const struct topology *topology, int from, int to)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int n_hosts = topology->n_hosts, group = dimensions->side[1];
    if (strncmp(topology->spec->name, "dragonfly", 9) != 0 || from < n_hosts || to < n_hosts)
        return false;
    group += strcmp(topology->spec->name, "dragonfly_plus") == 0 ? dimensions->up[0] : 0;
    return (from - n_hosts) / group != (to - n_hosts) / group;
}

/* The length of the shortest path from a node to every other, -1 where there is none: of those that have at most one
 * wire between groups, each node being there twice, before and behind it. */
static void search(const struct graph *graph, const struct topology *topology, int from, int *distance, int *queue)
{
    int head = 0, tail = 0, n = graph->n_nodes;
    for (int i = 0; i < 2 * n; i++)
        distance[i] = -1;
    distance[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int here = queue[head] % n, behind = queue[head] / n, far = distance[queue[head]] + 1;
        head++;
        for (int e = graph->first[here]; e < graph->first[here + 1]; e++) {
            int layer = behind + is_global(topology, here, graph->to[e]), next = layer * n + graph->to[e];
            if (layer < 2 && distance[next] < 0) {
                distance[next] = far;
                queue[tail++] = next;
            }
        }
    }
    for (int i = 0; i < n; i++)
        if (distance[i] < 0 || (distance[n + i] >= 0 && distance[n + i] < distance[i]))
            distance[i] = distance[n + i];
}

/* ---- Routes ---- */

static void check_route(const struct topology_case *row, const struct topology *topology, int from, int to,
                        int shortest, int32_t *links)
{
    int hops = topology_route(topology, from, to, links), here = from, start, end;
    expect(row, "hops", topology_hops(topology, from, to), hops);
    expect(row, "the length of a route", hops, shortest);
    expect(row, "a route longer than max_hops", hops > topology->max_hops, 0);
    for (int i = 0; i < hops; i++) {
        bool known =
            links[i] >= 0 && links[i] < topology->n_links && topology->spec->ends(topology, links[i], &start, &end);
        expect(row, "whether a route's link is one", known, true);
        expect(row, "where a route's link begins", known ? start : -1, here);
        here = known ? end : -1;
    }
    expect(row, "where a route ends", here, to);
}

static void check_routes(const struct topology_case *row, const struct topology *topology)
{
    struct graph graph = graph_of(topology);
    int *distance = xcalloc(2 * (size_t)graph.n_nodes, sizeof *distance);
    int *queue = xcalloc(2 * (size_t)graph.n_nodes, sizeof *queue);
    int32_t *links = xcalloc((size_t)topology->max_hops + 1, sizeof *links);
    int32_t *back = xcalloc((size_t)topology->max_hops + 1, sizeof *back);
    for (int from = 0; from < topology->n_hosts; from++) {
        search(&graph, topology, from, distance, queue);
        for (int to = 0; to < topology->n_hosts; to++) {
            if (from == to)
                continue;
            check_route(row, topology, from, to, distance[to], links);
            expect(row, "the length of the way back", topology_route(topology, to, from, back), distance[to]);
        }
    }
    free(back);
    free(links);
    free(queue);
    free(distance);
    graph_dispose(&graph);
}

static void test_routes(void)
{
    failures = 0;
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        check_routes(&topology_rows[r], &topology);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* Every link has one in the other direction, and no two lead from the same node to the same. */
static void check_links(const struct topology_case *row, const struct topology *topology)
{
    int n = topology->n_hosts + topology->n_switches, from, to, wires = 0;
    char *seen = xcalloc((size_t)n * (size_t)n, 1);
    for (int link = 0; link < topology->n_links; link++) {
        if (!topology->spec->ends(topology, link, &from, &to))
            continue;
        bool inside = from >= 0 && from < n && to >= 0 && to < n && from != to;
        expect(row, "whether a link's ends are two nodes", inside, true);
        if (inside)
            expect(row, "links of the same ends", seen[(size_t)from * (size_t)n + (size_t)to]++, 0);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int up = seen[(size_t)i * (size_t)n + (size_t)j], down = seen[(size_t)j * (size_t)n + (size_t)i];
            expect(row, "links back", up, down);
            wires += up;
        }
    expect(row, "the number of wires", topology_wire_count(topology, NULL), wires);
    free(seen);
}

static void test_links(void)
{
    failures = 0;
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        check_links(&topology_rows[r], &topology);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* ---- Cycles ---- */

enum { NEW, OPEN, DONE };

/* True if the links reachable from one by "is followed by" lead back to one on the way. */
static bool finds_cycle(const char *follows, int n, int link, char *state)
{
    state[link] = OPEN;
    for (int next = 0; next < n; next++)
        if (follows[(size_t)link * (size_t)n + (size_t)next] &&
            (state[next] == OPEN || (state[next] == NEW && finds_cycle(follows, n, next, state))))
            return true;
    state[link] = DONE;
    return false;
}

/* The channel dependency graph (Dally and Seitz 1987) of the routes of all pairs. */
static bool is_cyclic(const struct topology *topology)
{
    int n = topology->n_links;
    char *follows = xcalloc((size_t)n * (size_t)n + 1, 1), *state = xcalloc((size_t)n + 1, 1);
    int32_t *links = xcalloc((size_t)topology->max_hops + 1, sizeof *links);
    bool cyclic = false;
    for (int from = 0; from < topology->n_hosts; from++)
        for (int to = 0; to < topology->n_hosts; to++) {
            int hops = from == to ? 0 : topology_route(topology, from, to, links);
            for (int i = 1; i < hops; i++)
                follows[(size_t)links[i - 1] * (size_t)n + (size_t)links[i]] = 1;
        }
    for (int link = 0; link < n && !cyclic; link++)
        cyclic = state[link] == NEW && finds_cycle(follows, n, link, state);
    free(links);
    free(state);
    free(follows);
    return cyclic;
}

static void test_cycles(void)
{
    failures = 0;
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        expect(&topology_rows[r], "whether links wait in a cycle", is_cyclic(&topology),
               topology_rows[r].cycles == CYCLIC);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* ---- Closed forms ---- */

static void measure(const struct topology *topology, int64_t *sum, int *diameter)
{
    int32_t *links = xcalloc((size_t)topology->max_hops + 1, sizeof *links);
    *sum = *diameter = 0;
    for (int from = 0; from < topology->n_hosts; from++)
        for (int to = 0; to < topology->n_hosts; to++) {
            int hops = from == to ? 0 : topology_route(topology, from, to, links);
            *sum += hops;
            *diameter = hops > *diameter ? hops : *diameter;
        }
    free(links);
}

/* Wires between the lower and the upper half of the hosts, of topologies without switches. */
static int64_t bisection(const struct topology *topology)
{
    int64_t count = 0;
    int from, to;
    for (int link = 0; link < topology->n_links; link++)
        count += topology->spec->ends(topology, link, &from, &to) && from < topology->n_hosts / 2 &&
                 to >= topology->n_hosts / 2;
    return count;
}

/* A grid: each side k adds k-1 or k/2 to the diameter, k(k^2-1)/3 or k floor(k^2/4) to the distances of all ordered
 * pairs of a line or ring, and k-1 or k wires, a ring of two having one. */
static void check_grid(const struct topology_case *row, const struct topology *topology, bool round)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t n = topology->n_hosts, sum = 0, wires = 0, diameter = 0, found_sum;
    int found_diameter;
    for (int d = 0; d < dimensions->n; d++) {
        int64_t k = dimensions->side[d], lines = n / k;
        diameter += round ? k / 2 : k - 1;
        sum += lines * lines * (round ? k * (k * k / 4) : k * (k * k - 1) / 3);
        wires += lines * (round && k > 2 ? k : k - 1);
    }
    measure(topology, &found_sum, &found_diameter);
    expect(row, "the diameter", found_diameter, diameter);
    expect(row, "the sum of distances", found_sum, sum);
    expect(row, "the number of wires", topology_wire_count(topology, NULL), wires);
    int last = dimensions->side[dimensions->n - 1];
    if (last % 2 == 0)
        expect(row, "the bisection", bisection(topology), n / last * (round && last > 2 ? 2 : 1));
}

/* Hosts with a common switch at level l, but none below, are 2 l apart. */
static void check_tree(const struct topology_case *row, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t n = topology->n_hosts, under = 1, sum = 0, wires = 0, nodes = n, switches = 0, found_sum;
    int found_diameter;
    for (int l = 0; l < dimensions->n; l++) {
        sum += 2 * (l + 1) * n * under * (dimensions->side[l] - 1);
        under *= dimensions->side[l];
        wires += nodes * dimensions->up[l];
        nodes = nodes / dimensions->side[l] * dimensions->up[l];
        switches += nodes;
    }
    measure(topology, &found_sum, &found_diameter);
    expect(row, "the sum of distances", found_sum, sum);
    expect(row, "the number of wires", topology_wire_count(topology, NULL), wires);
    expect(row, "the number of switches", topology->n_switches, switches);
}

/* Two of the routers of a group are one wire apart, and one of them has the wire to another group. */
static void check_dragonfly(const struct topology_case *row, const struct topology *topology)
{
    const int *side = topology->dimensions.side;
    int64_t groups = side[0], routers = side[1], hosts = side[2], found_sum;
    int64_t ports = topology->dimensions.n == 4 ? side[3] : 1;
    int64_t copies = groups > 1 && topology->dimensions.n == 4 ? routers * ports / (groups - 1) : 1;
    int64_t all = groups * routers * hosts, group = routers * hosts;
    /* Each host: 2 wires to every other; 1 within the group to those of other routers; between groups 1 across, and at
     * either side 1 more unless the host's router has a wire that leads there: copies of the routers do, of which no
     * two wires of a pair of groups have the same two. So of a x a pairs of routers that are 2, copies are 0 away from
     * both ends, 2 copies (routers - copies) from one, and the others from both, but for what the copies join. */
    int64_t near = copies, one = 2 * copies * (routers - copies), both = (routers - copies) * (routers - copies);
    int64_t crossed = copies * copies - near; /* either end has a wire, but not the same: one more on one side */
    int64_t sum = all * 2 * (all - 1) + all * (group - hosts) + all * (all - group) +
                  groups * (groups - 1) * hosts * hosts * (one + crossed + 2 * both);
    int found_diameter;
    measure(topology, &found_sum, &found_diameter);
    expect(row, "the sum of distances", found_sum, sum);
    expect(row, "the diameter above 5", found_diameter > 5, 0);
    expect(row, "the number of wires", topology_wire_count(topology, NULL),
           all + groups * routers * (routers - 1) / 2 + copies * groups * (groups - 1) / 2);
}

/* Pairs of leaves are 2 apart within a group and 3 between groups, whose spines have the wires. */
static void check_dragonfly_plus(const struct topology_case *row, const struct topology *topology)
{
    const int *side = topology->dimensions.side, *up = topology->dimensions.up;
    int64_t groups = side[0], all = groups * side[1] * side[2], group = side[1] * side[2], sum;
    int64_t copies = groups > 1 ? (int64_t)up[0] * up[1] / (groups - 1) : 0;
    int diameter;
    measure(topology, &sum, &diameter);
    expect(row, "the sum of distances", sum, all * (2 * (side[2] - 1) + 4 * (group - side[2]) + 5 * (all - group)));
    expect(row, "the number of wires", topology_wire_count(topology, NULL),
           all + groups * side[1] * up[0] + copies * groups * (groups - 1) / 2);
}

/* Each of the 2 q^2 switches has k others one wire away, and the rest two. */
static void check_slim_fly(const struct topology_case *row, const struct topology *topology)
{
    int64_t q = topology->dimensions.side[0], hosts = topology->dimensions.side[1], switches = 2 * q * q, sum;
    int64_t k = (3 * q + (q % 4 == 3 ? 1 : -1)) / 2, all = switches * hosts;
    int diameter;
    measure(topology, &sum, &diameter);
    expect(row, "the sum of distances", sum, all * (2 * (all - 1) + hosts * (k + 2 * (switches - 1 - k))));
    expect(row, "the number of wires", topology_wire_count(topology, NULL), all + switches * k / 2);
}

/* Two hosts differ in a coordinate of side k with probability (k - 1) / k. */
static void check_hyperx(const struct topology_case *row, const struct topology *topology)
{
    const struct dimensions *dimensions = &topology->dimensions;
    int64_t all = topology->n_hosts, between = 0, wires = all, sum;
    int diameter;
    for (int d = 0; d < dimensions->n - 1; d++) {
        int64_t k = dimensions->side[d];
        between += all * (all / k) * (k - 1);
        wires += topology->n_switches * (k - 1) / 2;
    }
    measure(topology, &sum, &diameter);
    expect(row, "the sum of distances", sum, 2 * all * (all - 1) + between);
    expect(row, "the number of wires", topology_wire_count(topology, NULL), wires);
}

static void check_complete(const struct topology_case *row, const struct topology *topology)
{
    int64_t n = topology->n_hosts, sum;
    int diameter;
    measure(topology, &sum, &diameter);
    expect(row, "the sum of distances", sum, n * (n - 1));
    expect(row, "the number of wires", topology_wire_count(topology, NULL), n * (n - 1) / 2);
    expect(row, "the bisection", bisection(topology), n / 2 * (n - n / 2));
}

static void check_closed_forms(const struct topology_case *row, const struct topology *topology)
{
    static const struct {
        const char *name;
        void (*check)(const struct topology_case *row, const struct topology *topology);
    } checks[] = {
        {"complete", check_complete}, {"dragonfly", check_dragonfly}, {"dragonfly_plus", check_dragonfly_plus},
        {"slim_fly", check_slim_fly}, {"hyperx", check_hyperx},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(row->name, checks[i].name) == 0) {
            checks[i].check(row, topology);
            return;
        }
    if (topology->n_switches > 0)
        check_tree(row, topology);
    else
        check_grid(row, topology, topology->spec->wraps);
}

static void test_closed_forms(void)
{
    failures = 0;
    for (int r = 0; r < N_TOPOLOGY_ROWS; r++) {
        struct topology topology = topology_of_row(&topology_rows[r]);
        check_closed_forms(&topology_rows[r], &topology);
    }
    CU_ASSERT_EQUAL(failures, 0);
}

/* ---- Contention ---- */

/* The most messages that meet on a link when every host sends to that `shift` places on. */
static int most_on_a_link(const struct topology *topology, int shift)
{
    int *load = xcalloc((size_t)topology->n_links, sizeof *load), most = 0;
    int32_t *links = xcalloc((size_t)topology->max_hops + 1, sizeof *links);
    for (int from = 0; from < topology->n_hosts; from++) {
        int hops = topology_route(topology, from, (from + shift) % topology->n_hosts, links);
        for (int i = 0; i < hops; i++)
            most = ++load[links[i]] > most ? load[links[i]] : most;
    }
    free(links);
    free(load);
    return most;
}

/* D-mod-k lets the messages of a shift not meet on a fat tree with as many wires up as down (Zahavi 2012), which on a
 * tree they do: those of all hosts of a subtree, at its root. */
static void test_shifts(void)
{
    const struct topology_case fat[] = {{"fat_tree", "4x4x4", ACYCLIC},
                                        {"fat_tree", "4x4x8", ACYCLIC},
                                        {"fat_tree", "2x2x2x2x2", ACYCLIC},
                                        {"fat_tree", "3x5", ACYCLIC}};
    const struct topology_case thin = {"tree", "4x4x4", ACYCLIC};
    failures = 0;
    for (size_t r = 0; r < sizeof fat / sizeof fat[0]; r++) {
        struct topology topology = topology_of_row(&fat[r]);
        for (int shift = 1; shift < topology.n_hosts; shift++)
            expect(&fat[r], "messages on a link", most_on_a_link(&topology, shift), 1);
    }
    struct topology tree = topology_of_row(&thin);
    expect(&thin, "messages on a link", most_on_a_link(&tree, 16), 16);
    CU_ASSERT_EQUAL(failures, 0);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("topology", NULL, NULL);
    CU_add_test(suite, "routes are shortest and connect", test_routes);
    CU_add_test(suite, "links go both ways", test_links);
    CU_add_test(suite, "cycles of waiting links", test_cycles);
    CU_add_test(suite, "closed forms", test_closed_forms);
    CU_add_test(suite, "shifts on fat trees", test_shifts);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed > 0;
}
