/* HPL: that exchanges, trees and rings do what they are for; that what is sent is received, on any grid; how much is
 * computed; that drawn pivots send as much as those of HPL's matrix; that it ends on any machine. Its messages are held
 * against those of HPL itself in tests/eppa/hpl.sh.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "apps/scalapack/hpl_internal.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/sim/network/named.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COUNT = 40, MAX_RANKS = 64, MAX_PARAMS = 16 };

static char row[256]; /* what is being tried, for the messages */

static bool expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected) {
        fprintf(stderr, "\n  %s: %s: %" PRId64 " instead of %" PRId64, row, what, found, expected);
        CU_FAIL("HPL is wrong");
    }
    return found == expected;
}

/* --- exchanges --- */

/* After all stages everybody has what everybody had; what is sent is received, and whole by who has the result. */
static void exchange(int count)
{
    uint64_t has[MAX_COUNT], next[MAX_COUNT];
    bool whole[MAX_COUNT] = {true};
    for (int i = 0; i < count; i++)
        next[i] = has[i] = UINT64_C(1) << i;
    for (int stage = 0; stage < hpl_exchange_stages(count); stage++) {
        bool was_whole[MAX_COUNT];
        memcpy(was_whole, whole, sizeof whole);
        for (int i = 0; i < count; i++) {
            struct hpl_exchange mine, other;
            hpl_exchange_at(&mine, count, i, stage);
            if (mine.partner < 0)
                continue;
            hpl_exchange_at(&other, count, mine.partner, stage);
            expect("the partner's partner", other.partner, i);
            expect("receives what is sent", mine.receives, other.sends);
            if (mine.sends && mine.sends_whole)
                expect("sends the result", was_whole[i], true);
            if (mine.receives)
                next[i] |= has[mine.partner];
            whole[i] |= mine.receives && mine.receives_whole;
        }
        memcpy(has, next, sizeof has);
    }
    for (int i = 0; i < count; i++) {
        expect("who has the result", whole[i], true);
        expect("what it is made of", (int64_t)has[i], (int64_t)((UINT64_C(1) << count) - 1));
    }
}

/* Every place gets its piece, and after the rounds of the ring all of them; neighbors agree. */
static void deal_and_roll(int count)
{
    uint64_t has[MAX_COUNT] = {(UINT64_C(1) << count) - 1};
    for (int round = 0; round < hpl_deal_rounds(count); round++)
        for (int i = 0; i < count; i++) {
            const struct hpl_deal mine = hpl_deal_at(count, i, round);
            if (mine.partner < 0 || !mine.sends)
                continue;
            const struct hpl_deal other = hpl_deal_at(count, mine.partner, round);
            expect("the receiver's partner", other.partner, i);
            expect("it receives", other.sends, false);
            for (int piece = mine.from; piece < mine.to; piece++) {
                expect("has the piece that it sends", has[i] >> piece & 1, 1);
                has[mine.partner] |= UINT64_C(1) << piece;
            }
        }
    for (int i = 0; i < count; i++) {
        expect("has its piece", has[i] >> i & 1, 1);
        has[i] = UINT64_C(1) << i;
    }
    for (int k = 0; k < count - 1; k++) {
        uint64_t next[MAX_COUNT];
        for (int i = 0; i < count; i++) {
            const struct hpl_roll mine = hpl_roll_at(count, i, k);
            const struct hpl_roll other = hpl_roll_at(count, mine.partner, k);
            expect("has the piece that goes round", has[i] >> mine.sent & 1, 1);
            expect("the neighbour receives it", other.received, mine.sent);
            next[i] = has[i] | UINT64_C(1) << mine.received;
        }
        memcpy(has, next, sizeof has);
    }
    for (int i = 0; i < count; i++)
        expect("has all pieces", (int64_t)has[i], (int64_t)((UINT64_C(1) << count) - 1));
}

static void test_trees(void)
{
    for (int count = 1; count <= MAX_COUNT; count++) {
        snprintf(row, sizeof row, "%d processes", count);
        exchange(count);
        if (count % 2 == 0) /* else the ends of the ring wait for each other's next round */
            deal_and_roll(count);
    }
}

/* --- programs --- */

struct setting {
    const char *name, *text;
};

