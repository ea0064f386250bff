/* The triangular solve, read op by op by a small interpreter without a clock in which every send waits for its receive:
 * how much each rank computes and sends, and that it ends. The elements of the triangle are counted one by one. Then
 * its forecast against the equations written out, and its simulated times against the forecast.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/units.h"
#include "sim/kernel/app.h"
#include "sim/kernel/kernel.h"
#include "sim/network/network.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_N = 60, MAX_RANKS = 40, N_PARAMS = 10, MAX_COMPLAINTS = 20, N_CALLS = 8, STAGE_OPS = 9 };
enum { UPPER, LOWER, LEFT = 0, RIGHT, NOT_TRANSPOSED = 0, TRANSPOSED };

static const struct app_spec *app;
static struct machine machine;

/* The case that runs. If the grid has no rows, the program chooses it. */
static struct row {
    int m, n, block, rows, columns, n_ranks, uplo, side, trans;
} row;

/* The diagonal is all 1; alpha is 0. */
static bool unit, no_solve;

static bool expect(const char *what, int a, int b, double found, double good)
{
    static int complaints;
    double difference = found - good;
    if ((difference >= 0 && difference <= 0) || complaints++ >= MAX_COMPLAINTS)
        return difference >= 0 && difference <= 0;
    fprintf(stderr, "\n  %s %s %s, %d right-hand sides, order %d, block %d, %dx%d of %d: %s (%d, %d): %.12g, not %.12g",
            row.uplo == UPPER ? "upper" : "lower", row.side == LEFT ? "left" : "right",
            row.trans == TRANSPOSED ? "transposed" : "", row.m, row.n, row.block, row.rows, row.columns, row.n_ranks,
            what, a, b, found, good);
    CU_FAIL("a triangular solve is wrong");
    return false;
}

static void set_call(int call)
{
    row.uplo = call % 2;
    row.side = call / 2 % 2;
    row.trans = call / 4;
}

/* Cases 2 and 4 of the paper's figure 2: X A = B and A' X = B, whatever the triangle. */
static bool favours_columns(void)
{
    return row.side == (row.trans == TRANSPOSED ? LEFT : RIGHT);
}

static void use_grid(int rows, int columns)
{
    row.rows = rows;
    row.columns = columns;
    row.n_ranks = rows * columns;
}

/* The equations' P and Q, which change places in cases 1 and 3. */
static int p_of(void)
{
    return favours_columns() ? row.rows : row.columns;
}

static int q_of(void)
{
    return favours_columns() ? row.columns : row.rows;
}

static int init_row(struct program *program, struct placement *placement, struct sim_error *error)
{
    static const char *const names[] = {"m",    "n",     "block", "grid",  "uplo",
                                        "side", "trans", "diag",  "alpha", "algorithm"};
    int64_t given[] = {row.m,
                       row.n,
                       row.block,
                       PARAM_MESH_PACK(row.rows, row.columns),
                       row.uplo,
                       row.side,
                       row.trans,
                       unit,
                       no_solve ? 0 : UNITS_REAL,
                       0};
    int64_t values[N_PARAMS];
    *placement = (struct placement){.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    CU_ASSERT_EQUAL_FATAL(app->n_params, N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, names[i]);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i];
    }
    return program_init(program, app, values, placement, error);
}

/* --- the interpreter --- */

static struct rank {
    int64_t step; /* the next one */
    int done, count;
    struct op ops[STAGE_OPS]; /* of the step before */
    bool ended, ready;
    int64_t solves, updates;                         /* multiplications and additions of dtrsm and dgemm */
    int64_t added, broadcast, accumulated, received; /* elements */
} ranks[MAX_RANKS];

static int ready[MAX_RANKS], n_ready; /* ranks that may be able to go on */

static bool same_op(const struct op *a, const struct op *b)
{
    return a->times == b->times && a->bytes == b->bytes && a->peer == b->peer && a->tag == b->tag && a->m == b->m &&
           a->n == b->n && a->k == b->k && a->kernel == b->kernel && a->kind == b->kind && a->role == b->role &&
           a->scope == b->scope && a->mode == b->mode;
}

