/* Runs whose ranks run ahead of the present say the same as runs in the order of time: statistics, all measures, and
 * what each location does when. Random programs; those that need the order are made anew in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/range.h"
#include "tests/sim/kernel/histories.h"
#include "tests/testing.h"

#include "interval/group.h"
#include "sim/collective/collective.h"

#define OVERHEADS                                                                                                      \
    "<prop id='send_overhead' value='start=10us byte=1ns'/><prop id='receive_overhead' value='start=5us'/>"
#define BUFFERED "<prop id='send_completes' value='buffered'/>"

/* Wires of unlike speed, so that messages overtake each other. */
static const struct wire_row wires[] = {{1e6, 500000}, {5e7, 20000}, {2e5, 1000}, {1e8, 3000000}, {1e7, 100000}};
enum { N_HOSTS = sizeof wires / sizeof wires[0] + 1, ROUNDS = 300 };

/* The algorithm of broadcasts. */
static const char *broadcast = "binomial";
/* Leave out intervals of no length that only traces and details need. */
static bool without_receipts = true;

/* Observers of a run. */
struct look {
    struct metrics metrics;
    struct interval_sink sinks[METRICS_MAX + 1];
    struct recording record;
};

/* The outcome of a run. */
struct run_outcome {
    const struct interval_setup *setup;
    struct look look;
    struct kernel_stats stats;
    struct result result;
    int n_restarts;
};

static void open_look(struct look *look, const struct interval_setup *setup)
{
    metrics_open(&look->metrics, setup);
    memcpy(look->sinks, look->metrics.sinks, sizeof look->metrics.sinks);
    look->record = (struct recording){.intervals = NULL};
    look->sinks[look->metrics.count] = (struct interval_sink){.take = record_take, .self = &look->record};
}

static void close_look(struct look *look)
{
    metrics_close(&look->metrics);
    free(look->record.intervals);
}

static void restart(void *self)
{
    struct run_outcome *outcome = self;
    close_look(&outcome->look);
    outcome->n_restarts++;
    open_look(&outcome->look, outcome->setup);
}

static int run_script_into(struct run_outcome *outcome, const struct interval_setup *setup, const struct script *script,
                           bool ahead)
{
    struct placement placement;
    struct sim_error error;
    struct placement_request request = {.n_ranks = script->n_ranks,
                                        .ranks_per_host = int_max(1, script->ranks_per_host)};
    static int odd[] = {5, 1, 3};
    static const struct record_group groups[] = {{.n_members = 0}, {.n_members = 3, .members = odd}};
    struct program program = {.app = &script_app,
                              .config = (void *)(uintptr_t)script,
                              .groups = groups,
                              .n_groups = script->n_ranks == N_HOSTS ? 2 : 0,
                              .collectives = {.broadcast = coll_find(COLL_BROADCAST, broadcast), .segment_bytes = 100}};
    *outcome = (struct run_outcome){.setup = setup};
    open_look(&outcome->look, setup);
    result_init(&outcome->result);
    if (placement_init(&placement, &request, &machine, &error) != 0)
        return -1;
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named("quiet"),
                                   .sinks = outcome->look.sinks,
                                   .n_sinks = outcome->look.metrics.count + 1,
                                   .without_receipts = without_receipts,
                                   .restart = ahead ? restart : NULL,
                                   .restarted = outcome};
    int status = kernel_run(&outcome->stats, &run, &error);
    if (status == 0)
        metrics_report(&outcome->look.metrics, &(struct metrics_totals){outcome->stats.end_ps, outcome->stats.end_ps},
                       &outcome->result);
    return status != 0 || outcome->look.record.broken;
}

static void dispose(struct run_outcome *outcome)
{
    close_look(&outcome->look);
    result_dispose(&outcome->result);
}

/* The next interval of the location that takes time, or is that of a message. */
static const struct interval *next_of(const struct recording *record, int location, size_t *i)
{
    for (; *i < record->count; ++*i) {
        const struct interval *interval = &record->intervals[*i];
        if (interval->location == location &&
            (interval->start_ps < interval->end_ps || interval->is_message || interval->is_receipt))
            return &record->intervals[(*i)++];
    }
    return NULL;
}

static bool is_same(const struct interval *a, const struct interval *b)
{
    return a->start_ps == b->start_ps && a->end_ps == b->end_ps && a->peer == b->peer && a->bytes == b->bytes &&
           a->tag == b->tag && a->state == b->state && a->kind == b->kind && a->scope == b->scope &&
           a->is_message == b->is_message && a->is_receipt == b->is_receipt && a->operations == b->operations;
}

static bool do_same(const struct run_outcome *a, const struct run_outcome *b, int location)
{
    size_t i = 0, j = 0;
    const struct interval *of_a, *of_b;
    do {
        of_a = next_of(&a->look.record, location, &i);
        of_b = next_of(&b->look.record, location, &j);
    } while (of_a != NULL && of_b != NULL && is_same(of_a, of_b));
    return of_a == NULL && of_b == NULL;
}

