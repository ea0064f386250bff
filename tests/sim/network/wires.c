/* The networks on wires against closed forms: one message, the processors' share, eager and rendezvous, sharing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

enum { QUIET, FIFO, FLUID, LOGGP, N_NETWORKS };
static const char *const networks[N_NETWORKS] = {"quiet", "fifo", "fluid", "loggp"};

/* --- one message --- */

enum { MAX_WIRES = 3 };

static const struct line {
    int n_wires;
    struct wire_row wires[MAX_WIRES];
} lines[] = {
    {1, {{11e6, 50000}}},
    {2, {{11e6, 50000}, {11e6, 50000}}},
    {3, {{12.5e6, 1000}, {12.5e6, 1000}, {12.5e6, 1000}}},
    {2, {{1e8, 10000}, {11e6, 50000}}},
    {2, {{11e6, 50000}, {1e8, 10000}}},
    {3, {{1e9, 1000}, {1e6, 200000}, {12.5e6, 50000}}},
    {1, {{1e9, 0}}},
};
enum { N_LINES = sizeof lines / sizeof lines[0] };

static const int64_t lengths[] = {1, 2, 100, 1000, 65536, 1000000, 10000000};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

/* The closed form between two hosts of a line. */
static int64_t alone_ps(const struct line *line, int from, int to, int64_t bytes)
{
    int64_t latency_ns = 0;
    double slowest = INFINITY;
    for (int w = from < to ? from : to; w < (from < to ? to : from); w++) {
        latency_ns += line->wires[w].latency_ns;
        slowest = fmin(slowest, line->wires[w].Bps);
    }
    return latency_ns * 1000 + stream_ps(bytes, slowest);
}

static int one_message(const struct line *line, int network, int from, int to, int64_t bytes)
{
    struct script script = {.n_ranks = line->n_wires + 1};
    add(&script, from, OP_SEND, to, bytes);
    add(&script, to, OP_RECV, from, bytes);
    struct outcome outcome = run_script(&script, networks[network]);
    const struct recording *record = &outcome.record;
    int64_t expected = alone_ps(line, from, to, bytes);
    int failures = outcome.status != 0 || outcome.stats.messages != 1 || outcome.stats.bytes != bytes;
    failures += differs("one message", networks[network], outcome.stats.end_ps, expected, 0);
    failures += record->state_ps[from][STATE_SEND] != outcome.stats.end_ps;
    failures += record->state_ps[to][STATE_RECEIVE] != outcome.stats.end_ps;
    if (failures > 0)
        fprintf(stderr, "... %" PRId64 " bytes from host %d to %d of %d\n", bytes, from, to, line->n_wires + 1);
    return failures;
}

static int check_messages(const void *argument)
{
    const struct line *line = argument;
    int failures = 0;
    for (int n = 0; n < N_NETWORKS; n++)
        for (int i = 0; i < N_LENGTHS; i++)
            for (int to = 1; to <= line->n_wires; to++)
                failures += one_message(line, n, 0, to, lengths[i]) + one_message(line, n, to, 0, lengths[i]);
    return failures;
}

static void test_one_message(void)
{
    for (int i = 0; i < N_LINES; i++)
        CU_ASSERT_EQUAL(on_platform(line_platform("", lines[i].wires, lines[i].n_wires), check_messages, &lines[i]), 0);
}

/* --- what the processors spend --- */

#define OVERHEADS                                                                                                      \
    "<prop id='send_overhead' value='start=10us byte=1ns'/>"                                                           \
    "<prop id='receive_overhead' value='start=5us byte=2ns'/>"

static int64_t handing_ps(int64_t bytes)
{
    return 10 * US + 1000 * bytes;
}

static int64_t taking_ps(int64_t bytes)
{
    return 5 * US + 2000 * bytes;
}

/* Sender and receiver, who comes at `late_ps`, of three messages in a row of which each is sent with `kind`. The
 * locations' sending and receiving is exactly the overhead where nothing has to be waited for. */
