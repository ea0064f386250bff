/* Applications, read op by op without a clock: how much they compute and send, and that all ranks agree on it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "sim/kernel/app.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPLAINTS = 20, MAX_RANKS = 20, MAX_N = 17, MAX_STEPS = MAX_N + 2, MAX_PARAMS = 8 };

static const struct machine mesh = {
    .name = (char[]){"mesh"},
    .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 16, .mesh_height = 8, .mesh_pitch = 16}};
static const struct machine cluster = {.name = (char[]){"cluster"}, .net = &(struct interconnect){.n_hosts = 128}};

/* --- rows and complaints --- */

static char row[256]; /* what is being run, for the messages */

static void complain(const char *what, int64_t found, int64_t expected)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr, "\n  %s: %s: %" PRId64 " instead of %" PRId64, row, what, found, expected);
    CU_FAIL("an application is wrong");
}

static bool expect(const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(what, found, expected);
    return found == expected;
}

static bool expect_text(const char *what, const char *found, const char *expected)
{
    if (strcmp(found, expected) == 0)
        return true;
    fprintf(stderr, "\n  %s: \"%s\" instead of \"%s\"", row, found, expected);
    complain(what, 1, 0);
    return false;
}

/* --- a configured application --- */

/* Parameters by name and text; the others have their defaults. */
struct setting {
    const char *name, *text;
};

static void set_values(int64_t *values, const struct app_spec *app, const struct setting *settings, int n_settings)
{
    CU_ASSERT_FATAL(app->n_params <= MAX_PARAMS);
    for (int i = 0; i < app->n_params; i++) {
        const char *text = app->params[i].fallback;
        char why[256] = "no value";
        for (int s = 0; s < n_settings; s++)
            if (strcmp(settings[s].name, app->params[i].name) == 0)
                text = settings[s].text;
        if (text == NULL || param_parse(&values[i], &app->params[i], text, why, sizeof why) != 0) {
            fprintf(stderr, "\n  %s: %s: %s", app->name, app->params[i].name, why);
            CU_FAIL_FATAL("a parameter is wrong");
        }
    }
    for (int s = 0; s < n_settings; s++)
        if (param_find(app->params, app->n_params, settings[s].name) < 0)
            CU_FAIL_FATAL("no such parameter");
}

static void place(struct placement *placement, const struct machine *machine, int n_ranks, enum root_place root)
{
    struct placement_request request = {.n_ranks = n_ranks, .ranks_per_host = 1, .root = root};
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(placement_init(placement, &request, machine, &error), 0);
}

static void start(struct program *program, const char *name, const struct setting *settings, int n_settings,
                  const struct placement *placement)
{
    int64_t values[MAX_PARAMS];
    struct sim_error error;
    const struct app_spec *app = app_find(app_specs, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(app);
    set_values(values, app, settings, n_settings);
    CU_ASSERT_EQUAL_FATAL(program_init(program, app, values, placement, &error), 0);
    CU_ASSERT_PTR_EQUAL(program->app, app);
}

/* --- all the ops of all ranks --- */

static struct op_list lists[MAX_RANKS][MAX_STEPS];

static bool same_op(const struct op *a, const struct op *b)
{
    return a->times == b->times && a->bytes == b->bytes && a->peer == b->peer && a->tag == b->tag &&
           a->kernel == b->kernel && a->kind == b->kind && a->role == b->role && a->scope == b->scope &&
           a->mode == b->mode;
}

static bool same_list(const struct op_list *a, const struct op_list *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = same_op(&a->ops[i], &b->ops[i]);
    return same;
}

/* Asked again, backwards through time and ranks, a program says the same. */
static void check_pure(const struct program *program, int n_ranks, int64_t n_steps)
{
    for (int64_t step = n_steps - 1; step >= 0; step--)
        for (int rank = n_ranks - 1; rank >= 0; rank--)
            for (int times = 0; times < 2; times++) {
                struct op_list again;
                memset(&again, 0xa5, sizeof again);
                again.count = 0;
                again.places = NULL;
                expect("there is a step", program->app->emit(program->config, rank, step, &again), true);
                expect("asked again, the step is the same", same_list(&again, &lists[rank][step]), true);
            }
}

/* A step's ops are appended to what is in the list, and after the last step there is nothing. */
static void check_append(const struct program *program, int n_ranks, int64_t n_steps)
{
    static const int64_t beyond[] = {0, 1, 2, 1000, INT64_C(1) << 32, INT64_C(1) << 62};
    static const struct op first = {.kind = OP_WRITE, .bytes = 77, .tag = 78};
    for (int rank = 0; rank < n_ranks; rank++) {
        struct op_list list = {.count = 1, .ops = {first}};
        if (n_steps > 0) {
            program->app->emit(program->config, rank, 0, &list);
            expect("appended ops", list.count, lists[rank][0].count + 1);
            expect("the first appended op is the same", same_op(&list.ops[1], &lists[rank][0].ops[0]), true);
        }
        list.count = 1;
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
            expect("a step after the last", program->app->emit(program->config, rank, n_steps + beyond[i], &list),
                   false);
            expect("ops of a step after the last", list.count, 1);
        }
        expect("the op that was there is the same", same_op(&list.ops[0], &first), true);
    }
}

