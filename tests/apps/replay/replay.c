/* The application that replays a trace: which ops become of records, that it gives a step again whenever it is asked,
 * what it makes of collectives for which the kernel has no op, and what it says when a trace cannot be replayed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/internal.h"
#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/kernel/app.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[] = P_tmpdir "/test-trace-app-XXXXXX.ti";

static const struct app_spec *trace_app(void)
{
    return app_find(app_specs, "trace");
}

static int make_program(struct program *program, void *input, int n_ranks, int64_t speed, struct sim_error *error)
{
    const int64_t values[2 + N_BROADCAST_PARAMS + N_COLL_FAMILIES - 1] = {speed, 0, 0, 0, 512, 0, 4};
    struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    CU_ASSERT_EQUAL_FATAL(trace_app()->n_params, (int)(sizeof values / sizeof values[0]));
    return program_init_from(program, trace_app(), &(struct program_input){.opened = input}, values, &placement, error);
}

static void open_text(void **input, struct program *program, int n_ranks, const char *text)
{
    struct sim_error error = {0};
    int found = 0;
    FILE *stream = fopen(file, "w");
    fputs(text, stream);
    fclose(stream);
    int status = trace_app()->open_input(input, &found, file, &(struct part_request){0}, &error);
    if (status != 0)
        fprintf(stderr, "\n  %s", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    CU_ASSERT_EQUAL_FATAL(found, n_ranks);
    CU_ASSERT_EQUAL_FATAL(make_program(program, *input, n_ranks, 0, &error), 0);
}

static void close_all(void *input, struct program *program)
{
    program_dispose(program);
    trace_app()->close_input(input);
}

/* --- from the first step to the last --- */

static void describe(char *text, size_t size, const struct op *op)
{
    static const char *const names[] = {
        [OP_SEND] = "send",         [OP_RECV] = "recv",           [OP_ISEND] = "isend",
        [OP_IRECV] = "irecv",       [OP_WAIT] = "wait",           [OP_BROADCAST] = "broadcast",
        [OP_SCATTER] = "scatter",   [OP_GATHER] = "gather",       [OP_BARRIER] = "barrier",
        [OP_REDUCE] = "reduce",     [OP_ALLREDUCE] = "allreduce", [OP_ALLGATHER] = "allgather",
        [OP_ALLTOALL] = "alltoall", [OP_FLOPS] = "flops",         [OP_DELAY] = "delay"};
    size_t used = strlen(text);
    const char *role = op->role == ROLE_CONTROL ? " control" : "";
    if (op->kind == OP_FLOPS)
        snprintf(text + used, size - used, "%d:flops %.17g%s;", op->scope, op->flops, role);
    else if (op->kind == OP_DELAY)
        snprintf(text + used, size - used, "%d:delay %" PRId64 "%s;", op->scope, op->delay_ps, role);
    else if (op->kind == OP_WAIT)
        snprintf(text + used, size - used, "%d:wait #%" PRIu32 ";", op->scope, op->request);
    else if (op->kind >= OP_BROADCAST && op->kind <= OP_ALLTOALL)
        snprintf(text + used, size - used, "%d:%s %d %" PRId64 " x%" PRId64 " g%d;", op->scope, names[op->kind],
                 op->peer, op->bytes, op->blocks, op->group);
    else
        snprintf(text + used, size - used, "%d:%s %d %d %" PRId64 "%s #%" PRIu32 ";", op->scope, names[op->kind],
                 op->peer, op->tag, op->bytes, op->mode == SEND_SYNCHRONOUS ? " synchronous" : "", op->request);
}

/* All ops of a rank, every step asked for twice; the number of steps. */
static int64_t read_ops(char *text, size_t size, const struct program *program, int rank)
{
    struct op_list list = {.count = 0}, again = {.count = 0};
    int64_t step = 0;
    text[0] = '\0';
    while (program->app->emit(program->config, rank, step, &list)) {
        CU_ASSERT(program->app->emit(program->config, rank, step, &again));
        CU_ASSERT(list.count > 0 && list.count == again.count);
        CU_ASSERT_EQUAL(memcmp(list.ops, again.ops, (size_t)list.count * sizeof *list.ops), 0);
        for (int i = 0; i < list.count; i++)
            describe(text, size, &list.ops[i]);
        list.count = again.count = 0;
        step++;
    }
    CU_ASSERT(!program->app->emit(program->config, rank, step, &list));
    return step;
}

