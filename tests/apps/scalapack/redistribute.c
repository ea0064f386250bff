/* The redistribution, run by a small interpreter without a clock in which every send waits for its receive: who sends
 * how much to whom, in which round, and that it ends. The elements to be moved are counted one by one.
 *
 * All matrices up to 12 x 12 on all pairs of grids up to 3 x 3 with blocks up to 4, under both schedules; the places of
 * the grids go round with the cases, from the same ranks to a gap between the grids. Then all places with all these
 * pairs of grids and matrices of 40 x 40, and a fixed sequence of random larger cases.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "sim/kernel/app.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_SIZE = 12, SMALL_BLOCK = 4, SMALL_SIDE = 3, LARGE_SIZE = 150, LARGE_BLOCK = 40, LARGE_SIDE = 7 };
enum { MAX_GRID = LARGE_SIDE * LARGE_SIDE, MAX_RANKS = 2 * MAX_GRID + 4, N_PARAMS = 9, MAX_COMPLAINTS = 20 };
enum { CATERPILLAR, SHIFT, N_SCHEDULES };

static const char *const schedules[] = {"caterpillar", "shift"};

/* The case that runs. */
static struct row {
    int m, n, block, to_block;
    int from_rows, from_columns, to_rows, to_columns;
    int to_first, n_ranks, schedule, from_first;
} row;

static bool expect(const char *what, int a, int b, int64_t found, int64_t good)
{
    static int complaints;
    if (found == good || complaints++ >= MAX_COMPLAINTS)
        return found == good;
    fprintf(stderr,
            "\n  %d x %d, blocks of %d on %dx%d from rank %d on to blocks of %d on %dx%d from rank %d on, %d ranks, "
            "%s: %s (%d, %d): "
            "%" PRId64 " instead of %" PRId64,
            row.m, row.n, row.block, row.from_rows, row.from_columns, row.from_first, row.to_block, row.to_rows,
            row.to_columns, row.to_first, row.n_ranks, schedules[row.schedule], what, a, b, found, good);
    CU_FAIL("a redistribution is wrong");
    return false;
}

/* --- the program --- */

static const struct app_spec *app;

static int init_row(struct program *program, struct sim_error *error)
{
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    static const char *const names[] = {"m",       "n",        "block",    "to_block",  "from_grid",
                                        "to_grid", "to_first", "schedule", "from_first"};
    int64_t from = PARAM_MESH_PACK(row.from_rows, row.from_columns), to = PARAM_MESH_PACK(row.to_rows, row.to_columns);
    int64_t given[] = {row.m, row.n, row.block, row.to_block, from, to, row.to_first, row.schedule, row.from_first};
    int64_t values[N_PARAMS];
    CU_ASSERT_EQUAL_FATAL(app->n_params, N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, names[i]);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i];
    }
    return program_init(program, app, values, &placement, error);
}

/* --- the interpreter --- */

static int64_t expected[MAX_RANKS][MAX_RANKS]; /* elements of one rank before and of the other after */
static int64_t moved[MAX_RANKS][MAX_RANKS];    /* elements received from one by the other */

static struct rank {
    int64_t step; /* the next one */
    int done, count;
    struct op ops[2]; /* of the step before */
    bool ended, ready;
} ranks[MAX_RANKS];

static int ready[MAX_RANKS], n_ready; /* ranks that may be able to go on */

static void check_op(int rank, const struct op *op)
{
    bool sends = op->kind == OP_SEND;
    expect("a send or a receive", rank, op->kind, sends || op->kind == OP_RECV, true);
    if (!expect("its peer is another rank", rank, op->peer, op->peer >= 0 && op->peer < row.n_ranks && op->peer != rank,
                true))
        return;
    expect("bytes between", rank, op->peer, op->bytes,
           8 * (sends ? expected[rank][op->peer] : expected[op->peer][rank]));
    expect("its scope is the redistribution", rank, op->scope, strcmp(app->scopes[op->scope], "redistribution"), 0);
}