/* Properties of ops that the kernel takes for granted. */
static void check_ops(const struct program *program, int n_ranks, int64_t n_steps)
{
    int n_kernels = names_count(program->app->kernels), n_scopes = names_count(program->app->scopes);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int64_t step = 0; step < n_steps; step++)
            for (int i = 0; i < lists[rank][step].count; i++) {
                const struct op *op = &lists[rank][step].ops[i];
                expect("a kind", op->kind <= OP_BARRIER, true);
                expect("a scope", op->scope > 0 && op->scope < n_scopes, true);
                expect("the role", op->role, ROLE_USEFUL);
                expect("the tag", op->tag, 0);
                expect("no less than 0 bytes and times", op->bytes >= 0 && op->times >= 0, true);
                if (op->kind == OP_COMPUTE) {
                    expect("a kernel", op->kernel >= 0 && op->kernel < n_kernels, true);
                    expect("some work", op->times > 0, true);
                } else if (op->kind != OP_READ && op->kind != OP_WRITE && op->kind != OP_LINK_INIT) {
                    expect("a rank", op->peer >= 0 && op->peer < n_ranks, true);
                }
            }
}

/* Fill in `lists`; false, with a complaint, when the program has another number of steps. */
static bool list_all(const struct program *program, int n_ranks, int64_t n_steps)
{
    CU_ASSERT_FATAL(n_ranks <= MAX_RANKS && n_steps <= MAX_STEPS);
    for (int rank = 0; rank < n_ranks; rank++)
        for (int64_t step = 0; step < n_steps; step++) {
            lists[rank][step].count = 0;
            bool there = program->app->emit(program->config, rank, step, &lists[rank][step]);
            if (!expect("there is a step", there, true))
                return false;
        }
    check_ops(program, n_ranks, n_steps);
    check_pure(program, n_ranks, n_steps);
    check_append(program, n_ranks, n_steps);
    return true;
}

static bool is_collective(const struct op *op)
{
    return op->kind == OP_BROADCAST || op->kind == OP_SCATTER || op->kind == OP_GATHER || op->kind == OP_BARRIER;
}

/* The collectives of a rank's step, in order. */
static int collectives_of(const struct op_list *list, const struct op *found[OP_LIST_MAX])
{
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (is_collective(&list->ops[i]))
            found[count++] = &list->ops[i];
    return count;
}

static void check_agreement(int n_ranks, int64_t n_steps)
{
    for (int rank = 1; rank < n_ranks; rank++)
        for (int64_t step = 0; step < n_steps; step++) {
            const struct op *mine[OP_LIST_MAX], *first[OP_LIST_MAX];
            int count = collectives_of(&lists[rank][step], mine);
            if (!expect("collectives of a step", count, collectives_of(&lists[0][step], first)))
                continue;
            for (int i = 0; i < count; i++)
                expect("all ranks are in the same collective", same_op(mine[i], first[i]), true);
        }
}

/* --- Gauss-Jordan --- */

enum { ROWS_BLOCK, ROWS_CYCLIC, N_DEALS };
static const char *const deals[N_DEALS] = {"block", "cyclic"};

static const struct {
    enum op_kind kind;
    const char *scope;
} gauss_scopes[] = {
    {OP_COMPUTE, "elimination"},      {OP_READ, "distribution"},      {OP_WRITE, "collection"},
    {OP_LINK_INIT, "initialisation"}, {OP_BROADCAST, "broadcast"},    {OP_SCATTER, "distribution"},
    {OP_GATHER, "collection"},        {OP_BARRIER, "initialisation"},
};

