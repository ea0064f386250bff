/* The kernel and its networks against closed forms, on the mesh of 128 T800 nodes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/kernel.h"
#include "base/memory.h"
#include "metrics/metrics.h"
#include "sim/platform/platform.h"
#include "tests/sim/machine/t800.h"
#include "tests/sim/network/named.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine machine;

/* --- programs for the tests: a list of ops for each rank --- */

enum { MAX_RANKS = 16, MAX_OPS = 64 };

struct script {
    int count[MAX_RANKS];
    struct op ops[MAX_RANKS][MAX_OPS];
};

static bool script_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct script *script = config;
    if (step >= script->count[rank])
        return false;
    const struct op *op = &script->ops[rank][step];
    *op_list_add(list, (enum op_kind)op->kind, op->scope) = *op;
    return true;
}

static const char *const script_scopes[] = {"", "test", NULL};
static const char *const script_kernels[] = {"gj.rsub", NULL};
static const struct app_spec script_app = {
    .name = "script", .scopes = script_scopes, .kernels = script_kernels, .emit = script_emit};

static struct op *add(struct script *script, int rank, enum op_kind kind, int peer, int64_t bytes)
{
    struct op *op = &script->ops[rank][script->count[rank]++];
    *op = (struct op){.kind = (uint8_t)kind, .peer = peer, .bytes = bytes, .scope = 1};
    return op;
}

/* An account of every location that sees for itself that the intervals follow each other. */
struct account {
    int64_t present[MAX_RANKS];
    int64_t state_ps[MAX_RANKS][N_LOCATION_STATES];
    int64_t operations[MAX_RANKS];
    bool broken;
};

static void account_take(void *self, const struct interval *interval)
{
    struct account *account = self;
    bool waits_for_nothing = interval->kind == INTERVAL_WAIT_CPU && interval->end_ps == interval->start_ps;
    if (interval->start_ps != account->present[interval->location] || interval->end_ps < interval->start_ps ||
        waits_for_nothing)
        account->broken = true;
    account->present[interval->location] = interval->end_ps;
    account->state_ps[interval->location][interval->state] += interval->end_ps - interval->start_ps;
    account->operations[interval->location] += interval->operations;
}

struct outcome {
    int status;
    struct kernel_stats stats;
    struct sim_error error;
    struct account account;
    struct placement placement;
};

/* Run a script on `ranks` ranks, laid row by row on a mesh 16 nodes wide. */
static struct outcome run_placed(const struct script *script, struct placement_request request, const char *network)
{
    struct outcome outcome = {0};
    struct program program = {.app = &script_app, .config = (void *)script};
    struct interval_sink sink = {.take = account_take, .self = &outcome.account};
    CU_ASSERT_EQUAL_FATAL(placement_init(&outcome.placement, &request, &machine, &outcome.error), 0);
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &outcome.placement,
                                   .network = network_named(network),
                                   .sinks = &sink,
                                   .n_sinks = 1};
    outcome.status = kernel_run(&outcome.stats, &run, &outcome.error);
    for (int r = 0; outcome.status == 0 && r < request.n_ranks; r++) {
        CU_ASSERT_EQUAL(outcome.account.present[r], outcome.stats.end_ps);
        CU_ASSERT_FALSE(outcome.account.broken);
    }
    return outcome;
}

static struct outcome run_row(const struct script *script, int ranks, const char *network)
{
    struct placement_request request = {.n_ranks = ranks,
                                        .ranks_per_host = 1,
                                        .width = 16,
                                        .height = ranks > 16 ? 8 : 1,
                                        .layout = LAYOUT_ROW_MAJOR,
                                        .root = ROOT_CORNER};
    return run_placed(script, request, network);
}

static const char *const networks[] = {"quiet", "fifo"};
static const int64_t lengths[] = {1, 2, 119, 120, 121, 240, 1032, 1320, 1321, 2056, 65536, 1048576};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

static void expect(const char *what, const char *network, int64_t bytes, int64_t got, int64_t expected)
{
    if (got != expected)
        fprintf(stderr, "%s, %s, %lld bytes: %lld ps, expected %lld\n", what, network, (long long)bytes, (long long)got,
                (long long)expected);
    CU_ASSERT_EQUAL(got, expected);
}

