/* Costs of messages at their ends, against closed forms: rows endpoint.N, and the rate of one core.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

/* --- rows --- */

enum { QUIET, FIFO, FLUID, N_NETWORKS };
static const char *const networks[N_NETWORKS] = {"quiet", "fifo", "fluid"};

static const struct wire_row wire = {1e8, 10000};

#define ROWS                                                                                                           \
    "<prop id='endpoint.1' value='up_to=1KiB start=2us byte=1ns send=3us send_byte=2ns receive=4us "                   \
    "receive_byte=3ns'/>"                                                                                              \
    "<prop id='endpoint.2' value='start=10us byte=0.5ns send=6us receive=1us receive_byte=0.25ns'/>"
#define EXCHANGE "<prop id='exchange.1' value='start=30us byte=2ns'/>"
#define LOCAL "<prop id='local.1' value='start=7us'/>"
#define PROTOCOL "<prop id='eager_limit' value='64KiB'/><prop id='control' value='64B'/>"

static int64_t send_ps(int64_t bytes)
{
    return bytes <= 1024 ? 3 * US + 2000 * bytes : 6 * US;
}

static int64_t receive_ps(int64_t bytes)
{
    return bytes <= 1024 ? 4 * US + 3000 * bytes : 1 * US + 250 * bytes;
}

static int64_t ends_ps(int64_t bytes)
{
    return bytes <= 1024 ? 2 * US + 1000 * bytes : 10 * US + 500 * bytes;
}

static int64_t wire_ps(int64_t bytes)
{
    return wire.latency_ns * 1000 + stream_ps(bytes, wire.Bps);
}

static int64_t message_ps(int64_t bytes)
{
    return send_ps(bytes) + ends_ps(bytes) + wire_ps(bytes) + receive_ps(bytes);
}

static const int64_t lengths[] = {0, 1, 1024, 1025, 65536};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

/* From rank 0 to 1 on the same host, or to 2 on the other. */
static int64_t time_to(int to, const char *network, int64_t bytes)
{
    struct script script = {.n_ranks = 4, .ranks_per_host = 2};
    add(&script, 0, OP_SEND, to, bytes);
    add(&script, to, OP_RECV, 0, bytes);
    const struct outcome outcome = run_script(&script, network);
    return outcome.status == 0 ? outcome.stats.end_ps : -1;
}

static int check_rows(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (int i = 0; i < N_NETWORKS * N_LENGTHS; i++) {
        const char *network = networks[i / N_LENGTHS];
        int64_t bytes = lengths[i % N_LENGTHS], latency_ps;
        const struct route *route = machine_route(&machine, 0, 1);
        failures += differs("within a host", network, time_to(1, network, bytes), 7 * US, 0);
        failures += differs("between hosts", network, time_to(2, network, bytes), message_ps(bytes), 0);
        failures += differs("alone", network, machine_alone_ps(&machine, route, bytes, false, &latency_ps),
                            ends_ps(bytes) + wire_ps(bytes), 0);
    }
    return failures;
}

static void test_rows(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(ROWS LOCAL, &wire, 1), check_rows, NULL), 0);
}

/* Rows of the message, of its request and of its clearance, each of its own length. Within a host there are none, and
 * 10 GB/s. */
static int check_rendezvous(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (int n = 0; n < N_NETWORKS; n++) {
        int64_t control_ps = ends_ps(64) + wire_ps(64);
        failures +=
            differs("a rendezvous", networks[n], time_to(2, networks[n], 65537), 2 * control_ps + message_ps(65537), 0);
        failures += differs("within a host, no rows", networks[n], time_to(1, networks[n], 1000), 1000 * 100, 0);
    }
    return failures;
}

static void test_rendezvous(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(ROWS PROTOCOL, &wire, 1), check_rendezvous, NULL), 0);
}