static void expect_ops(const struct program *program, int rank, const char *good)
{
    char text[4096];
    read_ops(text, sizeof text, program, rank);
    if (strcmp(text, good) != 0) {
        fprintf(stderr, "\n  rank %d: %s\n  instead of %s", rank, text, good);
        CU_FAIL("a record becomes the wrong op");
    }
}

static void test_ti(void)
{
    void *input;
    struct program program;
    open_text(&input, &program, 2,
              "0 init\n0 compute 1e6\n0 compute 5 control\n0 sleep 1e-9\n0 send 1 3 10 6 synchronous\n0 isend 1 3 10\n"
              "0 irecv 1 4 10\n0 wait 1 0 4\n0 waitall\n0 barrier\n0 bcast 10 1\n0 reduce 10 99 1\n0 allreduce 10 0\n"
              "0 alltoall 1 2\n0 allgather 1 2\n0 gather 1 2\n0 scatter 1 2\n0 finalize\n1 init\n1 finalize\n");
    for (int round = 0; round < 3; round++)
        expect_ops(&program, 0,
                   "1:flops 1000000;1:flops 5 control;1:delay 1000 control;1:send 1 3 10 synchronous #0;"
                   "1:isend 1 3 10 #2;1:irecv 1 4 10 #3;1:wait #3;1:wait #0;" /* for all */
                   "1:barrier -1 0 x2 g0;1:broadcast 1 10 x2 g0;1:reduce 1 10 x2 g0;1:flops 99;1:allreduce -1 10 x2 g0;"
                   "1:alltoall -1 1 x2 g0;1:allgather -1 1 x2 g0;1:gather 0 2 x2 g0;1:scatter 0 1 x2 g0;");
    close_all(input, &program);
}

/* Ranks that take turns, an earlier step again, and two programs of the same trace. */
static void test_steps(void)
{
    enum { LINES = 100 };
    char text[LINES * 2 * 24] = "", all[2][4096], found[4096];
    void *input;
    struct program program, other;
    struct sim_error error = {0};
    struct op_list list = {.count = 0};
    for (int i = 0; i < LINES; i++)
        for (int r = 0; r < 2; r++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d compute %d\n", r, 1000 * r + i);
    open_text(&input, &program, 2, text);
    int64_t n_steps = read_ops(all[0], sizeof all[0], &program, 0);
    CU_ASSERT_EQUAL(read_ops(all[1], sizeof all[1], &program, 1), n_steps);
    CU_ASSERT_PTR_NOT_NULL(strstr(all[1], "flops 1099;"));
    CU_ASSERT_EQUAL_FATAL(make_program(&other, input, 2, 0, &error), 0);
    for (int64_t step = 0; step < n_steps; step++)
        for (int r = 0; r < 2; r++) {
            const struct program *who = step % 7 == 3 ? &other : &program;
            list.count = 0;
            found[0] = '\0';
            CU_ASSERT_FATAL(who->app->emit(who->config, r, step % 5 == 4 ? step / 2 : step, &list));
            for (int i = 0; i < list.count; i++)
                describe(found, sizeof found, &list.ops[i]);
            CU_ASSERT_PTR_NOT_NULL(strstr(all[r], found));
            char first[64];
            snprintf(first, sizeof first, "1:flops %d;",
                     1000 * r + (int)(step % 5 == 4 ? step / 2 : step) * list.count);
            if (step < n_steps - 1)
                CU_ASSERT_EQUAL(strncmp(found, first, strlen(first)), 0);
        }
    program_dispose(&other);
    close_all(input, &program);
}

/* --- collectives that are lowered here --- */

static const struct {
    const char *lines; /* of every rank; R its number, B the blocks of all, b its own */
    enum { CHAIN, OTHERS, ROUND, ROOTED } bytes;
} lowered_rows[] = {
    {"scan 100 0\n", CHAIN},         {"exscan 100 5\n", CHAIN},   {"reducescatter B 0\n", OTHERS},
    {"alltoallv 1 B 1 B\n", OTHERS}, {"allgatherv b B\n", ROUND}, {"gatherv b B L\n", ROOTED},
    {"scatterv B b 0\n", ROOTED},
};
enum { MAX_RANKS = 13 };

static void add_rank_lines(char *text, size_t size, const char *lines, int rank, int p)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%d ", rank);
    for (const char *c = lines; *c != '\0'; c++)
        if (*c == 'B')
            for (int i = 0; i < p; i++)
                used += (size_t)snprintf(text + used, size - used, "%d ", 10 + i);
        else if (*c == 'b')
            used += (size_t)snprintf(text + used, size - used, "%d", 10 + rank);
        else if (*c == 'L')
            used += (size_t)snprintf(text + used, size - used, "%d", p - 1);
        else
            text[used++] = *c;
    text[used] = '\0';
}

