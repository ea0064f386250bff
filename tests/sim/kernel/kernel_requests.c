/* Receives that are posted ahead, and waiting for single ones: against plain receives, closed forms, and in
 * quantity.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/kernel/histories.h"
#include "tests/testing.h"

#include <malloc.h>
#include <sys/mman.h>
#include <time.h>

static const char *const networks[] = {"quiet", "fifo", "fluid"};
enum { N_NETWORKS = sizeof networks / sizeof networks[0] };

#define BUFFERED "<prop id='send_completes' value='buffered'/><prop id='control' value='8B'/>"
#define EAGER(limit) "<prop id='eager_limit' value='" limit "'/>"
#define SEND_OVERHEAD "<prop id='send_overhead' value='start=10us byte=1ns'/>"
#define RECEIVE_OVERHEAD "<prop id='receive_overhead' value='start=5us byte=2ns'/>"

static const struct wire_row wires[] = {{11e6, 50000},  {1e8, 7000},  {3e6, 200000}, {11e6, 50000},
                                        {12.5e6, 1000}, {1e9, 30000}, {11e6, 40000}};

/* --- an irecv and its wait are a receive --- */

/* Marks and calls that only a receive posted ahead leaves are left out, and the numbers of messages, which they
 * change. */
static uint64_t digest_without_marks(const struct recording *record)
{
    struct recording plain = {.intervals = xcalloc(record->count + 1, sizeof *plain.intervals)};
    for (size_t i = 0; i < record->count; i++) {
        const struct interval *interval = &record->intervals[i];
        bool is_call = interval->start_ps == interval->end_ps && (interval->call & (CALL_BEGUN | CALL_WAITS)) != 0;
        if ((interval->is_checkpoint || is_call) && !interval->is_message)
            continue;
        plain.intervals[plain.count] = *interval;
        plain.intervals[plain.count++].message = 0;
    }
    uint64_t hash = digest(&plain) ^ plain.count;
    free(plain.intervals);
    return hash;
}

struct seen {
    int status;
    uint64_t digest;
    int64_t end_ps, queued;
};
static struct seen *seen; /* shared with the children */

/* Run in a process of its own, since SimGrid's clock goes on from run to run. */
static struct seen run_alone(const struct script *script, const char *network)
{
    fflush(NULL);
    *seen = (struct seen){.status = -1};
    pid_t child = fork();
    if (child == 0) {
        struct outcome outcome = run_with(script, network_named(network), NULL);
        *seen = (struct seen){outcome.status, digest_without_marks(&outcome.record), outcome.stats.end_ps,
                              outcome.stats.events};
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return *seen;
}

static const struct setting {
    const char *props;
    bool star;
    int ranks_per_host, n_tags;
} settings[] = {
    {"", true, 1, 1000},
    {BUFFERED EAGER("4KiB"), true, 1, 2},
    {BUFFERED EAGER("1KiB") SEND_OVERHEAD RECEIVE_OVERHEAD, false, 1, 1000},
    {EAGER("10kB") SEND_OVERHEAD RECEIVE_OVERHEAD, false, 2, 2},
};
enum { N_SETTINGS = sizeof settings / sizeof settings[0], PROGRAMS = 12 };

static int compare_programs(const void *argument)
{
    const struct setting *setting = argument;
    static struct history history;
    static struct script plain, split;
    int failures = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        random_state = (uint64_t)((setting - settings) * 1000 + i);
        make_history(&history, 2 + (int)random_below(7), setting->n_tags, false);
        make_script(&plain, &history, setting->ranks_per_host, false);
        make_script(&split, &history, setting->ranks_per_host, true);
        for (int n = 0; n < N_NETWORKS; n++) {
            struct seen a = run_alone(&plain, networks[n]), b = run_alone(&split, networks[n]);
            if (a.status == 0 && b.status == 0 && a.digest == b.digest && a.end_ps == b.end_ps && a.queued == b.queued)
                continue;
            failures++;
            fprintf(stderr, "setting %d, program %d, %s: the intervals differ; %" PRId64 " and %" PRId64 " ps\n",
                    (int)(setting - settings), i, networks[n], a.end_ps, b.end_ps);
        }
    }
    return failures;
}