static int overheads_of(int network, bool buffered, enum op_kind kind, int64_t bytes)
{
    struct script script = {.n_ranks = 2};
    int64_t handing = handing_ps(bytes), taking = taking_ps(bytes), under_way = alone_ps(&lines[0], 0, 1, bytes);
    int64_t late_ps = 10 * (handing + under_way);
    for (int i = 0; i < 3; i++)
        add(&script, 0, kind, 1, bytes);
    add_work(&script, 1, late_ps);
    for (int i = 0; i < 3; i++)
        add(&script, 1, OP_RECV, 0, bytes);
    struct outcome outcome = run_script(&script, networks[network]);
    int64_t(*state)[N_LOCATION_STATES] = outcome.record.state_ps;
    int64_t sending = 3 * (handing + (buffered || kind == OP_ISEND ? 0 : under_way));
    int failures = outcome.status != 0;
    failures += differs("sending", networks[network], state[0][STATE_SEND], sending, 0);
    failures += differs("taking in", networks[network], state[1][STATE_RECEIVE], 3 * taking, 0);
    failures += differs("makespan", networks[network], outcome.stats.end_ps, late_ps + 3 * taking, 0);
    failures += buffered && state[0][STATE_SEND] != 3 * handing;
    return failures;
}

/* A receiver who is early idles while the sender hands the message over, and receives until it has taken it in. */
static int early_receiver(int network, int64_t bytes)
{
    struct script script = {.n_ranks = 2};
    add(&script, 0, OP_SEND, 1, bytes);
    add(&script, 1, OP_RECV, 0, bytes);
    struct outcome outcome = run_script(&script, networks[network]);
    int64_t(*state)[N_LOCATION_STATES] = outcome.record.state_ps;
    int64_t receiving = alone_ps(&lines[0], 0, 1, bytes) + taking_ps(bytes);
    return (outcome.status != 0) + differs("idling", networks[network], state[1][STATE_IDLE], handing_ps(bytes), 0) +
           differs("receiving", networks[network], state[1][STATE_RECEIVE], receiving, 0);
}

static int check_overheads(const void *argument)
{
    const bool *buffered = argument;
    int failures = 0;
    for (int n = 0; n < N_NETWORKS; n++)
        for (int i = 0; i < N_LENGTHS; i++)
            failures += overheads_of(n, *buffered, OP_SEND, lengths[i]) +
                        overheads_of(n, *buffered, OP_ISEND, lengths[i]) + early_receiver(n, lengths[i]);
    return failures;
}

static void test_overheads(void)
{
    static const bool delivered = false, buffered = true;
    CU_ASSERT_EQUAL(on_platform(line_platform(OVERHEADS, lines[0].wires, 1), check_overheads, &delivered), 0);
    CU_ASSERT_EQUAL(
        on_platform(line_platform(OVERHEADS "<prop id='send_completes' value='buffered'/>", lines[0].wires, 1),
                    check_overheads, &buffered),
        0);
}

/* --- rows within a host --- */

#define LOCAL_ROWS                                                                                                     \
    "<prop id='local.1' value='up_to=1KiB start=2us byte=1ns send=3us send_byte=2ns receive=4us receive_byte=3ns'/>"   \
    "<prop id='local.2' value='start=10us byte=0.5ns send=6us receive=1us receive_byte=0.25ns'/>"

static int64_t local_ps(int64_t bytes)
{
    return bytes <= 1024 ? (2 + 3 + 4) * US + (1000 + 2000 + 3000) * bytes : (10 + 6 + 1) * US + (500 + 250) * bytes;
}

/* Two ranks a host: 0 sends to 1 beside it, or to 2 on the other host, whom the rows do not concern. */
static int check_local(const void *argument)
{
    static const int64_t bytes_of[] = {0, 1, 1024, 1025, 1000000};
    int failures = 0;
    (void)argument;
    for (int i = 0; i < N_NETWORKS * 5 * 2; i++) {
        int network = i % N_NETWORKS, to = 1 + i / N_NETWORKS / 5;
        int64_t bytes = bytes_of[i / N_NETWORKS % 5];
        struct script script = {.n_ranks = 4, .ranks_per_host = 2};
        add(&script, 0, OP_SEND, to, bytes);
        add(&script, to, OP_RECV, 0, bytes);
        struct outcome outcome = run_script(&script, networks[network]);
        int64_t expected_ps = to == 1 ? local_ps(bytes) : alone_ps(&lines[0], 0, 1, bytes);
        failures += (outcome.status != 0) +
                    differs(to == 1 ? "within" : "between", networks[network], outcome.stats.end_ps, expected_ps, 0);
    }
    return failures;
}

static void test_local_rows(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(LOCAL_ROWS, lines[0].wires, 1), check_local, NULL), 0);
}

/* --- eager and rendezvous --- */

enum { CONTROL_BYTES = 64, EAGER_LIMIT = 65536 };

#define PROTOCOL "<prop id='control' value='64B'/><prop id='eager_limit' value='64KiB'/>"

/* One message; the receiver comes late, and the sender works between OP_ISEND and OP_WAIT. */
struct exchange {
    int64_t bytes, late_ps, work_ps;
    enum op_kind kind;
    bool synchronous, buffered;
};

