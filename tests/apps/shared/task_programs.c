/* Traveling salesman, quicksort, Gauss-Jordan elimination and matrix product in shared memory: every read proved to
 * see the last write before it, with every number of ranks and every variant of the protocol; the work independent of
 * both; and, by an interpreter that lets ranks take turns at random, every task done exactly once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "apps/replay/list.h"
#include "sim/program/dsm_options.h"
#include "sim/simulate.h"

#include <stdlib.h>

enum { MOST_RANKS = 8, N_VARIANTS = 6, MOST_VALUES = 10, N_ORDERS = 50 };

extern const struct app_spec app_tsp, app_quicksort, app_gauss_shared, app_matmul_shared, app_dsm_vs_mpi;

/* Small problems: the values of the parameters before those of the protocol. */
static const struct problem {
    const struct app_spec *app;
    int64_t values[MOST_VALUES];
} problems[] = {
    {&app_tsp, {9, 5, 40, 20000, 1}},
    {&app_tsp, {12, 8, 100, 20000, 2}},
    {&app_tsp, {7, 3, 1, 1, 3}},
    {&app_quicksort, {3000, 50, 1}},
    {&app_quicksort, {500, 2, 2}},
    {&app_quicksort, {10, 100, 3}},
    {&app_quicksort, {1, 2, 4}},
    {&app_gauss_shared, {23, 1, 8}},
    {&app_gauss_shared, {23, 0, 256}},
    {&app_gauss_shared, {3, 1, 64}},
    {&app_matmul_shared, {17}},
    {&app_matmul_shared, {3}},
    {&app_dsm_vs_mpi, {1, 1, 20, 1, 64, 0, 0, 512, 0}},
};
enum { N_PROBLEMS = sizeof problems / sizeof problems[0] };

static int init(struct program *program, const struct problem *problem, const struct placement *placement, int variant)
{
    struct sim_error error;
    int n = problem->app->n_params;
    int64_t values[MOST_VALUES + N_DSM_PARAMS];
    memcpy(values, problem->values, sizeof problem->values);
    values[n - 4] = variant;
    values[n - 3] = 3000; /* garbage is collected now and then */
    values[n - 2] = 1;
    values[n - 1] = DSM_PREFETCH_HISTORY;
    return program_init(program, problem->app, values, placement, &error);
}

/* ---- simulated ---- */

static void take(void *self, const struct interval *interval)
{
    if (interval->kind == INTERVAL_COMPUTE && interval->state == STATE_USEFUL)
        *(int64_t *)self += interval->end_ps - interval->start_ps;
}

/* The useful time of a run, all ranks together; -1 if it fails. */
static int64_t useful_ps(const struct problem *problem, int n_ranks, int variant)
{
    struct sim_error error;
    struct placement placement;
    struct program program;
    struct kernel_stats stats;
    int64_t useful = 0;
    const struct interval_sink sink = {.take = take, .self = &useful};
    const struct placement_request request = {.n_ranks = n_ranks, .ranks_per_host = 1};
    if (placement_init(&placement, &request, &machine, &error) != 0 ||
        init(&program, problem, &placement, variant) != 0)
        return -1;
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named("fifo"),
                                   .sinks = &sink,
                                   .n_sinks = 1};
    int status = simulate_run(&stats, &run, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    program_dispose(&program);
    return status == 0 ? useful : -1;
}

static int check_problems(const void *argument)
{
    (void)argument;
    int failures = 0, number = 0;
    for (int i = 0; i < N_PROBLEMS; i++) {
        int64_t alone = useful_ps(&problems[i], 1, 0);
        for (int n = 1; n <= MOST_RANKS; n++)
            for (int variant = 0; variant < N_VARIANTS; variant++) {
                if (number++ % testing_one_in() != 0)
                    continue;
                int64_t useful = useful_ps(&problems[i], n, variant);
                if (useful == alone && alone >= 0)
                    continue;
                fprintf(stderr, "problem %d, %d ranks, %s: %" PRId64 " ps of work instead of %" PRId64 "\n", i, n,
                        dsm_variant_names[variant], useful, alone);
                failures++;
            }
    }
    return failures;
}

