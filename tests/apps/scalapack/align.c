/* Two matrices aligned and multiplied: by a small interpreter without a clock in which every send waits for its
 * receive, who moves how much and that it ends; what fits into the memory of a host, against arithmetic by hand; and
 * the decision of figure 6 of Caron02.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "sim/platform/platform.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct app_spec *app;

/* --- the program --- */

enum { MAX_SIDE = 3, MAX_RANKS = 2 * MAX_SIDE * MAX_SIDE + 2, MAX_SIZE = 40, N_PARAMS = 9 };
enum {
    SCOPE_MOVE_B = 1,
    SCOPE_MOVE_A,
    SCOPE_BROADCAST_A,
    SCOPE_BROADCAST_B,
    SCOPE_MULTIPLICATION,
    SCOPE_TRANSPOSITION,
    SCOPE_ACCUMULATION,
    N_SCOPES
};
enum { A, B, PRODUCT };

/* The case that runs: grids of A, of B and of the product as rows x columns. */
static struct row {
    int64_t m, n, k, block;
    int grids[3][2];
    int64_t algorithm;
    int n_ranks;
} row;

static bool expect(const char *what, int a, int b, int64_t found, int64_t good)
{
    static int complaints;
    if (found == good || complaints++ >= 20)
        return found == good;
    fprintf(stderr,
            "\n  %" PRId64 " x %" PRId64 " x %" PRId64 ", blocks of %" PRId64 ", %dx%d and %dx%d to %dx%d, %d ranks, "
            "algorithm %" PRId64 ": %s (%d, %d): %" PRId64 " instead of %" PRId64,
            row.m, row.n, row.k, row.block, row.grids[A][0], row.grids[A][1], row.grids[B][0], row.grids[B][1],
            row.grids[PRODUCT][0], row.grids[PRODUCT][1], row.n_ranks, row.algorithm, what, a, b, found, good);
    CU_FAIL("an alignment is wrong");
    return false;
}

static int64_t shape_of(int grid)
{
    return PARAM_MESH_PACK(row.grids[grid][0], row.grids[grid][1]);
}

static int size_of(int grid)
{
    return row.grids[grid][0] * row.grids[grid][1];
}

/* The rank on which a grid begins, by the rule that the application states. */
static int first_of(int grid)
{
    bool on_b = shape_of(PRODUCT) == shape_of(B) && shape_of(PRODUCT) != shape_of(A);
    return grid == B || (grid == PRODUCT && on_b) ? size_of(A) : 0;
}

