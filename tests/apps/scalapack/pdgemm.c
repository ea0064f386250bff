/* ScaLAPACK's matrix product, as Caron02 has it: what every rank multiplies and receives, and its forecast against
 * the formula worked out here. The library's variant is in pdgemm_library.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/apps/scalapack/pdgemm.h"
#include "tests/testing.h"

int pdgemm_tree_steps(
    int count); /* of apps/scalapack/pdgemm_internal.h, whose other names are also those of pdgemm.h here */

/* --- the skeleton --- */

/* Every rank has in the end multiplied its rows by its columns over all of k, and has received what it lacked. */
static void check_row(void)
{
    struct program program;
    start(&program);
    interpret(&program);
    int64_t multiplied = 0;
    for (int r = 0; r < row.n_ranks; r++) {
        bool idle = r >= row.p * row.q;
        int64_t m = idle ? 0 : local_count(row.m, r / row.q, row.p),
                n = idle ? 0 : local_count(row.n, r % row.q, row.q);
        int64_t a = local_count(row.k, r % row.q, row.q), b = local_count(row.k, r / row.q, row.p);
        expect("multiplications", r, ranks[r].multiplied, m * n * row.k);
        expect("depth", r, ranks[r].depth, m * n > 0 ? row.k : 0);
        expect("bytes of A that it receives", r, ranks[r].got[SCOPE_A], idle ? 0 : 8 * m * (row.k - a));
        expect("bytes of B that it receives", r, ranks[r].got[SCOPE_B], idle ? 0 : 8 * n * (row.k - b));
        multiplied += ranks[r].multiplied;
    }
    expect("multiplications of all", -1, multiplied, (int64_t)row.m * row.n * row.k);
    program_dispose(&program);
}

static void test_skeleton(void)
{
    static const int grids[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 2}, {4, 4}, {5, 1}, {1, 20}, {36, 1}};
    static const int sizes[][4] = {{1, 1, 1, 1},      {7, 5, 3, 2},       {40, 40, 40, 8},  {64, 33, 100, 16},
                                   {100, 90, 70, 20}, {20, 130, 257, 32}, {50, 60, 90, 100}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int broadcast = AUTO; broadcast < N_TOPOLOGIES; broadcast++) {
                const int *grid = grids[g], *size = sizes[s];
                row = (struct row){grid[0], grid[1], size[0],   size[1],          size[2],
                                   size[3], PAPER,   broadcast, grid[0] * grid[1]};
                row.n_ranks += row.n_ranks > 1 ? 2 : 0; /* two with nothing to do */
                check_row();
            }
    CU_PASS("all products have been run");
}

/* --- grids --- */

/* How many ranks have work; -1, with a message, when the grid is refused. */
static int busy_ranks(int p, int q, int n_ranks, char *message)
{
    struct program program;
    struct sim_error error = {.message = ""};
    row = (struct row){p, q, 64, 64, 64, 4, PAPER, AUTO, n_ranks};
    if (configure(&program, &error) != 0) {
        strcpy(message, error.message);
        return -1;
    }
    interpret(&program);
    program_dispose(&program);
    int busy = 0;
    for (int r = 0; r < n_ranks; r++)
        busy += ranks[r].multiplied > 0;
    return busy;
}

static void test_grids(void)
{
    char message[sizeof((struct sim_error *)0)->message] = "";
    CU_ASSERT_EQUAL(busy_ranks(2, 3, 6, message), 6);
    CU_ASSERT_EQUAL(busy_ranks(2, 3, 9, message), 6);
    CU_ASSERT_EQUAL(busy_ranks(2, 3, 1, message), 1);
    CU_ASSERT_EQUAL(busy_ranks(2, 3, 5, message), -1);
    CU_ASSERT_STRING_EQUAL(message, "parameter 'grid': 2x3 processes need 6 ranks; there are 5");
    CU_ASSERT_EQUAL(busy_ranks(65536, 65536, 32, message), -1);
    CU_ASSERT_STRING_EQUAL(message, "parameter 'grid': 65536x65536 processes need 4294967296 ranks; there are 32");
}

/* auto is nearest to a square, with no fewer rows than columns. */
static void test_auto(void)
{
    static int64_t given[MAX_RANKS][MAX_RANKS];
    static const int grids[][3] = {{12, 4, 3}, {16, 4, 4}, {7, 7, 1}, {32, 8, 4}, {2, 2, 1}, {1, 1, 1}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        struct program program;
        row = (struct row){grids[g][1], grids[g][2], 100, 100, 100, 4, LIBRARY, AUTO, grids[g][0]};
        start(&program);
        interpret(&program);
        memcpy(given, bytes, sizeof given);
        program_dispose(&program);
        int rows = row.p, columns = row.q;
        row.p = row.q = 0;
        start(&program);
        row.p = rows;
        row.q = columns;
        interpret(&program);
        CU_ASSERT_EQUAL(memcmp(given, bytes, sizeof given), 0);
        program_dispose(&program);
    }
}