static void check_gauss_scopes(const struct program *program, int n_ranks, int64_t n_steps)
{
    for (int rank = 0; rank < n_ranks; rank++)
        for (int64_t step = 0; step < n_steps; step++)
            for (int i = 0; i < lists[rank][step].count; i++)
                for (size_t g = 0; g < sizeof gauss_scopes / sizeof *gauss_scopes; g++)
                    if (lists[rank][step].ops[i].kind == gauss_scopes[g].kind)
                        expect_text("a scope", program->app->scopes[lists[rank][step].ops[i].scope],
                                    gauss_scopes[g].scope);
}

/* The owner of each row, by handing the rows out one at a time: in turn, or to one rank until it has its fill. */
static void hand_out(int *owner, int n, int p, int deal)
{
    int fill[MAX_RANKS] = {0};
    for (int k = 0; k < n; k++)
        fill[k % p]++;
    for (int k = 0, rank = 0; k < n; k++) {
        while (deal == ROWS_BLOCK && fill[rank] == 0)
            rank++;
        owner[k] = deal == ROWS_BLOCK ? rank : k % p;
        fill[owner[k]]--;
    }
}

/* The iterations of a kernel by a rank in a step. */
static int64_t work_of(const struct program *program, int rank, int64_t step, const char *kernel)
{
    int64_t times = 0;
    for (int i = 0; i < lists[rank][step].count; i++) {
        const struct op *op = &lists[rank][step].ops[i];
        if (op->kind == OP_COMPUTE && strcmp(program->app->kernels[op->kernel], kernel) == 0)
            times += op->times;
    }
    return times;
}

/* The sum of the field of all ops of a kind in a step: of a rank, or of all ranks when rank is -1. */
static int64_t sum_of(int n_ranks, int rank, int64_t step, enum op_kind kind, bool bytes)
{
    int64_t sum = 0;
    for (int r = 0; r < n_ranks; r++)
        for (int i = 0; i < lists[r][step].count; i++)
            if ((rank < 0 || rank == r) && lists[r][step].ops[i].kind == kind)
                sum += bytes ? lists[r][step].ops[i].bytes : lists[r][step].ops[i].times;
    return sum;
}

static void check_gauss_totals(const struct program *program, int n, int p)
{
    const struct {
        const char *kernel;
        int64_t times;
    } totals[] = {{"gj.rsub", (int64_t)n * (n * n - 1) / 2},
                  {"gj.norm", (int64_t)n * (n + 1) / 2},
                  {"gj.set", (int64_t)n * (n - 1)},
                  {"gj.inv", n},
                  {"gj.buf", n}};
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++) {
        int64_t sum = 0;
        for (int rank = 0; rank < p; rank++)
            for (int64_t step = 0; step < n + 2; step++)
                sum += work_of(program, rank, step, totals[t].kernel);
        expect(totals[t].kernel, sum, totals[t].times);
    }
}

/* Step k + 1: the owner of row k inverts and normalizes before the broadcast, all subtract after it. */
static void check_elimination(const struct program *program, int n, int p, const int *owner, int k)
{
    for (int rank = 0; rank < p; rank++) {
        const struct op_list *list = &lists[rank][k + 1];
        const struct op *broadcast[OP_LIST_MAX];
        int rows = 0;
        for (int r = 0; r < n; r++)
            rows += owner[r] == rank && r != k;
        expect("inv", work_of(program, rank, k + 1, "gj.inv"), owner[k] == rank);
        expect("norm", work_of(program, rank, k + 1, "gj.norm"), owner[k] == rank ? n - k : 0);
        expect("set", work_of(program, rank, k + 1, "gj.set"), rows);
        expect("rsub", work_of(program, rank, k + 1, "gj.rsub"), rows * (n - k));
        if (!expect("collectives of a step", collectives_of(list, broadcast), 1))
            continue;
        expect("a broadcast", broadcast[0]->kind, OP_BROADCAST);
        expect("its root", broadcast[0]->peer, owner[k]);
        expect("its length", broadcast[0]->bytes, (n + 1) * 8);
        expect("ops before it", broadcast[0] - list->ops, owner[k] == rank ? 2 : 0);
        for (int i = 0; i < list->count; i++)
            expect("work or a broadcast", list->ops[i].kind == OP_COMPUTE || &list->ops[i] == broadcast[0], true);
    }
}

