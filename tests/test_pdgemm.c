/* ScaLAPACK's matrix product, read op by op by a small interpreter in which every send waits for its receive: what every
 * rank multiplies and receives, its messages against those of the real library, and its forecast against the formula
 * worked out here. */
#include "apps/app_list.h"
#include "sim/app.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 40, N_PARAMS = 8, SIZE = 30 };
enum { PAPER, LIBRARY };
enum { AUTO, TREE, RING, FLAT, N_TOPOLOGIES };
enum { SCOPE_A = 1, SCOPE_B, SCOPE_MULTIPLICATION };

/* What is being run. */
static struct row {
    int p, q, m, n, k, block, algorithm, broadcast, n_ranks;
} row;

static bool expect(const char *what, int rank, int64_t found, int64_t good)
{
    static int complaints;
    if (found != good && complaints++ < 20) {
        fprintf(stderr,
                "\n  %dx%d, %d x %d x %d, blocks of %d, algorithm %d, broadcast %d, rank %d: %s: %" PRId64
                " instead of %" PRId64,
                row.p, row.q, row.m, row.n, row.k, row.block, row.algorithm, row.broadcast, rank, what, found, good);
        CU_FAIL("a matrix product is wrong");
    }
    return found == good;
}

/* A grid of 0x0 is auto. */
static int configure(struct program *program, struct sim_error *error)
{
    static const char *const names[] = {"size", "m", "n", "k", "block", "grid", "algorithm", "broadcast"};
    const struct app_spec *app = app_find(app_specs, "pdgemm");
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    int64_t grid = PARAM_MESH_PACK(row.p, row.q), values[N_PARAMS];
    const int64_t given[] = {SIZE, row.m, row.n, row.k, row.block, grid, row.algorithm, row.broadcast};
    CU_ASSERT_FATAL(app != NULL && app->n_params == N_PARAMS);
    for (int i = 0; i < N_PARAMS; i++) {
        int place = param_find(app->params, app->n_params, names[i]);
        CU_ASSERT_FATAL(place >= 0);
        values[place] = given[i];
    }
    return program_init(program, app, values, &placement, error);
}

static void start(struct program *program)
{
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(configure(program, &error), 0);
}

/* --- the interpreter --- */

static struct rank {
    int64_t step;
    int done;
    struct op_list list;
    bool ended;
    int64_t multiplied; /* sum of m n k */
    int64_t depth;      /* sum of k */
    int64_t got[3];     /* bytes received, by scope */
} ranks[MAX_RANKS];

static int64_t messages[MAX_RANKS][MAX_RANKS], bytes[MAX_RANKS][MAX_RANKS];

static bool same_op(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->peer == b->peer && a->bytes == b->bytes && a->tag == b->tag &&
           a->scope == b->scope && a->role == b->role && a->mode == b->mode && a->kernel == b->kernel &&
           a->times == b->times && a->m == b->m && a->n == b->n && a->k == b->k;
}

/* The rank's next op, or NULL when its program has ended. A step is asked for twice, and is appended to what is there. */
static struct op *next_op(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended && self->done == self->list.count) {
        struct op_list again = {.count = 1};
        self->list.count = self->done = 0;
        self->ended = !program->app->emit(program->config, rank, self->step, &self->list);
        bool ends = !program->app->emit(program->config, rank, self->step++, &again);
        expect("asked again, it ends", rank, ends, self->ended);
        expect("asked again, ops", rank, again.count - 1, self->list.count);
        for (int i = 0; i < self->list.count; i++)
            expect("asked again, it is the same", rank, same_op(&again.ops[i + 1], &self->list.ops[i]), true);
    }
    return self->ended ? NULL : &self->list.ops[self->done];
}

static bool receive(const struct program *program, int rank, const struct op *op)
{
    const struct op *send = next_op(program, op->peer);
    if (send == NULL || send->kind != OP_SEND || send->peer != rank)
        return false;
    expect("bytes of a message", rank, send->bytes, op->bytes);
    expect("scope of a message", rank, send->scope, op->scope);
    expect("the same row or column", rank,
           op->scope == SCOPE_A ? op->peer / row.q == rank / row.q : op->peer % row.q == rank % row.q, true);
    messages[op->peer][rank]++;
    bytes[op->peer][rank] += op->bytes;
    ranks[rank].got[op->scope] += op->bytes;
    ranks[op->peer].done++;
    return true;
}