static int init_row(struct program *program, struct sim_error *error)
{
    static const char *const names[] = {"size", "m", "n", "k", "block", "grid_a", "grid_b", "grid", "algorithm"};
    const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
    const int64_t given[] = {
        1, row.m, row.n, row.k, row.block, shape_of(A), shape_of(B), shape_of(PRODUCT), row.algorithm};
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

static struct rank {
    int64_t step;
    int done;
    struct op_list list; /* of the step before */
    bool ended;
    int64_t multiplied; /* sum of m n k */
} ranks[MAX_RANKS];

static int64_t moved[N_SCOPES][MAX_RANKS][MAX_RANKS]; /* elements, by scope */

static void compute(int rank, const struct op *op)
{
    ranks[rank].multiplied += (int64_t)op->m * op->n * op->k;
    expect("its scope is the multiplication", rank, op->scope, op->scope, SCOPE_MULTIPLICATION);
}

/* Have the rank's next op that needs another rank; false when its program has ended. Asked again, a step is the
 * same. */
static bool fetch(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    while (!self->ended) {
        for (; self->done < self->list.count; self->done++) {
            if (self->list.ops[self->done].kind != OP_COMPUTE)
                return true;
            compute(rank, &self->list.ops[self->done]);
        }
        struct op_list again = {.count = 0};
        self->list.count = self->done = 0;
        self->ended = !app->emit(program->config, rank, self->step, &self->list);
        expect("asked again, it ends", rank, (int)self->step, !app->emit(program->config, rank, self->step, &again),
               self->ended);
        expect("asked again, ops", rank, (int)self->step, again.count, self->list.count);
        for (int i = 0; i < self->list.count; i++)
            expect("asked again, its peer", rank, i, again.ops[i].peer, self->list.ops[i].peer);
        self->step++;
    }
    return false;
}

/* Do the rank's op with its peer if that one has come to it too. */
static bool advance(const struct program *program, int rank)
{
    struct rank *self = &ranks[rank];
    if (!fetch(program, rank))
        return false;
    const struct op *op = &self->list.ops[self->done];
    if (!expect("its peer is another rank", rank, op->peer, op->peer >= 0 && op->peer < row.n_ranks && op->peer != rank,
                true) ||
        !fetch(program, op->peer))
        return false;
    struct rank *peer = &ranks[op->peer];
    const struct op *other = &peer->list.ops[peer->done];
    if (op->kind != OP_SEND || other->kind != OP_RECV || other->peer != rank)
        return false;
    expect("bytes received", rank, op->peer, other->bytes, op->bytes);
    expect("scope of the other side", rank, op->peer, other->scope, op->scope);
    moved[op->scope][rank][op->peer] += op->bytes / 8;
    self->done++;
    peer->done++;
    return true;
}

static void interpret(const struct program *program)
{
    memset(ranks, 0, sizeof ranks);
    memset(moved, 0, sizeof moved);
    for (bool any = true; any;) {
        any = false;
        for (int rank = 0; rank < row.n_ranks; rank++)
            while (advance(program, rank))
                any = true;
    }
}

/* --- what is expected --- */

static int owner_of(int grid, int64_t i, int64_t j)
{
    int64_t down = i / row.block % row.grids[grid][0], across = j / row.block % row.grids[grid][1];
    return first_of(grid) + (int)(down * row.grids[grid][1] + across);
}

/* Element by element; what stays on its rank is not sent. */
static void check_moved(int scope, int grid, int64_t n_rows, int64_t n_columns)
{
    static int64_t expected[MAX_RANKS][MAX_RANKS];
    memset(expected, 0, sizeof expected);
    for (int64_t i = 0; i < n_rows; i++)
        for (int64_t j = 0; j < n_columns; j++)
            expected[owner_of(grid, i, j)][owner_of(PRODUCT, i, j)]++;
    for (int from = 0; from < row.n_ranks; from++)
        for (int to = 0; to < row.n_ranks; to++)
            expect(app->scopes[scope], from, to, moved[scope][from][to], from == to ? 0 : expected[from][to]);
}

static int64_t sum_moved(int scope)
{
    int64_t sum = 0;
    for (int from = 0; from < row.n_ranks; from++)
        for (int to = 0; to < row.n_ranks; to++)
            sum += moved[scope][from][to];
    return sum;
}

/* Everybody in a row of the grid gets its part of A, everybody in a column that of B, and only the grid multiplies. */
static void check_row(void)
{
    int64_t multiplied = 0;
    for (int rank = 0; rank < row.n_ranks; rank++) {
        int place = rank - first_of(PRODUCT);
        expect("the rank has ended", rank, (int)ranks[rank].step, ranks[rank].ended, true);
        if (place < 0 || place >= size_of(PRODUCT))
            expect("a rank outside the grid multiplies", rank, place, ranks[rank].multiplied, 0);
        multiplied += ranks[rank].multiplied;
    }
    expect("m n k", 0, 0, multiplied, row.m * row.n * row.k);
    check_moved(SCOPE_MOVE_A, A, row.m, row.k);
    check_moved(SCOPE_MOVE_B, B, row.k, row.n);
    expect("broadcasts of A", 0, 0, sum_moved(SCOPE_BROADCAST_A), row.m * row.k * (row.grids[PRODUCT][1] - 1));
    expect("broadcasts of B", 0, 0, sum_moved(SCOPE_BROADCAST_B), row.k * row.n * (row.grids[PRODUCT][0] - 1));
}

/* All triples of grids, each with some random matrices. */
static void test_random(void)
{
    struct program program;
    struct sim_error error;
    for (int i = 0; i < 4 * 9 * 9 * 9; i++) {
        for (int grid = 0, rest = i; grid < 3; grid++, rest /= 9) {
            row.grids[grid][0] = rest % 3 + 1;
            row.grids[grid][1] = rest / 3 % 3 + 1;
        }
        row.m = testing_random_to(MAX_SIZE);
        row.n = testing_random_to(MAX_SIZE);
        row.k = testing_random_to(MAX_SIZE);
        row.block = testing_random_to(8);
        int end = first_of(PRODUCT) + size_of(PRODUCT), sources = size_of(A) + size_of(B);
        row.n_ranks = (end > sources ? end : sources) + testing_random_to(2) - 1;
        if (!expect("setup", 0, 0, init_row(&program, &error), 0))
            continue;
        interpret(&program);
        check_row();
        program_dispose(&program);
    }
    CU_PASS("all triples of grids have been tried");
}

/* --- setup --- */

static const struct {
    struct row row;
    const char *message; /* NULL: it is good */
} setup_rows[] = {
    {{9, 9, 9, 2, {{2, 2}, {1, 2}, {3, 2}}, 0, 6}, NULL},
    {{9, 9, 9, 2, {{2, 2}, {1, 2}, {3, 2}}, 0, 5},
     "parameter 'grid_b': 1x2 processes starting at rank 4 need 6 ranks; there are 5"},
    {{9, 9, 9, 2, {{2, 2}, {1, 2}, {3, 3}}, 0, 6},
     "parameter 'grid': 3x3 processes starting at rank 0 need 9 ranks; there are 6"},
    {{9, 9, 9, 2, {{3, 3}, {1, 2}, {1, 1}}, 0, 6},
     "parameter 'grid_a': 3x3 processes starting at rank 0 need 9 ranks; there are 6"},
    {{9, 9, 9, 2, {{65536, 65536}, {65536, 65536}, {65536, 65536}}, 0, 6},
     "parameter 'grid_a': 65536x65536 processes starting at rank 0 need 4294967296 ranks; there are 6"},
    /* On one rank everything is there. */
    {{9, 9, 9, 2, {{65536, 65536}, {0, 0}, {3, 3}}, 0, 1}, NULL},
};

static void test_setup(void)
{
    for (size_t i = 0; i < sizeof setup_rows / sizeof *setup_rows; i++) {
        const char *message = setup_rows[i].message;
        struct program program = {.config = NULL};
        struct sim_error error = {.message = ""};
        row = setup_rows[i].row;
        expect("the result", 0, 0, init_row(&program, &error), message == NULL ? 0 : -1);
        if (message != NULL)
            expect(error.message, 0, (int)error.status, strcmp(error.message, message), 0);
        if (message == NULL && row.n_ranks == 1) {
            interpret(&program);
            expect("multiplied on one rank", 0, 0, ranks[0].multiplied, 9 * 9 * 9);
        }
        if (message == NULL)
            program_dispose(&program);
    }
    CU_PASS("all setups have been tried");
}

/* The scopes and kernels of the parts are found again here. */
static void test_names(void)
{
    const struct app_spec *pdgemm = app_find(app_specs, "pdgemm"), *move = app_find(app_specs, "redistribute");
    CU_ASSERT_EQUAL(names_count(move->scopes), 2);
    CU_ASSERT_EQUAL(names_count(move->kernels), 0);
    CU_ASSERT_EQUAL_FATAL(names_count(app->scopes), N_SCOPES);
    CU_ASSERT_EQUAL_FATAL(names_count(app->scopes), names_count(pdgemm->scopes) + 2);
    for (int i = 1; i < names_count(pdgemm->scopes); i++)
        CU_ASSERT_STRING_EQUAL(app->scopes[i + 2], pdgemm->scopes[i]);
    CU_ASSERT_EQUAL_FATAL(names_count(app->kernels), names_count(pdgemm->kernels));
    for (int i = 0; i < names_count(pdgemm->kernels); i++)
        CU_ASSERT_STRING_EQUAL(app->kernels[i], pdgemm->kernels[i]);
}

/* --- memory --- */

/* Bytes of a rank, with A on 4x2 and B on 2x2, blocks of 64. In the product: 24 bytes times the rows and the columns of
 * a process. */
static const struct {
    int64_t size;
    int rows, columns, rank;
    int64_t bytes;
} memory_rows[] = {
    {4096, 4, 3, 0, 8 * (1024 * 2048 + 2 * 1024 * 1408)}, /* A in both places, B in the new one */
    {4096, 4, 3, 11, 8 * (2048 * 2048 + 1024 * 1344)},    /* B in both places */
    {4096, 4, 2, 0, 24 * 1024 * 2048},
    {4096, 4, 2, 8, 8 * 2048 * 2048}, /* B before it has gone */
    {4096, 2, 2, 7, 8 * 1024 * 2048}, /* A before it has gone */
    {4096, 2, 2, 8, 24 * 2048 * 2048},
    {6672, 2, 2, 8, 24 * 3344 * 3344}, /* 52 blocks and 16 left: the most that fits */
    {6673, 2, 2, 8, 24 * 3345 * 3345},
    {9395, 4, 2, 0, 24 * 2368 * 4723}, /* rows: 37 blocks; columns: 73 blocks and 51 left */
    {9396, 4, 2, 0, 24 * 2368 * 4724},
};

static void test_memory(void)
{
    for (size_t i = 0; i < sizeof memory_rows / sizeof *memory_rows; i++) {
        struct program program;
        struct sim_error error;
        int64_t size = memory_rows[i].size;
        row =
            (struct row){size, size, size, 64, {{4, 2}, {2, 2}, {memory_rows[i].rows, memory_rows[i].columns}}, 0, 12};
        CU_ASSERT_EQUAL_FATAL(init_row(&program, &error), 0);
        expect("bytes", memory_rows[i].rank, 0, app->memory(program.config, memory_rows[i].rank), memory_rows[i].bytes);
        program_dispose(&program);
    }
    CU_ASSERT(24 * 3344 * 3344 <= 256 << 20 && 24 * 3345 * 3345 > 256 << 20);
    CU_ASSERT(24 * 2368 * 4723 <= 256 << 20 && 24 * 2368 * 4724 > 256 << 20);
}

/* --- the decision --- */

static struct machine machine;
static int last_checked; /* how many runs the check would have discarded */

/* Simulate scenarios/align.xml with settings, which end with NULL; `by` NULL: as if it were no decision. */
static int simulate(struct study *report, const char *const *settings, const char *by, int jobs,
                    struct sim_error *error)
{
    struct scenario scenario;
    memset(report, 0, sizeof *report);
    CU_ASSERT_EQUAL_FATAL(scenario_load_file(&scenario, SOURCE_DIR "/scenarios/align.xml", app_specs, error), 0);
    for (; *settings != NULL; settings++)
        CU_ASSERT_EQUAL_FATAL(scenario_set(&scenario, *settings, error), 0);
    scenario.decision = by == NULL ? NULL : scenario_criterion(by);
    if (machine.name == NULL) /* one platform a process */
        CU_ASSERT_EQUAL_FATAL(machine_load(&machine, scenario.platform_file, error), 0);
    struct run_context context = {.scenario = &scenario, .machine = &machine, .sequential = sequential_times_new()};
    double messages;
    int n_discarded = 0, status = sweep_check(&context, &n_discarded, &messages, error);
    if (status == 0)
        status = sweep_simulate(report, &context, jobs, false, error);
    int n_found = 0;
    for (int i = 0; status == 0 && i < report->n_runs; i++)
        n_found += run_is_discarded(&report->runs[i]);
    CU_ASSERT(status != 0 || n_discarded <= n_found);
    last_checked = n_discarded;
    sequential_times_free(context.sequential);
    scenario_dispose(&scenario);
    return status;
}

static const struct study_parameter *parameter_of(const struct study_run *run, const char *name)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (strcmp(run->parameters[i].name, name) == 0)
            return &run->parameters[i];
    return NULL;
}