/* Both send while they receive: the rows exchange.N stand for start and byte. */
static int check_exchange(const void *argument)
{
    int failures = 0;
    (void)argument;
    for (int i = 0; i < N_NETWORKS * N_LENGTHS; i++) {
        const char *network = networks[i / N_LENGTHS];
        int64_t bytes = lengths[i % N_LENGTHS];
        struct script script = {.n_ranks = 2};
        for (int rank = 0; rank < 2; rank++) {
            add(&script, rank, OP_ISEND, 1 - rank, bytes)->exchanges = true;
            add(&script, rank, OP_RECV, 1 - rank, bytes);
            add(&script, rank, OP_WAIT, -1, 0);
        }
        struct outcome outcome = run_script(&script, network);
        failures += (outcome.status != 0) + differs("an exchange", network, outcome.stats.end_ps,
                                                    message_ps(bytes) - ends_ps(bytes) + 30 * US + 2000 * bytes, 0);
    }
    return failures;
}

static void test_exchange(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(ROWS EXCHANGE, &wire, 1), check_exchange, NULL), 0);
}

/* Without latency the costs of an empty message are gone, without length all but these, without overhead the ends'
 * processors work for nothing. */
static int check_without(const void *argument)
{
    static const int64_t bytes = 1000;
    const struct {
        unsigned cost;
        int64_t expected_ps;
    } rows[] = {
        {COST_LATENCY, message_ps(bytes) - 2 * US - 10 * US},
        {COST_LENGTH, message_ps(bytes) - 1000 * bytes - stream_ps(bytes, wire.Bps)},
        {COST_OVERHEAD, ends_ps(bytes) + wire_ps(bytes)},
    };
    const struct cost_model costs = machine.costs;
    int failures = 0;
    (void)argument;
    for (size_t i = 0; i < N_NETWORKS * sizeof rows / sizeof rows[0]; i++) {
        machine.costs = cost_model_without(&costs, rows[i / N_NETWORKS].cost);
        failures += differs("without a cost", networks[i % N_NETWORKS], time_to(2, networks[i % N_NETWORKS], bytes),
                            rows[i / N_NETWORKS].expected_ps, 0);
    }
    machine.costs = costs;
    return failures;
}

static void test_without(void)
{
    CU_ASSERT_EQUAL(on_platform(line_platform(ROWS LOCAL, &wire, 1), check_without, NULL), 0);
}

/* --- the rate of a core --- */

/* A core sends a quarter of what a wire carries. */
#define CORE "<prop id='core_bandwidth' value='25MBps'/>"

enum { LONG = 1000000 };
static const int64_t core_ps = 40 * MS, long_wire_ps = 10 * MS, way_ps = 20 * US; /* of LONG bytes; two wires */

static int ends_at(const char *what, const struct script *script, const char *network, int64_t expected_ps)
{
    struct outcome outcome = run_script(script, network);
    return (outcome.status != 0) + differs(what, network, outcome.stats.end_ps, expected_ps, 1e-9);
}

/* Alone a message has the rate of a core. Two of one rank leave one after another, but where there is no contention. */
static int one_sender(const char *network, bool is_quiet)
{
    struct script one = {.n_ranks = 2}, two = {.n_ranks = 3};
    add(&one, 0, OP_SEND, 1, LONG);
    add(&one, 1, OP_RECV, 0, LONG);
    for (int to = 1; to <= 2; to++) {
        add(&two, 0, OP_ISEND, to, LONG);
        add(&two, to, OP_RECV, 0, LONG);
    }
    add(&two, 0, OP_WAIT, -1, 0);
    return ends_at("one message", &one, network, core_ps + way_ps) +
           ends_at("two of one rank", &two, network, (is_quiet ? 1 : 2) * core_ps + way_ps);
}

/* Ranks of one host each have a core, and share its wire: two have room on it, five do not. */
static int one_host(const char *network, int senders, int64_t expected_ps)
{
    struct script script = {.n_ranks = 15, .ranks_per_host = 5};
    for (int rank = 0; rank < senders; rank++) {
        int to = 5 + rank;
        add(&script, rank, OP_SEND, to, LONG);
        add(&script, to, OP_RECV, rank, LONG);
    }
    return ends_at("ranks of one host", &script, network, expected_ps);
}