static void compute(int rank, const struct op *op)
{
    expect("one call", rank, op->times, 1);
    expect("useful work", rank, op->role, ROLE_USEFUL);
    expect("its scope", rank, op->scope, SCOPE_MULTIPLICATION);
    ranks[rank].multiplied += (int64_t)op->m * op->n * op->k;
    ranks[rank].depth += op->k;
}

static bool advance(const struct program *program, int rank)
{
    const struct op *op = next_op(program, rank);
    if (op == NULL || op->kind == OP_SEND)
        return false;
    if (op->kind == OP_RECV && !receive(program, rank, op))
        return false;
    if (op->kind == OP_COMPUTE)
        compute(rank, op);
    ranks[rank].done++;
    return true;
}

static void interpret(const struct program *program)
{
    memset(ranks, 0, sizeof ranks);
    memset(messages, 0, sizeof messages);
    memset(bytes, 0, sizeof bytes);
    for (bool going = true; going;) {
        going = false;
        for (int r = 0; r < row.n_ranks; r++)
            while (advance(program, r))
                going = true;
    }
    for (int r = 0; r < row.n_ranks; r++)
        expect("it ends", r, next_op(program, r) == NULL, true);
}

/* --- the skeleton --- */

/* How many of n indices a process of `count` has, one by one. */
static int64_t local_count(int n, int process, int count)
{
    int64_t own = 0;
    for (int i = 0; i < n; i++)
        own += i / row.block % count == process;
    return own;
}

/* Every rank has in the end multiplied its rows by its columns over all of k, and has received what it lacked of them. */
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
            for (int algorithm = PAPER; algorithm <= LIBRARY; algorithm++)
                for (int broadcast = AUTO; broadcast < N_TOPOLOGIES; broadcast++) {
                    const int *grid = grids[g], *size = sizes[s];
                    row = (struct row){grid[0], grid[1],   size[0],   size[1],          size[2],
                                       size[3], algorithm, broadcast, grid[0] * grid[1]};
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
    CU_ASSERT_STRING_EQUAL(message, "parameter 'grid': 2x3 processes need 6 ranks, there are 5");
    CU_ASSERT_EQUAL(busy_ranks(65536, 65536, 32, message), -1);
    CU_ASSERT_STRING_EQUAL(message, "parameter 'grid': 65536x65536 processes need 4294967296 ranks, there are 32");
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

/* --- the real library --- */

/* What pdgemm of ScaLAPACK 2.2.1 (libscalapack-openmpi) sends, counted through PMPI: for all pairs of ranks between which
 * there is a message, sender > receiver, messages, bytes. */
static const struct {
    struct row row;
    const char *pairs;
} counted[] = {
    {{1, 2, 256, 256, 256, 64, LIBRARY, AUTO, 2}, "0>1 4 262144 1>0 4 262144"},
    {{2, 1, 256, 256, 256, 64, LIBRARY, AUTO, 2}, "0>1 4 262144 1>0 4 262144"},
    {{1, 4, 256, 256, 256, 64, LIBRARY, AUTO, 4}, "0>1 6 393216 1>2 6 393216 2>3 6 393216 3>0 6 393216"},
    {{4, 1, 256, 256, 256, 64, LIBRARY, AUTO, 4}, "0>1 6 393216 1>2 6 393216 2>3 6 393216 3>0 6 393216"},
    {{2, 2, 256, 256, 256, 64, LIBRARY, AUTO, 4},
     "0>1 4 131072 0>2 4 131072 1>0 4 131072 1>3 4 131072 2>0 4 131072 2>3 4 131072 3>1 4 131072 3>2 4 131072"},
    {{2, 2, 256, 256, 256, 100, LIBRARY, AUTO, 4},
     "0>1 5 194688 0>2 5 194688 1>0 4 124800 1>3 5 124800 2>0 4 124800 2>3 5 124800 3>1 4 80000 3>2 4 80000"},
    {{1, 3, 200, 200, 200, 20, LIBRARY, AUTO, 3}, "0>1 6 224000 1>2 6 224000 2>0 6 192000"},
    {{2, 3, 200, 200, 200, 20, LIBRARY, AUTO, 6},
     "0>1 8 112000 0>3 6 64000 1>2 8 112000 1>4 6 48000 2>0 8 96000 2>5 6 48000 "
     "3>0 6 64000 3>4 8 112000 4>1 6 48000 4>5 8 112000 5>2 6 48000 5>3 8 96000"},
    {{2, 3, 300, 400, 500, 64, LIBRARY, AUTO, 6},
     "0>1 12 440320 0>3 9 294912 1>2 12 511872 1>4 9 262144 2>0 12 423808 2>5 9 262144 "
     "3>0 9 281088 3>4 12 327680 4>1 9 249856 4>5 12 380928 5>2 9 249856 5>3 12 315392"},
};

static void test_library(void)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct program program;
        int64_t all = 0, expected = 0;
        int from, to, count, length, read;
        row = counted[i].row;
        start(&program);
        interpret(&program);
        for (const char *text = counted[i].pairs;
             sscanf(text, "%d>%d %d %d%n", &from, &to, &count, &length, &read) == 4; text += read) {
            expect("messages counted", from, messages[from][to], count);
            expect("bytes counted", from, bytes[from][to], length);
            expected += count;
        }
        for (from = 0; from < row.n_ranks; from++)
            for (to = 0; to < row.n_ranks; to++)
                all += messages[from][to];
        expect("messages of all pairs", -1, all, expected);
        program_dispose(&program);
    }
    CU_PASS("all counts have been compared");
}

