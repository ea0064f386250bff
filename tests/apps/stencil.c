/* The stencil: that all points are updated once and what is sent is received, on any grid; closed forms of the time,
 * without overlap, with it, and with it on what needs no processor; that it ends on any machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/sim/network/named.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 30 };
enum { OVERLAP_NO, OVERLAP_REQUESTS, OVERLAP_OFFLOAD, N_OVERLAPS };
enum { LINE_RANK, LINE_EXCHANGE };
enum { KERNEL_POINT, KERNEL_COLUMN };

/* The case that is tried. */
static struct {
    int64_t n, iterations;
    int rows, columns, n_ranks, overlap;
} row;

static bool expect(const char *what, int64_t found, int64_t expected)
{
    static int complaints;
    if (found != expected && complaints++ < 20) {
        fprintf(stderr,
                "\n  n = %" PRId64 ", %" PRId64 " iterations, %dx%d of %d ranks, overlap %d: %s: %" PRId64
                " instead of %" PRId64,
                row.n, row.iterations, row.rows, row.columns, row.n_ranks, row.overlap, what, found, expected);
        CU_FAIL("a stencil is wrong");
    }
    return found == expected;
}

static int try_start(struct program *program, struct sim_error *error)
{
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    const int64_t values[] = {row.n, row.iterations, 8, PARAM_MESH_PACK(row.rows, row.columns), row.overlap};
    const struct app_spec *app = app_find(app_specs, "stencil");
    CU_ASSERT_FATAL(app != NULL && app->n_params == sizeof values / sizeof *values);
    return program_init(program, app, values, &placement, error);
}

static void start(struct program *program)
{
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(try_start(program, &error), 0);
}

/* --- what is computed, and sent --- */

static struct {
    int64_t points, columns;            /* updated, and those of them in columns by themselves */
    int64_t sent[MAX_RANKS][MAX_RANKS]; /* bytes, less those that are received */
    int starts, joins;
} counted;

static void count_op(const struct op *op, int rank)
{
    switch (op->kind) {
    case OP_COMPUTE:
        counted.points += op->times;
        counted.columns += op->kernel == KERNEL_COLUMN ? op->times : 0;
        break;
    case OP_ISEND:
        counted.sent[rank][op->peer] += op->bytes;
        break;
    case OP_IRECV:
        counted.sent[op->peer][rank] -= op->bytes;
        break;
    case OP_START:
        counted.starts++;
        break;
    case OP_JOIN:
        counted.joins++;
        break;
    default:
        expect("the op", op->kind, OP_WAIT);
    }
}

/* The steps of a line; each is the same when it is asked for again. */
static int64_t count_line(const struct program *program, int rank, int64_t line)
{
    int64_t step = 0;
    struct op_list list = {.count = 0}, again = {.count = 0};
    for (; program->app->emit_strand(program->config, rank, line, step, &list); step++) {
        program->app->emit_strand(program->config, rank, line, step, &again);
        expect("asked again, ops", again.count, list.count);
        for (int i = 0; i < list.count; i++) {
            expect("asked again, bytes", again.ops[i].bytes, list.ops[i].bytes);
            count_op(&list.ops[i], rank);
        }
        list.count = again.count = 0;
    }
    expect("ops after the last step", list.count, 0);
    return step;
}

/* Points at each side of a cut between two rows, or two columns, of the grid of processes. */
static int64_t count_at(int cuts)
{
    return 2 * cuts * row.n * row.iterations;
}

static void check_skeleton(void)
{
    struct program program;
    start(&program);
    memset(&counted, 0, sizeof counted);
    int64_t sent = 0;
    for (int rank = 0; rank < row.n_ranks; rank++) {
        int starts = counted.starts;
        expect("steps", count_line(&program, rank, LINE_RANK), rank < row.rows * row.columns ? row.iterations : 0);
        expect("joins", counted.joins, counted.starts);
        for (int i = starts, end = counted.starts; i < end; i++) {
            expect("steps of an exchange", count_line(&program, rank, LINE_EXCHANGE), 1);
            counted.starts--; /* which is of the join */
        }
        for (int peer = 0; peer < rank; peer++)
            sent += counted.sent[rank][peer] != 0 || counted.sent[peer][rank] != 0;
    }
    expect("messages whose ends differ", sent, 0);
    expect("points", counted.points, row.n * row.n * row.iterations);
    expect("columns by themselves", counted.columns <= count_at(row.columns - 1), true);
    if (row.overlap == OVERLAP_NO || row.columns == 1)
        expect("no column by itself", counted.columns, 0);
    expect("strands", counted.joins > 0, row.overlap == OVERLAP_OFFLOAD && row.rows * row.columns > 1);
    program_dispose(&program);
}