/* Have the rank's next op; false when its program has ended. A step is asked for twice and appended to a full list. */
static bool fetch(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->count) {
        struct op_list list = {.count = 0}, again;
        memset(&again, 0xa5, sizeof again);
        again.count = OP_LIST_MAX - STAGE_OPS;
        again.places = NULL;
        self->ended = !app->emit(program->config, rank, self->step, &list);
        expect("asked again, it ends", rank, 0, app->emit(program->config, rank, self->step, &again), !self->ended);
        expect("asked again, ops", rank, 0, again.count - OP_LIST_MAX + STAGE_OPS, list.count);
        if (!expect("not too many ops", rank, list.count, list.count <= STAGE_OPS, true))
            return false;
        for (int i = 0; i < list.count; i++)
            expect("asked again, the op", rank, i, same_op(&again.ops[OP_LIST_MAX - STAGE_OPS + i], &list.ops[i]),
                   true);
        for (int i = 0; i < list.count; i++)
            if (list.ops[i].kind == OP_ISEND)
                expect("it waits for what it has sent", rank, i, list.ops[list.count - 1].kind, OP_WAIT);
        memcpy(self->ops, list.ops, (size_t)list.count * sizeof *list.ops);
        self->count = list.count;
        self->done = 0;
        self->step += !self->ended;
    }
    return !self->ended;
}

static void make_ready(int rank)
{
    if (!ranks[rank].ready)
        ready[n_ready++] = rank;
    ranks[rank].ready = true;
}

static void compute(struct rank *self, int rank, const struct op *op)
{
    const char *kernel = app->kernels[op->kernel], *scope = app->scopes[op->scope];
    bool solves = strcmp(kernel, "dtrsm") == 0, adds = strcmp(kernel, "matadd") == 0;
    expect("one call", rank, 0, (double)op->times, 1);
    expect("there is something to do", rank, op->kernel, op->m > 0 && op->n > 0 && (op->k > 0) == (!solves && !adds),
           true);
    expect("the role", rank, op->kernel, op->role, adds ? ROLE_CONTROL : ROLE_USEFUL);
    expect("the scope", rank, op->kernel, strcmp(scope, solves ? "solve" : adds ? "accumulate" : "update"), 0);
    if (solves)
        self->solves += (int64_t)op->m * op->n * op->n;
    else if (adds)
        self->added += (int64_t)op->m * op->n;
    else
        self->updates += (int64_t)2 * op->m * op->n * op->k;
}

/* Both sides of a message are there. */
static void pass(int from, int to, const struct op *send, const struct op *receive)
{
    bool broadcast = strcmp(app->scopes[send->scope], "broadcast") == 0;
    expect("bytes received", from, to, (double)receive->bytes, (double)send->bytes);
    expect("the scope", from, to, receive->scope, send->scope);
    expect("it is a broadcast or a sum", from, to, broadcast || strcmp(app->scopes[send->scope], "accumulate") == 0,
           true);
    expect("sums are sent on meanwhile", from, to, send->kind, broadcast ? OP_SEND : OP_ISEND);
    expect("something is sent", from, to, send->bytes > 0 && send->bytes % 8 == 0, true);
    *(broadcast ? &ranks[from].broadcast : &ranks[from].accumulated) += send->bytes / 8;
    ranks[to].received += send->bytes / 8;
}

/* Do the rank's ops up to a message whose other side is not there yet. */
static void run_rank(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    self->ready = false;
    while (fetch(program, rank)) {
        const struct op *op = &self->ops[self->done];
        if (op->kind == OP_COMPUTE || op->kind == OP_WAIT) {
            if (op->kind == OP_COMPUTE)
                compute(self, rank, op);
            self->done++;
            continue;
        }
        bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
        expect("a send or a receive", rank, op->kind, sends || op->kind == OP_RECV, true);
        if (!expect("its peer", rank, op->peer, op->peer >= 0 && op->peer < row.n_ranks && op->peer != rank, true))
            return;
        struct rank *peer = &ranks[op->peer];
        if (!fetch(program, op->peer))
            return;
        const struct op *other = &peer->ops[peer->done];
        if (other->kind == OP_COMPUTE || other->kind == OP_WAIT || other->peer != rank ||
            (other->kind == OP_RECV) != sends)
            return;
        pass(sends ? rank : op->peer, sends ? op->peer : rank, sends ? op : other, sends ? other : op);
        peer->done++;
        self->done++;
        make_ready(op->peer);
    }
}

/* --- what is expected --- */

static int block_length(int i)
{
    return row.n - i * row.block < row.block ? row.n - i * row.block : row.block;
}