static const struct study_run *find_run(const struct study *report, int64_t size, const char *grid)
{
    for (int i = 0; i < report->n_runs; i++)
        if (parameter_of(&report->runs[i], "size")->number == size &&
            strcmp(parameter_of(&report->runs[i], "grid")->text, grid) == 0)
            return &report->runs[i];
    CU_FAIL_FATAL("there is no such run");
    return NULL;
}

static bool is_discarded(const struct study_run *run)
{
    return run_is_discarded(run);
}

/* Both redistributions, on the critical path. */
static double redistribution(const struct study_run *run)
{
    const struct measure *a = result_find(&run->result, "critical_path_s", "communication.redistribution_a");
    const struct measure *b = result_find(&run->result, "critical_path_s", "communication.redistribution_b");
    return (a == NULL ? 0 : measure_value(a)) + (b == NULL ? 0 : measure_value(b));
}

/* 4x3 is best and the grid that redistributes longest; Ga is slower, moves less and leaves four processors. */
static void check_size(const struct study *report, int64_t size)
{
    const struct study_run *best = find_run(report, size, "4x3"), *tall = find_run(report, size, "6x2");
    const struct study_run *ga = find_run(report, size, "4x2"), *gb = find_run(report, size, "2x2");
    CU_ASSERT(testing_measure(best, "", "place") == 1 && testing_measure(best, "", "processors_used") == 12);
    CU_ASSERT(testing_measure(tall, "", "time_s") > testing_measure(best, "", "time_s"));
    CU_ASSERT(testing_measure(tall, "", "forecast_s") > testing_measure(best, "", "forecast_s"));
    CU_ASSERT(redistribution(best) > redistribution(tall));
    CU_ASSERT_EQUAL(is_discarded(ga), size > 9395);
    CU_ASSERT_EQUAL(is_discarded(gb), size > 6672);
    if (!is_discarded(ga)) {
        CU_ASSERT(testing_measure(ga, "", "time_s") > testing_measure(best, "", "time_s"));
        CU_ASSERT(testing_measure(ga, "", "forecast_s") > testing_measure(best, "", "forecast_s"));
        CU_ASSERT(testing_measure(ga, "", "bytes") < 0.8 * testing_measure(best, "", "bytes"));
        CU_ASSERT(redistribution(ga) < redistribution(tall));
        CU_ASSERT(testing_measure(ga, "", "processors_used") == 8);
    }
    if (!is_discarded(gb))
        CU_ASSERT(testing_measure(gb, "", "place") == 4 && testing_measure(gb, "", "processors_used") == 4);
}

