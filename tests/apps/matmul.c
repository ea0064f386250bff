/* The ring-shift matrix product: read op by op by a small interpreter in which every send waits for its receive, and
 * simulated against the figures of Lemeire07.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "sim/kernel/app.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 16 };

static struct {
    int n, p;
} row; /* what is being run */

static bool expect(const char *what, int rank, int64_t found, int64_t good)
{
    static int complaints;
    if (found != good && complaints++ < 20) {
        fprintf(stderr, "\n  n = %d, %d ranks, rank %d: %s: %" PRId64 " instead of %" PRId64, row.n, row.p, rank, what,
                found, good);
        CU_FAIL("a matrix product is wrong");
    }
    return found == good;
}

/* --- the interpreter --- */

static struct rank {
    int64_t step;
    int done;
    struct op_list list;
    bool ended;
    int to; /* an OP_ISEND that has not met its receive, or -1 */
    int64_t to_bytes;
    int64_t rows, columns, multiplied; /* of C, in the stripes that it has multiplied; sum of m n k */
} ranks[MAX_RANKS];

static int64_t moved[8]; /* bytes, by scope */

/* The rank's next op, or NULL when its program has ended. A step is asked for twice. */
static struct op *next_op(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->list.count) {
        struct op_list again = {.count = 0};
        self->list.count = self->done = 0;
        self->ended = !program->app->emit(program->config, rank, self->step, &self->list);
        expect("asked again, it ends", rank, !program->app->emit(program->config, rank, self->step++, &again),
               self->ended);
        expect("asked again, ops", rank, again.count, self->list.count);
        for (int i = 0; i < again.count; i++)
            expect("asked again, bytes", rank, again.ops[i].bytes, self->list.ops[i].bytes);
    }
    return self->ended ? NULL : &self->list.ops[self->done];
}

/* Have rank's receive met by what its peer sends; true when it is. */
static bool meet(const struct program *program, int rank, const struct op *receive)
{
    struct rank *peer = &ranks[receive->peer];
    struct op *send = next_op(program, receive->peer);
    if (peer->to == rank) {
        expect("bytes of a shift", rank, peer->to_bytes, receive->bytes);
        peer->to = -1;
    } else if (send != NULL && send->kind == OP_SEND && send->peer == rank) {
        expect("bytes of a message", rank, send->bytes, receive->bytes);
        peer->done++;
    } else {
        return false;
    }
    moved[receive->scope] += receive->bytes;
    return true;
}

static void compute(int rank, const struct op *op)
{
    struct rank *self = &ranks[rank];
    expect("calls of dgemm", rank, op->times, 1);
    expect("useful work", rank, op->role, ROLE_USEFUL);
    expect("the rows of its stripe, in every step", rank, op->m, self->rows > 0 ? self->rows : op->m);
    self->rows = op->m;
    self->columns += op->n;
    self->multiplied += (int64_t)op->m * op->n * op->k;
}

/* Let the rank do its next op; false when it cannot. */
static bool advance(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    const struct op *op = next_op(program, rank);
    if (op == NULL || op->kind == OP_SEND || (op->kind == OP_WAIT && self->to >= 0))
        return false;
    if (op->kind == OP_RECV && !meet(program, rank, op))
        return false;
    if (op->kind == OP_ISEND) {
        expect("one shift at a time", rank, self->to, -1);
        self->to = op->peer;
        self->to_bytes = op->bytes;
    }
    if (op->kind == OP_COMPUTE)
        compute(rank, op);
    self->done++;
    return true;
}

static void interpret(const struct program *program)
{
    memset(ranks, 0, sizeof ranks);
    memset(moved, 0, sizeof moved);
    for (int r = 0; r < row.p; r++)
        ranks[r].to = -1;
    for (bool going = true; going;) {
        going = false;
        for (int r = 0; r < row.p; r++)
            while (advance(program, r))
                going = true;
    }
    for (int r = 0; r < row.p; r++)
        expect("it ends", r, next_op(program, r) == NULL && ranks[r].to == -1, true);
}

/* --- the skeleton --- */

static int64_t bytes_in(const struct program *program, const char *scope)
{
    for (int s = 0; program->app->scopes[s] != NULL; s++)
        if (strcmp(program->app->scopes[s], scope) == 0)
            return moved[s];
    return -1;
}

static void configure(struct program *program, int n, int p)
{
    const struct placement placement = {.n_ranks = p, .ranks_per_host = 1, .n_slots = p};
    const struct app_spec *app = app_find(app_specs, "matmul");
    int64_t value = n;
    struct sim_error error;
    row.n = n;
    row.p = p;
    CU_ASSERT_FATAL(app != NULL && app->n_params == 1);
    CU_ASSERT_EQUAL_FATAL(program_init(program, app, &value, &placement, &error), 0);
}