/* Have the rank's next op; false when its program has ended. A step is asked for twice, and fits where two ops do. */
static bool fetch(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->count) {
        struct op_list list = {.count = 0}, again = {.count = OP_LIST_MAX - 2};
        self->ended = !app->emit(program->config, rank, self->step, &list);
        bool ends = !app->emit(program->config, rank, self->step, &again);
        expect("asked again, it ends", rank, (int)self->step, ends, self->ended);
        expect("asked again, ops", rank, (int)self->step, again.count - OP_LIST_MAX + 2, list.count);
        if (!expect("no more than two ops", rank, (int)self->step, list.count <= 2 - 2 * self->ended, true))
            return false;
        for (int i = 0; i < list.count; i++) {
            const struct op *op = &list.ops[i], *same = &again.ops[OP_LIST_MAX - 2 + i];
            expect("asked again, its kind", rank, i, same->kind, op->kind);
            expect("asked again, its peer", rank, i, same->peer, op->peer);
            check_op(rank, same);
            self->ops[i] = *op;
        }
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

/* Do the rank's op if the other side is there for it; then both may go on. */
static void run_rank(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    self->ready = false;
    if (!fetch(program, rank))
        return;
    const struct op *op = &self->ops[self->done];
    if (op->peer < 0 || op->peer >= row.n_ranks || !fetch(program, op->peer))
        return;
    struct rank *peer = &ranks[op->peer];
    const struct op *other = &peer->ops[peer->done];
    if (other->peer != rank || other->kind == op->kind)
        return;
    expect("bytes received", rank, op->peer, other->bytes, op->bytes);
    expect("round of the other side", rank, op->peer, peer->step, self->step);
    *(op->kind == OP_SEND ? &moved[rank][op->peer] : &moved[op->peer][rank]) += op->bytes / 8;
    self->done++;
    peer->done++;
    make_ready(op->peer);
    make_ready(rank);
}

/* --- what is expected --- */

/* owners[i]: the place of row or column i along a grid of `processes`, dealt out block by block. */
static void deal(int owners[], int n, int block, int processes)
{
    for (int i = 0, process = 0; i < n; i++) {
        if (i > 0 && i % block == 0)
            process = process + 1 == processes ? 0 : process + 1;
        owners[i] = process;
    }
}

static void count_elements(void)
{
    int from_row[LARGE_SIZE], from_column[LARGE_SIZE], to_row[LARGE_SIZE], to_column[LARGE_SIZE];
    deal(from_row, row.m, row.block, row.from_rows);
    deal(from_column, row.n, row.block, row.from_columns);
    deal(to_row, row.m, row.to_block, row.to_rows);
    deal(to_column, row.n, row.to_block, row.to_columns);
    for (int rank = 0; rank < row.n_ranks; rank++)
        memset(expected[rank], 0, (size_t)row.n_ranks * sizeof *expected[rank]);
    for (int i = 0; i < row.m; i++)
        for (int j = 0; j < row.n; j++)
            expected[row.from_first + from_row[i] * row.from_columns + from_column[j]]
                    [row.to_first + to_row[i] * row.to_columns + to_column[j]]++;
}

/* Every rank has ended, everything has come, and what was moved and what stayed is the whole matrix. */
static void check_end(void)
{
    int64_t elements = 0;
    for (int rank = 0; rank < row.n_ranks; rank++) {
        expect("the rank has ended", rank, (int)ranks[rank].step, ranks[rank].ended, true);
        for (int to = 0; to < row.n_ranks; to++) {
            expect("elements moved", rank, to, moved[rank][to], to == rank ? 0 : expected[rank][to]);
            elements += to == rank ? expected[rank][to] : moved[rank][to];
        }
    }
    expect("elements", row.m, row.n, elements, row.m * row.n);
}

static void run_row(void)
{
    struct program program;
    struct sim_error error = {.message = ""};
    if (!expect(error.message, 0, 0, init_row(&program, &error), 0))
        return;
    memset(ranks, 0, (size_t)row.n_ranks * sizeof *ranks);
    for (int rank = 0; rank < row.n_ranks; rank++) {
        memset(moved[rank], 0, (size_t)row.n_ranks * sizeof *moved[rank]);
        make_ready(rank);
    }
    while (n_ready > 0)
        run_rank(&program, ready[--n_ready]);
    check_end();
    program_dispose(&program);
}

static int from_size(void)
{
    return row.from_rows * row.from_columns;
}

static int to_size(void)
{
    return row.to_rows * row.to_columns;
}

/* Both schedules, with as many ranks as needed and `spare` more. */
static void run_schedules(int spare)
{
    int from_end = row.from_first + from_size(), to_end = row.to_first + to_size();
    row.n_ranks = (from_end > to_end ? from_end : to_end) + spare;
    count_elements();
    for (row.schedule = CATERPILLAR; row.schedule < N_SCHEDULES; row.schedule++)
        run_row();
}

/* --- cases --- */

enum { N_PAIRS = SMALL_SIDE * SMALL_SIDE * SMALL_SIDE * SMALL_SIDE, N_LARGE_PAIRS = MAX_GRID * MAX_GRID };

/* The i-th pair of grids up to side x side. */
static void set_grids(int i, int side)
{
    row.from_rows = i % side + 1;
    row.from_columns = i / side % side + 1;
    row.to_rows = i / side / side % side + 1;
    row.to_columns = i / side / side / side + 1;
}

static void test_small(void)
{
    int turn = 0;
    for (int grids = 0; grids < N_PAIRS; grids++) {
        set_grids(grids, SMALL_SIDE);
        for (int size = 0; size < SMALL_SIZE * SMALL_SIZE; size++)
            for (int blocks = 0; blocks < SMALL_BLOCK * SMALL_BLOCK; blocks++) {
                if (turn++ % testing_one_in() != 0)
                    continue;
                row.m = size % SMALL_SIZE + 1;
                row.n = size / SMALL_SIZE + 1;
                row.block = blocks % SMALL_BLOCK + 1;
                row.to_block = blocks / SMALL_BLOCK + 1;
                row.to_first = turn % (from_size() + 3);
                row.from_first = turn / 20 % 3;
                run_schedules(0);
            }
    }
    CU_PASS("all small matrices have been moved");
}

static void test_places(void)
{
    row.m = row.n = 40;
    row.block = 1;
    for (int grids = 0; grids < N_PAIRS; grids++) {
        set_grids(grids, SMALL_SIDE);
        for (row.to_block = 1; row.to_block <= SMALL_BLOCK; row.to_block++) {
            row.from_first = 0;
            for (row.to_first = 0; row.to_first < from_size() + 3; row.to_first++)
                run_schedules(row.to_first % 3);
            row.to_first = 0;
            for (row.from_first = 1; row.from_first < to_size() + 3; row.from_first++)
                run_schedules(row.from_first % 3);
        }
    }
    CU_PASS("all places have been tried");
}

static void test_random(void)
{
    for (int sample = 0; sample < 2000 / testing_one_in(); sample++) {
        int largest_block = testing_random_to(LARGE_BLOCK);
        row.m = testing_random_to(LARGE_SIZE);
        row.n = testing_random_to(LARGE_SIZE);
        row.block = testing_random_to(largest_block);
        row.to_block = testing_random_to(largest_block);
        set_grids(testing_random_to(N_LARGE_PAIRS) - 1, LARGE_SIDE);
        row.to_first = testing_random_to(from_size() + 3) - 1;
        row.from_first = testing_random_to(to_size() + 3) - 1;
        run_schedules(testing_random_to(2) - 1);
    }
    CU_PASS("all larger matrices have been moved");
}

/* --- the order of the messages --- */

/* All send to all. "1>3 2<4": in round 1 to rank 3, in round 2 from rank 4; "/3": 3 rounds in all. */
static const struct {
    struct row row;
    int rank;
    const char *text;
} order_rows[] = {
    /* Disjoint: rank s meets receiver 1 - t - s. */
    {{60, 1, 1, 7, 2, 1, 2, 1, 2, 20, CATERPILLAR, 0}, 1, "0>2 1>3 /2"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 2, 20, CATERPILLAR, 0}, 3, "0<0 1<1 /2"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 3, 20, CATERPILLAR, 0}, 2, "/0"},
    /* The same ranks: slot s meets slot 2 - t - s of 3, the lower one sends first. */
    {{60, 1, 1, 7, 3, 1, 3, 1, 0, 20, CATERPILLAR, 0}, 0, "0>2 0<2 1>1 1<1 /3"},
    {{60, 1, 1, 7, 3, 1, 3, 1, 0, 20, CATERPILLAR, 0}, 1, "1<0 1>0 2>2 2<2 /3"},
    /* Senders in slots 2 3 0 1, receivers 2 3 4: slot s meets slot 3 - t - s of 4. */
    {{60, 1, 1, 7, 4, 1, 3, 1, 2, 20, CATERPILLAR, 0}, 2, "0<1 1>4 1<0 2>3 2<3 /4"},
    {{60, 1, 1, 7, 4, 1, 3, 1, 2, 20, CATERPILLAR, 0}, 3, "0>4 0<0 2<2 2>2 3<1 /4"},
    {{60, 1, 1, 7, 4, 1, 3, 1, 2, 20, CATERPILLAR, 0}, 0, "0>3 1>2 3>4 /4"},
    {{60, 1, 1, 7, 4, 1, 3, 1, 2, 20, CATERPILLAR, 0}, 4, "0<3 1<2 2<1 3<0 /4"},
    /* Senders 2 0 1 3 4, the only receiver 2. */
    {{60, 1, 1, 7, 5, 1, 1, 1, 2, 20, CATERPILLAR, 0}, 2, "0<4 1<3 2<1 3<0 /5"},
    /* Senders 2 3, receivers 2 3 0 1 4. */
    {{60, 1, 1, 7, 2, 1, 5, 1, 0, 20, CATERPILLAR, 2}, 0, "1<3 2<2 /5"},
    {{60, 1, 1, 7, 2, 1, 5, 1, 0, 20, CATERPILLAR, 2}, 2, "0>4 1>1 2>0 3>3 3<3 /5"},
    {{60, 1, 1, 7, 2, 1, 5, 1, 0, 20, CATERPILLAR, 2}, 4, "0<2 4<3 /5"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 0, 20, CATERPILLAR, 3}, 2, "/0"},
    /* Circles of 3, 4 and 5, and some with a gap. */
    {{60, 1, 1, 7, 3, 1, 3, 1, 0, 20, SHIFT, 0}, 0, "0>1 0<2 1>2 1<1 /2"},
    {{60, 1, 1, 7, 4, 1, 4, 1, 0, 20, SHIFT, 0}, 0, "0>1 0<3 1>2 1<2 2>3 2<1 /3"},
    {{60, 1, 1, 7, 4, 1, 4, 1, 0, 20, SHIFT, 0}, 2, "0>3 0<1 1<0 1>0 2>1 2<3 /3"},
    {{60, 1, 1, 7, 5, 1, 5, 1, 0, 20, SHIFT, 0}, 3, "0<2 0>4 1<1 1>0 2<0 2>1 3<4 3>2 /4"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 3, 20, SHIFT, 0}, 0, "1>3 2>4 /3"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 3, 20, SHIFT, 0}, 2, "/0"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 3, 20, SHIFT, 0}, 4, "1<1 2<0 /3"},
    {{60, 1, 1, 7, 2, 1, 2, 1, 0, 20, SHIFT, 3}, 3, "1>0 2>1 /3"},
};