/* The forecast is what FAST would have said: within 4 % of the simulation, as the paper's was of its measurements. */
static void test_figure(void)
{
    static const int64_t sizes[] = {2048, 3072, 4096, 6144, 8192, 9600};
    struct study report;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simulate(&report, (const char *[]){NULL}, "time", 1, &error), 0);
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 24);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_size(&report, sizes[i]);
    for (int i = 0; i < report.n_runs; i++)
        if (!is_discarded(&report.runs[i]))
            CU_ASSERT_DOUBLE_EQUAL(testing_measure(&report.runs[i], "", "forecast_error"), 0, 0.04);
    sweep_dispose(&report);
}

/* The first size that does not fit. */
static void test_limits(void)
{
    struct study report;
    struct sim_error error;
    const char *const settings[] = {"size=6672,6673,9395,9396", NULL};
    CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, "time", 2, &error), 0);
    CU_ASSERT_FALSE(is_discarded(find_run(&report, 6672, "2x2")));
    CU_ASSERT_STRING_EQUAL(find_run(&report, 6673, "2x2")->discarded,
                           "the data of rank 8 take 268.5 MB, but a host has 268.4 MB of memory");
    CU_ASSERT_FALSE(is_discarded(find_run(&report, 9395, "4x2")));
    CU_ASSERT_TRUE(is_discarded(find_run(&report, 9396, "4x2")));
    CU_ASSERT_FALSE(is_discarded(find_run(&report, 9396, "4x3")));
    CU_ASSERT_EQUAL(find_run(&report, 9396, "4x2")->result.n_measures, 0);
    CU_ASSERT_EQUAL(last_checked, 4); /* 2x2 from 6673 on, 4x2 from 9396 on */
    sweep_dispose(&report);
}