/* One collective of the step; what it deals is the problem's. */
static void check_dealt(int rank, int64_t step, enum op_kind kind, int root, int64_t blocks, int64_t block_bytes)
{
    int count = 0;
    for (int i = 0; i < lists[rank][step].count; i++) {
        const struct op *op = &lists[rank][step].ops[i];
        if (op->kind != kind)
            continue;
        expect("the root of a scatter or gather", op->peer, root);
        expect("its blocks", op->blocks, blocks);
        expect("the length of a block", op->bytes, block_bytes);
        count++;
    }
    expect("scatters or gathers", count, 1);
}

static void check_ends(const struct program *program, int n, const struct placement *placement, const int *owner)
{
    int p = placement->n_ranks, root = placement->root;
    int64_t matrix_bytes = (int64_t)(n + 1) * (n + 1) * 8, links = p > 1 ? placement_link_count(placement) : 0;
    const struct op *found[OP_LIST_MAX];
    for (int rank = 0; rank < p; rank++) {
        int rows = 0;
        for (int r = 0; r < n; r++)
            rows += owner[r] == rank;
        expect("input", sum_of(p, rank, 0, OP_READ, true), rank == root ? matrix_bytes : 0);
        expect("links initialised", sum_of(p, rank, 0, OP_LINK_INIT, false), rank == root ? links : 0);
        expect("collectives at the start", collectives_of(&lists[rank][0], found), 2);
        expect("the first is a barrier", found[0]->kind, OP_BARRIER);
        check_dealt(rank, 0, OP_SCATTER, root, n, (n + 1) * 8);
        expect("buf", work_of(program, rank, n + 1, "gj.buf"), rows);
        expect("collectives at the end", collectives_of(&lists[rank][n + 1], found), 1);
        check_dealt(rank, n + 1, OP_GATHER, root, n, 8);
        expect("output", sum_of(p, rank, n + 1, OP_WRITE, true), rank == root ? n * 8 : 0);
        for (int64_t step = 1; step <= n; step++)
            expect("I/O in between", sum_of(p, rank, step, OP_READ, true) + sum_of(p, rank, step, OP_WRITE, true), 0);
    }
}

static void run_gauss(int n, int p, int deal, enum root_place root)
{
    char n_text[16];
    struct program program;
    struct placement placement;
    int owner[MAX_N];
    snprintf(n_text, sizeof n_text, "%d", n);
    snprintf(row, sizeof row, "gauss-jordan, n = %d, %d ranks, rows %s, root %s", n, p, deals[deal],
             root_place_names[root]);
    place(&placement, &mesh, p, root);
    const struct setting settings[] = {{"n", n_text}, {"rows", deals[deal]}};
    start(&program, "gauss-jordan", settings, 2, &placement);
    hand_out(owner, n, p, deal);
    if (list_all(&program, p, n + 2)) {
        check_agreement(p, n + 2);
        check_gauss_scopes(&program, p, n + 2);
        check_gauss_totals(&program, n, p);
        for (int k = 0; k < n; k++)
            check_elimination(&program, n, p, owner, k);
        check_ends(&program, n, &placement, owner);
    }
    program_dispose(&program);
}

static const int rank_counts[] = {1, 2, 3, 4, 7, 16, 20};
enum { N_RANK_COUNTS = sizeof rank_counts / sizeof *rank_counts };

static void test_gauss_jordan(void)
{
    static const int sizes[] = {1, 2, 5, 16, 17};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int c = 0; c < N_RANK_COUNTS; c++)
            for (int deal = 0; deal < N_DEALS; deal++)
                for (int root = ROOT_EDGE; root <= ROOT_CENTRE; root++)
                    run_gauss(sizes[s], rank_counts[c], deal, (enum root_place)root);
    CU_PASS("all sizes have been run");
}

