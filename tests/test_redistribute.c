/* The redistribution, run by a small interpreter without a clock in which every send waits for its receive: who sends how
 * much to whom, in which round, and that it ends.
 *
 * All matrices up to 12 x 12 on all pairs of grids up to 3 x 3 with blocks up to 4, under both schedules; the place of the
 * destination grid goes round with the cases, from the same ranks to a gap between the grids. Then all places with all
 * pairs of grids up to 3 x 3 and matrices large enough that everybody has something for everybody, and a fixed sequence
 * of random larger cases. The elements are counted one by one. */
#include "apps/app_list.h"
#include "sim/app.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_SIZE = 12, SMALL_BLOCK = 4, SMALL_SIDE = 3, LARGE_SIZE = 150, LARGE_BLOCK = 40, LARGE_SIDE = 7 };
enum { MAX_GRID = LARGE_SIDE * LARGE_SIDE, MAX_RANKS = 2 * MAX_GRID + 4, N_PARAMS = 8, MAX_COMPLAINTS = 20 };
enum { CATERPILLAR, SHIFT, N_SCHEDULES };

static const char *const schedules[] = {"caterpillar", "shift"};

/* What is being run. */
static struct row {
    int m, n, block, to_block;
    int from_rows, from_columns, to_rows, to_columns;
    int to_first, n_ranks, schedule;
} row;

static void complain(const char *what, int a, int b, int64_t found, int64_t expected)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr,
            "\n  %d x %d, blocks of %d on %dx%d to blocks of %d on %dx%d from rank %d on, %d ranks, %s: %s (%d, %d): "
            "%" PRId64 " instead of %" PRId64,
            row.m, row.n, row.block, row.from_rows, row.from_columns, row.to_block, row.to_rows, row.to_columns,
            row.to_first, row.n_ranks, schedules[row.schedule], what, a, b, found, expected);
    CU_FAIL("a redistribution is wrong");
}

static bool expect(const char *what, int a, int b, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, a, b, found, expected);
    return found == expected;
}

/* --- the program --- */

static const struct app_spec *app;

static int init_row(struct program *program, struct sim_error *error)
{
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    const struct {
        const char *name;
        int64_t value;
    } given[] = {{"m", row.m},
                 {"n", row.n},
                 {"block", row.block},
                 {"to_block", row.to_block},
                 {"from_grid", PARAM_MESH_PACK(row.from_rows, row.from_columns)},
                 {"to_grid", PARAM_MESH_PACK(row.to_rows, row.to_columns)},
                 {"to_first", row.to_first},
                 {"schedule", row.schedule}};
    int64_t values[N_PARAMS];
    CU_ASSERT_EQUAL_FATAL(app->n_params, N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, given[i].name);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i].value;
    }
    return program_init(program, app, values, &placement, error);
}

/* --- the interpreter --- */

static int64_t expected[MAX_RANKS][MAX_RANKS]; /* elements of one rank before and of the other after */

static struct rank {
    int64_t step; /* the next one */
    int done, count;
    struct op ops[2]; /* of the step before */
    bool ended, ready;
    int n_sent, n_received;
} ranks[MAX_RANKS];

static int ready[MAX_RANKS], n_ready; /* ranks that may be able to go on */

static bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->peer == b->peer && a->bytes == b->bytes && a->tag == b->tag && a->mode == b->mode;
}

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