/* Three messages to one rank share no wire that is too narrow, and come in one after another. */
static int one_receiver(const char *network, int64_t expected_ps)
{
    struct script script = {.n_ranks = 4};
    for (int from = 1; from <= 3; from++) {
        add(&script, from, OP_SEND, 0, LONG);
        add(&script, 0, OP_IRECV, from, LONG);
    }
    add(&script, 0, OP_WAIT, -1, 0);
    return ends_at("many to one", &script, network, expected_ps);
}

/* While the port is busy, request and clearance of another message go ahead; its data wait for the port. Neither do
 * messages within a host need it. */
static int beside_a_long_one(const char *network)
{
    struct script asks = {.n_ranks = 3}, local = {.n_ranks = 4, .ranks_per_host = 2};
    for (int to = 1; to <= 2; to++) {
        add(&asks, 0, OP_ISEND, to, LONG)->mode = to == 2 ? SEND_SYNCHRONOUS : SEND_STANDARD;
        add(&asks, to, OP_RECV, 0, LONG);
    }
    add(&asks, 0, OP_WAIT, -1, 0);
    add(&local, 0, OP_ISEND, 2, LONG);
    add(&local, 0, OP_SEND, 1, LONG);
    add_work(&local, 0, 60 * MS);
    add(&local, 2, OP_RECV, 0, LONG);
    add(&local, 1, OP_RECV, 0, LONG);
    return ends_at("a rendezvous beside", &asks, network, 2 * core_ps + way_ps) +
           ends_at("beside, within the host", &local, network, 60 * MS + 7 * US);
}

static int check_cores(const void *argument)
{
    (void)argument;
    return one_sender("quiet", true) + one_sender("fifo", false) + one_sender("fluid", false) +
           one_host("quiet", 5, core_ps + way_ps) + one_host("fifo", 2, long_wire_ps + core_ps + way_ps) +
           one_host("fluid", 2, core_ps + way_ps) + one_host("fluid", 5, 5 * long_wire_ps + way_ps) +
           one_receiver("quiet", core_ps + way_ps) + one_receiver("fifo", 3 * core_ps + way_ps) +
           one_receiver("fluid", 3 * core_ps + way_ps) + beside_a_long_one("fifo") + beside_a_long_one("fluid");
}

static void test_cores(void)
{
    CU_ASSERT_EQUAL(
        on_platform(star_platform(CORE LOCAL "<prop id='control' value='64B'/>", 4, wire), check_cores, NULL), 0);
}

/* Where a core is not said, or cannot be the bound, nothing changes. */
static int check_no_cores(const void *argument)
{
    (void)argument;
    struct script two = {.n_ranks = 3};
    for (int to = 1; to <= 2; to++) {
        add(&two, 0, OP_ISEND, to, LONG);
        add(&two, to, OP_RECV, 0, LONG);
    }
    add(&two, 0, OP_WAIT, -1, 0);
    return ends_at("no bound", &two, "fifo", 2 * long_wire_ps + way_ps) +
           ends_at("no bound", &two, "fluid", 2 * long_wire_ps + way_ps);
}

static void test_no_cores(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform("", 3, wire), check_no_cores, NULL), 0);
}

/* --- the gap between messages of a host --- */

#define GAP "<prop id='node_gap' value='50us'/>"

enum { SHORT = 100, N_SHORT = 4 };
static const int64_t gap_ps = 50 * US, short_wire_ps = 1 * US; /* of SHORT bytes */

/* Ranks 0 to 3 of the first host send one message each, to the same number of ranks on the second host, or on hosts
 * of their own. */
static int from_one_host(const char *network, int ranks_per_host, int64_t expected_ps)
{
    struct script script = {.n_ranks = 8, .ranks_per_host = ranks_per_host};
    for (int rank = 0; rank < N_SHORT; rank++) {
        add(&script, rank, OP_SEND, N_SHORT + rank, SHORT);
        add(&script, N_SHORT + rank, OP_RECV, rank, SHORT);
    }
    return ends_at("short ones", &script, network, expected_ps);
}