/* The work of the largest matrix on the most ranks fits into its field, too: the last row's owner has the most. */
static void test_large_gauss(void)
{
    enum { N = 16384, P = 128 };
    static const struct setting settings[] = {{"n", "16384"}, {"rows", "block"}};
    struct program program;
    struct placement placement;
    struct op_list list = {.count = 0};
    int64_t rsub = 0;
    place(&placement, &mesh, P, ROOT_EDGE);
    start(&program, "gauss-jordan", settings, 2, &placement);
    for (int rank = 0; rank < P; rank++)
        for (int64_t step = 1; step <= N; step += N - 1) { /* the first and the last */
            list.count = 0;
            CU_ASSERT_TRUE(program.app->emit(program.config, rank, step, &list));
            for (int i = 0; i < list.count; i++)
                if (list.ops[i].kind == OP_COMPUTE && strcmp(program.app->kernels[list.ops[i].kernel], "gj.rsub") == 0)
                    rsub += list.ops[i].times;
        }
    CU_ASSERT_EQUAL(rsub, (int64_t)(N - 1) * N + (N - 1));
    program_dispose(&program);
}

/* --- ring --- */

static void run_ring(int p, int64_t rounds, const char *bytes_text, int64_t bytes, enum send_mode mode,
                     const struct machine *machine)
{
    char rounds_text[16];
    struct program program;
    struct placement placement;
    snprintf(rounds_text, sizeof rounds_text, "%" PRId64, rounds);
    snprintf(row, sizeof row, "ring, %d ranks of %s, %s rounds of %s, %s", p, machine->name, rounds_text, bytes_text,
             send_mode_names[mode]);
    place(&placement, machine, p, ROOT_EDGE);
    const struct setting settings[] = {{"rounds", rounds_text}, {"bytes", bytes_text}, {"mode", send_mode_names[mode]}};
    start(&program, "ring", settings, 3, &placement);
    int64_t n_steps = p == 1 ? 0 : rounds; /* one rank alone has nobody to send to */
    if (list_all(&program, p, n_steps))
        for (int rank = 0; rank < p; rank++)
            for (int64_t step = 0; step < n_steps; step++) {
                const struct op *ops = lists[rank][step].ops;
                const int next = rank == p - 1 ? 0 : rank + 1, previous = rank == 0 ? p - 1 : rank - 1;
                if (!expect("ops of a round", lists[rank][step].count, 2))
                    continue;
                expect("a send and a receive", ops[0].kind == OP_SEND && ops[1].kind == OP_RECV, true);
                expect("the receiver", ops[0].peer, next);
                expect("the sender", ops[1].peer, previous);
                expect("the lengths", ops[0].bytes == bytes && ops[1].bytes == bytes, true);
                expect("the mode", ops[0].mode, (int64_t)mode);
                expect_text("the scope", program.app->scopes[ops[0].scope], "shift");
                expect_text("the scope", program.app->scopes[ops[1].scope], "shift");
            }
    program_dispose(&program);
}

static void test_ring(void)
{
    for (int c = 0; c < N_RANK_COUNTS; c++)
        for (int64_t rounds = 1; rounds <= MAX_STEPS; rounds += 6)
            for (int mode = SEND_STANDARD; mode <= SEND_SYNCHRONOUS; mode++) {
                run_ring(rank_counts[c], rounds, "0", 0, (enum send_mode)mode, &mesh);
                run_ring(rank_counts[c], rounds, "1KiB", 1024, (enum send_mode)mode, &cluster);
                run_ring(rank_counts[c], rounds, "1024GiB", INT64_C(1) << 40, (enum send_mode)mode, &mesh);
            }
    CU_PASS("all rings have been shifted");
}

/* --- broadcast --- */

static void run_broadcast(int p, int64_t rounds, const char *bytes_text, int64_t bytes, enum root_place root)
{
    char rounds_text[16];
    struct program program;
    struct placement placement;
    snprintf(rounds_text, sizeof rounds_text, "%" PRId64, rounds);
    snprintf(row, sizeof row, "broadcast, %d ranks, %s rounds of %s, root %s", p, rounds_text, bytes_text,
             root_place_names[root]);
    place(&placement, &mesh, p, root);
    const struct setting settings[] = {{"rounds", rounds_text}, {"bytes", bytes_text}};
    start(&program, "broadcast", settings, 2, &placement);
    if (list_all(&program, p, rounds)) {
        check_agreement(p, rounds);
        for (int rank = 0; rank < p; rank++)
            for (int64_t step = 0; step < rounds; step++) {
                const struct op *op = &lists[rank][step].ops[0];
                if (!expect("ops of a round", lists[rank][step].count, 1))
                    continue;
                expect("a broadcast", op->kind, OP_BROADCAST);
                expect("its root", op->peer, placement.root);
                expect("its length", op->bytes, bytes);
                expect_text("its scope", program.app->scopes[op->scope], "broadcast");
            }
    }
    program_dispose(&program);
}