static void write_order(char *text, size_t size, const struct program *program, int rank)
{
    size_t used = 0;
    int step = 0;
    for (struct op_list list = {.count = 0}; app->emit(program->config, rank, step, &list); step++, list.count = 0)
        for (int i = 0; i < list.count && used + 30 < size; i++)
            used += (size_t)sprintf(text + used, "%d%c%d ", step, list.ops[i].kind == OP_SEND ? '>' : '<',
                                    list.ops[i].peer);
    snprintf(text + used, size - used, "/%d", step);
}

static void test_order(void)
{
    for (size_t i = 0; i < sizeof order_rows / sizeof *order_rows; i++) {
        char text[256] = "";
        struct program program;
        struct sim_error error;
        row = order_rows[i].row;
        CU_ASSERT_EQUAL_FATAL(init_row(&program, &error), 0);
        write_order(text, sizeof text, &program, order_rows[i].rank);
        expect(text, order_rows[i].rank, (int)i, strcmp(text, order_rows[i].text), 0);
        program_dispose(&program);
    }
    CU_PASS("all orders have been compared");
}

/* --- setup --- */

static const struct {
    struct row row;
    const char *message; /* NULL: it is good */
} setup_rows[] = {
    {{1, 1, 1, 1, 2, 3, 1, 1, 5, 6, 0, 0}, NULL},
    {{1, 1, 1, 1, 2, 3, 1, 1, 0, 5, 0, 0},
     "parameter 'from_grid': 2x3 processes starting at rank 0 need 6 ranks; there are 5"},
    {{1, 1, 1, 1, 2, 3, 1, 1, 0, 8, 0, 2}, NULL},
    {{1, 1, 1, 1, 2, 3, 1, 1, 0, 8, 0, 3},
     "parameter 'from_grid': 2x3 processes starting at rank 3 need 9 ranks; there are 8"},
    {{1, 1, 1, 1, 2, 3, 1, 1, 6, 6, 0, 0},
     "parameter 'to_grid': 1x1 processes starting at rank 6 need 7 ranks; there are 6"},
    {{1, 1, 1, 1, 1, 1, 4, 1, 0, 3, 0, 0},
     "parameter 'to_grid': 4x1 processes starting at rank 0 need 4 ranks; there are 3"},
    {{1, 1, 1, 1, 1, 1, 65536, 65536, 16777215, 6, 0, 0},
     "parameter 'to_grid': 65536x65536 processes starting at rank 16777215 need 4311744511 ranks; there are 6"},
    /* On one rank nothing is moved, whatever the grids. */
    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0}, NULL},
    {{9, 9, 1, 2, 2, 3, 3, 2, 99, 1, 1, 0}, NULL},
    {{9, 9, 1, 2, 65536, 65536, 65536, 65536, 16777215, 1, 0, 0}, NULL},
    {{9, 9, 1, 2, 0, 0, 0, 0, 0, 1, 1, 0}, NULL},
};