static void test_every_read_sees_the_last_write(void)
{
    static const char *const kernels[] = {"tsp.visit", "tsp.bound", "qs.partition", "qs.bubble", "qs.poll", "gj.inv",
                                          "gj.norm",   "gj.set",    "gj.rsub",      "gj.buf",    NULL};
    char props[4096] =
        "<prop id='kernel.dgemm' value='poly mnk=40ns'/>" TESTING_DSM_PROPS("256B"); /* a cycle is 1 ps */
    for (int i = 0; kernels[i] != NULL; i++)
        snprintf(props + strlen(props), sizeof props - strlen(props), "<prop id='kernel.%s' value='cpu=%d'/>",
                 kernels[i], i == 4 ? 200000000 : 300000 + i);
    char *text = star_platform(props, MOST_RANKS, (struct wire_row){12.5e6, 10000});
    CU_ASSERT_EQUAL(on_platform(text, check_problems, NULL), 0);
}

/* ---- interpreted ---- */

enum { MOST_WORDS = 4096 };

/* Work done in a run, by any rank. */
static struct {
    int64_t seen[MOST_RANKS], step[MOST_RANKS], counters[4], stacks[4][MOST_WORDS];
    int barriers[MOST_RANKS];
    bool ended[MOST_RANKS];
    int64_t times[8], count[8]; /* by kernel */
    int written[MOST_WORDS];    /* words, in the scope that is looked at */
} world;

static void interpret(int rank, const struct op *op, int scope)
{
    if (op->kind == OP_FETCH_ADD) {
        world.seen[rank] = world.counters[op->counter];
        world.counters[op->counter] += op->value;
    } else if (op->kind == OP_PUSH) {
        world.stacks[op->counter][world.counters[op->counter]++] = op->value;
    } else if (op->kind == OP_POP) {
        int64_t *depth = &world.counters[op->counter];
        world.seen[rank] = *depth > 0 ? world.stacks[op->counter][--*depth] : -1;
    } else if (op->kind == OP_COMPUTE) {
        world.count[op->kernel]++;
        world.times[op->kernel] += op->times;
    } else if (op->kind == OP_PAGE_WRITE && op->scope == scope) {
        for (int64_t word = op->address / 4; word < (op->address + op->bytes) / 4; word++)
            world.written[word]++;
    } else if (op->kind == OP_BARRIER) {
        world.barriers[rank]++;
    }
}

/* Nobody is at a barrier that others have not come to. */
static bool may_go_on(int rank, int n_ranks)
{
    for (int other = 0; other < n_ranks; other++)
        if (world.barriers[other] < world.barriers[rank])
            return false;
    return !world.ended[rank];
}

/* Step by step, ranks in an order drawn at random; false when somebody does not end. */
static bool interpret_all(const struct program *program, int n_ranks, int scope, unsigned order)
{
    memset(&world, 0, sizeof world);
    for (int64_t turn = 0, n_ended = 0; n_ended < n_ranks; turn++) {
        order = order * 1664525 + 1013904223;
        int rank = (int)(order >> 16) % n_ranks;
        struct op_list list = {.count = 0};
        if (turn > 2000000)
            return false;
        if (!may_go_on(rank, n_ranks))
            continue;
        int64_t step = world.step[rank]++;
        world.ended[rank] = !program->app->emit_shared(program->config, rank, step, world.seen[rank], &list);
        n_ended += world.ended[rank];
        for (int i = 0; i < list.count; i++)
            interpret(rank, &list.ops[i], scope);
    }
    return true;
}

static void test_every_element_is_sorted_once(void)
{
    const struct problem problem = {&app_quicksort, {2000, 40, 1}};
    enum { SCOPE_BUBBLE = 3, FIRST_WORD = 4104 / 4, KERNEL_BUBBLE = 1 };
    for (int i = 0; i < N_ORDERS; i++) {
        const struct placement placement = {.n_ranks = 1 + i % MOST_RANKS};
        struct program program;
        CU_ASSERT_EQUAL_FATAL(init(&program, &problem, &placement, 0), 0);
        CU_ASSERT_TRUE(interpret_all(&program, placement.n_ranks, SCOPE_BUBBLE, (unsigned)i));
        int wrong = 0;
        for (int word = 0; word < 2000; word++)
            wrong += world.written[FIRST_WORD + word] != 1;
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_TRUE(world.count[KERNEL_BUBBLE] > 2000 / 40);
        program_dispose(&program);
    }
}