/* A message alone takes eq. 4 and what its windows add, to the picosecond, on both networks over every distance. */
static void test_single_message(void)
{
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < N_LENGTHS; i++)
            for (int d = 1; d <= 22; d++) {
                struct placement placement;
                struct placement_request request = {
                    .n_ranks = 128, .ranks_per_host = 1, .width = 16, .height = 8, .layout = LAYOUT_ROW_MAJOR};
                struct sim_error error;
                CU_ASSERT_EQUAL_FATAL(placement_init(&placement, &request, &machine, &error), 0);
                int to = placement_slot_at(&placement, d <= 15 ? d : 15, d <= 15 ? 0 : d - 15);
                const struct route *route = machine_route(&machine, 0, placement_host(&placement, to));
                CU_ASSERT_EQUAL(route->hops, d);
                struct transfer transfer;
                transfer_init(&transfer, &machine, route, lengths[i], false);
                const struct network_spec *network = network_named(networks[n]);
                struct network *state = network->open(&machine);
                int64_t now = 0;
                while (network->advance(state, &transfer, 0, now, &now) == TRANSFER_MOVES)
                    continue;
                network->close(state);
                expect("one message", networks[n], lengths[i], now, t800_ps(lengths[i], d));
            }
}

static void test_ping(void)
{
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < N_LENGTHS; i++)
            for (int d = 1; d <= 15; d++) {
                struct script script = {0};
                add(&script, 0, OP_SEND, d, lengths[i]);
                add(&script, d, OP_RECV, 0, lengths[i]);
                struct outcome outcome = run_row(&script, 16, networks[n]);
                expect("ping", networks[n], lengths[i], outcome.stats.end_ps, t800_ps(lengths[i], d));
                CU_ASSERT_EQUAL(outcome.stats.messages, 1);
                CU_ASSERT_EQUAL(outcome.stats.bytes, lengths[i]);
                CU_ASSERT_EQUAL(outcome.account.state_ps[0][STATE_SEND], t800_ps(lengths[i], d));
                CU_ASSERT_EQUAL(outcome.account.state_ps[d][STATE_RECEIVE], t800_ps(lengths[i], d));
            }
}

/* Ranks of one host exchange messages without a hop. */
static void test_same_host(void)
{
    for (int n = 0; n < 2; n++) {
        struct script script = {0};
        add(&script, 0, OP_SEND, 1, 1000);
        add(&script, 1, OP_RECV, 0, 1000);
        struct placement_request request = {.n_ranks = 2, .ranks_per_host = 2};
        struct outcome outcome = run_placed(&script, request, networks[n]);
        expect("same host", networks[n], 1000, outcome.stats.end_ps, t800_ps(1000, 0));
    }
}

/* 0 -> 2 and 1 -> 3 cross the wire between 1 and 2: the message from 1 is there first, the other waits at node 1. */
static void test_two_messages_one_link(void)
{
    for (int i = 0; i < N_LENGTHS; i++) {
        int64_t l = lengths[i], waits_until = t800_busy_ps(l) > eq4_hop_ps(l) ? t800_busy_ps(l) : eq4_hop_ps(l);
        struct script script = {0};
        add(&script, 0, OP_SEND, 2, l);
        add(&script, 1, OP_SEND, 3, l);
        add(&script, 2, OP_RECV, 0, l);
        add(&script, 3, OP_RECV, 1, l);
        struct outcome outcome = run_row(&script, 4, "fifo");
        expect("two messages", "fifo", l, outcome.stats.end_ps, waits_until + t800_ps(l, 1) + t800_refill_ps(l));
        expect("the first of them", "fifo", l, outcome.account.state_ps[1][STATE_SEND], t800_ps(l, 2));
        expect("two messages", "quiet", l, run_row(&script, 4, "quiet").stats.end_ps, t800_ps(l, 2));
    }
}