static void test_setup(void)
{
    for (size_t i = 0; i < sizeof setup_rows / sizeof *setup_rows; i++) {
        const char *message = setup_rows[i].message;
        struct program program = {.config = NULL};
        struct sim_error error = {.message = ""};
        struct op_list list = {.count = 0};
        row = setup_rows[i].row;
        expect("the result", 0, 0, init_row(&program, &error), message == NULL ? 0 : -1);
        if (message != NULL)
            expect(error.message, 0, (int)error.status,
                   strcmp(error.message, message) == 0 && error.status == SIM_BAD_INPUT, true);
        if (message == NULL && row.n_ranks == 1)
            expect("there is a step", 0, 0, app->emit(program.config, 0, 0, &list), false);
        program_dispose(&program);
    }
    CU_PASS("all setups have been tried");
}

/* --- forecast --- */

/* How many of the equal messages come one after another; 0.001 s and 1 us a byte. */
static const struct {
    struct row row;
    int64_t messages, bytes; /* of each */
} forecast_rows[] = {
    {{60, 10, 10, 10, 1, 1, 1, 1, 1, 20, CATERPILLAR, 0}, 1, 8 * 600},
    {{60, 10, 10, 10, 1, 1, 1, 1, 0, 20, CATERPILLAR, 1}, 1, 8 * 600},
    {{60, 10, 10, 10, 2, 3, 2, 3, 0, 20, CATERPILLAR, 0}, 0, 0},
    {{60, 10, 10, 10, 6, 1, 1, 1, 6, 20, CATERPILLAR, 0}, 6, 8 * 100},
    {{60, 10, 10, 10, 1, 1, 6, 1, 1, 20, SHIFT, 0}, 6, 8 * 100},
    /* Each receiver gets all of two of the senders, which have an eighth each. */
    {{64, 64, 8, 8, 4, 2, 2, 2, 8, 20, CATERPILLAR, 0}, 2, 8 * 512},
    /* Two ranks exchange their halves, the lower one's first. */
    {{2, 2, 1, 1, 2, 1, 1, 2, 0, 20, CATERPILLAR, 0}, 2, 8},
};

