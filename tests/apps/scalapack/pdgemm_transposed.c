/* ScaLAPACK's matrix product with transposed matrices and with alpha and beta: what every rank multiplies, adds and
 * receives, element by element, its forecast against formulas written out here, and both against each other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/run.h"
#include "sim/kernel/kernel.h"
#include "sim/network/network.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/apps/scalapack/pdgemm.h"
#include "tests/testing.h"

#include <math.h>

static int owner(int index, int count)
{
    return index / row.block % count;
}

/* A row of the grid has its rows of A and, of the products with each block of B', the sum for one of its columns. So it
 * is with rows and columns exchanged, and A in place of B. */
static void check_one_transposed(int rank, int64_t *adds)
{
    int i = variant.trans_b ? rank / row.q : rank % row.q, j = variant.trans_b ? rank % row.q : rank / row.q;
    int n_i = variant.trans_b ? row.p : row.q, n_j = variant.trans_b ? row.q : row.p;
    int fixed = variant.trans_b ? row.m : row.n, moved = variant.trans_b ? row.n : row.m;
    int64_t held = local_count(fixed, i, n_i), k = local_count(row.k, j, n_j);
    expect("multiplications", rank, ranks[rank].multiplied, held * moved * k);
    expect("bytes of the panels", rank, ranks[rank].got[variant.trans_b ? SCOPE_B : SCOPE_A],
           8 * k * (moved - local_count(moved, i, n_i)));
    expect("a sum for each panel", rank, ranks[rank].sum_bytes, 8 * held * (moved - local_count(moved, j, n_j)));
    *adds += ranks[rank].added;
}

/* B A is n x m; what a process has of C and not of that it has received. */
static void check_both_transposed(int rank)
{
    int i = rank / row.q, j = rank % row.q;
    int64_t n = local_count(row.n, i, row.p), m = local_count(row.m, j, row.q), c = 0, moved = 0;
    for (int a = 0; a < row.m; a++)
        for (int b = 0; b < row.n; b++) {
            bool mine = owner(a, row.p) == i && owner(b, row.q) == j;
            c += mine;
            moved += mine && (owner(b, row.p) != i || owner(a, row.q) != j);
        }
    expect("multiplications", rank, ranks[rank].multiplied, n * m * row.k);
    expect("bytes of B", rank, ranks[rank].got[SCOPE_B], 8 * n * (row.k - local_count(row.k, j, row.q)));
    expect("bytes of A", rank, ranks[rank].got[SCOPE_A], 8 * m * (row.k - local_count(row.k, i, row.p)));
    expect("bytes of C", rank, ranks[rank].got[SCOPE_TRANSPOSITION], 8 * moved);
    expect("C is added", rank, ranks[rank].added, variant.beta != 0 && row.p * row.q > 1 ? c : 0);
}

static void check_row(void)
{
    struct program program;
    int64_t adds = 0, multiplied = 0, c_rows = (int64_t)row.m * row.n;
    start(&program);
    interpret(&program);
    for (int rank = 0; rank < row.p * row.q; rank++) {
        multiplied += ranks[rank].multiplied;
        if (variant.trans_a && variant.trans_b)
            check_both_transposed(rank);
        else
            check_one_transposed(rank, &adds);
    }
    expect("multiplications of all", -1, multiplied, c_rows * row.k);
    if (variant.trans_a != variant.trans_b)
        expect("additions of all", -1, adds, c_rows * ((variant.trans_b ? row.q : row.p) - 1));
    program_dispose(&program);
}

static const int grids[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2},  {2, 3}, {3, 2},
                               {4, 4}, {2, 4}, {5, 1}, {1, 20}, {36, 1}};
enum { N_GRIDS = sizeof grids / sizeof *grids };

static void test_skeleton(void)
{
    static const int sizes[][4] = {{1, 1, 1, 1},      {7, 5, 3, 2},       {40, 40, 40, 8},  {64, 33, 100, 16},
                                   {100, 90, 70, 20}, {20, 130, 257, 32}, {50, 60, 90, 100}};
    for (size_t g = 0; g < N_GRIDS; g++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int trans = 1; trans < 4; trans++) {
                const int *grid = grids[g], *size = sizes[s];
                row = (struct row){grid[0], grid[1], size[0], size[1], size[2], size[3], PAPER, AUTO, 0};
                variant = (struct variant){trans & 1, trans / 2, 0, (int)(s % 3)};
                row.n_ranks = row.p * row.q;
                check_row();
            }
    CU_PASS("all products have been run");
}

/* Without a product C is multiplied by beta, if that is neither 0 nor 1. */
static void test_no_product(void)
{
    for (int trans = 0; trans < 4; trans++)
        for (int beta = 0; beta < 3; beta++)
            for (int algorithm = PAPER; algorithm <= (trans == 0 ? LIBRARY : PAPER); algorithm++) {
                struct program program;
                int64_t added = 0;
                row = (struct row){2, 3, 30, 20, 10, 4, algorithm, AUTO, 6};
                variant = (struct variant){trans & 1, trans / 2, 1, beta};
                start(&program);
                interpret(&program);
                for (int rank = 0; rank < 6; rank++) {
                    expect("no message", rank, ranks[rank].got[SCOPE_A] + ranks[rank].got[SCOPE_TRANSPOSITION], 0);
                    expect("no product", rank, ranks[rank].multiplied, 0);
                    added += ranks[rank].added;
                }
                expect("multiplications by beta", -1, added, beta == 2 ? 30 * 20 : 0);
                program_dispose(&program);
            }
    CU_PASS("all factors have been tried");
}