/* Have the rank's next op; false when its program has ended. A step is asked for twice and appended to a full list. */
static bool fetch(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->count) {
        struct op_list list = {.count = 0}, again = {.count = OP_LIST_MAX - 2};
        self->ended = !app->emit(program->config, rank, self->step, &list);
        if (!expect("asked again, it ends", rank, (int)self->step,
                    !app->emit(program->config, rank, self->step, &again), self->ended) ||
            !expect("asked again, ops of step", rank, (int)self->step, again.count - OP_LIST_MAX + 2, list.count) ||
            !expect("no more than two ops", rank, (int)self->step, list.count <= 2 - 2 * self->ended, true))
            return false;
        for (int i = 0; i < list.count; i++) {
            expect("asked again, the same op", rank, i, same_op(&list.ops[i], &again.ops[OP_LIST_MAX - 2 + i]), true);
            check_op(rank, &list.ops[i]);
            self->ops[i] = list.ops[i];
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
    bool sends = op->kind == OP_SEND;
    expect("bytes received", rank, op->peer, other->bytes, op->bytes);
    expect("round of the other side", rank, op->peer, peer->step, self->step);
    *(sends ? &self->n_sent : &self->n_received) += 1;
    *(sends ? &peer->n_received : &peer->n_sent) += 1;
    self->done++;
    peer->done++;
    make_ready(op->peer);
    make_ready(rank);
}

/* --- what is expected --- */

/* owners[i]: the place of row or column i along a grid of `processes`, dealt out block by block. */
static void deal(int owners[], int n, int block, int processes)
{
    for (int i = 0, process = 0, left = block; i < n; i++, left--) {
        if (left == 0) {
            process = process + 1 == processes ? 0 : process + 1;
            left = block;
        }
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
            expected[from_row[i] * row.from_columns + from_column[j]]
                    [row.to_first + to_row[i] * row.to_columns + to_column[j]]++;
}

static int grid_size(int rows, int columns)
{
    return rows * columns;
}

/* How many rounds a rank has: as many as the larger grid has ranks, or one less than there are ranks in the two. */
static int round_count(int rank)
{
    int from = grid_size(row.from_rows, row.from_columns), to = grid_size(row.to_rows, row.to_columns), all = 0;
    for (int r = 0; r < row.n_ranks; r++)
        all += r < from || (r >= row.to_first && r < row.to_first + to);
    if (row.n_ranks == 1 || (rank >= from && (rank < row.to_first || rank >= row.to_first + to)))
        return 0;
    if (row.schedule == SHIFT)
        return all - 1;
    return from > to ? from : to;
}

/* Every message has passed, every rank has ended, and what was sent and what stayed is the whole matrix. */
static void check_end(void)
{
    int64_t elements = 0;
    for (int rank = 0; rank < row.n_ranks; rank++) {
        int n_sent = 0, n_received = 0;
        for (int other = 0; other < row.n_ranks; other++) {
            elements += expected[rank][other];
            n_sent += other != rank && expected[rank][other] > 0;
            n_received += other != rank && expected[other][rank] > 0;
        }
        expect("the rank has ended", rank, ranks[rank].count, ranks[rank].ended, true);
        expect("messages sent", rank, rank, ranks[rank].n_sent, n_sent);
        expect("messages received", rank, rank, ranks[rank].n_received, n_received);
        expect("rounds", rank, rank, ranks[rank].step, round_count(rank));
    }
    expect("elements", row.m, row.n, elements, row.m * row.n);
}

static void run_row(void)
{
    struct program program;
    struct sim_error error = {.message = ""};
    if (init_row(&program, &error) != 0) {
        complain(error.message, 0, 0, -1, 0);
        return;
    }
    memset(ranks, 0, (size_t)row.n_ranks * sizeof *ranks);
    for (int rank = 0; rank < row.n_ranks; rank++)
        make_ready(rank);
    while (n_ready > 0)
        run_rank(&program, ready[--n_ready]);
    check_end();
    program_dispose(&program);
}

/* Both schedules, with as many ranks as needed and `spare` more. */
static void run_schedules(int spare)
{
    int from = grid_size(row.from_rows, row.from_columns);
    int end = row.to_first + grid_size(row.to_rows, row.to_columns);
    row.n_ranks = (end > from ? end : from) + spare;
    count_elements();
    for (row.schedule = CATERPILLAR; row.schedule < N_SCHEDULES; row.schedule++)
        run_row();
}

/* --- cases --- */

/* The i-th pair of grids up to 3 x 3. */
static void set_grids(int i)
{
    row.from_rows = i % SMALL_SIDE + 1;
    row.from_columns = i / SMALL_SIDE % SMALL_SIDE + 1;
    row.to_rows = i / SMALL_SIDE / SMALL_SIDE % SMALL_SIDE + 1;
    row.to_columns = i / SMALL_SIDE / SMALL_SIDE / SMALL_SIDE + 1;
}

enum { N_GRID_PAIRS = SMALL_SIDE * SMALL_SIDE * SMALL_SIDE * SMALL_SIDE };

static void test_small(void)
{
    int turn = 0;
    for (int grids = 0; grids < N_GRID_PAIRS; grids++) {
        set_grids(grids);
        int places = grid_size(row.from_rows, row.from_columns) + 3;
        for (row.m = 1; row.m <= SMALL_SIZE; row.m++)
            for (row.n = 1; row.n <= SMALL_SIZE; row.n++)
                for (int blocks = 0; blocks < SMALL_BLOCK * SMALL_BLOCK; blocks++) {
                    row.block = blocks % SMALL_BLOCK + 1;
                    row.to_block = blocks / SMALL_BLOCK + 1;
                    row.to_first = turn++ % places;
                    run_schedules(0);
                }
    }
    CU_PASS("all small matrices have been moved");
}

static void test_places(void)
{
    for (int grids = 0; grids < N_GRID_PAIRS; grids++) {
        set_grids(grids);
        row.m = row.n = 40;
        row.block = 1;
        for (row.to_block = 1; row.to_block <= SMALL_BLOCK; row.to_block++)
            for (row.to_first = 0; row.to_first <= grid_size(row.from_rows, row.from_columns) + 2; row.to_first++)
                for (int spare = 0; spare < 3; spare++)
                    run_schedules(spare);
    }
    CU_PASS("all places have been tried");
}

/* A number from 1 to `most`, of a fixed sequence (splitmix64). */
static int random_to(int most)
{
    static uint64_t state = 1;
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ z >> 31) % (uint64_t)most) + 1;
}