/* The two directions of a wire do not disturb each other. */
static void test_opposite_messages(void)
{
    struct script script = {0};
    add(&script, 0, OP_SEND, 1, 5000);
    add(&script, 0, OP_RECV, 1, 5000);
    add(&script, 1, OP_SEND, 0, 5000);
    add(&script, 1, OP_RECV, 0, 5000);
    expect("opposite", "fifo", 5000, run_row(&script, 2, "fifo").stats.end_ps, t800_ps(5000, 1));
}

/* Eight ranks in a snake on 4 x 2 nodes are a ring of neighbors: every shift takes one hop. */
static void test_ring_shift(void)
{
    enum { RANKS = 8, ROUNDS = 20 };
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < N_LENGTHS; i++) {
            struct script script = {0};
            for (int r = 0; r < RANKS; r++)
                for (int round = 0; round < ROUNDS; round++) {
                    add(&script, r, OP_SEND, (r + 1) % RANKS, lengths[i]);
                    add(&script, r, OP_RECV, (r + RANKS - 1) % RANKS, lengths[i]);
                }
            struct placement_request request = {.n_ranks = RANKS, .ranks_per_host = 1};
            struct outcome outcome = run_placed(&script, request, networks[n]);
            expect("ring", networks[n], lengths[i], outcome.stats.end_ps, ROUNDS * t800_ps(lengths[i], 1));
        }
}

/* Each rank passes the message on to the next: as many one-hop messages one after the other. */
static void test_chain(void)
{
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < N_LENGTHS; i++) {
            struct script script = {0};
            for (int r = 0; r < 16; r++) {
                if (r > 0)
                    add(&script, r, OP_RECV, r - 1, lengths[i]);
                if (r < 15)
                    add(&script, r, OP_SEND, r + 1, lengths[i]);
            }
            expect("chain", networks[n], lengths[i], run_row(&script, 16, networks[n]).stats.end_ps,
                   15 * t800_ps(lengths[i], 1));
        }
}

/* Ranks 1 ... N in a row all send to rank 0 at once, so all cross the wire 1 -> 0, the nearest first: the message of
 * rank i starts on it when i - 1 others have been served, or, when links are faster than heads travel, on arrival. */
static void test_many_to_one(void)
{
    for (int ranks = 2; ranks <= 16; ranks++)
        for (int i = 0; i < N_LENGTHS; i++) {
            int64_t l = lengths[i], pace = t800_busy_ps(l) > eq4_hop_ps(l) ? t800_busy_ps(l) : eq4_hop_ps(l);
            struct script script = {0};
            for (int r = 1; r < ranks; r++) {
                add(&script, r, OP_SEND, 0, l);
                add(&script, 0, OP_RECV, r, l);
            }
            expect("many to one", "fifo", l, run_row(&script, ranks, "fifo").stats.end_ps,
                   (ranks - 2) * pace + t800_ps(l, 1) + (ranks - 2) * t800_refill_ps(l));
        }
}

/* --- synchronous sends --- */

/* RTS and CTS of one word each, then the data. */
static void test_synchronous_send(void)
{
    for (int n = 0; n < 2; n++)
        for (int d = 1; d <= 15; d++) {
            struct script script = {0};
            add(&script, 0, OP_SEND, d, 1000)->mode = SEND_SYNCHRONOUS;
            add(&script, d, OP_RECV, 0, 1000);
            expect("synchronous", networks[n], 1000, run_row(&script, 16, networks[n]).stats.end_ps,
                   2 * t800_ps(4, d) + t800_ps(1000, d));
        }
}

/* The CTS takes the way back: behind a message from the receiver, which goes there. */
static void test_cts(void)
{
    for (int i = 0; i < N_LENGTHS; i++) {
        int64_t l = lengths[i], free_ps = t800_busy_ps(l) > eq4_hop_ps(l) ? t800_busy_ps(l) : eq4_hop_ps(l),
                asked_ps = t800_ps(4, 1);
        struct script script = {0};
        add(&script, 0, OP_SEND, 1, 1000)->mode = SEND_SYNCHRONOUS;
        add(&script, 0, OP_RECV, 1, l);
        add(&script, 1, OP_ISEND, 0, l);
        add(&script, 1, OP_RECV, 0, 1000);
        add(&script, 1, OP_WAIT, -1, 0);
        struct outcome outcome = run_row(&script, 2, "fifo");
        expect("CTS", "fifo", l, outcome.account.state_ps[0][STATE_SEND],
               (free_ps > asked_ps ? free_ps : asked_ps) + t800_ps(4, 1) + t800_ps(1000, 1));
    }
}