static void test_library(void)
{
    struct program program;
    struct sim_error error = {.message = ""};
    row = (struct row){2, 2, 64, 64, 64, 4, LIBRARY, AUTO, 4};
    variant = (struct variant){.trans_b = 1};
    CU_ASSERT_EQUAL(configure(&program, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "parameter 'transb': what the library does with a transposed matrix is not "
                                          "simulated; allowed with algorithm=library: no");
}

/* --- the forecast --- */

static const struct kernel_cost kernels[] = {
    {.name = "dgemm",
     .polynomial = {.n_terms = 1, .terms = {{.factor = 2000, .m = 1, .n = 1, .k = 1}}, .to = INT64_MAX}},
    {.name = "matadd", .polynomial = {.n_terms = 1, .terms = {{.factor = 80000, .m = 1, .n = 1}}, .to = INT64_MAX}},
};

static double forecast_s(void)
{
    const struct forecast_costs costs = {.kernels = kernels, .latency_s = 1e-4, .byte_s = 1e-7};
    struct program program;
    start(&program);
    struct forecast made = program.app->forecast(program.config, &costs);
    program_dispose(&program);
    return made.computation_s + made.communication_s;
}

/* A message of so many elements. */
static double message_s(double elements)
{
    return 1e-4 + elements * 8e-7;
}

/* 96 x 120 x 80 in blocks of 8 on 2 x 4. */
static void test_forecast(void)
{
    row = (struct row){2, 4, 96, 120, 80, 8, PAPER, AUTO, 8};
    /* 15 panels: 8 x 20 to the other row, 48 x 8 in 2 rounds */
    variant = (struct variant){.trans_b = 1, .beta = 1};
    double good = 15 * (2e-9 * 48 * 8 * 20 + 2 * 80e-9 * 48 * 8 + message_s(8 * 20) + 2 * message_s(48 * 8));
    CU_ASSERT_DOUBLE_EQUAL(forecast_s() / good, 1, 1e-9);
    /* 12 panels: 40 x 8 in 2 rounds, 8 x 30 to the other row */
    variant = (struct variant){.trans_a = 1, .beta = 1};
    good = 12 * (2e-9 * 8 * 30 * 40 + 80e-9 * 8 * 30 + 2 * message_s(40 * 8) + message_s(8 * 30));
    CU_ASSERT_DOUBLE_EQUAL(forecast_s() / good, 1, 1e-9);
    variant.trans_b = 1; /* 10 panels of B A, 60 x 24 on each; its parts go to two others: 2 4 / 2^2 */
    good = 10 * (2e-9 * 60 * 24 * 8 + 2 * message_s(60 * 8) + message_s(8 * 24)) + 2 * message_s(60 * 24 / 2.0) +
           80e-9 * 48 * 30;
    CU_ASSERT_DOUBLE_EQUAL(forecast_s() / good, 1, 1e-9);
    variant.beta = 0;
    CU_ASSERT_DOUBLE_EQUAL(forecast_s() / (good - 80e-9 * 48 * 30), 1, 1e-9);
    variant.no_product = 1;
    CU_ASSERT_EQUAL(forecast_s(), 0);
    variant.beta = 2;
    CU_ASSERT_DOUBLE_EQUAL(forecast_s() / (80e-9 * 48 * 30), 1, 1e-9);
}

/* --- the simulation against the forecast --- */

static struct machine machine;

static double simulated_share(void)
{
    static struct kernel_cost bound[2];
    struct forecast_costs costs = {.kernels = bound, .latency_s = 1e-4, .byte_s = 1 / 11e6};
    struct program program;
    struct sim_error error;
    struct kernel_stats stats = {0};
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    start(&program);
    CU_ASSERT_EQUAL_FATAL(machine_bind_kernels(&machine, program.app->kernels, 2, 1, bound, &error), 0);
    struct forecast made = program.app->forecast(program.config, &costs);
    struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = &network_quiet};
    CU_ASSERT_EQUAL_FATAL(simulate_run(&stats, &run, &error), 0);
    program_dispose(&program);
    return units_seconds(stats.end_ps) / (made.computation_s + made.communication_s);
}

/* On even grids, with panels as long as the paper's, both are nearly the same; of a transposition the processes of the
 * diagonal have no part. */
static void test_simulated(void)
{
    static const int even[][2] = {{1, 2}, {2, 2}, {4, 4}, {4, 8}, {8, 4}, {1, 8}, {8, 1}};
    for (size_t g = 0; g < sizeof even / sizeof *even; g++)
        for (int trans = 0; trans < 4; trans++) {
            row = (struct row){even[g][0], even[g][1], 2048, 2048, 2048, 64, PAPER, AUTO, 0};
            variant = (struct variant){.trans_a = trans & 1, .trans_b = trans / 2};
            row.n_ranks = row.p * row.q;
            double share = simulated_share();
            if (!(fabs(share - 1) < 0.02))
                fprintf(stderr, "\n  %dx%d, transposed %d: %g", row.p, row.q, trans, share);
            CU_ASSERT(fabs(share - 1) < 0.02);
        }
}

int main(void)
{
    static const struct test tests[] = {
        {"skeleton", test_skeleton}, {"no product", test_no_product}, {"library", test_library},
        {"forecast", test_forecast}, {"simulated", test_simulated},   {NULL, NULL},
    };
    struct sim_error error;
    if (machine_load(&machine, SOURCE_DIR "/tests/data/icluster-wires.xml", &error) != 0)
        return 1;
    int status = testing_run("pdgemm, transposed", tests);
    machine_dispose(&machine);
    return status;
}