/* Sends under way between each two ranks. A receive may come before its send, whose rank is then run first. */
static struct {
    int64_t bytes[4 * MAX_RANKS];
    int first, count;
} ways[MAX_RANKS][MAX_RANKS];

static struct {
    int64_t step;
    int op;
    bool ended;
} runners[MAX_RANKS];

static int64_t n_messages, n_bytes;

/* Run a rank until it has to wait; whether it has done anything. */
static bool run_rank(const struct program *program, int rank, int expected_tag)
{
    bool moved = false;
    struct op_list list = {.count = 0};
    while (!runners[rank].ended) {
        if (!program->app->emit(program->config, rank, runners[rank].step, &list)) {
            runners[rank].ended = true;
            return true;
        }
        for (; runners[rank].op < list.count; runners[rank].op++) {
            const struct op *op = &list.ops[runners[rank].op];
            if (op->kind == OP_WAIT || op->kind == OP_FLOPS)
                continue;
            CU_ASSERT(op->peer >= 0 && op->peer != rank && op->tag == expected_tag);
            if (op->kind == OP_RECV) {
                if (ways[op->peer][rank].first == ways[op->peer][rank].count)
                    return moved;
                int64_t bytes = ways[op->peer][rank].bytes[ways[op->peer][rank].first++];
                CU_ASSERT(op->bytes == -1 || op->bytes == bytes);
            } else {
                CU_ASSERT_FATAL(op->kind == OP_SEND || op->kind == OP_ISEND);
                ways[rank][op->peer].bytes[ways[rank][op->peer].count++] = op->bytes;
                n_messages++;
                n_bytes += op->bytes;
            }
            moved = true;
        }
        runners[rank].op = 0;
        runners[rank].step++;
    }
    return moved;
}

static void check_lowered(const struct program *program, int row, int p)
{
    bool moved = true;
    int64_t blocks = (int64_t)p * 10 + p * (p - 1) / 2, messages = 0, bytes = 0;
    memset(ways, 0, sizeof ways);
    memset(runners, 0, sizeof runners);
    n_messages = n_bytes = 0;
    while (moved) {
        moved = false;
        for (int r = 0; r < p; r++)
            moved |= run_rank(program, r, -2);
    }
    for (int r = 0; r < p; r++) {
        CU_ASSERT(runners[r].ended);
        for (int s = 0; s < p; s++)
            CU_ASSERT_EQUAL(ways[r][s].first, ways[r][s].count);
    }
    switch (lowered_rows[row].bytes) {
    case CHAIN:
        messages = p - 1, bytes = 100 * (p - 1);
        break;
    case OTHERS:
    case ROUND:
        messages = p * (p - 1), bytes = blocks * (p - 1);
        break;
    case ROOTED:
        messages = p - 1, bytes = blocks - 10 - (row == 5 ? p - 1 : 0);
        break;
    }
    if (n_messages != messages || n_bytes != bytes) {
        fprintf(stderr, "\n  %s on %d ranks: %" PRId64 " messages, %" PRId64 " bytes instead of %" PRId64 ", %" PRId64,
                lowered_rows[row].lines, p, n_messages, n_bytes, messages, bytes);
        CU_FAIL("a collective is lowered wrongly");
    }
}