/* The first partition of the program's own order, which the C library's lrand48() gives. */
static void test_first_partition(void)
{
    enum { N = 5000, FIRST_WORD = 4104 / 4, STEP = 3, FIRST_PART_BIT = 40, SCOPE_PARTITION = 2 };
    const struct problem problem = {&app_quicksort, {N, 1024, 0x1234ABCD}};
    const struct placement placement = {.n_ranks = 1};
    struct program program;
    struct op_list list = {.count = 0};
    int64_t values[N], pivot, exchanges = 1, written[2] = {0};
    srand48(0x1234ABCD); /* what lrand48() begins with if nobody sets it, in BSD and System V */
    for (int i = 0; i < N; i++)
        values[i] = i;
    for (int i = 0; i < N; i++) {
        int other = i + (int)(lrand48() % (N - i));
        int64_t value = values[i];
        values[i] = values[other];
        values[other] = value;
    }
    pivot = values[0] > values[1] ? values[0] : values[1]; /* and so many are less */
    values[0] = values[N - 1];                             /* the ends are exchanged first, whatever they are */
    for (int i = 0; i < pivot; i++)
        exchanges += values[i] >= pivot;
    CU_ASSERT_EQUAL_FATAL(init(&program, &problem, &placement, 0), 0);
    program.app->emit_shared(program.config, 0, STEP, INT64_C(1) << FIRST_PART_BIT, &list);
    for (int i = 0; i < list.count; i++)
        if (list.ops[i].kind == OP_PAGE_WRITE && list.ops[i].scope == SCOPE_PARTITION)
            written[list.ops[i].address / 4 - FIRST_WORD >= pivot] += list.ops[i].bytes / 4 * list.ops[i].pieces;
    CU_ASSERT_EQUAL(written[0], exchanges);
    CU_ASSERT_EQUAL(written[1], exchanges);
    program_dispose(&program);
}

/* Weights, four numbers, the best tour, three locks; 5000 entries of the queue and the stack; and tours of 32 cities,
 * a byte each, and five numbers. */
static void test_tours_in_memory(void)
{
    const struct problem problem = {&app_tsp, {12, 8, 100, 123456, 2}};
    const struct placement placement = {.n_ranks = 2};
    struct program program;
    CU_ASSERT_EQUAL_FATAL(init(&program, &problem, &placement, 0), 0);
    CU_ASSERT_EQUAL(program.dsm.shared_bytes, 4096 + 16 + 32 + 12 + 5000 * (8 + 4 + 52));
    program_dispose(&program);
}

static void test_every_tour_is_completed_once(void)
{
    const struct problem problem = {&app_tsp, {12, 8, 100, 123456, 2}};
    for (int i = 0; i < N_ORDERS; i++) {
        const struct placement placement = {.n_ranks = 1 + i % MOST_RANKS};
        struct program program;
        CU_ASSERT_EQUAL_FATAL(init(&program, &problem, &placement, 0), 0);
        CU_ASSERT_TRUE(interpret_all(&program, placement.n_ranks, -1, (unsigned)i));
        CU_ASSERT_EQUAL(world.times[0], 123456);
        CU_ASSERT_EQUAL(world.count[0], 100);
        CU_ASSERT_EQUAL(world.counters[0], 100 + placement.n_ranks);
        program_dispose(&program);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"every read sees the last write, the work is the same", test_every_read_sees_the_last_write},
        {"every element is sorted once", test_every_element_is_sorted_once},
        {"the first partition", test_first_partition},
        {"every tour is completed once", test_every_tour_is_completed_once},
        {"tours in memory", test_tours_in_memory},
        {NULL, NULL},
    };
    return testing_run("dsm_apps_b", tests);
}