/* When sender and receiver are done. */
static void closed_form(const struct exchange *exchange, int64_t *sender_ps, int64_t *receiver_ps)
{
    bool rendezvous = exchange->synchronous || exchange->bytes > EAGER_LIMIT;
    int64_t control_ps = alone_ps(&lines[0], 0, 1, CONTROL_BYTES);
    int64_t delivery_ps = alone_ps(&lines[0], 0, 1, exchange->bytes);
    if (rendezvous)
        delivery_ps += max64(control_ps, exchange->late_ps) + control_ps;
    *receiver_ps = max64(exchange->late_ps, delivery_ps);
    *sender_ps = max64(exchange->work_ps, rendezvous || !exchange->buffered ? delivery_ps : 0);
}

static int exchange_once(int network, const struct exchange *exchange)
{
    struct script script = {.n_ranks = 2};
    int64_t sender_ps, receiver_ps;
    add(&script, 0, exchange->kind, 1, exchange->bytes)->mode =
        exchange->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
    if (exchange->kind == OP_ISEND) {
        add_work(&script, 0, exchange->work_ps);
        add(&script, 0, OP_WAIT, -1, 0);
    }
    add_work(&script, 1, exchange->late_ps);
    add(&script, 1, OP_RECV, 0, exchange->bytes);
    closed_form(exchange, &sender_ps, &receiver_ps);
    struct outcome outcome = run_script(&script, networks[network]);
    const struct recording *record = &outcome.record;
    int failures = (outcome.status != 0) + differs("sender", networks[network], record->busy_until[0], sender_ps, 0) +
                   differs("receiver", networks[network], record->busy_until[1], receiver_ps, 0);
    if (failures > 0)
        fprintf(stderr, "... %" PRId64 " bytes, late %" PRId64 ", work %" PRId64 ", %s%s%s\n", exchange->bytes,
                exchange->late_ps, exchange->work_ps, exchange->kind == OP_ISEND ? "isend" : "send",
                exchange->synchronous ? " synchronous" : "", exchange->buffered ? " buffered" : "");
    return failures;
}

static int check_exchanges(const void *argument)
{
    static const int64_t exchange_bytes[] = {1000, EAGER_LIMIT, EAGER_LIMIT + 1, 1000000};
    static const int64_t times_ps[] = {0, 5 * US, 60 * US, 120 * US, 3 * MS, 80 * MS, 1000 * MS};
    enum { N_BYTES = sizeof exchange_bytes / sizeof exchange_bytes[0], N_TIMES = sizeof times_ps / sizeof times_ps[0] };
    struct exchange exchange = {.buffered = *(const bool *)argument};
    int failures = 0;
    for (int i = 0; i < N_NETWORKS * N_BYTES * N_TIMES * 2; i++) {
        int network = i % N_NETWORKS;
        exchange.bytes = exchange_bytes[i / N_NETWORKS % N_BYTES];
        exchange.late_ps = times_ps[i / N_NETWORKS / N_BYTES % N_TIMES];
        exchange.synchronous = i / N_NETWORKS / N_BYTES / N_TIMES != 0;
        exchange.kind = OP_SEND;
        exchange.work_ps = 0;
        failures += exchange_once(network, &exchange);
        exchange.kind = OP_ISEND;
        for (int w = 0; w < N_TIMES; w++) {
            exchange.work_ps = times_ps[w];
            failures += exchange_once(network, &exchange);
        }
    }
    return failures;
}

static void test_protocol(void)
{
    static const bool delivered = false, buffered = true;
    CU_ASSERT_EQUAL(on_platform(line_platform(PROTOCOL, lines[0].wires, 1), check_exchanges, &delivered), 0);
    CU_ASSERT_EQUAL(
        on_platform(line_platform(PROTOCOL "<prop id='send_completes' value='buffered'/>", lines[0].wires, 1),
                    check_exchanges, &buffered),
        0);
}

/* Sender or receiver has work to do after the message, so that the run ends with him. The critical path runs through
 * the work of the one who came to the message last, and not through that of the other. */