static void test_irecv_and_wait(void)
{
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(seen, MAP_FAILED);
    for (int s = 0; s < N_SETTINGS; s++) {
        const char *props = settings[s].props;
        char *text = settings[s].star ? star_platform(props, 8, wires[0]) : line_platform(props, wires, 7);
        CU_ASSERT_EQUAL(on_platform(text, compare_programs, &settings[s]), 0);
    }
    munmap(seen, sizeof *seen);
}

/* --- closed forms: two hosts and a wire of 50 us and 11 MB/s --- */

#define BYTES INT64_C(110000)
static const int64_t flight_ps = 50 * US + 10 * MS; /* of BYTES */

static struct op *add_request(struct script *script, int rank, enum op_kind kind, int peer, int64_t bytes,
                              uint32_t request)
{
    struct op *op = add(script, rank, kind, peer, bytes);
    op->request = request;
    return op;
}

/* Times of rank 1, and the critical path. */
struct answer {
    int64_t end_ps, idle_ps, receive_ps, processing_ps;
};

static struct answer ask(const struct script *script, const char *network)
{
    const struct interval_setup setup = {
        .n_ranks = script->n_ranks, .n_locations = script->n_ranks, .scopes = script_scopes, .n_scopes = 3};
    struct metrics metrics;
    struct result result;
    metrics_open(&metrics, &setup);
    struct outcome outcome = run_with(script, network_named(network), &metrics);
    result_init(&result);
    if (outcome.status == 0)
        metrics_report(&metrics, &(struct metrics_totals){outcome.stats.end_ps, 0}, &result);
    int64_t idle = outcome.record.state_ps[1][STATE_IDLE];
    struct answer answer = {outcome.stats.end_ps, idle - (outcome.stats.end_ps - outcome.record.busy_until[1]),
                            outcome.record.state_ps[1][STATE_RECEIVE],
                            outcome.status == 0 ? (int64_t)path_part(&result, "processing") : -1};
    result_dispose(&result);
    metrics_close(&metrics);
    free(outcome.record.intervals);
    return answer;
}

/* Rank 0 works, then sends; rank 1 works, posts, works on, waits, and works for another millisecond, which is not in
 * the times here. */
struct row {
    const char *name;
    enum send_mode mode;
    int before, first, meanwhile;
    int64_t end_ps, idle_ps, receive_ps, processing_ps;
};

#define FLIGHT (50 * US + 10 * MS)
#define CONTROL (50 * US) /* an RTS or CTS of no length */
static const struct row rows[] = {
    {"it comes while the receiver works", SEND_STANDARD, 0, 5, 20, 25 * MS, 0, 0, 25 * MS},
    {"it is sent before the wait", SEND_STANDARD, 3, 0, 7, 3 * MS + FLIGHT, 0, FLIGHT - 4 * MS, 3 * MS},
    {"it is sent after the wait", SEND_STANDARD, 9, 0, 7, 9 * MS + FLIGHT, 2 * MS, FLIGHT, 9 * MS},
    {"a rendezvous while the receiver works", SEND_SYNCHRONOUS, 0, 5, 20, 25 * MS, 0, 0, 25 * MS},
    {"the posting is late", SEND_SYNCHRONOUS, 0, 5, 3, 5 * MS + CONTROL + FLIGHT, 0, CONTROL + FLIGHT - 3 * MS, 5 * MS},
    {"the RTS is late", SEND_SYNCHRONOUS, 5, 0, 6, 5 * MS + 2 * CONTROL + FLIGHT, 0, 2 * CONTROL + FLIGHT - 1 * MS,
     5 * MS},
    {"the RTS comes after the wait", SEND_SYNCHRONOUS, 9, 0, 6, 9 * MS + 2 * CONTROL + FLIGHT, 3 * MS,
     2 * CONTROL + FLIGHT, 9 * MS},
};