/* A receiver that computes first lets a synchronous sender idle, a standard one not. */
static void test_late_receiver(void)
{
    const int64_t iterations = 1000;
    struct kernel_cost cost;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(machine_bind_kernels(&machine, script_kernels, 1, 1, &cost, &error), 0);
    int64_t work = 0;
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        work += cost.work_ps[c] * iterations;
    for (int mode = SEND_STANDARD; mode <= SEND_SYNCHRONOUS; mode++) {
        struct script script = {0};
        add(&script, 0, OP_SEND, 1, 500)->mode = (uint8_t)mode;
        add(&script, 1, OP_COMPUTE, -1, 0)->times = iterations;
        add(&script, 1, OP_RECV, 0, 500);
        struct outcome outcome = run_row(&script, 2, "fifo");
        bool synchronous = mode == SEND_SYNCHRONOUS;
        expect("late receiver", "fifo", 500, outcome.stats.end_ps,
               synchronous ? work + t800_ps(4, 1) + t800_ps(500, 1) : work);
        expect("its sender sends", "fifo", 500, outcome.account.state_ps[0][STATE_SEND],
               synchronous ? 2 * t800_ps(4, 1) + t800_ps(500, 1) : t800_ps(500, 1));
        CU_ASSERT_EQUAL(outcome.account.state_ps[1][STATE_IDLE], 0);
    }
}

/* A receiver that comes early idles until the message is sent. */
static void test_early_receiver(void)
{
    for (int mode = SEND_STANDARD; mode <= SEND_SYNCHRONOUS; mode++) {
        struct script script = {0};
        add(&script, 0, OP_READ, -1, 1000);
        add(&script, 0, OP_SEND, 1, 500)->mode = (uint8_t)mode;
        add(&script, 1, OP_RECV, 0, 500);
        struct outcome outcome = run_row(&script, 2, "fifo");
        const int64_t read = INT64_C(642160000) + 1000 * INT64_C(3730000);
        CU_ASSERT_EQUAL(outcome.account.state_ps[1][STATE_IDLE], read);
        CU_ASSERT_EQUAL(outcome.account.state_ps[1][STATE_RECEIVE], outcome.stats.end_ps - read);
    }
}

/* --- several ranks to a host --- */

static void test_shared_processor(void)
{
    struct script script = {0};
    for (int r = 0; r < 3; r++)
        add(&script, r, OP_COMPUTE, -1, 0)->times = 100;
    struct placement_request alone = {.n_ranks = 3, .ranks_per_host = 1}, shared = {.n_ranks = 3, .ranks_per_host = 3};
    struct outcome apart = run_placed(&script, alone, "fifo"), together = run_placed(&script, shared, "fifo");
    CU_ASSERT_EQUAL(together.stats.end_ps, 3 * apart.stats.end_ps);
    CU_ASSERT_EQUAL(together.account.state_ps[2][STATE_IDLE], 2 * apart.stats.end_ps);
}

/* Five ranks on a host of two cores: three have the first in turn, two the second. */
static void test_cores(void)
{
    struct script script = {0};
    for (int r = 0; r < 5; r++)
        add(&script, r, OP_COMPUTE, -1, 0)->times = 100;
    struct placement_request alone = {.n_ranks = 5, .ranks_per_host = 1}, shared = {.n_ranks = 5, .ranks_per_host = 5};
    int64_t once_ps = run_placed(&script, alone, "fifo").stats.end_ps;
    for (int cores = 1; cores <= 6; cores++) {
        machine.cores = cores;
        struct outcome outcome = run_placed(&script, shared, "fifo");
        CU_ASSERT_EQUAL(outcome.stats.end_ps, (5 + cores - 1) / cores * once_ps);
        for (int r = 0; r < 5; r++)
            CU_ASSERT_EQUAL(outcome.account.state_ps[r][STATE_USEFUL], once_ps);
        CU_ASSERT_EQUAL(outcome.account.state_ps[4][STATE_IDLE], 4 / cores * once_ps);
    }
    machine.cores = 1;
}