static bool say_same(const struct run_outcome *a, const struct run_outcome *b, int n_ranks)
{
    struct kernel_stats stats = b->stats;
    stats.events = a->stats.events; /* turns of ranks, which are others */
    stats.most_queued = a->stats.most_queued;
    stats.most_messages = a->stats.most_messages;
    bool same = memcmp(&a->stats, &stats, sizeof stats) == 0 && a->result.n_measures == b->result.n_measures;
    for (size_t i = 0; same && i < a->result.n_measures; i++) {
        const struct measure *one = &a->result.measures[i], *other = &b->result.measures[i];
        same = one->of == other->of && memcmp(one, other, sizeof *one) == 0;
        if (!same)
            fprintf(stderr, "%s.%s differs\n", one->of->group, one->of->name);
    }
    for (int rank = 0; rank < n_ranks; rank++)
        same = same && do_same(a, b, rank);
    return same;
}

/* 1 if the ways differ, or the run was given up, or not, against expectation (-1: it may be either). */
static int compare(const struct script *script, int gives_up)
{
    const struct interval_setup setup = {
        .n_ranks = script->n_ranks, .n_locations = script->n_ranks, .scopes = script_scopes, .n_scopes = 3};
    static struct run_outcome ordered, ahead;
    int failed = run_script_into(&ordered, &setup, script, false) + run_script_into(&ahead, &setup, script, true);
    failed += ordered.n_restarts != 0 || (gives_up >= 0 && ahead.n_restarts != gives_up);
    if (failed == 0)
        failed = !say_same(&ordered, &ahead, script->n_ranks);
    dispose(&ordered);
    dispose(&ahead);
    return failed != 0;
}

/* Without work, so that all intervals are those of messages. */
static void leave_out_work(struct script *script)
{
    for (int rank = 0; rank < script->n_ranks; rank++) {
        int n_ops = 0;
        for (int i = 0; i < script->count[rank]; i++)
            if (script->ops[rank][i].kind != OP_COMPUTE)
                script->ops[rank][n_ops++] = script->ops[rank][i];
        script->count[rank] = n_ops;
    }
}

/* Replace requests and rendezvous in a program by sends and receives alone. */
static void make_plain(struct script *script)
{
    for (int rank = 0; rank < script->n_ranks; rank++) {
        int n_ops = 0;
        for (int i = 0; i < script->count[rank]; i++) {
            struct op op = script->ops[rank][i];
            if (op.kind == OP_WAIT || op.kind == OP_MARK)
                continue;
            op.kind = op.kind == OP_ISEND ? OP_SEND : op.kind;
            op.request = 0;
            op.mode = op.kind == OP_SEND ? SEND_STANDARD : RECV_KEEPS;
            script->ops[rank][n_ops++] = op;
        }
        script->count[rank] = n_ops;
    }
}

static int check_random(const void *argument)
{
    static struct history history;
    static struct script script;
    int failures = 0;
    (void)argument;
    random_state = 11;
    for (int round = 0; round < ROUNDS; round++) {
        without_receipts = round % 5 < 3;
        make_history(&history, 2 + (int)random_below(N_HOSTS - 1), 1 + (int)random_below(3), round % 3 == 2);
        make_script(&script, &history, 1 + round % 2, round % 4 == 1);
        if (round % 4 == 0)
            leave_out_work(&script);
        failures += compare(&script, round % 2 == 0 ? 0 : -1);
        script.ranks_per_host = 1;
        if (round % 3 == 2)
            continue;
        make_plain(&script);
        failures += compare(&script, 0);
    }
    without_receipts = true;
    return failures;
}

static void test_random(void)
{
    int n_wires = N_HOSTS - 1;
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, n_wires), check_random, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED, wires, n_wires), check_random, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(OVERHEADS, wires, n_wires), check_random, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED OVERHEADS, wires, n_wires), check_random, NULL), 0);
}

/* Each rank sends half of its program, then receives: more lies about than is let lie before others have their turn.
 * With one that is never received. */
static int check_unexpected(const void *argument)
{
    enum { HALF = MAX_OPS / 2 };
    static struct script script;
    int failures = 0;
    (void)argument;
    for (int n_lost = 0; n_lost < 2; n_lost++) {
        script = (struct script){.n_ranks = MAX_RANKS, .chunk = 1};
        for (int rank = 1; rank < MAX_RANKS; rank++)
            for (int i = 0; i < HALF; i++)
                add(&script, rank, OP_SEND, rank - 1, 1 + (rank + i) % 7);
        for (int rank = 0; rank < MAX_RANKS - 1; rank++)
            for (int i = n_lost; i < HALF; i++)
                add(&script, rank, OP_RECV, rank + 1, 7);
        failures += compare(&script, 0);
    }
    return failures;
}

static void test_unexpected(void)
{
    struct wire_row same[MAX_RANKS - 1];
    for (int i = 0; i < MAX_RANKS - 1; i++)
        same[i] = wires[i % (N_HOSTS - 1)];
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED, same, MAX_RANKS - 1), check_unexpected, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform("", same, MAX_RANKS - 1), check_unexpected, NULL), 0);
}

/* Collectives of all ranks and of the group of the odd ones, with work and messages in between: their ranks meet. The
 * same ones come again, and roots are not always the same. */