/* What rank 0 of 2x3 sends in the library's product of 200^3 in blocks of 20, in order: the receiver and the width of
 * the panel or the piece of one. */
static void test_library_order(void)
{
    static const int sent[][2] = {{1, 32}, {3, 32}, {1, 8},  {3, 8},  {1, 24}, {1, 16}, {3, 16},
                                  {3, 4},  {1, 20}, {3, 20}, {1, 20}, {3, 20}, {1, 12}, {1, 8}};
    enum { N_SENT = sizeof sent / sizeof *sent };
    struct program program;
    row = (struct row){2, 3, 200, 200, 200, 20, LIBRARY, AUTO, 6};
    start(&program);
    struct op_list list = {.count = 0};
    int count = 0;
    for (int64_t step = 0; program.app->emit(program.config, 0, step, &list); step++, list.count = 0)
        for (int i = 0; i < list.count; i++) {
            if (list.ops[i].kind != OP_SEND)
                continue;
            CU_ASSERT_FATAL(count < N_SENT);
            int local = list.ops[i].peer == 1 ? 100 : 80; /* rows of A, columns of B */
            expect("the receiver", count, list.ops[i].peer, sent[count][0]);
            expect("the length", count, list.ops[i].bytes, 8 * local * sent[count][1]);
            count++;
        }
    CU_ASSERT_EQUAL(count, N_SENT);
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
        /* 1 of 10 x 2 x 8; B: none; A: 3 rounds of 10 8; 3 messages */
        {{1, 5, 10, 10, 8, 8, PAPER, RING, 5}, 2e-9 * 160 + 3e-6 + 240 * 8e-7 + 3e-4},
    };
    static const struct kernel_cost dgemm = {
        .name = "dgemm", .n_terms = 2, .terms = {{.ps = 2000, .m = 1, .n = 1, .k = 1}, {.ps = 3e6}}, .to = INT64_MAX};
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

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("pdgemm", NULL, NULL);
    CU_add_test(suite, "skeleton", test_skeleton);
    CU_add_test(suite, "grids", test_grids);
    CU_add_test(suite, "the grid auto", test_auto);
    CU_add_test(suite, "size", test_size);
    CU_add_test(suite, "the library's messages", test_library);
    CU_add_test(suite, "the library's order", test_library_order);
    CU_add_test(suite, "forecast", test_forecast);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