static int path_once(int network, const struct exchange *exchange, int64_t ahead_ps, int tail_rank)
{
    static const int64_t tail_ps = 500 * MS;
    struct script script = {.n_ranks = 2};
    add_work(&script, 0, ahead_ps);
    add(&script, 0, exchange->kind, 1, exchange->bytes);
    add(&script, 0, OP_WAIT, -1, 0);
    add_work(&script, 1, exchange->late_ps);
    add(&script, 1, OP_RECV, 0, exchange->bytes);
    add_work(&script, tail_rank, tail_ps);
    struct metrics metrics;
    struct result result;
    metrics_open(&metrics,
                 &(struct interval_setup){.n_ranks = 2, .n_locations = 2, .scopes = script_scopes, .n_scopes = 3});
    result_init(&result);
    struct outcome outcome = run_with(&script, network_named(networks[network]), &metrics);
    metrics_report(&metrics, &(struct metrics_totals){outcome.stats.end_ps, 0}, &result);
    int64_t processing = tail_ps + max64(ahead_ps, exchange->late_ps);
    int failures = (outcome.status != 0) + differs("work on the path", networks[network],
                                                   (int64_t)path_part(&result, "processing"), processing, 0);
    result_dispose(&result);
    metrics_close(&metrics);
    free(outcome.record.intervals);
    return failures;
}

/* Sender and receiver come further apart than a request takes. */
static int check_paths(const void *argument)
{
    static const int64_t aheads_ps[] = {0, 3 * MS, 90 * MS}, lates_ps[] = {1 * MS, 40 * MS};
    static const enum op_kind kinds[] = {OP_SEND, OP_ISEND};
    int failures = 0;
    (void)argument;
    for (int i = 0; i < N_NETWORKS * 3 * 2 * 2 * 2; i++) {
        struct exchange exchange = {
            .bytes = 1000000, .late_ps = lates_ps[i / N_NETWORKS / 3 % 2], .kind = kinds[i / N_NETWORKS / 6 % 2]};
        failures += path_once(i % N_NETWORKS, &exchange, aheads_ps[i / N_NETWORKS % 3], i / N_NETWORKS / 12);
    }
    return failures;
}

static void test_paths(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(PROTOCOL, lines[0].wires, 1), check_paths, NULL), 0);
}

/* OP_WAIT waits for all that were sent, the longest ends it. */
static int check_wait_for_all(const void *argument)
{
    (void)argument;
    int failures = 0;
    for (int n = 0; n < N_NETWORKS; n++) {
        struct script script = {.n_ranks = 4};
        for (int to = 1; to < 4; to++) {
            add(&script, 0, OP_ISEND, to, 1000);
            add_work(&script, to, to == 2 ? 90 * MS : MS);
            add(&script, to, OP_RECV, 0, 1000);
        }
        add(&script, 0, OP_WAIT, -1, 0);
        add(&script, 0, OP_WAIT, -1, 0); /* nothing left to wait for */
        struct outcome outcome = run_script(&script, networks[n]);
        int64_t rest_ps = alone_ps(&lines[2], 0, 2, 4) + alone_ps(&lines[2], 0, 2, 1000);
        failures += outcome.status != 0;
        failures += differs("last receiver", networks[n], outcome.record.busy_until[2], 90 * MS + rest_ps, 0);
        failures += outcome.record.busy_until[0] != outcome.record.busy_until[2];
        failures += outcome.record.state_ps[0][STATE_SEND] != outcome.stats.end_ps;
    }
    return failures;
}

static void test_wait_for_all(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform("<prop id='control' value='4B'/><prop id='eager_limit' value='10B'/>",
                                              lines[2].wires, 3),
                                check_wait_for_all, NULL),
                    0);
}

/* --- sharing --- */

/* Messages that start at once, and when each is delivered. Rank r sits on host r / ranks_per_host. */
enum { MAX_FLOWS = 6 };
struct sharing {
    const char *name;
    int n_ranks, ranks_per_host, n_flows;
    struct {
        int from, to;
        int64_t bytes;
        int64_t expected_ps[N_NETWORKS];
    } flows[MAX_FLOWS];
};

/* Every sender's send ends when its message is delivered. */
static int check_sharing(const void *argument)
{
    const struct sharing *sharing = argument;
    int failures = 0;
    for (int n = 0; n < N_NETWORKS; n++) {
        struct script script = {.n_ranks = sharing->n_ranks, .ranks_per_host = sharing->ranks_per_host};
        for (int f = 0; f < sharing->n_flows; f++) {
            add(&script, sharing->flows[f].from, OP_SEND, sharing->flows[f].to, sharing->flows[f].bytes);
            add(&script, sharing->flows[f].to, OP_RECV, sharing->flows[f].from, sharing->flows[f].bytes);
        }
        struct outcome outcome = run_script(&script, networks[n]);
        failures += outcome.status != 0;
        for (int f = 0; f < sharing->n_flows; f++)
            failures += differs(sharing->name, networks[n], outcome.record.busy_until[sharing->flows[f].from],
                                sharing->flows[f].expected_ps[n], n == FLUID ? 1e-9 : 0);
    }
    return failures;
}