static int try_start(struct program *program, const struct setting *settings, int n_ranks, struct sim_error *error)
{
    const struct app_spec *app = app_find(app_specs, "hpl");
    const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    int64_t values[MAX_PARAMS];
    char why[256];
    CU_ASSERT_FATAL(app != NULL && app->n_params <= MAX_PARAMS);
    for (int i = 0; i < app->n_params; i++)
        CU_ASSERT_EQUAL_FATAL(param_parse(&values[i], &app->params[i], app->params[i].fallback, why, sizeof why), 0);
    for (; settings->name != NULL; settings++) {
        int place = param_find(app->params, app->n_params, settings->name);
        CU_ASSERT_FATAL(place >= 0);
        CU_ASSERT_EQUAL_FATAL(param_parse(&values[place], &app->params[place], settings->text, why, sizeof why), 0);
    }
    return program_init(program, app, values, &placement, error);
}

static struct {
    int64_t sent[MAX_RANKS][MAX_RANKS], received[MAX_RANKS][MAX_RANKS];
    double flops, swapped; /* of dgemm and dtrsm; bytes */
} counted;

static void count(const struct program *program, int n_ranks)
{
    struct op_list list = {.count = 0};
    memset(&counted, 0, sizeof counted);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int64_t step = 0; program->app->emit(program->config, rank, step, &list); step++, list.count = 0)
            for (int i = 0; i < list.count; i = op_list_after(&list, i)) {
                const struct op *op = &list.ops[i];
                if (op->kind == OP_SEND || op->kind == OP_ISEND)
                    counted.sent[rank][op->peer] += 1 + (op->bytes << 20);
                else if (op->kind == OP_RECV || op->kind == OP_IRECV)
                    counted.received[op->peer][rank] += 1 + (op->bytes << 20);
                else if (op->kind == OP_COMPUTE && op->kernel == HPL_DGEMM)
                    counted.flops += 2.0 * op->m * op->n * op->k;
                else if (op->kind == OP_COMPUTE && op->kernel == HPL_DTRSM)
                    counted.flops += (double)op->m * op->n * op->n;
                if (op->kind == OP_SEND && op->scope == HPL_SCOPE_SWAP)
                    counted.swapped += (double)op->bytes;
            }
}

static void check_pairs(int n_ranks)
{
    for (int from = 0; from < n_ranks; from++)
        for (int to = 0; to < n_ranks; to++)
            expect("received of what is sent", counted.received[from][to], counted.sent[from][to]);
}

static const char *const broadcasts[] = {"1ring", "1ring-modified", "2ring", "2ring-modified", "long", "long-modified"};
static const char *const swaps[] = {"exchange", "spread", "mix"};
static const char *const grids[] = {"1x1", "1x2", "2x1", "3x1", "1x5", "2x3", "3x2", "4x4", "5x3", "3x7", "8x2", "9x1"};
enum { N_GRIDS = sizeof grids / sizeof *grids, N_BROADCASTS = 6, N_SWAPS = 3 };

/* The i-th way of doing it, on a machine. */
static int start_way(struct program *program, int i, const char *n, const char *block, int *n_ranks)
{
    const char *grid = grids[i % N_GRIDS];
    struct sim_error error = {.message = ""};
    int rows = 0, columns = 0;
    sscanf(grid, "%dx%d", &rows, &columns);
    *n_ranks = rows * columns;
    const struct setting settings[] = {{"n", n},
                                       {"block", block},
                                       {"grid", grid},
                                       {"broadcast", broadcasts[i / N_GRIDS % N_BROADCASTS]},
                                       {"look_ahead", i / (N_GRIDS * N_BROADCASTS) % 2 ? "1" : "0"},
                                       {"swap", swaps[i / (N_GRIDS * N_BROADCASTS * 2) % N_SWAPS]},
                                       {"swap_threshold", "20"},
                                       {NULL, NULL}};
    snprintf(row, sizeof row, "n=%s block=%s grid=%s broadcast=%s look_ahead=%s swap=%s", n, block, grid,
             settings[3].text, settings[4].text, settings[5].text);
    return try_start(program, settings, *n_ranks, &error);
}