/* Two ranks of a host share its memory. */
static void test_shared_hosts(void)
{
    struct study report;
    struct sim_error error;
    const char *const settings[] = {"size=4096,6144", "ranks_per_host=2", NULL};
    CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, "time", 1, &error), 0);
    CU_ASSERT_FALSE(is_discarded(find_run(&report, 4096, "2x2")));
    CU_ASSERT_EQUAL(testing_measure(find_run(&report, 4096, "2x2"), "", "memory_bytes"), 48 * 2048 * 2048);
    CU_ASSERT_STRING_EQUAL(find_run(&report, 6144, "2x2")->discarded,
                           "the data of ranks 8 to 9 take 453.0 MB, but a host has 268.4 MB of memory");
    CU_ASSERT_PTR_NULL(result_find(&find_run(&report, 4096, "2x2")->result, "", "forecast_s"));
    sweep_dispose(&report);
}

/* A candidate that passes the end of the clock does not keep the others from being ranked, with T_seq unknown. */
static void test_clock(void)
{
    struct study report;
    struct sim_error error;
    const char *const settings[] = {"size=150000", "block=4096", "grid=2x2,4x3", NULL};
    for (int jobs = 1; jobs <= 2; jobs++) {
        int64_t memory = machine.costs.memory_bytes;
        machine.costs.memory_bytes = 0;
        CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, "time", jobs, &error), 0);
        machine.costs.memory_bytes = memory;
        const struct study_run *slow = find_run(&report, 150000, "2x2"), *fast = find_run(&report, 150000, "4x3");
        CU_ASSERT_PTR_NOT_NULL(strstr(slow->discarded, "runs past the limit of the simulated clock"));
        CU_ASSERT_EQUAL(slow->result.n_measures, 0);
        CU_ASSERT_FALSE(is_discarded(fast));
        CU_ASSERT(testing_measure(fast, "", "place") == 1);
        CU_ASSERT_PTR_NULL(result_find(&fast->result, "", "speedup"));
        sweep_dispose(&report);
    }
}