static int check_row(const struct row *row, const char *network)
{
    struct script script = {.n_ranks = 2};
    add_work(&script, 0, row->before * MS);
    add(&script, 0, OP_SEND, 1, BYTES)->mode = (uint8_t)row->mode;
    add_work(&script, 1, row->first * MS);
    add_request(&script, 1, OP_IRECV, 0, BYTES, 7);
    add_work(&script, 1, row->meanwhile * MS);
    add_request(&script, 1, OP_WAIT, -1, 0, 7);
    add_work(&script, 1, MS); /* so that the path ends here */
    struct answer answer = ask(&script, network);
    int failures = differs("end", network, answer.end_ps, row->end_ps + MS, 0) +
                   differs("idle", network, answer.idle_ps, row->idle_ps, 0) +
                   differs("receive", network, answer.receive_ps, row->receive_ps, 0) +
                   differs("processing on the path", network, answer.processing_ps, row->processing_ps + MS, 0);
    if (failures > 0)
        fprintf(stderr, "... %s\n", row->name);
    return failures;
}

static int check_rows(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int n = 0; n < N_NETWORKS; n++)
            failures += check_row(&rows[r], networks[n]);
    return failures;
}

static void test_closed_forms(void)
{
    CU_ASSERT_EQUAL(flight_ps, FLIGHT);
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, 1), check_rows, NULL), 0);
}

/* --- which message goes to which receive --- */

/* The bytes of the receipts of a rank, in their order, as a text. */
static void receipts_of(const struct script *script, const char *network, int rank, char *text, size_t size)
{
    struct outcome outcome = run_with(script, network_named(network), NULL);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < outcome.record.count && used < size; i++) {
        const struct interval *interval = &outcome.record.intervals[i];
        if (interval->is_receipt && interval->location == rank)
            used += (size_t)snprintf(text + used, size - used, "%s%" PRId64, used > 0 ? " " : "", interval->bytes);
    }
    free(outcome.record.intervals);
}

static int expect_receipts(const char *what, const struct script *script, int rank, const char *expected)
{
    int failures = 0;
    for (int n = 0; n < N_NETWORKS; n++) {
        char text[200];
        receipts_of(script, networks[n], rank, text, sizeof text);
        if (strcmp(text, expected) == 0)
            continue;
        fprintf(stderr, "%s, %s: receipts of %s bytes, expected %s\n", what, networks[n], text, expected);
        failures++;
    }
    return failures;
}

/* Rank 0 sends 1, 2, 3 bytes under one tag, at once or after rank 1 has posted its receives. */
static void send_three(struct script *script, bool late)
{
    *script = (struct script){.n_ranks = 2};
    add_work(script, late ? 0 : 1, 50 * MS);
    for (int i = 1; i <= 3; i++)
        add(script, 0, OP_SEND, 1, i);
}

static int check_matching(const void *argument)
{
    static struct script script;
    int failures = 0;
    (void)argument;
    for (int late = 0; late <= 1; late++) {
        send_three(&script, late != 0);
        for (uint32_t i = 1; i <= 3; i++)
            add_request(&script, 1, OP_IRECV, 0, 0, i);
        for (uint32_t i = 3; i >= 1; i--)
            add_request(&script, 1, OP_WAIT, -1, 0, i);
        failures += expect_receipts("waits the other way round", &script, 1, "3 2 1");

        send_three(&script, late != 0);
        add_request(&script, 1, OP_IRECV, 0, 0, 9);
        add(&script, 1, OP_RECV, 0, 0);
        add_request(&script, 1, OP_IRECV, 0, 0, 9); /* the number is that of the latest */
        add_request(&script, 1, OP_WAIT, -1, 0, 9);
        add_request(&script, 1, OP_WAIT, -1, 0, 9);
        add_request(&script, 1, OP_WAIT, -1, 0, 9); /* nothing is pending */
        failures += expect_receipts("a receive behind one that is posted", &script, 1, "2 3 1");

        send_three(&script, late != 0);
        for (uint32_t i = 1; i <= 3; i++)
            add_request(&script, 1, OP_IRECV, 0, 0, i % 2);
        add(&script, 1, OP_WAIT, -1, 0);
        add(&script, 1, OP_WAIT, -1, 0);
        failures += expect_receipts("a wait for all", &script, 1, "1 2 3");

        script = (struct script){.n_ranks = 2};
        add_work(&script, late ? 0 : 1, 50 * MS);
        add(&script, 0, OP_ISEND, 1, 1);
        add(&script, 0, OP_ISEND, 1, 4)->tag = 5;
        add_request(&script, 1, OP_IRECV, 0, 0, 1);
        add_request(&script, 1, OP_IRECV, 0, 0, 2)->tag = 5;
        add_request(&script, 1, OP_WAIT, -1, 0, 2);
        add_request(&script, 1, OP_WAIT, -1, 0, 1);
        failures += expect_receipts("two tags", &script, 1, "4 1");
    }
    return failures;
}