static void share(const char *platform_name, char *platform, const struct sharing *sharing)
{
    int status = on_platform(platform, check_sharing, sharing);
    if (status != 0)
        fprintf(stderr, "... %s\n", platform_name);
    CU_ASSERT_EQUAL(status, 0);
}

/* k hosts of a star send L bytes to host 0 at once: fifo serves its wire in the order of the ranks, with fluid all end
 * at latency + k L / B; loggp keeps its host's wire busy for all bytes but the first. */
static void test_many_to_one(void)
{
    const struct wire_row wire = {11e6, 50000};
    const int64_t bytes = 100000;
    for (int k = 1; k <= MAX_FLOWS; k++) {
        struct sharing sharing = {.name = "many to one", .n_ranks = k + 1, .ranks_per_host = 1, .n_flows = k};
        for (int f = 0; f < k; f++) {
            sharing.flows[f].from = f + 1;
            sharing.flows[f].bytes = bytes;
            sharing.flows[f].expected_ps[QUIET] = 100 * US + stream_ps(bytes, wire.Bps);
            sharing.flows[f].expected_ps[FIFO] = 100 * US + (f + 1) * stream_ps(bytes, wire.Bps);
            sharing.flows[f].expected_ps[FLUID] = 100 * US + stream_ps(k * bytes, wire.Bps);
            sharing.flows[f].expected_ps[LOGGP] =
                100 * US + stream_ps(bytes, wire.Bps) + f * (stream_ps(bytes, wire.Bps) - stream_ps(1, wire.Bps));
        }
        share("star", star_platform("", 8, wire), &sharing);
    }
}

/* Two ranks of one host send to two of the next over one wire, 2 MB and 1 MB at 10 MB/s after 1 ms. With fluid the
 * shorter ends when 2 MB in all are through, the longer when all are; opposite directions are apart. With loggp the
 * first byte of the second follows the last of the first. */
static void test_unequal_lengths(void)
{
    const struct wire_row wire = {1e7, 1000000};
    const struct sharing both = {"2 MB and 1 MB",
                                 6,
                                 3,
                                 3,
                                 {{0, 3, 2000000, {201 * MS, 201 * MS, 301 * MS, 201 * MS}},
                                  {1, 4, 1000000, {101 * MS, 301 * MS, 201 * MS, 301 * MS - US / 10}},
                                  {5, 2, 1500000, {151 * MS, 151 * MS, 151 * MS, 151 * MS}}}};
    share("line", line_platform("", &wire, 1), &both);
}

/* On wires without latency: 0 -> 4 crosses both, 1 -> 2 the first, 3 -> 5 the second; two ranks to a host. */
static void test_two_wires(void)
{
    const struct wire_row equal[] = {{1e7, 0}, {1e7, 0}}, unequal[] = {{1e7, 0}, {4e6, 0}};
    const struct sharing on_equal = {"two equal wires",
                                     6,
                                     2,
                                     3,
                                     {{0, 4, 1000000, {100 * MS, 100 * MS, 200 * MS, 100 * MS}},
                                      {1, 2, 1000000, {100 * MS, 200 * MS, 200 * MS, 200 * MS - US / 10}},
                                      {3, 5, 1000000, {100 * MS, 200 * MS, 200 * MS, 200 * MS - US / 10}}}};
    /* With loggp a host's wire is busy as long as the slowest one of the message's way. */
    /* Max-min: the second wire gives 2 MB/s to each of its flows, and leaves 8 MB/s of the first. */
    const struct sharing on_unequal = {"two unequal wires",
                                       6,
                                       2,
                                       3,
                                       {{0, 4, 1000000, {250 * MS, 250 * MS, 500 * MS, 250 * MS}},
                                        {1, 2, 1000000, {100 * MS, 200 * MS, 125 * MS, 350 * MS - US / 4}},
                                        {3, 5, 1000000, {250 * MS, 500 * MS, 500 * MS, 500 * MS - US / 4}}}};
    share("line", line_platform("", equal, 2), &on_equal);
    share("line", line_platform("", unequal, 2), &on_unequal);
}

int main(void)
{
    static const struct test tests[] = {
        {"one message", test_one_message},
        {"overheads", test_overheads},
        {"rows within a host", test_local_rows},
        {"eager and rendezvous", test_protocol},
        {"critical path of a rendezvous", test_paths},
        {"wait for all", test_wait_for_all},
        {"many to one", test_many_to_one},
        {"unequal lengths", test_unequal_lengths},
        {"two wires", test_two_wires},
        {NULL, NULL},
    };
    return testing_run("wires", tests);
}