static void test_broadcast(void)
{
    for (int c = 0; c < N_RANK_COUNTS; c++)
        for (int64_t rounds = 1; rounds <= MAX_STEPS; rounds += 6)
            for (int root = ROOT_EDGE; root <= ROOT_CENTRE; root++) {
                run_broadcast(rank_counts[c], rounds, "0", 0, (enum root_place)root);
                run_broadcast(rank_counts[c], rounds, "2056", 2056, (enum root_place)root);
            }
    CU_PASS("all broadcasts have been made");
}

/* --- how broadcasts are done --- */

static const struct {
    const char *app, *broadcast, *order, *segment, *mode; /* NULL: the default */
    const char *expected;
    enum flat_order expected_order;
    int64_t expected_segment;
    enum send_mode expected_mode;
} option_rows[] = {
    {"gauss-jordan", NULL, NULL, NULL, NULL, "neighbour", ORDER_RANK, 512, SEND_STANDARD},
    {"gauss-jordan", "flat", NULL, NULL, NULL, "flat", ORDER_RANK, 512, SEND_SYNCHRONOUS},
    {"gauss-jordan", "flat", NULL, NULL, "auto", "flat", ORDER_RANK, 512, SEND_SYNCHRONOUS},
    {"gauss-jordan", "flat", NULL, NULL, "standard", "flat", ORDER_RANK, 512, SEND_STANDARD},
    {"gauss-jordan", "flat", "reverse", "1", "synchronous", "flat", ORDER_REVERSE, 1, SEND_SYNCHRONOUS},
    {"gauss-jordan", "chain", "upward", "64KiB", NULL, "chain", ORDER_UPWARD, 65536, SEND_STANDARD},
    {"gauss-jordan", NULL, NULL, NULL, "synchronous", "neighbour", ORDER_RANK, 512, SEND_SYNCHRONOUS},
    {"broadcast", NULL, NULL, NULL, NULL, "binomial", ORDER_RANK, 512, SEND_STANDARD},
    {"broadcast", "flat", NULL, NULL, "auto", "flat", ORDER_RANK, 512, SEND_STANDARD},
    {"broadcast", "chain_segmented", "downward", "100", "standard", "chain_segmented", ORDER_DOWNWARD, 100,
     SEND_STANDARD},
    {"broadcast", "neighbour", "rank", NULL, "synchronous", "neighbour", ORDER_RANK, 512, SEND_SYNCHRONOUS},
};

static void test_options(void)
{
    struct placement placement;
    place(&placement, &mesh, 4, ROOT_EDGE);
    for (size_t i = 0; i < sizeof option_rows / sizeof *option_rows; i++) {
        const char *const given[][2] = {{"broadcast", option_rows[i].broadcast},
                                        {"broadcast_order", option_rows[i].order},
                                        {"broadcast_segment", option_rows[i].segment},
                                        {"broadcast_mode", option_rows[i].mode}};
        struct setting settings[5];
        struct program program;
        int n = 0;
        for (int g = 0; g < 4; g++)
            if (given[g][1] != NULL)
                settings[n++] = (struct setting){given[g][0], given[g][1]};
        if (strcmp(option_rows[i].app, "gauss-jordan") == 0)
            settings[n++] = (struct setting){"n", "4"};
        snprintf(row, sizeof row, "options, row %zu", i);
        start(&program, option_rows[i].app, settings, n, &placement);
        expect_text("the broadcast", program.collectives.broadcast->name, option_rows[i].expected);
        expect("the order", (int64_t)program.collectives.order, (int64_t)option_rows[i].expected_order);
        expect("the segment", program.collectives.segment_bytes, option_rows[i].expected_segment);
        expect("the mode", (int64_t)program.collectives.mode, (int64_t)option_rows[i].expected_mode);
        program_dispose(&program);
    }
    CU_PASS("all options have been set");
}