/* Messages of a rank to itself. */
static int check_self(const void *argument)
{
    static struct script script;
    int failures = 0;
    (void)argument;
    for (int mode = SEND_STANDARD; mode <= SEND_SYNCHRONOUS; mode++)
        for (int blocking = 0; blocking <= 1; blocking++) {
            script = (struct script){.n_ranks = 1};
            add_request(&script, 0, OP_IRECV, 0, 77, 1);
            add_request(&script, 0, blocking ? OP_SEND : OP_ISEND, 0, 77, 2)->mode = (uint8_t)mode;
            add_request(&script, 0, OP_WAIT, -1, 0, 2);
            add_request(&script, 0, OP_WAIT, -1, 0, 1);
            failures += expect_receipts("to itself", &script, 0, "77");
        }
    return failures;
}

static void test_matching(void)
{
    for (size_t s = 0; s < 3; s++) {
        const char *props[] = {"", BUFFERED EAGER("0B"), RECEIVE_OVERHEAD};
        CU_ASSERT_EQUAL(on_platform(line_platform(props[s], wires, 1), check_matching, NULL), 0);
        CU_ASSERT_EQUAL(on_platform(line_platform(props[s], wires, 1), check_self, NULL), 0);
    }
}

/* --- programs that cannot go on --- */

static int expect_failure(const struct script *script, const char *expected)
{
    struct outcome outcome = run_with(script, network_named("quiet"), NULL);
    free(outcome.record.intervals);
    if (outcome.status != 0 && strstr(outcome.error.message, expected) != NULL)
        return 0;
    fprintf(stderr, "'%s' lacks '%s'\n", outcome.status != 0 ? outcome.error.message : "", expected);
    return 1;
}

static int check_failures(const void *argument)
{
    static struct script script;
    int failures = 0;
    (void)argument;
    script = (struct script){.n_ranks = 2};
    add_request(&script, 0, OP_IRECV, 1, 8, 4)->tag = 33;
    add_request(&script, 0, OP_WAIT, -1, 0, 4);
    failures += expect_failure(&script, "1 of 2 ranks wait: rank 0 (step 1) waits for its receive from rank 1 (tag "
                                        "33), which has ended");
    script.ops[0][1].request = 0;
    failures += expect_failure(&script, "rank 0 (step 1) waits for its receive from rank 1 (tag 33), which has ended");

    script = (struct script){.n_ranks = 2};
    for (int r = 0; r < 2; r++) {
        struct op *send = add_request(&script, r, OP_ISEND, 1 - r, 8, 4);
        send->mode = SEND_SYNCHRONOUS;
        send->tag = 7;
        add_request(&script, r, OP_WAIT, -1, 0, r == 0 ? 4 : 0);
    }
    failures += expect_failure(&script, "rank 0 (step 1) waits for its send to rank 1 (tag 7), rank 1 (step 1) waits "
                                        "for its sends to rank 0");

    static const struct {
        enum op_kind kind;
        int peer;
    } wrong[] = {{OP_SEND, 2}, {OP_ISEND, -1}, {OP_RECV, INT32_MAX}, {OP_IRECV, INT32_MIN}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char expected[100];
        script = (struct script){.n_ranks = 2};
        add(&script, 1, wrong[i].kind, wrong[i].peer, 8);
        snprintf(expected, sizeof expected, "rank 1 (step 0) names rank %d; there are ranks 0 to 1", wrong[i].peer);
        failures += expect_failure(&script, expected);
    }
    return failures;
}