/* The work on each element of the triangle is its owner's. */
static void check_work(void)
{
    int64_t solves[MAX_RANKS] = {0}, updates[MAX_RANKS] = {0}, total = 0;
    for (int i = 0; i < row.n; i++)
        for (int j = 0; j < row.n; j++) {
            int bi = i / row.block, bj = j / row.block, owner = bi % row.rows * row.columns + bj % row.columns;
            if (bi == bj)
                solves[owner] += unit && i == j ? 0 : row.m;
            else if ((i < j) == (row.uplo == UPPER))
                updates[owner] += 2 * row.m;
        }
    for (int rank = 0; rank < row.n_ranks; rank++) {
        expect("operations of dtrsm", rank, 0, (double)ranks[rank].solves, (double)solves[rank]);
        expect("operations of dgemm", rank, 0, (double)ranks[rank].updates, (double)updates[rank]);
        total += ranks[rank].solves + ranks[rank].updates;
    }
    expect("operations", 0, 0, (double)total, (double)row.m * row.n * (row.n - unit));
}

/* Each block of X goes to all others of its line; the sums of the block of stage s go from line to line over the P - 1
 * before, or the s that there are. */
static void check_messages(void)
{
    int n_blocks = (row.n + row.block - 1) / row.block, p = p_of(), q = q_of();
    bool from_last = (row.side == RIGHT) == ((row.uplo == LOWER) != (row.trans == TRANSPOSED));
    int64_t sums = 0, broadcast = 0, accumulated = 0, added = 0, received = 0;
    for (int s = 0; s < n_blocks; s++)
        sums += (int64_t)row.m * block_length(from_last ? n_blocks - 1 - s : s) * (s < p - 1 ? s : p - 1);
    for (int rank = 0; rank < row.n_ranks; rank++) {
        expect("the rank has ended", rank, ranks[rank].count, ranks[rank].ended, true);
        broadcast += ranks[rank].broadcast;
        accumulated += ranks[rank].accumulated;
        added += ranks[rank].added;
        received += ranks[rank].received;
    }
    expect("elements broadcast", p, q, (double)broadcast, (double)row.m * row.n * (q - 1));
    expect("elements of sums sent", p, q, (double)accumulated, (double)sums);
    expect("elements of sums added", p, q, (double)added, (double)sums);
    expect("elements received", p, q, (double)received, (double)(broadcast + accumulated));
}

static void run_row(void)
{
    struct program program;
    struct placement placement;
    struct sim_error error = {.message = ""};
    if (!expect(error.message, 0, 0, init_row(&program, &placement, &error), 0))
        return;
    memset(ranks, 0, sizeof ranks);
    for (int rank = 0; rank < row.n_ranks; rank++)
        make_ready(rank);
    while (n_ready > 0)
        run_rank(&program, ready[--n_ready]);
    check_work();
    check_messages();
    program_dispose(&program);
}