/* One rank each of three hosts sends to another host: its card takes one after another in. */
static int to_one_host(const char *network)
{
    enum { SENDERS = 3 };
    struct script script = {.n_ranks = 12, .ranks_per_host = SENDERS};
    for (int to = 0; to < SENDERS; to++) {
        add(&script, SENDERS * (to + 1), OP_SEND, to, SHORT);
        add(&script, to, OP_RECV, SENDERS * (to + 1), SHORT);
    }
    struct outcome outcome = run_script(&script, network);
    int64_t least_ps = way_ps + (SENDERS - 1) * gap_ps, most_ps = least_ps + 2 * SENDERS * short_wire_ps;
    return outcome.status != 0 || outcome.stats.end_ps < least_ps || outcome.stats.end_ps > most_ps;
}

static int check_gaps(const void *argument)
{
    (void)argument;
    int64_t one_ps = way_ps + short_wire_ps, turns_ps = 3 * (gap_ps + short_wire_ps);
    return from_one_host("quiet", N_SHORT, one_ps) + from_one_host("fifo", N_SHORT, one_ps + turns_ps) +
           from_one_host("fluid", N_SHORT, one_ps + turns_ps) + from_one_host("fifo", 1, one_ps) +
           from_one_host("fluid", 1, one_ps) + to_one_host("fifo") + to_one_host("fluid");
}

static void test_gaps(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform(GAP LOCAL, 8, wire), check_gaps, NULL), 0);
}

/* --- the memory of a host --- */

/* 1 GB/s: 1 ns a byte. */
#define MEMORY "<prop id='local_bandwidth' value='1GBps'/>"

static const int64_t own_ps = 7 * US; /* of a message within a host, see LOCAL */

/* So many pairs of ranks on each of two hosts, each a message of so many bytes. */
static int pairs_within(const char *network, int pairs, int64_t bytes, enum send_mode mode, int64_t expected_ps)
{
    struct script script = {.n_ranks = 4 * pairs, .ranks_per_host = 2 * pairs};
    for (int from = 0; from < 4 * pairs; from += 2) {
        add(&script, from, OP_SEND, from + 1, bytes)->mode = (uint8_t)mode;
        add(&script, from + 1, OP_RECV, from, bytes);
    }
    return ends_at("pairs within a host", &script, network, expected_ps);
}

/* One message after another asks for no more than the memory has. */
static int one_after_another(const char *network)
{
    struct script script = {.n_ranks = 2, .ranks_per_host = 2};
    for (int i = 0; i < 3; i++) {
        add(&script, i % 2, OP_SEND, 1 - i % 2, 5000);
        add(&script, 1 - i % 2, OP_RECV, i % 2, 5000);
    }
    return ends_at("one after another", &script, network, 3 * own_ps);
}

static int check_memory(const void *argument)
{
    int wrong = 0;
    (void)argument;
    for (int i = 0; i < 2; i++) {
        const char *network = i == 0 ? "fifo" : "fluid";
        wrong += pairs_within(network, 1, 5000, SEND_STANDARD, own_ps);
        wrong += pairs_within(network, 1, 10000, SEND_STANDARD, 10 * US);
        wrong += pairs_within(network, 2, 5000, SEND_STANDARD, 10 * US);
        wrong += pairs_within(network, 2, 3000, SEND_STANDARD, own_ps);
        wrong += pairs_within(network, 2, 5000, SEND_SYNCHRONOUS, 2 * own_ps + 10 * US);
        wrong += one_after_another(network);
    }
    return wrong + pairs_within("quiet", 2, 10000, SEND_STANDARD, own_ps);
}

static void test_memory(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform(MEMORY LOCAL, 8, wire), check_memory, NULL), 0);
    CU_ASSERT_EQUAL(on_platform(star_platform(MEMORY GAP CORE LOCAL, 8, wire), check_memory, NULL), 0);
}

int main(void)
{
    return testing_run("ends of messages", (const struct test[]){{"rows", test_rows},
                                                                 {"a rendezvous", test_rendezvous},
                                                                 {"exchanges", test_exchange},
                                                                 {"without a cost", test_without},
                                                                 {"the rate of a core", test_cores},
                                                                 {"no core said", test_no_cores},
                                                                 {"the gap of a host", test_gaps},
                                                                 {"the memory of a host", test_memory},
                                                                 {NULL, NULL}});
}