static void test_lowered(void)
{
    static const int sizes[] = {1, 2, 3, 8, 13};
    char text[4096];
    for (size_t row = 0; row < sizeof lowered_rows / sizeof lowered_rows[0]; row++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            void *input;
            struct program program;
            text[0] = '\0';
            for (int r = 0; r < sizes[s]; r++)
                add_rank_lines(text, sizeof text, lowered_rows[row].lines, r, sizes[s]);
            open_text(&input, &program, sizes[s], text);
            check_lowered(&program, (int)row, sizes[s]);
            close_all(input, &program);
        }
}

/* --- traces that cannot be replayed --- */

static void test_corrupt_line(void)
{
    void *input;
    struct program program;
    struct sim_error error = {0};
    struct op_list list = {.count = 0};
    char text[2000] = "", place[64];
    for (int i = 0; i < 50; i++)
        strcat(text, i == 40 ? "0 compute x\n" : "0 compute 1\n");
    open_text(&input, &program, 1, text);
    int64_t step = 0;
    for (; program.app->emit(program.config, 0, step, &list); step++) {
        CU_ASSERT_EQUAL(program.app->failed(program.config, &error), 0);
        list.count = 0;
    }
    CU_ASSERT(step >= 10);
    CU_ASSERT_EQUAL(program.app->failed(program.config, &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
    snprintf(place, sizeof place, "%s:41: compute: 'x'", file);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, place));
    close_all(input, &program);
}

static void test_histories(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"0 barrier\n0 bcast 7\n1 barrier\n1 bcast 7\n", true},
        {"0 barrier\n0 bcast 1\n1 barrier\n1 bcast 7\n", false},
        {"0 gather 1 1\n1 gather 7 7\n", true},
        {"0 barrier\n0 bcast 1\n1 bcast 1\n1 barrier\n", false},
        {"0 bcast 1 0\n1 bcast 1 1\n", false},
        {"0 barrier\n1 barrier\n1 barrier\n", false},
        {"0 gather 1 1\n1 gatherv 1 1 1\n", false},
        {"0 reduce 1 5\n1 reduce 1 6\n", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *input;
        struct program program;
        struct sim_error error = {0};
        char ops[1000];
        open_text(&input, &program, 2, rows[i].text);
        for (int round = 0; round < 2; round++) {
            read_ops(ops, sizeof ops, &program, 0);
            CU_ASSERT_EQUAL(program.app->failed(program.config, &error), 0);
            read_ops(ops, sizeof ops, &program, 1);
            int status = program.app->failed(program.config, &error);
            if (status != (rows[i].good ? 0 : -1))
                CU_FAIL("other collectives are not noticed, or the same are");
            if (status != 0)
                break;
        }
        if (!rows[i].good) {
            CU_ASSERT_EQUAL(error.status, SIM_UNFINISHED);
            CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "ranks 0 and 1 do not call the same collectives"));
        }
        close_all(input, &program);
    }
}

static void test_setup(void)
{
    void *input;
    struct program program, none;
    struct sim_error error = {0};
    open_text(&input, &program, 2, "0 init\n0 finalize\n1 init\n1 finalize\n");
    CU_ASSERT_EQUAL(make_program(&none, input, 3, 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "parameter 'ranks' is 3, but "));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, ".ti has 2 ranks"));
    CU_ASSERT_EQUAL(make_program(&none, NULL, 2, 0, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "needs a trace"));
    close_all(input, &program);
}

/* --- what only other formats have: times, scopes, groups --- */