static void test_skeleton(void)
{
    for (row.overlap = 0; row.overlap < N_OVERLAPS; row.overlap++)
        for (row.rows = 1; row.rows <= 5; row.rows++)
            for (row.columns = 1; row.columns <= 5; row.columns++)
                for (row.n = 5; row.n <= 17; row.n += 3) {
                    row.iterations = row.n % 3 + 1;
                    row.n_ranks = row.rows * row.columns + (row.rows > 1 ? row.columns : 0);
                    check_skeleton();
                }
    CU_PASS("all grids have been read");
}

static void test_refused(void)
{
    static const struct {
        int64_t n;
        int rows, columns;
        const char *message;
    } rows[] = {
        {100, 3, 2, "3x2 processes need 6 ranks; there are 4"},
        {3, 1, 4, "parameter 'n' is 3; 1x4 processes need at least 4"},
        {3, 4, 1, "parameter 'n' is 3; 4x1 processes need at least 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program program;
        struct sim_error error = {.message = ""};
        row.n = rows[i].n;
        row.rows = rows[i].rows;
        row.columns = rows[i].columns;
        row.n_ranks = 4;
        CU_ASSERT_EQUAL(try_start(&program, &error), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
    }
}

/* --- simulated --- */

static struct machine machine;

static int64_t simulate(const char *network)
{
    struct program program;
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    start(&program);
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    const struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named(network)};
    if (!expect("the kernel's status", simulate_run(&stats, &run, &error), 0))
        fprintf(stderr, "\n  %s", error.message);
    program_dispose(&program);
    return stats.end_ps;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* One iteration where all ranks have as many neighbors, 1 or 2, on the icluster: a message takes 30 us of each
 * processor and, between them, two wires of 20 us and 11 MB/s. */
static int64_t iteration_ps(void)
{
    const int64_t overhead = 30000000, point = 80000, column = 320000;
    int64_t height = row.n / row.rows, width = row.n / row.columns;
    int sides = row.rows / 2 + row.columns / 2;
    int64_t side = row.rows == 2 ? width : height; /* the same where there are two */
    int64_t wire = 40000000 + side * 8 * 1000000 / 11;
    int64_t inner_rows = height - (row.rows == 2), inner_columns = width - (row.columns == 2);
    int64_t inner = inner_rows * inner_columns * point;
    int64_t edges = (height - inner_rows) * width * point + inner_rows * (width - inner_columns) * column;
    int64_t exchange = (sides + 1) * overhead + wire;
    int64_t end = sides * overhead + inner;
    if (row.overlap == OVERLAP_NO)
        return (sides > 0 ? exchange : 0) + height * width * point;
    if (row.overlap == OVERLAP_OFFLOAD)
        return larger(inner, sides > 0 ? exchange : 0) + edges;
    for (int message = 1; message <= sides; message++)
        end = larger(end, message * overhead + wire) + overhead;
    return end + edges;
}

/* From blocks whose update takes less than the processor's part of the exchange to those of which it is nearly all. */
static void test_closed_forms(void)
{
    static const struct {
        int rows, columns;
    } grids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
    row.iterations = 7;
    for (row.overlap = 0; row.overlap < N_OVERLAPS; row.overlap++)
        for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
            for (row.n = 4; row.n <= 4096; row.n *= 2) {
                row.rows = grids[i].rows;
                row.columns = grids[i].columns;
                row.n_ranks = row.rows * row.columns;
                int64_t difference = simulate("quiet") - row.iterations * iteration_ps();
                expect("picoseconds beyond what rounding explains", llabs(difference) > row.iterations ? difference : 0,
                       0);
            }
    CU_PASS("all sizes have been simulated");
}

/* The machine as it is, one that is busy with a message until it has arrived, and one on which every send is a
 * rendezvous with its receive. What overlaps is never slower than the same on the processor. */
static void test_machines(void)
{
    static const struct {
        bool buffers_sends;
        int64_t eager_limit;
    } ways[] = {{true, 65536}, {false, INT64_MAX}, {true, 0}};
    static const char *const networks[] = {"quiet", "fifo"};
    row.iterations = 3;
    row.rows = row.columns = 5;
    row.n_ranks = 26;
    for (int i = 0; i < 6; i++)
        for (row.n = 5; row.n <= 1280; row.n *= 4) {
            int64_t ends[N_OVERLAPS];
            machine.costs.buffers_sends = ways[i % 3].buffers_sends;
            machine.costs.eager_limit = ways[i % 3].eager_limit;
            for (row.overlap = 0; row.overlap < N_OVERLAPS; row.overlap++)
                ends[row.overlap] = simulate(networks[i % 2]);
            expect("offload is no slower", ends[OVERLAP_OFFLOAD] <= ends[OVERLAP_REQUESTS], true);
        }
    CU_PASS("all machines have been simulated");
}

int main(void)
{
    static const struct test tests[] = {{"points and messages", test_skeleton},
                                        {"what is refused", test_refused},
                                        {"closed forms", test_closed_forms},
                                        {"machines", test_machines},
                                        {NULL, NULL}};
    struct sim_error error;
    if (machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int status = testing_run("stencil", tests);
    machine_dispose(&machine);
    return status;
}