/* By another measure the smallest grid is best, and a candidate that there are too few ranks for is discarded. */
static void test_criteria(void)
{
    static const char *const criteria[] = {"bytes", "processors"};
    const char *const settings[] = {"size=2048", "grid=5x3,4x3,2x2,4x2", NULL};
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++) {
        struct study report;
        struct sim_error error;
        CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, criteria[i], 1, &error), 0);
        CU_ASSERT(testing_measure(find_run(&report, 2048, "2x2"), "", "place") == 1);
        CU_ASSERT(testing_measure(find_run(&report, 2048, "4x2"), "", "place") == 2);
        CU_ASSERT(testing_measure(find_run(&report, 2048, "4x3"), "", "place") == 3);
        CU_ASSERT_STRING_EQUAL(find_run(&report, 2048, "5x3")->discarded,
                               "parameter 'grid': 5x3 processes starting at rank 0 need 15 ranks; there are 12");
        sweep_dispose(&report);
    }
}

/* The library's form of the product, too, runs on every grid; it is a candidate as the grid is. */
static void test_library(void)
{
    struct study report;
    struct sim_error error;
    const char *const settings[] = {"size=500", "k=900", "algorithm=paper,library", NULL};
    CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, "time", 1, &error), 0);
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 8);
    int places = 0;
    for (int i = 0; i < report.n_runs; i++)
        places |= 1 << (int)testing_measure(&report.runs[i], "", "place");
    CU_ASSERT_EQUAL(places, 0x1fe); /* 1 ... 8 */
    sweep_dispose(&report);
}

/* Equal candidates are in the order of the file: without communication all layouts are the same. */
static void test_ties(void)
{
    struct study report;
    struct sim_error error;
    const char *const settings[] = {"size=512", "grid=2x2", "root=centre,edge,corner", NULL};
    CU_ASSERT_EQUAL_FATAL(simulate(&report, settings, "processors", 1, &error), 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT(testing_measure(&report.runs[i], "", "place") == i + 1);
    sweep_dispose(&report);
}

/* Without a decision nothing changes: a matrix that is too large is no error, too few ranks are one. */
static void test_without(void)
{
    struct study report;
    struct sim_error error = {.message = ""};
    const char *const large[] = {"size=9600", "grid=2x2", NULL}, *const wide[] = {"size=512", "grid=5x3", NULL};
    CU_ASSERT_EQUAL_FATAL(simulate(&report, large, NULL, 1, &error), 0);
    CU_ASSERT_FALSE(is_discarded(&report.runs[0]));
    CU_ASSERT(testing_measure(&report.runs[0], "", "memory_bytes") > 256 << 20);
    CU_ASSERT_PTR_NULL(result_find(&report.runs[0].result, "", "place"));
    sweep_dispose(&report);
    CU_ASSERT_EQUAL(simulate(&report, wide, NULL, 1, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "parameter 'grid': 5x3 processes starting at rank 0 need 15 ranks"));
}

int main(void)
{
    static const struct test tests[] = {
        {"setup", test_setup},
        {"names of the parts", test_names},
        {"all triples of grids", test_random},
        {"memory", test_memory},
        {"figure 6", test_figure},
        {"limits of the memory", test_limits},
        {"hosts shared", test_shared_hosts},
        {"end of the clock", test_clock},
        {"criteria", test_criteria},
        {"library", test_library},
        {"ties", test_ties},
        {"without a decision", test_without},
        {NULL, NULL},
    };
    app = app_find(app_specs, "align");
    if (app == NULL)
        return 1;
    int status = testing_run("align", tests);
    if (machine.name != NULL)
        machine_dispose(&machine);
    return status;
}