/* Within a host its own limit says what is a rendezvous: its sender waits for a receiver that is late. */
static void test_local_eager_limit(void)
{
    struct cost_model whole = machine.costs;
    machine.costs.buffers_sends = true;
    machine.costs.eager_limit = 100;
    machine.costs.local_eager_limit = 10;
    machine.cores = 2;
    for (int per_host = 1; per_host <= 2; per_host++)
        for (int64_t bytes = 10; bytes <= 11; bytes++) {
            struct script script = {0};
            add(&script, 0, OP_SEND, 1, bytes);
            add(&script, 0, OP_DELAY, -1, 0)->delay_ps = 2 * PS_PER_S;
            add(&script, 1, OP_DELAY, -1, 0)->delay_ps = PS_PER_S;
            add(&script, 1, OP_RECV, 0, bytes);
            struct placement_request request = {.n_ranks = 2, .ranks_per_host = per_host};
            struct outcome outcome = run_placed(&script, request, "fifo");
            CU_ASSERT_EQUAL(outcome.stats.end_ps >= 3 * PS_PER_S, per_host == 2 && bytes > 10);
        }
    machine.costs = whole;
    machine.cores = 1;
}

/* A rank that goes on computing does not wait for itself. */
static void test_own_processor(void)
{
    struct script script = {0};
    add(&script, 0, OP_COMPUTE, -1, 0)->times = 100;
    int64_t once_ps = run_row(&script, 2, "fifo").stats.end_ps;
    add(&script, 0, OP_COMPUTE, -1, 0)->times = 100;
    struct outcome outcome = run_placed(&script, (struct placement_request){.n_ranks = 2, .ranks_per_host = 2}, "fifo");
    CU_ASSERT_EQUAL(outcome.stats.end_ps, 2 * once_ps);
    CU_ASSERT_EQUAL(outcome.account.state_ps[0][STATE_USEFUL], 2 * once_ps);
}

/* --- work that is no kernel --- */

static void test_work(void)
{
    struct cost_model whole = machine.costs;
    const double speed = machine_host_speed(&machine, 0);
    const struct {
        const char *name;
        struct op op;
        enum location_state state;
        int64_t expected_ps, operations;
    } rows[] = {
        {"input", {.kind = OP_READ, .bytes = 1000}, STATE_USEFUL, 70 + 3 * 1000, 0},
        {"output", {.kind = OP_WRITE, .bytes = 1000}, STATE_USEFUL, 110 + 13 * 1000, 0},
        {"links", {.kind = OP_LINK_INIT, .links = 5}, STATE_CONTROL, 5 * 1700, 0},
        {"flops down", {.kind = OP_FLOPS, .flops = 10.3 * speed / 1e12}, STATE_USEFUL, 10, 0},
        {"flops up", {.kind = OP_FLOPS, .flops = 10.7 * speed / 1e12}, STATE_USEFUL, 11, 0},
        {"flops counted", {.kind = OP_FLOPS, .flops = 4999.7}, STATE_USEFUL, llround(4999.7e12 / speed), 5000},
        {"operations", {.kind = OP_FLOPS, .flops = 5000, .operations = 33}, STATE_USEFUL, llround(5e15 / speed), 33},
        {"a time", {.kind = OP_DELAY, .delay_ps = 17}, STATE_USEFUL, 17, 0},
        {"a time and operations", {.kind = OP_DELAY, .delay_ps = 17, .operations = 44}, STATE_USEFUL, 17, 44},
    };
    machine.costs.input_start_ps = 70;
    machine.costs.input_byte_ps = 3;
    machine.costs.output_start_ps = 110;
    machine.costs.output_byte_ps = 13;
    machine.costs.link_init_ps = 1700;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct script script = {0};
        *add(&script, 0, OP_DELAY, -1, 0) = rows[i].op;
        struct outcome outcome = run_row(&script, 1, "quiet");
        expect(rows[i].name, "quiet", 0, outcome.stats.end_ps, rows[i].expected_ps);
        expect(rows[i].name, "its state", 0, outcome.account.state_ps[0][rows[i].state], rows[i].expected_ps);
        expect(rows[i].name, "its operations", 0, outcome.account.operations[0], rows[i].operations);
    }
    machine.costs = whole;
}