static int check_collectives(const void *argument)
{
    static const enum op_kind kinds[] = {OP_BROADCAST, OP_SCATTER, OP_GATHER, OP_REDUCE};
    static const char *const broadcasts[] = {"binomial", "flat", "chain"};
    static struct script script;
    int failures = 0;
    (void)argument;
    random_state = 12;
    for (int round = 0; round < ROUNDS; round++) {
        broadcast = broadcasts[round % 3];
        without_receipts = round % 5 < 3;
        script = (struct script){.n_ranks = round % 2 == 0 ? N_HOSTS : 2 + (int)random_below(N_HOSTS - 1),
                                 .chunk = (int)random_below(OP_LIST_MAX) + 1};
        for (int i = 0; i < 20; i++) {
            enum op_kind kind = kinds[random_below(4)];
            int64_t bytes = 1 + (int64_t)random_below(2) * 300, group = script.n_ranks == N_HOSTS && i % 3 == 0;
            int root = group != 0 ? 3 : (int)random_below(2), worker = (int)random_below(script.n_ranks);
            add(&script, worker, OP_COMPUTE, -1, 0)->times = (int64_t)random_below(1000000);
            for (int rank = 0; rank < script.n_ranks; rank++) {
                if (group != 0 && rank % 2 == 0)
                    continue;
                struct op *op = add(&script, rank, kind, root, bytes);
                op->scope = (uint8_t)(i % 2 + 1);
                op->group = (int32_t)group;
                op->blocks = kind == OP_SCATTER || kind == OP_GATHER ? script.n_ranks : 0;
            }
            add(&script, worker, OP_SEND, (worker + 1) % script.n_ranks, 5);
            add(&script, (worker + 1) % script.n_ranks, OP_RECV, worker, 5);
        }
        if (round % 2 == 0)
            leave_out_work(&script);
        failures += compare(&script, 0);
    }
    broadcast = "binomial";
    without_receipts = true;
    return failures;
}

/* The root goes on after its broadcast, and others need it before they can come. */
static int check_apart(const void *argument)
{
    static struct script script;
    int failures = 0;
    (void)argument;
    for (int chunk = 1; chunk < 3; chunk++) {
        script = (struct script){.n_ranks = 4, .chunk = chunk};
        for (int i = 0; i < 3; i++) {
            add(&script, 0, OP_BROADCAST, 0, 100);
            for (int rank = 1; rank < 4; rank++) {
                add(&script, 0, OP_SEND, rank, 10);
                add(&script, rank, OP_RECV, 0, 10);
                add(&script, rank, OP_BROADCAST, 0, 100);
            }
        }
        failures += compare(&script, 0);
    }
    return failures;
}

/* Ranks that do not agree on what they do together. */
static int check_discord(const void *argument)
{
    static struct script script;
    (void)argument;
    script = (struct script){.n_ranks = 3, .chunk = 2};
    for (int rank = 0; rank < 3; rank++) {
        add(&script, rank, OP_BROADCAST, 0, 100)->scope = (uint8_t)(rank % 2 + 1);
        add(&script, rank, OP_BROADCAST, 0, 100 + rank)->scope = 1;
        add(&script, rank, OP_BROADCAST, 0, 100)->scope = 1;
    }
    return compare(&script, 0);
}

static void test_collectives(void)
{
    int n_wires = N_HOSTS - 1;
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, n_wires), check_collectives, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED, wires, n_wires), check_collectives, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(OVERHEADS, wires, n_wires), check_collectives, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform(BUFFERED, wires, n_wires), check_apart, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, n_wires), check_discord, NULL), 0);
}

/* Programs that need the order of time. */
static int check_given_up(const void *argument)
{
    static struct script script;
    (void)argument;
    script = (struct script){.n_ranks = 2, .chunk = OP_LIST_MAX};
    add(&script, 0, OP_SEND, 1, 1);
    add(&script, 1, OP_PROBE, 0, 0)->mode = PROBE_LAST;
    add(&script, 1, OP_RECV, 0, 1);
    return compare(&script, 1);
}

/* Ranks that share a core: they may send to each other and to others, but not work. */
static int check_shared(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (int works = 0; works < 2; works++) {
        static struct script script;
        script = (struct script){.n_ranks = 6, .ranks_per_host = 3, .chunk = 1};
        for (int rank = 1; rank < 6; rank++) {
            add(&script, rank - 1, OP_SEND, rank, 1000);
            add(&script, rank, OP_RECV, rank - 1, 1000);
        }
        if (works)
            add(&script, 5, OP_COMPUTE, -1, 0)->times = 7;
        failures += compare(&script, works);
    }
    return failures;
}

static void test_given_up(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, N_HOSTS - 1), check_shared, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(line_platform("", wires, N_HOSTS - 1), check_given_up, NULL), 0);
}

int main(void)
{
    static const struct test tests[] = {{"random programs", test_random},
                                        {"unexpected messages", test_unexpected},
                                        {"collectives", test_collectives},
                                        {"what needs the order of time", test_given_up},
                                        {NULL, NULL}};
    return testing_run("lookahead", tests);
}