static void test_random(void)
{
    for (int sample = 0; sample < 2000; sample++) {
        int largest_block = random_to(LARGE_BLOCK);
        row = (struct row){.m = random_to(LARGE_SIZE),
                           .n = random_to(LARGE_SIZE),
                           .block = random_to(largest_block),
                           .to_block = random_to(largest_block),
                           .from_rows = random_to(LARGE_SIDE),
                           .from_columns = random_to(LARGE_SIDE),
                           .to_rows = random_to(LARGE_SIDE),
                           .to_columns = random_to(LARGE_SIDE)};
        row.to_first = random_to(grid_size(row.from_rows, row.from_columns) + 3) - 1;
        run_schedules(random_to(2) - 1);
    }
    CU_PASS("all larger matrices have been moved");
}

/* --- the order of the messages --- */

/* Matrices of one element per process of the larger grid, so that all send to all; "1>3 2<3": send to 1 in round 3,
 * receive from 2 in round 3. */
static const struct {
    int from_rows, to_rows, to_first, schedule, rank;
    const char *text;
} order_rows[] = {
    /* Disjoint: rank s meets receiver 1 - t - s. */
    {2, 2, 2, CATERPILLAR, 1, "0>2 1>3"},
    {2, 2, 2, CATERPILLAR, 3, "0<0 1<1"},
    {2, 2, 3, CATERPILLAR, 2, ""},
    /* The same ranks: slot s meets slot 2 - t - s of 3, the lower one sends first. */
    {3, 3, 0, CATERPILLAR, 0, "0>2 0<2 1>1 1<1"},
    {3, 3, 0, CATERPILLAR, 1, "1<0 1>0 2>2 2<2"},
    /* Senders in slots 2 3 0 1, receivers 2 3 4: slot s meets slot 3 - t - s of 4. */
    {4, 3, 2, CATERPILLAR, 2, "0<1 1>4 1<0 2>3 2<3"},
    {4, 3, 2, CATERPILLAR, 3, "0>4 0<0 2<2 2>2 3<1"},
    {4, 3, 2, CATERPILLAR, 0, "0>3 1>2 3>4"},
    {4, 3, 2, CATERPILLAR, 4, "0<3 1<2 2<1 3<0"},
    /* Senders 2 0 1 3 4, the only receiver 2. */
    {5, 1, 2, CATERPILLAR, 2, "0<4 1<3 2<1 3<0"},
    /* A circle of 3, a circle of 4, and one with a gap. */
    {3, 3, 0, SHIFT, 0, "0>1 0<2 1>2 1<1"},
    {4, 4, 0, SHIFT, 0, "0>1 0<3 1>2 1<2 2>3 2<1"},
    {4, 4, 0, SHIFT, 2, "0>3 0<1 1<0 1>0 2>1 2<3"},
    {2, 2, 3, SHIFT, 0, "1>3 2>4"},
    {2, 2, 3, SHIFT, 2, ""},
    {2, 2, 3, SHIFT, 4, "1<1 2<0"},
};