/* Calls with a dimension beyond what the polynomial of their kernel was fitted to. Both ends belong to it. */
static void test_range(void)
{
    static const struct {
        int m, n, times;
        int64_t n_calls;
    } rows[] = {{2, 10, 4, 0}, {10, 2, 4, 0}, {11, 5, 4, 4}, {5, 1, 3, 3}, {0, 11, 4, 0}, {11, 11, 0, 0}};
    struct kernel_cost *cost = (struct kernel_cost *)(uintptr_t)machine_find_kernel(&machine, "gj.rsub");
    const struct kernel_cost whole = *cost;
    cost->polynomial = (struct polynomial){.n_terms = 1, .terms = {{.factor = 1, .m = 1, .n = 1}}, .from = 2, .to = 10};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct script script = {0};
        struct op *op = add(&script, 0, OP_COMPUTE, -1, 0);
        op->m = rows[i].m;
        op->n = rows[i].n;
        op->times = rows[i].times;
        expect("calls outside", "quiet", rows[i].m, run_row(&script, 1, "quiet").stats.outside.n_calls,
               rows[i].n_calls);
    }
    *cost = whole;
}

/* An empty message may take longer than one of the next row; of that, latency is no more than all. */
static void test_latency(void)
{
    struct cost_model whole = machine.costs;
    const struct route *route = machine_route(&machine, 0, 1);
    int64_t latency_ps, all_ps = machine_alone_ps(&machine, route, 200, false, &latency_ps);
    CU_ASSERT(latency_ps == t800_ps(0, 1) && all_ps == t800_ps(200, 1));
    machine.costs.message.row[0].start_ps += all_ps;
    CU_ASSERT_EQUAL(machine_alone_ps(&machine, route, 200, false, &latency_ps), all_ps);
    CU_ASSERT_EQUAL(latency_ps, all_ps);
    machine.costs.message.row[1].hop_ps = machine.costs.message.row[0].hop_ps - 1;
    machine.costs.receive_byte_ps = 3;
    const struct cost_model without = cost_model_without(&machine.costs, COST_LATENCY | COST_OVERHEAD);
    CU_ASSERT(without.message.row[1].hop_ps == 0 && without.receive_byte_ps == 0);
    machine.costs = whole;
}

/* --- order, failure, repetition --- */

/* Messages of one pair arrive in the order of sending, by tag. */
static void test_tags(void)
{
    struct script script = {0};
    add(&script, 0, OP_SEND, 1, 100)->tag = 7;
    add(&script, 0, OP_SEND, 1, 200)->tag = 8;
    add(&script, 1, OP_RECV, 0, 200)->tag = 8;
    add(&script, 1, OP_RECV, 0, 100)->tag = 7;
    struct outcome outcome = run_row(&script, 2, "fifo");
    CU_ASSERT_EQUAL(outcome.status, 0);
    CU_ASSERT_EQUAL(outcome.stats.end_ps, t800_ps(100, 1) + t800_ps(200, 1));
}

/* A receive of a collective does not take the program's messages, though sender and tag are the same. */
static void test_contexts(void)
{
    struct script script = {0};
    add(&script, 0, OP_DELAY, -1, 0)->delay_ps = 1000; /* so that rank 1 waits */
    add(&script, 0, OP_ISEND, 1, 100)->tag = -1;
    add(&script, 0, OP_BROADCAST, 0, 200);
    add(&script, 0, OP_WAIT, -1, 0);
    add(&script, 1, OP_BROADCAST, 0, 200);
    add(&script, 1, OP_RECV, 0, 100)->tag = -1;
    CU_ASSERT_EQUAL(run_row(&script, 2, "fifo").status, 0);
}

