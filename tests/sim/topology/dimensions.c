/* Dimensions as text and as parameter values, and what each topology makes of them, or of a number of hosts alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/topology/topology.h"

#include "base/range.h"
#include "sim/program/param.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdint.h>

static const struct param_spec spec = {"dimensions", PARAM_DIMENSIONS, "auto", .summary = "the sizes"};

/* ---- Text ---- */

static void test_good_text(void)
{
    static const struct {
        const char *text, *again;
    } rows[] = {
        {"auto", "auto"},
        {"1", "1"},
        {"65536", "65536"},
        {"16x8", "16x8"},
        {"016x08", "16x8"},
        {"4x4:1x2", "4x4:1x2"},
        {"2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = -1, second = -1;
        char why[200] = "", text[200];
        CU_ASSERT_EQUAL_FATAL(param_parse(&value, &spec, rows[i].text, why, sizeof why), 0);
        param_format(text, sizeof text, &spec, value);
        CU_ASSERT_STRING_EQUAL(text, rows[i].again);
        CU_ASSERT_EQUAL(param_parse(&second, &spec, text, why, sizeof why), 0);
        CU_ASSERT_EQUAL(second, value);
    }
}

static void test_bad_text(void)
{
    static const char *const rows[] = {
        "0",
        "x",
        "16x",
        "x8",
        "3x",
        "16x0",
        "16x8x",
        "-4",
        "4.0",
        "16X8",
        " 16x8",
        "16x8 ",
        "65537",
        "16*8",
        "4x4:",
        ":4x4",
        "4x4:1x2:1",
        "4x4::1x2",
        "4,4",
        "1e3",
        "4x4:0",
        "0x10",
        "4xx4",
        "99999999999999999999999999",
        "3x99999999999",
        "+4",
        "4x4:1x",
        "auto4",
        "Auto",
        "２",
        "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2",
        "1:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t value = 0;
        char why[200] = "", expected[200];
        snprintf(expected, sizeof expected,
                 "'%s' is not numbers joined by x such as 16x8 (1 to 16 of them, each 1 ... 65536)", rows[i]);
        if (param_parse(&value, &spec, rows[i], why, sizeof why) != -1 || strcmp(why, expected) != 0) {
            fprintf(stderr, "%s: %s\n", rows[i], why);
            CU_FAIL("a text that is no dimensions");
        }
    }
}

/* ---- What does not fit ---- */

static void test_misfits(void)
{
    static const struct {
        const char *topology, *dimensions;
        int n_hosts;
        const char *expected;
    } rows[] = {
        {"hypercube", "12", 8,
         "12 does not fit the topology hypercube: the number of hosts must be a power of two; 8 and 16 are the next"},
        {"hypercube", "16x9", 1, "the number of hosts must be a power of two; 128 and 256 are the next"},
        {"mesh", "16x8", 129, "a mesh of 16x8 has 128 hosts; at least 129 are needed"},
        {"mesh", "1024x1025", 1, "1024x1025 does not fit the topology mesh: at most 1048576 hosts are allowed"},
        {"torus", "65536x65536x65536x65536x65536", 1, "at most 1048576 hosts are allowed"},
        {"mesh", "16x8:1x2", 1, "a mesh has no second list after a colon; allowed: SIDExSIDE..."},
        {"star", "4:1", 1, "a star has no second list after a colon; allowed: HOSTS"},
        {"tree", "4x4:1x1", 1, "a tree has no second list after a colon; allowed: DOWNxDOWN..."},
        {"fat_tree", "4x4:1", 1, "2 levels of wires down and 1 up; the same number is needed"},
        {"fat_tree", "2x2x2:1024x1024x1024", 1, "it has more than 4194304 switches, or wires"},
        {"fat_tree", "256x256:65536x1", 1, "it has more than 4194304 switches, or wires"},
        {"dragonfly", "33x2x2x4", 1, "the 8 wires of a group are fewer than the other groups, 32"},
        {"dragonfly", "4x2x2x4", 1, "a router has at most one wire to each of the 3 other groups, but 4 wires"},
        {"dragonfly_plus", "4x4x4", 1, "3 numbers and 0 after the colon; allowed: GROUPSxLEAVESxHOSTS:SPINESxWIRES"},
        {"slim_fly", "15x1", 1, "15 is no odd prime up to 127"},
        {"hyperx", "7", 1, "one number; allowed: SIDExSIDE...xHOSTS"},
        {"dragonfly", "16x8", 1,
         "2 numbers; allowed: GROUPSxROUTERSxHOSTS, at most as many groups as routers in each; "
         "after a colon, the wires between two groups"},
        {"dragonfly", "4x2x2", 1, "a group of 2 routers has wires to at most 2 groups, including itself"},
        {"dragonfly", "1x65536x1", 1, "the routers of a group have too many wires between them"},
        {"complete", "4097", 1, "at most 4096 hosts are allowed"},
        {"ring", "5", 6, "a ring of 5 has 5 hosts; at least 6 are needed"},
        {"torus", "auto", 1048577, "parameter 'topology': 1048577 hosts are wanted; a topology has at most 1048576"},
        {"ring", "auto", 65537, "65537 does not fit the topology ring: at most 65536 hosts are allowed"},
        {"hypercube", "auto", 65537, "131072 does not fit the topology hypercube: at most 65536 hosts are allowed"},
        {"complete", "auto", 4097, "4097 does not fit the topology complete: at most 4096 hosts are allowed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct topology topology;
        struct dimensions dimensions;
        struct sim_error error = {0};
        int64_t value = 0;
        char why[200];
        CU_ASSERT_EQUAL_FATAL(param_parse(&value, &spec, rows[i].dimensions, why, sizeof why), 0);
        dimensions = dimensions_of(value);
        int status = topology_init(&topology, topology_named(rows[i].topology), &dimensions, rows[i].n_hosts, &error);
        if (status != -1 || strstr(error.message, rows[i].expected) == NULL) {
            fprintf(stderr, "%s %s: %s\n", rows[i].topology, rows[i].dimensions, status == 0 ? "fits" : error.message);
            CU_FAIL("dimensions that do not fit");
        }
    }
}

/* ---- Dimensions that nobody gave ---- */

static void test_chosen(void)
{
    static const struct {
        const char *topology;
        int n_hosts;
        const char *expected;
    } rows[] = {
        {"mesh", 128, "mesh 16x8"},
        {"torus", 64, "torus 8x8"},
        {"torus", 1, "torus 1x1"},
        {"ring", 13, "ring 13"},
        {"hypercube", 128, "hypercube 128"},
        {"hypercube", 100, "hypercube 128"},
        {"star", 7, "star 7"},
        {"tree", 128, "tree 8x8x2"},
        {"tree", 5, "tree 4x2"},
        {"fat_tree", 64, "fat_tree 4x4x4"},
        {"dragonfly", 128, "dragonfly 8x8x2"},
        {"dragonfly", 65536, "dragonfly 128x128x4"},
        {"complete", 12, "complete 12"},
        {"fat_tree", 65536, "fat_tree 64x64x16"},
        {"fat_tree", 512, "fat_tree 8x8x8"},
        {"mesh", 1048576, "mesh 1024x1024"},
        {"fat_tree", 1048576, "fat_tree 128x128x64"},
        {"dragonfly", 1048576, "dragonfly 256x256x16"},
        {"dragonfly_plus", 128, "dragonfly_plus 8x4x4:4x4"},
        {"slim_fly", 128, "slim_fly 5x3"},
        {"hyperx", 128, "hyperx 7x7x3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct topology topology;
        struct sim_error error;
        char shape[200];
        CU_ASSERT_EQUAL_FATAL(topology_init(&topology, topology_named(rows[i].topology), &(struct dimensions){.n = 0},
                                            rows[i].n_hosts, &error),
                              0);
        topology_format(shape, sizeof shape, &topology);
        CU_ASSERT_STRING_EQUAL(shape, rows[i].expected);
    }
}

/* Any number of hosts that a topology can have gets one with room for them, and less than 4 times as much, which is
 * what trees may come to; but a slim fly has at least 18. */
static void test_any_number(void)
{
    enum { LEAST = 19 }; /* a slim fly has 18 switches */
    int failed = 0;
    for (int t = 0; topology_specs[t] != NULL; t++)
        for (int n = 1; n <= TOPOLOGY_MAX_HOSTS; n += n < 700 ? 1 : 733) {
            struct topology topology;
            struct sim_error error;
            if (topology_specs[t]->most_hosts > 0 && n > topology_specs[t]->most_hosts)
                break;
            int status = topology_init(&topology, topology_specs[t], &(struct dimensions){.n = 0}, n, &error);
            if (status != 0 || topology.n_hosts < n || topology.n_hosts >= int_max(4 * n + (n < 3), LEAST)) {
                if (failed++ < 10)
                    fprintf(stderr, "%s of %d: %s\n", topology_specs[t]->name, n, status == 0 ? "size" : error.message);
            }
        }
    CU_ASSERT_EQUAL(failed, 0);
}

/* ---- Random text ---- */

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Dimensions that are accepted come back the same, and a topology of them has routes that end where they should. */
static void try_text(const char *text, uint64_t *state, int *n_taken)
{
    struct dimensions dimensions;
    struct topology topology;
    struct sim_error error;
    char why[200], again[400];
    if (dimensions_parse(&dimensions, text, why, sizeof why) != 0)
        return;
    dimensions_format(again, sizeof again, &dimensions);
    struct dimensions second = {.n = 0};
    CU_ASSERT_EQUAL(dimensions_parse(&second, again, why, sizeof why), 0);
    CU_ASSERT_EQUAL(memcmp(&second, &dimensions, sizeof second), 0);
    for (int t = 0; topology_specs[t] != NULL; t++) {
        if (topology_init(&topology, topology_specs[t], &dimensions, 1, &error) != 0)
            continue;
        int32_t *links = malloc(((size_t)topology.max_hops + 1) * sizeof *links);
        int from = (int)(next_random(state) % (uint32_t)topology.n_hosts), start, end = from;
        int to = (int)(next_random(state) % (uint32_t)topology.n_hosts);
        int hops = from == to ? 0 : topology_route(&topology, from, to, links);
        bool good = hops <= topology.max_hops;
        for (int i = 0; good && i < hops; i++) {
            int here = end;
            good =
                links[i] < topology.n_links && topology.spec->ends(&topology, links[i], &start, &end) && start == here;
        }
        if (!good || end != to) {
            fprintf(stderr, "%s %s: route from %d to %d\n", topology.spec->name, text, from, to);
            CU_FAIL("a route");
        }
        free(links);
        ++*n_taken;
    }
}

static void test_random_text(void)
{
    static const char letters[] = "1223456789xxxxxx:0 -,";
    uint64_t state = 7;
    int n_taken = 0;
    for (int i = 0; i < 100000; i++) {
        char text[24];
        size_t length = next_random(&state) % (sizeof text - 1);
        for (size_t c = 0; c < length; c++)
            text[c] = letters[next_random(&state) % (i % 2 == 0 ? 15 : sizeof letters - 1)];
        text[length] = '\0';
        try_text(text, &state, &n_taken);
    }
    CU_ASSERT_TRUE(n_taken > 20000);
}

/* ---- Large grids ---- */

/* The way between two hosts of a grid by divisions: its length, and that of its segments, which must lead there. */
static bool goes_as_divided(const struct topology *grid, int from, int to)
{
    int hops = 0, walked = 0, here = from;
    for (int d = 0, a = from, b = to; d < grid->dimensions.n;
         a /= grid->dimensions.side[d], b /= grid->dimensions.side[d], d++) {
        int side = grid->dimensions.side[d], far = a % side > b % side ? a % side - b % side : b % side - a % side;
        hops += grid->spec->wraps && 2 * far > side ? side - far : far;
    }
    while (here != to && walked <= hops) {
        struct topology_segment segment;
        grid->spec->segment(grid, here, to, &segment);
        walked += segment.count;
        here = segment.end;
    }
    return here == to && walked == hops && topology_hops(grid, from, to) == hops;
}

/* Each side from 1 to 2,000 and some more, with as many hosts as there may be: the first, the last and others. */
static void test_large_grids(void)
{
    uint64_t state = 11;
    int n_wrong = 0, n_grids = 0;
    for (int side = 1; side <= 65536; side += side < 2000 ? 1 : 997) {
        char shape[40], why[200];
        snprintf(shape, sizeof shape, "%s %dx%d", side % 2 == 0 ? "torus" : "mesh", side,
                 TOPOLOGY_MAX_HOSTS / side < 65536 ? TOPOLOGY_MAX_HOSTS / side : 65536);
        struct topology grid;
        CU_ASSERT_EQUAL_FATAL(topology_parse(&grid, shape, why, sizeof why), 0);
        uint64_t n_hosts = (uint64_t)grid.n_hosts;
        n_wrong += !goes_as_divided(&grid, 0, grid.n_hosts - 1) + !goes_as_divided(&grid, grid.n_hosts - 1, 0);
        for (int i = 0; i < 50; i++)
            n_wrong +=
                !goes_as_divided(&grid, (int)(next_random(&state) % n_hosts), (int)(next_random(&state) % n_hosts));
        n_grids++;
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_TRUE(n_grids > 2000);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("dimensions", NULL, NULL);
    CU_ADD_TEST(suite, test_good_text);
    CU_ADD_TEST(suite, test_bad_text);
    CU_ADD_TEST(suite, test_misfits);
    CU_ADD_TEST(suite, test_chosen);
    CU_ADD_TEST(suite, test_any_number);
    CU_ADD_TEST(suite, test_random_text);
    CU_ADD_TEST(suite, test_large_grids);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    unsigned int failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures == 0 ? 0 : 1;
}