static void test_pairs(void)
{
    static const char *const problems[][2] = {{"100", "16"}, {"37", "5"}, {"3", "8"}, {"64", "8"}, {"1", "1"}};
    for (size_t problem = 0; problem < sizeof problems / sizeof *problems; problem++)
        for (int i = 0; i < N_GRIDS * N_BROADCASTS * 2 * N_SWAPS; i += testing_one_in()) {
            struct program program;
            int n_ranks;
            CU_ASSERT_EQUAL_FATAL(start_way(&program, i, problems[problem][0], problems[problem][1], &n_ranks), 0);
            count(&program, n_ranks);
            check_pairs(n_ranks);
            program_dispose(&program);
        }
}

/* All processes together do the work of a single one, except for the triangles, which each row of processes solves
 * with. The work of one is that by which HPL computes its rate, except for panels that are not split evenly. */
static void test_flops(void)
{
    for (int i = 0; i < 4; i++) {
        static const char *const shapes[] = {"1x1", "1x4", "4x1", "4x4"};
        const struct setting settings[] = {{"n", "2048"}, {"block", "64"}, {"grid", shapes[i]}, {NULL, NULL}};
        struct program program;
        struct sim_error error;
        CU_ASSERT_EQUAL_FATAL(try_start(&program, settings, 16, &error), 0);
        count(&program, 16);
        double flops = program.app->flops(program.config), triangles = i >= 2 ? 3 * 2048.0 * 2048 * 64 / 2 : 0;
        if (!(fabs((counted.flops - triangles) / flops - 1) < 0.02))
            fprintf(stderr, "\n  %s: %g flop, and %g of triangles, instead of %g", shapes[i], counted.flops, triangles,
                    flops);
        CU_ASSERT(fabs((counted.flops - triangles) / flops - 1) < 0.02);
        program_dispose(&program);
    }
}

static void test_pivots(void)
{
    for (int swap = 0; swap < 2; swap++) {
        double swapped[2];
        for (int drawn = 0; drawn < 2; drawn++) {
            const struct setting settings[] = {{"n", "1000"},
                                               {"block", "32"},
                                               {"grid", "5x2"},
                                               {"swap", swaps[swap]},
                                               {"pivots", drawn ? "drawn" : "matrix"},
                                               {NULL, NULL}};
            struct program program;
            struct sim_error error;
            CU_ASSERT_EQUAL_FATAL(try_start(&program, settings, 10, &error), 0);
            count(&program, 10);
            swapped[drawn] = counted.swapped;
            program_dispose(&program);
        }
        CU_ASSERT_NOT_EQUAL(swapped[0], swapped[1]);
        CU_ASSERT_DOUBLE_EQUAL(swapped[1] / swapped[0], 1, 0.03);
    }
}

/* --- the kernel --- */

/* The machine as it is, and one on which every send is a rendezvous. */
static void test_kernel(void)
{
    struct machine machine;
    struct sim_error error = {.message = ""};
    CU_ASSERT_EQUAL_FATAL(machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error), 0);
    for (int i = 0; i < N_GRIDS * N_BROADCASTS * 2 * N_SWAPS; i += testing_one_in()) {
        struct program program;
        struct kernel_stats stats;
        int n_ranks;
        CU_ASSERT_EQUAL_FATAL(start_way(&program, i, "100", "16", &n_ranks), 0);
        const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
        machine.costs.eager_limit = i % 5 == 0 ? 0 : 1024;
        const struct kernel_run run = {.program = &program,
                                       .machine = &machine,
                                       .placement = &placement,
                                       .network = network_named(i % 2 ? "quiet" : "fifo")};
        if (!expect("the kernel's status", simulate_run(&stats, &run, &error), 0))
            fprintf(stderr, "\n  %s", error.message);
        program_dispose(&program);
    }
    machine_dispose(&machine);
}

static void test_refused(void)
{
    static const struct {
        struct setting settings[3];
        const char *message;
    } rows[] = {
        {{{"n", "2049"}, {"pivots", "matrix"}}, "matrix allows n up to 2048; n is 2049"},
        {{{"grid", "3x2"}}, "3x2 processes need 6 ranks; there are 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program program;
        struct sim_error error = {.message = ""};
        CU_ASSERT_EQUAL(try_start(&program, rows[i].settings, 4, &error), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
}

int main(void)
{
    static const struct test tests[] = {{"exchanges, trees and rings", test_trees},
                                        {"what is sent is received", test_pairs},
                                        {"work", test_flops},
                                        {"pivots", test_pivots},
                                        {"the kernel", test_kernel},
                                        {"what is refused", test_refused},
                                        {NULL, NULL}};
    return testing_run("hpl", tests);
}