/* A message within a host is delivered; then both its ranks send over the same wire: the sender is the first to go
 * on. */
static void test_who_goes_on_first(void)
{
    for (int sender = 0; sender < 2; sender++)
        for (int i = 0; i < N_LENGTHS; i++) {
            int64_t l = lengths[i], pace = t800_busy_ps(l) > eq4_hop_ps(l) ? t800_busy_ps(l) : eq4_hop_ps(l);
            struct script script = {0};
            add(&script, sender, OP_SEND, 1 - sender, l);
            add(&script, 1 - sender, OP_RECV, sender, l);
            for (int r = 0; r < 2; r++) {
                add(&script, r, OP_SEND, r + 2, l);
                add(&script, r + 2, OP_RECV, r, l);
            }
            struct placement_request request = {.n_ranks = 4, .ranks_per_host = 2};
            struct outcome outcome = run_placed(&script, request, "fifo");
            expect("the sender", "fifo", l, outcome.account.state_ps[sender][STATE_SEND],
                   t800_ps(l, 0) + t800_ps(l, 1));
            expect("the receiver", "fifo", l, outcome.account.state_ps[1 - sender][STATE_SEND], pace + t800_ps(l, 1));
        }
}

static void test_deadlock(void)
{
    struct script script = {0};
    for (int r = 0; r < 3; r++) {
        add(&script, r, OP_SEND, (r + 1) % 3, 10)->mode = SEND_SYNCHRONOUS;
        add(&script, r, OP_RECV, (r + 2) % 3, 10);
    }
    add(&script, 3, OP_RECV, 0, 10);
    struct outcome outcome = run_row(&script, 4, "fifo");
    CU_ASSERT_EQUAL(outcome.status, -1);
    CU_ASSERT_EQUAL(outcome.error.status, SIM_UNFINISHED);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.error.message, "4 of 4 ranks wait"));
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.error.message, "rank 0 (step 0) waits to send to rank 1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.error.message, "rank 1 (step 0) waits to send to rank 2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.error.message, "rank 2 (step 0) waits to send to rank 0"));
}

static void test_wait_for_the_ended(void)
{
    struct script script = {0};
    add(&script, 1, OP_RECV, 0, 10);
    struct outcome outcome = run_row(&script, 2, "quiet");
    CU_ASSERT_EQUAL(outcome.status, -1);
    CU_ASSERT_STRING_EQUAL(
        outcome.error.message,
        "deadlock after 0 s, 1 of 2 ranks wait: rank 1 (step 0) waits to receive from rank 0, which has ended");
}

static void test_clock_range(void)
{
    struct script script = {0};
    add(&script, 0, OP_COMPUTE, -1, 0)->times = INT64_C(1) << 40;
    add(&script, 0, OP_COMPUTE, -1, 0)->times = INT64_C(1) << 40;
    struct outcome outcome = run_row(&script, 1, "quiet");
    CU_ASSERT_EQUAL(outcome.status, -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.error.message, "26.7 days"));
}

/* More messages under way at once than a run may have. */
static void test_memory_bound(void)
{
    struct script script = {.count = {0}};
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    struct program program = {.app = &script_app, .config = &script};
    struct placement placement;
    const struct placement_request request = {.n_ranks = 2, .ranks_per_host = 1};
    CU_ASSERT_EQUAL_FATAL(placement_init(&placement, &request, &machine, &error), 0);
    struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named("fifo")};
    for (int i = 0; i < 5; i++)
        add(&script, 0, OP_ISEND, 1, 1000);
    for (int i = 0; i < 5; i++)
        add(&script, 1, OP_RECV, 0, 1000);
    run.most_messages = 5;
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), 0);
    run.most_messages = 4;
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_UNFINISHED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "there are more than 4 messages under way at once"));
}