/* m, n and k that are 0 are `size`. */
static void test_size(void)
{
    struct program program;
    row = (struct row){2, 2, 0, 50, 0, 8, PAPER, AUTO, 4};
    start(&program);
    interpret(&program);
    int64_t multiplied = 0;
    for (int r = 0; r < 4; r++)
        multiplied += ranks[r].multiplied;
    CU_ASSERT_EQUAL(multiplied, SIZE * 50 * SIZE);
    program_dispose(&program);
}

/* --- the forecast --- */

/* Eqs. 1 and 3 with dgemm_time = 2e-9 m n k + 3e-6 s, 0.1 ms and 0.1 us a byte, worked out by hand. */
static void test_forecast(void)
{
    static const struct {
        struct row row;
        double expected_s;
    } rows[] = {
        /* 4 calls of 100 x 100 x 25 */
        {{1, 1, 100, 100, 100, 25, PAPER, AUTO, 1}, 4 * (5e-4 + 3e-6)},
        /* 4 of 34 x 50 x 30; A: 1 round of 100 100 / 3 elements, B: 2 of 100 100 / 2; 3 rounds of 4 messages */
        {{3, 2, 100, 100, 100, 30, PAPER, AUTO, 6},
         4 * (2e-9 * 34 * 50 * 30 + 3e-6) + (10000.0 / 3 + 10000) * 8e-7 + 12e-4},
        /* 5 of 13 x 75 x 4; A: 2 rounds of 50 20 / 4, B: 2 of 20 300 / 4; 4 rounds of 5 messages */
        {{4, 4, 50, 300, 20, 4, LIBRARY, FLAT, 16},
         5 * (2e-9 * 13 * 75 * 4 + 3e-6) + (2 * 250 + 2 * 1500) * 8e-7 + 20e-4},
        /* 1 of 10 x 8 x 8, as the first process has 8 columns; B: none; A: 3 rounds of 10 8; 3 messages */
        {{1, 5, 10, 10, 8, 8, PAPER, RING, 5}, 2e-9 * 640 + 3e-6 + 240 * 8e-7 + 3e-4},
        /* All on the first process, in one panel: 100 x 100 x 100; A: 3 rounds of 100 100, B: 2; 5 messages */
        {{3, 5, 100, 100, 100, 128, PAPER, AUTO, 15}, 2e-3 + 3e-6 + 50000 * 8e-7 + 5e-4},
        /* 2 of 60 x 60 x 60; A: 1 round of 60 100, B: 1 of 100 60; 2 rounds of 2 messages */
        {{2, 2, 100, 120, 100, 60, PAPER, AUTO, 4}, 2 * (2e-9 * 60 * 60 * 60 + 3e-6) + (6000 + 6000) * 8e-7 + 4e-4},
    };
    static const struct kernel_cost dgemm = {
        .name = "dgemm",
        .polynomial = {.n_terms = 2,
                       .terms = {{.factor = 2000, .m = 1, .n = 1, .k = 1}, {.factor = 3e6}},
                       .to = INT64_MAX},
    };
    const struct forecast_costs costs = {.kernels = &dgemm, .latency_s = 1e-4, .byte_s = 1e-7};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program program;
        row = rows[i].row;
        start(&program);
        struct forecast made = program.app->forecast(program.config, &costs);
        CU_ASSERT_DOUBLE_EQUAL((made.computation_s + made.communication_s) / rows[i].expected_s, 1, 1e-9);
        program_dispose(&program);
    }
}

/* A receive and log2 sends at most, twelve ops to a step. */
static void test_tree_steps(void)
{
    static const struct {
        int count, steps;
    } rows[] = {{1, 0}, {2, 1}, {2048, 1}, {2049, 2}, {4096, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(pdgemm_tree_steps(rows[i].count), rows[i].steps);
}

int main(void)
{
    static const struct test tests[] = {
        {"skeleton", test_skeleton},
        {"grids", test_grids},
        {"the grid auto", test_auto},
        {"size", test_size},
        {"forecast", test_forecast},
        {"steps of a tree", test_tree_steps},
        {NULL, NULL},
    };
    return testing_run("pdgemm", tests);
}