static const struct record timed_records[] = {
    {.kind = RECORD_COMPUTE, .start_ps = 5, .end_ps = 2000005},
    {.kind = RECORD_ENTER, .scope = 1},
    {.kind = RECORD_SLEEP, .start_ps = 10, .end_ps = 17},
    {.kind = RECORD_ENTER, .scope = 299},
    {.kind = RECORD_COMPUTE, .end_ps = 1000, .control = true},
    {.kind = RECORD_LEAVE},
    {.kind = RECORD_CALL, .end_ps = 3},
    {.kind = RECORD_CALL, .end_ps = 4, .call = RECORD_CALL_INPUT},
    {.kind = RECORD_CALL, .end_ps = 5, .call = RECORD_CALL_CUT},
    {.kind = RECORD_LEAVE},
    {.kind = RECORD_LEAVE},
    {.kind = RECORD_COLLECTIVE, .collective = RECORD_BROADCAST, .group = 1, .peer = 0, .bytes = 8},
    {.kind = RECORD_COLLECTIVE, .collective = RECORD_SCAN, .group = 1, .peer = -1, .bytes = 8},
    {.kind = RECORD_IRECV, .peer = 1, .tag = 4, .bytes = 8},
    {.kind = RECORD_WAIT},
};
static int timed_next_record[3];

static int timed_next(struct record_reader *reader, int rank, struct record *record, struct sim_error *error)
{
    (void)reader, (void)error;
    if (rank != 0 || timed_next_record[rank] == sizeof timed_records / sizeof timed_records[0])
        return 0;
    *record = timed_records[timed_next_record[rank]++];
    return 1;
}

static int timed_rewind(struct record_reader *reader, struct sim_error *error)
{
    (void)reader, (void)error;
    memset(timed_next_record, 0, sizeof timed_next_record);
    return 0;
}

static void timed_close(struct record_reader *reader)
{
    (void)reader;
}

static void test_timed(void)
{
    static const struct record_format format = {.next = timed_next, .rewind = timed_rewind, .close = timed_close};
    int world[] = {0, 1, 2}, pair[] = {2, 0};
    struct record_group groups[] = {{3, world}, {2, pair}};
    char *scopes[300], names[300][24], name[] = "scope", nothing[] = "";
    struct trace_input input = {
        .file = name,
        .process = getpid(),
        .reader = {
            .format = &format,
            .info = {
                .n_ranks = 3, .n_groups = 2, .n_scopes = 300, .groups = groups, .scopes = scopes, .has_times = true}}};
    struct program program;
    struct sim_error error = {0};
    for (int i = 0; i < 300; i++) {
        snprintf(names[i], sizeof names[i], "%s %d", name, i);
        scopes[i] = i == 0 ? nothing : names[i];
    }
    trace_input_describe(&input);
    for (int64_t speed = 0; speed <= 1000000000; speed += 1000000000) {
        char good[1000];
        CU_ASSERT_EQUAL_FATAL(make_program(&program, &input, 3, speed, &error), 0);
        CU_ASSERT_EQUAL(names_count(program.app->scopes), 256);
        CU_ASSERT_STRING_EQUAL(program.app->scopes[255], "other scopes");
        snprintf(good, sizeof good,
                 "1:%s;255:%s control;2:delay 3 control;2:delay 4;1:broadcast 0 8 x2 g1;"
                 "1:recv 2 -3 8 #0;1:irecv 1 4 8 #1;1:wait #1;",
                 speed == 0 ? "delay 2000000" : "flops 2000", speed == 0 ? "delay 1000" : "flops 1");
        expect_ops(&program, 0, good);
        program_dispose(&program);
    }
    analysis_scopes_dispose(&input.scopes);
    free(input.scope_names);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    int descriptor = mkstemps(file, 3);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    CU_pSuite suite = CU_add_suite("trace_app", NULL, NULL);
    CU_add_test(suite, "actions of TI", test_ti);
    CU_add_test(suite, "steps", test_steps);
    CU_add_test(suite, "lowered collectives", test_lowered);
    CU_add_test(suite, "corrupt line", test_corrupt_line);
    CU_add_test(suite, "other collectives", test_histories);
    CU_add_test(suite, "setup", test_setup);
    CU_add_test(suite, "times, scopes, groups", test_timed);
    CU_basic_run_tests();
    unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    unlink(file);
    return failures != 0;
}