static void check_skeleton(int n, int p)
{
    struct program program;
    configure(&program, n, p);
    interpret(&program);
    int64_t all = (int64_t)n * n, slaves = (int64_t)n * (n - (n + p - 1) / p), multiplied = 0;
    for (int r = 0; r < p; r++) {
        int rows = n / p + (r < n % p);
        expect("rows of its stripe", r, ranks[r].rows, rows);
        expect("columns that they have met", r, ranks[r].columns, rows > 0 ? n : 0);
        multiplied += ranks[r].multiplied;
    }
    expect("multiplications", -1, multiplied, all * n);
    expect("bytes dealt: the slaves' A and B", -1, bytes_in(&program, "distribution"), 2 * 8 * slaves);
    expect("bytes shifted: all of B between two steps", -1, bytes_in(&program, "shift"), 8 * all * (p - 1));
    expect("bytes collected: the slaves' C", -1, bytes_in(&program, "collection"), 8 * slaves);
    program_dispose(&program);
}

static void test_skeleton(void)
{
    static const int sizes[] = {1, 2, 3, 7, 16, 100};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int p = 1; p <= MAX_RANKS; p++)
            check_skeleton(sizes[s], p);
    CU_PASS("all products have been run");
}

/* Operations over bytes, figure 1.8: proportional to n. */
static void test_software_granularity(void)
{
    for (int p = 2; p <= 8; p++) {
        double first = 0;
        for (int n = 50; n <= 800; n *= 2) {
            struct program program;
            configure(&program, n, p);
            interpret(&program);
            double bytes = 0, operations = 0;
            for (size_t s = 0; s < sizeof moved / sizeof *moved; s++)
                bytes += (double)moved[s];
            for (int r = 0; r < p; r++)
                operations += (double)ranks[r].multiplied;
            double granularity = operations / bytes / n;
            first = n == 50 ? granularity : first;
            CU_ASSERT_DOUBLE_EQUAL(granularity / first, 1, 0.02);
            program_dispose(&program);
        }
    }
}

/* --- simulated --- */

static struct machine machine;

static void expect_near(const char *what, double found, double good)
{
    if (fabs(found / good - 1) > 0.02) {
        fprintf(stderr, "\n  %s: %g instead of %g", what, found, good);
        CU_FAIL("a figure is missed");
    }
}

/* Figures 1.4 to 1.6. What is not printed there is communication and idling: 1 / 0.85 - 1.026 = 0.150. */
static void test_figures(void)
{
    struct study report;
    testing_simulate(&report, &machine, SOURCE_DIR "/scenarios/matmul100.xml");
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 1);
    const struct study_run *run = &report.runs[0];
    expect_near("speedup", testing_measure(run, "", "speedup"), 2.55);
    expect_near("efficiency", testing_measure(run, "", "efficiency"), 0.85);
    expect_near("anomaly", testing_measure(run, "overhead_ratio", "anomaly"), 0.026);
    expect_near("communication and idling",
                testing_measure(run, "overhead_ratio", "communication") +
                    testing_measure(run, "overhead_ratio", "idle"),
                0.150);
    sweep_dispose(&report);
}

/* Figures 1.7 and 1.8: with p efficiency falls and speedup rises, with n efficiency rises toward 1. In the order of
 * the runs the number of ranks, 1 to 8, varies fastest. */
static void test_scaling(void)
{
    enum { N_RANKS = 8, N_SIZES = 5, THREE = 2 };
    struct study report;
    testing_simulate(&report, &machine, SOURCE_DIR "/scenarios/matmul-scaling.xml");
    CU_ASSERT_EQUAL_FATAL(report.n_runs, N_RANKS * N_SIZES);
    for (int s = 0; s < N_SIZES; s++)
        for (int p = 1; p < N_RANKS; p++) {
            const struct study_run *run = &report.runs[s * N_RANKS + p];
            CU_ASSERT_EQUAL(run->ranks, p + 1);
            CU_ASSERT(testing_measure(run, "", "efficiency") < testing_measure(run - 1, "", "efficiency"));
            CU_ASSERT(testing_measure(run, "", "speedup") > testing_measure(run - 1, "", "speedup"));
            if (s > 0)
                CU_ASSERT(testing_measure(run, "", "efficiency") > testing_measure(run - N_RANKS, "", "efficiency"));
        }
    CU_ASSERT(testing_measure(&report.runs[(N_SIZES - 1) * N_RANKS + THREE], "", "efficiency") > 0.97);
    sweep_dispose(&report);
}

int main(void)
{
    static const struct test tests[] = {
        {"skeleton", test_skeleton},
        {"software granularity", test_software_granularity},
        {"figures 1.4 to 1.6", test_figures},
        {"figures 1.7 and 1.8", test_scaling},
        {NULL, NULL},
    };
    int status = testing_run("matmul", tests);
    if (machine.name != NULL)
        machine_dispose(&machine);
    return status;
}