static void test_failures(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, 1), check_failures, NULL), 0);
}

/* --- many --- */

/* Rank 1 posts N receives before rank 0 begins N sends; both wait for the first half, one by one or together, from the
 * end, then for all that are left. With `n_keys` tags; again and again for `rounds`. */
struct crowd {
    int64_t n, n_keys, rounds;
    bool together;
    size_t *memory; /* in use at the end of each round */
};

static bool crowd_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct crowd *crowd = config;
    int64_t n = crowd->n, half_ends = n + n / 2, n_steps = half_ends + crowd->together + 1;
    int64_t round = step / n_steps, i = step % n_steps;
    if (round == crowd->rounds)
        return false;
    if (rank == 0 && i == 0) {
        crowd->memory[round] = mallinfo2().uordblks;
        op_list_add(list, OP_DELAY, 0)->delay_ps = MS;
    }
    enum op_kind kind = i >= half_ends || !crowd->together ? OP_WAIT : OP_MARK;
    struct op *op = op_list_add(list, i >= n ? kind : rank == 0 ? OP_ISEND : OP_IRECV, 0);
    op->peer = 1 - rank;
    op->tag = (int32_t)(i % crowd->n_keys);
    op->bytes = 1;
    op->request = i < n ? (uint32_t)i + 1 : i < half_ends ? (uint32_t)(2 * n - i) : 0;
    op->marked = crowd->together && i == half_ends;
    return true;
}

static double run_crowd(struct crowd *crowd, int64_t *messages)
{
    static const char *const none[] = {NULL};
    static const struct app_spec app = {.name = "crowd", .scopes = script_scopes, .kernels = none, .emit = crowd_emit};
    struct program program = {.app = &app, .config = crowd};
    struct placement placement;
    struct placement_request request = {.n_ranks = 2, .ranks_per_host = 1};
    struct kernel_stats stats = {0};
    struct sim_error error;
    if (placement_init(&placement, &request, &machine, &error) != 0)
        return -1;
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named("quiet"),
                                   .sinks = NULL,
                                   .n_sinks = 0};
    clock_t start = clock();
    int status = kernel_run(&stats, &run, &error);
    *messages = stats.messages;
    return status == 0 ? (double)(clock() - start) / CLOCKS_PER_SEC : -1;
}

static int check_crowd(const void *argument)
{
    enum { N = 100000, ROUNDS = 6 };
    int failures = 0;
    (void)argument;
    for (int way = 0; way < 4; way++) {
        size_t memory[ROUNDS] = {0};
        int64_t n_keys = way % 2 == 0 ? 1 : N;
        struct crowd crowd = {N, n_keys, ROUNDS, way >= 2, memory};
        int64_t messages = 0;
        double seconds = run_crowd(&crowd, &messages);
        /* A list searched through would take 10^9 steps a round and more. */
        if (seconds < 0 || seconds > 15 || messages != (int64_t)N * ROUNDS) {
            fprintf(stderr, "%d pending, %d keys%s: %g s, %" PRId64 " messages\n", N, (int)n_keys,
                    crowd.together ? ", together" : "", seconds, messages);
            failures++;
        }
        for (int round = 2; round < ROUNDS; round++)
            if (memory[round] != memory[1]) {
                fprintf(stderr, "%d keys, round %d: %zu bytes in use, %zu before\n", (int)n_keys, round, memory[round],
                        memory[1]);
                failures++;
            }
    }
    return failures;
}

static void test_many(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED EAGER("0B"), wires, 1), check_crowd, NULL), 0);
}

/* --- operations and delays --- */