static void test_forecast(void)
{
    const struct forecast_costs costs = {.latency_s = 1e-3, .byte_s = 1e-6};
    for (size_t i = 0; i < sizeof forecast_rows / sizeof *forecast_rows; i++) {
        struct program program;
        struct sim_error error;
        row = forecast_rows[i].row;
        CU_ASSERT_EQUAL_FATAL(init_row(&program, &error), 0);
        struct forecast forecast = app->forecast(program.config, &costs);
        double good = (double)forecast_rows[i].messages * (1e-3 + 1e-6 * (double)forecast_rows[i].bytes);
        expect("forecast in us", (int)i, 0, (int64_t)(1e6 * forecast.communication_s + 0.5),
               (int64_t)(1e6 * good + 0.5));
        expect("computation", (int)i, 0, forecast.computation_s > 0, 0);
        program_dispose(&program);
    }
    CU_PASS("all forecasts have been compared");
}

int main(void)
{
    static const struct test tests[] = {
        {"setup", test_setup},
        {"order of the messages", test_order},
        {"forecast", test_forecast},
        {"all small matrices", test_small},
        {"all places of the grids", test_places},
        {"larger matrices", test_random},
        {NULL, NULL},
    };
    app = app_find(app_specs, "redistribute");
    if (app == NULL)
        return 1;
    return testing_run("redistribute", tests);
}