/* A broadcast among neighbors asks for all routes where there is no mesh, and is refused on too many hosts. */
static void test_no_mesh(void)
{
    static const char *const message =
        "parameter 'broadcast': 'neighbour' on 1025 hosts; at most 1024 where the machine is not a mesh";
    static const int sizes[] = {4, 1024, 1025};
    const struct machine large = {.name = (char[]){"large"}, .net = &(struct interconnect){.n_hosts = 2000}};
    const struct app_spec *app = app_find(app_specs, "broadcast");
    CU_ASSERT_PTR_NOT_NULL_FATAL(app);
    for (int b = 0; coll_broadcasts[b] != NULL; b++)
        for (int s = 0; s < 3 && !coll_broadcasts[b]->of_all_ranks; s++) {
            const struct setting settings[] = {{"broadcast", coll_broadcast_names[b]}};
            bool refused = coll_broadcasts[b]->asks_placement && sizes[s] > 1024;
            int64_t values[MAX_PARAMS];
            struct placement placement;
            struct program program = {.config = NULL};
            struct sim_error error = {.message = ""};
            place(&placement, &large, sizes[s], ROOT_EDGE);
            snprintf(row, sizeof row, "no mesh, %s, %d hosts", coll_broadcast_names[b], sizes[s]);
            set_values(values, app, settings, 1);
            expect("the result", program_init(&program, app, values, &placement, &error), refused ? -1 : 0);
            if (refused) {
                expect("the status", (int64_t)error.status, SIM_BAD_INPUT);
                expect("the program is as it was", program.app == NULL && program.config == NULL, true);
                expect_text("the message", error.message, message);
            }
            program_dispose(&program);
        }
    CU_PASS("all broadcasts have been tried");
}

static void test_tables(void)
{
    int n = 0;
    for (; app_specs[n] != NULL; n++) {
        const struct app_spec *app = app_specs[n];
        snprintf(row, sizeof row, "%s", app->name);
        expect("it is found by its name", app_find(app_specs, app->name) == app, true);
        /* An application whose setup chooses another one has no steps of its own. */
        expect("it is complete", app->summary != NULL && app->setup != NULL, true);
        expect("it has both kinds of steps", app->emit != NULL && app->emit_shared != NULL, false);
        expect("it has scopes", app->scopes != NULL, true);
        expect_text("the first scope", app->scopes[0], "");
        for (int i = 0; i < app->n_params; i++)
            expect("a parameter is found by its name", param_find(app->params, app->n_params, app->params[i].name), i);
        expect("something is the problem", (app->problem != NULL && app->problem[0] != NULL) || app->open_input != NULL,
               true);
        for (int i = 0; app->problem != NULL && app->problem[i] != NULL; i++)
            expect("the problem is a parameter", param_find(app->params, app->n_params, app->problem[i]) >= 0, true);
    }
    CU_ASSERT(n >= 3);
    CU_ASSERT_STRING_EQUAL(broadcast_mode_names[0], "auto");
    CU_ASSERT_STRING_EQUAL(broadcast_mode_names[1 + SEND_STANDARD], send_mode_names[SEND_STANDARD]);
    CU_ASSERT_STRING_EQUAL(broadcast_mode_names[1 + SEND_SYNCHRONOUS], send_mode_names[SEND_SYNCHRONOUS]);
    CU_ASSERT_PTR_NULL(broadcast_mode_names[3]);
    CU_ASSERT_PTR_NULL(app_find(app_specs, "gauss_jordan"));
    CU_ASSERT_TRUE(app_is_problem(app_find(app_specs, "jacobi"), "columns"));
    CU_ASSERT_FALSE(app_is_problem(app_find(app_specs, "gauss-jordan"), "rows"));
    CU_ASSERT_FALSE(app_is_problem(&(struct app_spec){.name = "none"}, "n"));
    CU_ASSERT_PTR_NULL(app_find(app_specs, ""));
}

int main(void)
{
    static const struct test tests[] = {
        {"tables", test_tables},
        {"gauss-jordan", test_gauss_jordan},
        {"the largest gauss-jordan", test_large_gauss},
        {"ring", test_ring},
        {"broadcast", test_broadcast},
        {"how broadcasts are done", test_options},
        {"no mesh", test_no_mesh},
        {NULL, NULL},
    };
    return testing_run("apps", tests);
}