/* All calls on all grids up to 6 x 6, the ranks beyond the grid up to 3. */
static void test_counts(void)
{
    static const int sizes[][3] = {{1, 1, 1},  {3, 1, 2},    {1, 2, 1},   {5, 7, 1},  {4, 7, 2},
                                   {7, 12, 3}, {16, 16, 4},  {9, 13, 5},  {2, 20, 3}, {20, 2, 3},
                                   {6, 31, 4}, {10, 10, 64}, {23, 60, 7}, {1, 60, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int grid = 0; grid < 36; grid++)
            for (int call = 0; call < N_CALLS; call++) {
                row = (struct row){.m = sizes[i][0], .n = sizes[i][1], .block = sizes[i][2]};
                use_grid(grid / 6 + 1, grid % 6 + 1);
                row.n_ranks += grid % 4;
                set_call(call);
                if (row.n_ranks > 1)
                    run_row();
            }
    CU_PASS("all small problems have been solved");
}

/* Any step can be asked for first: the last one of a large problem is as soon there as the first. */
static void test_large(void)
{
    for (int call = 0; call < N_CALLS; call++) {
        struct program program;
        struct placement placement;
        struct sim_error error;
        struct op_list list = {.count = 0};
        int64_t steps = (int64_t)1048576 * 1048576 / 16;
        row = (struct row){.m = 1048576, .n = 1048576, .block = 1};
        use_grid(16, 16);
        set_call(call);
        CU_ASSERT_EQUAL_FATAL(init_row(&program, &placement, &error), 0);
        expect("there is a last step", call, 0, app->emit(program.config, 255, steps - 1, &list), true);
        expect("there is none after it", call, 0, app->emit(program.config, 255, steps, &list), false);
        expect("nor long after it", call, 0, app->emit(program.config, 255, INT64_MAX, &list), false);
        program_dispose(&program);
    }
}

/* --- setup --- */

static const struct {
    struct row row;
    const char *message; /* NULL: it is good */
    int last;            /* the last rank that has work */
} setup_rows[] = {
    {{9, 64, 1, 2, 3, 6, 0, 0, 0}, NULL, 5},
    {{9, 64, 1, 2, 3, 7, 0, 0, 0}, NULL, 5},
    {{9, 64, 1, 2, 3, 5, 0, 0, 0}, "parameter 'grid': 2x3 processes need 6 ranks; there are 5", 0},
    {{9, 64, 1, 65536, 65536, 2, 0, 0, 0},
     "parameter 'grid': 65536x65536 processes need 4294967296 ranks; there are 2",
     0},
    {{9, 64, 1, 0, 0, 12, 0, 0, 0}, NULL, 11},
    {{9, 64, 1, 0, 0, 7, 0, 0, 0}, NULL, 6},
    {{9, 64, 1, 0, 0, 1, 0, 0, 0}, NULL, 0},
    {{9, 64, 1, 65536, 65536, 1, 1, 1, 1}, NULL, 0},
};

static void test_setup(void)
{
    for (size_t i = 0; i < sizeof setup_rows / sizeof *setup_rows; i++) {
        const char *message = setup_rows[i].message;
        struct program program = {.config = NULL};
        struct placement placement;
        struct sim_error error = {.message = ""};
        struct op_list list = {.count = 0};
        row = setup_rows[i].row;
        expect("the result", (int)i, 0, init_row(&program, &placement, &error), message == NULL ? 0 : -1);
        if (message != NULL)
            expect(error.message, 0, (int)error.status,
                   strcmp(error.message, message) == 0 && error.status == SIM_BAD_INPUT, true);
        for (int rank = 0; message == NULL && rank < row.n_ranks; rank++, list.count = 0)
            expect("a rank has work", (int)i, rank, app->emit(program.config, rank, 0, &list),
                   rank <= setup_rows[i].last);
        for (int64_t step = 0; message == NULL && row.n_ranks == 1 && app->emit(program.config, 0, step, &list); step++)
            for (; list.count > 0; list.count--)
                expect("alone, it only computes", (int)i, 0, list.ops[list.count - 1].kind, OP_COMPUTE);
        program_dispose(&program);
    }
}

/* --- times --- */

static const struct forecast_costs *machine_costs(void)
{
    static struct kernel_cost kernels[3];
    static struct forecast_costs costs = {.kernels = kernels};
    struct sim_error error;
    const struct route *route = machine_route(&machine, 0, 1);
    CU_ASSERT_EQUAL_FATAL(machine_bind_kernels(&machine, app->kernels, 3, 1, kernels, &error), 0);
    costs.latency_s = units_seconds(route->latency_ps + machine.costs.send_start_ps + machine.costs.receive_start_ps);
    costs.byte_s = route->byte_ps / 1e12;
    return &costs;
}

static double simulate(const char *network)
{
    struct program program;
    struct placement placement;
    struct sim_error error;
    struct kernel_stats stats = {0};
    CU_ASSERT_EQUAL_FATAL(init_row(&program, &placement, &error), 0);
    struct kernel_run run = {.program = &program, .machine = &machine, .placement = &placement};
    for (int i = 0; network_specs[i] != NULL; i++)
        if (strcmp(network_specs[i]->name, network) == 0)
            run.network = network_specs[i];
    CU_ASSERT_EQUAL_FATAL(simulate_run(&stats, &run, &error), 0);
    program_dispose(&program);
    return units_seconds(stats.end_ps);
}

static struct forecast make_forecast(void)
{
    struct program program;
    struct placement placement;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(init_row(&program, &placement, &error), 0);
    struct forecast made = app->forecast(program.config, machine_costs());
    program_dispose(&program);
    return made;
}

static double forecast(void)
{
    struct forecast made = make_forecast();
    return made.computation_s + made.communication_s;
}

/* The equations on icluster, whose numbers stand in platforms/icluster.xml, all of a message on its wires: 455
 * Mflop/s, 80 ns to add an element, a latency of 100 us, 11 MB/s. */
struct model {
    double printed_s;                 /* call_s with each T_broadcast and T_send, also where nobody receives them */
    double trsm_s, message_s, call_s; /* T_broadcast, or the whole of a call of pbdtrsm */
    double late_s; /* what a call can take longer on fifo: T_send waits for the wire, or a send asks first */
    bool hidden;   /* the rest of each update is done before its process is needed again */
};

static double send_s(double elements)
{
    return elements > 0 ? 100e-6 + 8 * elements / 11e6 : 0;
}

static struct model model_row(bool contention)
{
    double p = p_of(), q = q_of(), blocks = ceil((double)row.n / row.block), r = fmin(row.block, row.n);
    double m = fmin(row.block, row.m);
    struct model model = {.trsm_s = (unit ? round(m * (r - 1) / r) : m) * r * r / 455e6,
                          .message_s = q > 1 ? send_s(m * r) : 0,
                          .hidden = true};
    for (double i = 1; i <= blocks; i++) {
        double left = ceil((blocks - i) / q), ahead = p == 1 ? left : fmin(p - 1, left);
        double gemm_s = 2 * m * r * r * ahead / 455e6, rest_s = 2 * m * r * r * left / 455e6 - gemm_s;
        double stage_s = model.trsm_s + model.message_s + gemm_s;
        if (p > 1)
            stage_s += send_s(m * r * ahead) + m * r * ahead * 80e-9;
        model.call_s += stage_s;
        model.printed_s += stage_s + (q > 1 ? 0 : send_s(m * r)) + (p > 1 && ahead <= 0 ? 100e-6 : 0);
        if (contention && q > 2) /* the right neighbor passes the block on, and its wire is taken */
            model.late_s += fmax(0, m * r * 8 / 11e6 - gemm_s - (p > 1 ? 0 : model.trsm_s));
        if (p > 1 && m * r * ahead * 8 > 65536) /* an RTS and a CTS, of 4 bytes each */
            model.late_s += 2 * send_s(0.5);
        if (p > 1 && rest_s > p * stage_s - gemm_s + (1 - fmod(p + 1, q)) * model.message_s)
            model.hidden = false;
    }
    return model;
}

static bool near(const char *what, double found, double low, double high)
{
    if (found >= low && found <= high)
        return true;
    return expect(what, 0, 0, found, found < low ? low : high);
}

static const int shapes[][2] = {{1, 2}, {1, 4}, {1, 8}, {2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {3, 3},
                                {3, 5}, {5, 3}, {2, 1}, {4, 1}, {8, 1}, {1, 1}, {2, 8}, {8, 2}, {4, 4}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void test_forecast(void)
{
    static const int sizes[][3] = {{64, 64, 64}, {1024, 2048, 64}, {100, 1000, 32},
                                   {1, 1, 64},   {4096, 65, 64},   {10, 500, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int shape = 0; shape < N_SHAPES * N_CALLS; shape++) {
            row = (struct row){.m = sizes[i][0], .n = sizes[i][1], .block = sizes[i][2]};
            use_grid(shapes[shape / N_CALLS][0], shapes[shape / N_CALLS][1]);
            set_call(shape % N_CALLS);
            double good = ceil((double)row.m / row.block) * model_row(false).call_s;
            near("forecast", forecast(), good * (1 - 1e-4), good * (1 + 1e-4));
            double printed = ceil((double)row.m / row.block) * model_row(false).printed_s;
            near("as printed", forecast() + make_forecast().unreceived_s, printed * (1 - 1e-4), printed * (1 + 1e-4));
            unit = true;
            good = ceil((double)row.m / row.block) * model_row(false).call_s;
            near("unit diagonal", forecast(), good * (1 - 1e-4), good * (1 + 1e-4));
            unit = false;
        }
    CU_PASS("all forecasts have been compared");
}

/* Cases 1 and 3 are faster the more rows the grid has, cases 2 and 4 the more columns. */
static void test_order(void)
{
    static const int grids[][2] = {{1, 8}, {2, 4}, {4, 2}, {8, 1}};
    for (int call = 0; call < 2 * N_CALLS; call++) {
        double quiet[4], fifo[4], forecasts[4];
        row = (struct row){.m = 1024, .n = call < N_CALLS ? 1024 : 2048, .block = 64};
        set_call(call % N_CALLS);
        for (int i = 0; i < 4; i++) {
            const int *grid = grids[favours_columns() ? i : 3 - i];
            use_grid(grid[0], grid[1]);
            quiet[i] = simulate("quiet");
            fifo[i] = simulate("fifo");
            forecasts[i] = forecast();
            if (i > 0)
                expect("the order of the grids", i, 0,
                       quiet[i - 1] < quiet[i] && fifo[i - 1] < fifo[i] && forecasts[i - 1] < forecasts[i], true);
        }
        near("equation 6, quiet", quiet[0] / forecasts[0], 0.9, 1.1);
        if (row.n == 2048) /* with 1024 the updates are too short to hide how long the wires are taken */
            near("equation 6, fifo", fifo[0] / forecasts[0], 0.9, 1.1);
    }
}

/* How many messages later than by the equations a call begins, if the line that solves its first block has solved the
 * last one of the call before: when that block has come round to the first process. */
static double messages_late(void)
{
    int last = (row.n - 1) / row.block;
    return last % p_of() > 0 ? 0 : (q_of() - last % q_of()) % q_of() - 1;
}

/* Equation 6, exactly, with the idle time between the calls; and the last block goes on round the ring. */
static void test_row(void)
{
    for (int q = 2; q <= 9; q++)
        for (int blocks = q; blocks <= 40; blocks++)
            for (int calls = 1; calls <= 7; calls += 3) {
                row = (struct row){.m = calls * 64, .n = blocks * 64, .block = 64, .side = RIGHT};
                use_grid(1, q);
                struct model model = model_row(false);
                double good = calls * model.call_s + ((calls - 1) * messages_late() + q - 2) * model.message_s;
                near("equation 6", simulate("quiet"), good * (1 - 1e-6), good * (1 + 1e-6));
                unit = true; /* each process on the path solves a 64th less, and all else is the same */
                double saved = calls * blocks * (model.trsm_s - model_row(false).trsm_s);
                near("a unit diagonal", simulate("quiet"), (good - saved) * (1 - 1e-6), (good - saved) * (1 + 1e-6));
                unit = false;
            }
    CU_PASS("all rows have been compared");
}

/* A unit diagonal saves the divisions and no message; in blocks of 6 of each these are whole right-hand sides. With an
 * alpha of 0 there is nothing to do. */
static void test_diagonal(void)
{
    for (int shape = 0; shape < N_SHAPES * N_CALLS; shape++) {
        row = (struct row){.m = 12, .n = 54, .block = 6};
        use_grid(shapes[shape / N_CALLS][0], shapes[shape / N_CALLS][1]);
        set_call(shape % N_CALLS);
        unit = true;
        run_row();
        unit = false;
        no_solve = true;
        expect("nothing to solve", 0, 0, simulate("quiet") + forecast(), 0);
        no_solve = false;
    }
}

/* Equation 7 is a bound where the rest of the updates is hidden, but for what it leaves out: the idle time between the
 * calls, that the last block goes on round the ring, that a long send asks first, and that the right neighbor's wire
 * may still be taken. */
static void test_bound(void)
{
    static const int sizes[][3] = {{64, 1024, 64}, {1024, 2048, 64}, {640, 1600, 32}, {512, 1088, 64}, {256, 4096, 64}};
    int n_hidden = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int shape = 0; shape < N_SHAPES * N_CALLS; shape++)
            for (int contention = 0; contention < 2; contention++) {
                row = (struct row){.m = sizes[i][0], .n = sizes[i][1], .block = sizes[i][2]};
                use_grid(shapes[shape / N_CALLS][0], shapes[shape / N_CALLS][1]);
                set_call(shape % N_CALLS);
                struct model model = model_row(contention);
                if (p_of() == 1 || !model.hidden)
                    continue;
                double calls = row.m / row.block, late = (calls - 1) * fmax(0, messages_late()) + fmax(0, q_of() - 2);
                double good = calls * (model.call_s + model.late_s) + late * model.message_s;
                near("bound of equation 7", simulate(contention ? "fifo" : "quiet"), 0, good * (1 + 1e-4));
                n_hidden++;
            }
    CU_ASSERT(n_hidden > 500);
}

int main(void)
{
    static const struct test tests[] = {
        {"setup", test_setup},
        {"all calls on all small grids", test_counts},
        {"a large problem", test_large},
        {"forecast", test_forecast},
        {"order of the grids", test_order},
        {"grids of one row", test_row},
        {"other grids", test_bound},
        {"unit diagonal", test_diagonal},
        {NULL, NULL},
    };
    struct sim_error error;
    app = app_find(app_specs, "pdtrsm");
    if (app == NULL || machine_load(&machine, SOURCE_DIR "/tests/data/icluster-wires.xml", &error) != 0)
        return 1;
    int status = testing_run("pdtrsm", tests);
    machine_dispose(&machine);
    return status;
}