static void write_order(char *text, size_t size, const struct program *program, int rank)
{
    size_t used = 0;
    struct op_list list = {.count = 0};
    text[0] = '\0';
    for (int64_t step = 0; app->emit(program->config, rank, step, &list); step++, list.count = 0)
        for (int i = 0; i < list.count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%" PRId64 "%c%d", used == 0 ? "" : " ", step,
                                     list.ops[i].kind == OP_SEND ? '>' : '<', list.ops[i].peer);
}

static void test_order(void)
{
    for (size_t i = 0; i < sizeof order_rows / sizeof *order_rows; i++) {
        char text[256];
        struct program program;
        struct sim_error error;
        row = (struct row){60,
                           1,
                           1,
                           7,
                           order_rows[i].from_rows,
                           1,
                           order_rows[i].to_rows,
                           1,
                           order_rows[i].to_first,
                           20,
                           order_rows[i].schedule};
        CU_ASSERT_EQUAL_FATAL(init_row(&program, &error), 0);
        write_order(text, sizeof text, &program, order_rows[i].rank);
        if (strcmp(text, order_rows[i].text) != 0) {
            fprintf(stderr, "\n  order, row %zu: \"%s\" instead of \"%s\"", i, text, order_rows[i].text);
            CU_FAIL("the messages come in another order");
        }
        program_dispose(&program);
    }
    CU_PASS("all orders have been compared");
}

/* --- setup --- */

#define NOT_AUTO "'auto' is not process rows x process columns, such as 4x2"

static const struct {
    struct row row;
    const char *message; /* NULL: it is good */
} setup_rows[] = {
    {{1, 1, 1, 1, 2, 3, 1, 1, 5, 6, 0}, NULL},
    {{1, 1, 1, 1, 2, 3, 1, 1, 0, 5, 0},
     "parameter 'from_grid': 2x3 processes from rank 0 on need 6 ranks, and there are 5"},
    {{1, 1, 1, 1, 2, 3, 1, 1, 6, 6, 0},
     "parameter 'to_grid': 1x1 processes from rank 6 on need 7 ranks, and there are 6"},
    {{1, 1, 1, 1, 1, 1, 4, 1, 0, 3, 0},
     "parameter 'to_grid': 4x1 processes from rank 0 on need 4 ranks, and there are 3"},
    {{1, 1, 1, 1, 65536, 65536, 1, 1, 0, 6, 0},
     "parameter 'from_grid': 65536x65536 processes from rank 0 on need 4294967296 ranks, and there are 6"},
    {{1, 1, 1, 1, 1, 1, 65536, 65536, 16777215, 6, 0},
     "parameter 'to_grid': 65536x65536 processes from rank 16777215 on need 4311744511 ranks, and there are 6"},
    {{1, 1, 1, 1, 0, 0, 1, 1, 0, 6, 0}, "parameter 'from_grid': " NOT_AUTO},
    {{1, 1, 1, 1, 1, 1, 0, 0, 0, 6, 0}, "parameter 'to_grid': " NOT_AUTO},
    /* On one rank nothing is moved, whatever the grids. */
    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0}, NULL},
    {{9, 9, 1, 2, 2, 3, 3, 2, 99, 1, 1}, NULL},
    {{9, 9, 1, 2, 65536, 65536, 65536, 65536, 16777215, 1, 0}, NULL},
    {{9, 9, 1, 2, 0, 0, 0, 0, 0, 1, 1}, NULL},
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
        if (message != NULL && (strcmp(error.message, message) != 0 || error.status != SIM_BAD_INPUT))
            complain(error.message, 0, 0, (int64_t)error.status, SIM_BAD_INPUT);
        if (message == NULL && row.n_ranks == 1)
            expect("there is a step", 0, 0, app->emit(program.config, 0, 0, &list), false);
        program_dispose(&program);
    }
    CU_PASS("all setups have been tried");
}

int main(void)
{
    app = app_find(app_specs, "redistribute");
    if (app == NULL || CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("redistribute", NULL, NULL);
    CU_add_test(suite, "setup", test_setup);
    CU_add_test(suite, "order of the messages", test_order);
    CU_add_test(suite, "all small matrices", test_small);
    CU_add_test(suite, "all places of the grids", test_places);
    CU_add_test(suite, "larger matrices", test_random);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