/* Receives that are posted before count apart from the messages: so many of each there may be. */
static void test_posted_bound(void)
{
    struct script script = {.count = {0}};
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    struct program program = {.app = &script_app, .config = &script};
    struct placement placement;
    const struct placement_request request = {.n_ranks = 2, .ranks_per_host = 1};
    CU_ASSERT_EQUAL_FATAL(placement_init(&placement, &request, &machine, &error), 0);
    struct kernel_run run = {
        .program = &program, .machine = &machine, .placement = &placement, .network = network_named("fifo")};
    for (int i = 0; i < 5; i++)
        add(&script, 1, OP_IRECV, 0, 1000);
    add(&script, 0, OP_RECV, 1, 0);
    add(&script, 1, OP_SEND, 0, 0);
    for (int i = 0; i < 5; i++)
        add(&script, 0, OP_ISEND, 1, 1000);
    add(&script, 1, OP_WAIT, 0, 0);
    run.most_messages = 5;
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), 0);
    CU_ASSERT_EQUAL(stats.messages, 6);
    run.most_messages = 4;
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_UNFINISHED);
}

enum { N_STARTED = 5 };

/* The first strand starts the others, each of which computes. */
static bool emit_started(const void *config, int rank, int64_t line, int64_t step, struct op_list *list)
{
    (void)config, (void)rank;
    for (int i = 1; i <= N_STARTED && line == 0 && step == 0; i++)
        op_list_add(list, OP_START, 0)->line = i;
    if (line > 0 && step == 0)
        op_list_add(list, OP_DELAY, 0)->delay_ps = PS_PER_S / 1000;
    return step == 0;
}

/* Strands have the same bound, beside as many as there are ranks: the last one is started when that of one rank has
 * ended. */
static void test_strand_bound(void)
{
    static const struct app_spec app = {
        .name = "strands", .scopes = script_scopes, .kernels = script_kernels, .emit_strand = emit_started};
    struct kernel_stats stats = {0};
    struct sim_error error = {.message = ""};
    const struct program program = {.app = &app, .n_processors = 1};
    struct placement placement;
    const struct placement_request request = {.n_ranks = 2, .ranks_per_host = 1};
    CU_ASSERT_EQUAL_FATAL(placement_init(&placement, &request, &machine, &error), 0);
    struct kernel_run run = {.program = &program,
                             .machine = &machine,
                             .placement = &placement,
                             .network = network_named("fifo"),
                             .most_messages = 2 * (int64_t)N_STARTED - 1};
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), 0);
    CU_ASSERT_EQUAL(stats.end_ps, N_STARTED * PS_PER_S / 1000);
    run.most_messages--;
    CU_ASSERT_EQUAL(kernel_run(&stats, &run, &error), -1);
    CU_ASSERT_EQUAL(error.status, SIM_UNFINISHED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "there are more than 8 operations under way at once"));
}

int main(void)
{
    static const struct test tests[] = {
        {"a single message takes eq. 4", test_single_message},
        {"ping", test_ping},
        {"two ranks of one host", test_same_host},
        {"two messages over one link", test_two_messages_one_link},
        {"two directions of a wire", test_opposite_messages},
        {"ring shift", test_ring_shift},
        {"chain of hops", test_chain},
        {"many senders to one receiver", test_many_to_one},
        {"synchronous send", test_synchronous_send},
        {"the way of the CTS", test_cts},
        {"late receiver", test_late_receiver},
        {"early receiver", test_early_receiver},
        {"shared processor", test_shared_processor},
        {"a processor of one's own", test_own_processor},
        {"cores of a host", test_cores},
        {"eager limit within a host", test_local_eager_limit},
        {"work that is no kernel", test_work},
        {"the range of a polynomial", test_range},
        {"latency of a formula", test_latency},
        {"tags", test_tags},
        {"contexts", test_contexts},
        {"who goes on first", test_who_goes_on_first},
        {"deadlock", test_deadlock},
        {"waiting for the ended", test_wait_for_the_ended},
        {"range of the clock", test_clock_range},
        {"bound of memory", test_memory_bound},
        {"posted receives", test_posted_bound},
        {"strands that a run may have", test_strand_bound},
        {NULL, NULL},
    };
    struct sim_error error;
    if (machine_load(&machine, SOURCE_DIR "/platforms/t800-mesh.xml", &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int status = testing_run("kernel", tests);
    machine_dispose(&machine);
    return status;
}