static const struct {
    double flops;
    int64_t ps; /* at 1 Gf */
} works[] = {{0, 0},
             {1, 1000},
             {1.4999, 1500},
             {0.0004, 0},
             {0.0006, 1},
             {3e12, INT64_C(3000000000000000)},
             {123456.789, 123456789}};

static int check_work(const void *argument)
{
    static struct script script;
    int failures = 0;
    (void)argument;
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        for (int role = ROLE_USEFUL; role <= ROLE_CONTROL; role++) {
            int state = role == ROLE_USEFUL ? STATE_USEFUL : STATE_CONTROL;
            script = (struct script){.n_ranks = 1};
            struct op *op = add(&script, 0, OP_FLOPS, -1, 0);
            op->flops = works[i].flops;
            op->role = (uint8_t)role;
            op = add(&script, 0, OP_DELAY, -1, 0);
            op->delay_ps = 12345;
            op->role = (uint8_t)role;
            struct outcome outcome = run_script(&script, "quiet");
            failures += outcome.status != 0 ||
                        differs("flops and a delay", "quiet", outcome.stats.end_ps, works[i].ps + 12345, 0);
            failures += differs("their state", "quiet", outcome.record.state_ps[0][state], works[i].ps + 12345, 0);
        }
    static const double wrong[] = {1e300, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        script = (struct script){.n_ranks = 1};
        add(&script, 0, OP_FLOPS, -1, 0)->flops = wrong[i];
        failures += expect_failure(&script, "rank 0 runs past the limit of the simulated clock");
    }
    script = (struct script){.n_ranks = 1};
    add(&script, 0, OP_DELAY, -1, 0)->delay_ps = INT64_MAX;
    failures += expect_failure(&script, "rank 0 runs past the limit of the simulated clock");
    return failures;
}

static void test_work(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, 1), check_work, NULL), 0);
}

/* --- a program that cannot be read on --- */

static bool broken_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    (void)config;
    if (step >= (rank == 1 ? 2 : 3))
        return false;
    op_list_add(list, OP_DELAY, 0)->delay_ps = 10;
    return true;
}

static int broken_failed(const void *config, struct sim_error *error)
{
    return *(const bool *)config ? sim_error_set(error, SIM_BAD_INPUT, "x.ti", 12, "is cut off") : 0;
}

static int check_broken(const void *argument)
{
    static const char *const none[] = {NULL};
    static const struct app_spec app = {
        .name = "broken", .scopes = script_scopes, .kernels = none, .emit = broken_emit, .failed = broken_failed};
    int failures = 0;
    (void)argument;
    for (int broken = 0; broken <= 1; broken++) {
        bool config = broken != 0;
        struct program program = {.app = &app, .config = &config};
        struct placement placement;
        struct placement_request request = {.n_ranks = 2, .ranks_per_host = 1};
        struct kernel_stats stats = {0};
        struct sim_error error = {0};
        failures += placement_init(&placement, &request, &machine, &error) != 0;
        const struct kernel_run run = {.program = &program,
                                       .machine = &machine,
                                       .placement = &placement,
                                       .network = network_named("fluid"),
                                       .sinks = NULL,
                                       .n_sinks = 0};
        int status = kernel_run(&stats, &run, &error);
        if (broken ? status == -1 && error.status == SIM_BAD_INPUT && strstr(error.message, "x.ti:12: is cut off")
                   : status == 0 && stats.end_ps == 30)
            continue;
        fprintf(stderr, "broken %d: status %d, '%s'\n", broken, status, error.message);
        failures++;
    }
    return failures;
}

static void test_broken(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, 1), check_broken, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"an irecv and its wait are a receive", test_irecv_and_wait},
        {"closed forms", test_closed_forms},
        {"which message goes to which receive", test_matching},
        {"programs that cannot go on", test_failures},
        {"a hundred thousand pending", test_many},
        {"operations and delays", test_work},
        {"a program that cannot be read on", test_broken},
        {NULL, NULL},
    };
    return testing_run("requests", tests);
}
