/* The network fifo, which serves all that comes to links on a day at once, against itself when the engine keeps the
 * order: the same intervals of programs in which much comes at the same moment, or is of very different lengths.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/list.h"
#include "base/hash.h"
#include "core/simrun.h"
#include "core/simulation.h"
#include "sim/simulate.h"
#include "tests/sim/network/values.h"
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

/* ---- One run ---- */

/* As of an engine that tells nothing of its events. */
static enum transfer_state advance_in_steps(struct network *network, struct transfer *transfer, uint32_t number,
                                            int64_t now, int64_t *at)
{
    network->has_event = false;
    return network_fifo.advance(network, transfer, number, now, at);
}

static void take(void *self, const struct interval *interval)
{
    uint64_t *digest = self;
    const int64_t numbers[] = {interval->start_ps, interval->end_ps,    interval->bytes, interval->location,
                               interval->peer,     interval->origin_ps, interval->state, interval->message};
    *digest = hash_bytes(*digest, numbers, sizeof numbers);
}

struct answer {
    struct kernel_stats stats;
    uint64_t digest;
    bool fails;
    char message[sizeof((struct sim_error *)NULL)->message];
};

static struct answer run(struct machine *on, const char *const *settings, bool in_steps)
{
    const struct app_spec *app = app_find(app_skeletons, "collective");
    int64_t *values = values_of(app, settings);
    struct simulation simulation;
    struct answer answer = {.digest = HASH_START};
    struct sim_error error = {.message = ""};
    struct network_spec steps = network_fifo;
    steps.advance = advance_in_steps;
    CU_ASSERT_EQUAL_FATAL(
        simulation_init(&simulation, on, in_steps ? &steps : &network_fifo, app, NULL, values, false, &error), 0);
    struct kernel_run run = simulation_kernel_run(&simulation);
    const struct interval_sink sink = {.take = take, .self = &answer.digest};
    run.sinks = &sink;
    run.n_sinks = 1;
    answer.fails = simulate_run(&answer.stats, &run, &error) != 0;
    snprintf(answer.message, sizeof answer.message, "%s", error.message);
    simulation_dispose(&simulation);
    free(values);
    return answer;
}

static void check(struct machine *on, const char *const *settings)
{
    struct answer days = run(on, settings, false), steps = run(on, settings, true);
    bool same = days.fails == steps.fails && (days.fails || days.digest == steps.digest) &&
                strcmp(days.message, steps.message) == 0 && days.stats.end_ps == steps.stats.end_ps &&
                days.stats.events == steps.stats.events;
    CU_ASSERT(same);
    if (same)
        return;
    fprintf(stderr, "%s:", on->name);
    for (int s = 0; settings[s] != NULL; s++)
        fprintf(stderr, " %s", settings[s]);
    fprintf(stderr, ": %" PRId64 " ps and %" PRId64 " events, in steps %" PRId64 " and %" PRId64 "\n  '%s' '%s'\n",
            days.stats.end_ps, days.stats.events, steps.stats.end_ps, steps.stats.events, days.message, steps.message);
}

/* ---- Many ---- */

static const struct {
    const char *shape;
    enum routing routing;
} topologies[] = {
    {"mesh 8x4", 0},
    {"torus 4x4x2", 0},
    {"ring 32", 0},
    {"fat_tree 4x4x2", 0},
    {"fat_tree 4x4x2", ROUTING_ECMP},
    {"tree 8x4", 0},
    {"dragonfly 4x4x2", 0},
    {"dragonfly 4x4x2:3", 0},
    {"dragonfly 4x4x2:3", ROUTING_VALIANT},
    {"dragonfly 5x4x2x2", ROUTING_VALIANT},
    {"hyperx 4x4x2", ROUTING_VALIANT},
    {"hypercube 32", 0},
    {"star 32", 0},
    {"complete 32", 0},
};
static const char *const collectives[][2] = {{"alltoall", "pairwise"},
                                             {"alltoall", "linear"},
                                             {"alltoall", "bruck"},
                                             {"allgather", "ring"},
                                             {"allreduce", "recursive_doubling"},
                                             {"gather", "flat"},
                                             {"barrier", "dissemination"}};
static const char *const lengths[] = {"0", "1", "1000", "70000"};

/* Each collective on each topology in each length, three times so that rounds meet. */
static void check_all(const struct machine *base)
{
    static int number = 0;
    for (size_t t = 0; t < sizeof topologies / sizeof topologies[0]; t++) {
        struct topology topology;
        struct machine derived;
        char why[300];
        CU_ASSERT_EQUAL_FATAL(topology_parse(&topology, topologies[t].shape, why, sizeof why), 0);
        topology_set_routing(&topology, topologies[t].routing, 1);
        machine_derive(&derived, base, &topology);
        for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++)
            for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
                if (number++ % testing_one_in() != 0)
                    continue;
                const char *const settings[] = {"ranks",
                                                "32",
                                                "collective",
                                                collectives[c][0],
                                                collectives[c][0],
                                                collectives[c][1],
                                                "bytes",
                                                lengths[l],
                                                "rounds",
                                                "3",
                                                NULL};
                check(&derived, settings);
            }
        machine_dispose(&derived);
    }
}

static void test_cut_through(void)
{
    static const char *const texts[] = {
        "hosts star 4 1Gf 125MBps 20us\nsend_completes buffered\neager_limit 4KiB\ncontrol 64B\n",
        "hosts star 4 1Gf 125MBps 1ps\nsend_overhead start=5us\n",
        "hosts star 4 1Gf 10GBps 1us\nsend_completes buffered\neager_limit 0\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct machine *base;
        struct sim_error error = {.message = ""};
        int status = simrun_read_machine(&base, "star", texts[i], &error);
        if (status != 0)
            fprintf(stderr, "%s\n", error.message);
        CU_ASSERT_EQUAL_FATAL(status, 0);
        check_all(base);
        simrun_free_machine(base);
    }
}

/* Packet by packet, with messages whose hops are of very different lengths; and by routes that are remembered. */
static void test_store_and_forward(void)
{
    static const char *const names[] = {"t800-mesh", "icluster"};
    static const char *const all[] = {"ranks", "100", "collective", "alltoall", "bytes", "300", NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct machine base;
        struct sim_error error;
        char *file = xformat(SOURCE_DIR "/platforms/%s.xml", names[i]);
        CU_ASSERT_EQUAL_FATAL(machine_load(&base, file, &error), 0);
        check(&base, all);
        machine_dispose(&base);
        CU_ASSERT_EQUAL_FATAL(machine_load_base(&base, file, &error), 0);
        check_all(&base);
        machine_dispose(&base);
        free(file);
    }
}

/* More come to one link on a day than are put in order one by one. */
static void test_crowds(void)
{
    static const char *const settings[] = {"ranks", "1000",   "collective", "gather", "gather",
                                           "flat",  "rounds", "5",          NULL};
    static const char *const linear[] = {"ranks",  "200",   "collective", "alltoall", "alltoall",
                                         "linear", "bytes", "10",         NULL};
    struct machine *star;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&star, "star",
                                              "hosts star 1000 1Gf 125MBps 2ms\nsend_completes buffered\n"
                                              "eager_limit 4KiB\n",
                                              &error),
                          0);
    check(star, settings);
    check(star, linear);
    simrun_free_machine(star);
}

/* Wires on which time comes to its end: the same rank's. */
static void test_end_of_clock(void)
{
    static const char *const settings[] = {"ranks",     "16",     "collective", "alltoall", "bytes",
                                           "100000000", "rounds", "1000",       NULL};
    struct machine *ring;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&ring, "ring", "hosts ring 16 1Gf 1kBps 1s\n", &error), 0);
    struct answer answer = run(ring, settings, false);
    CU_ASSERT(answer.fails);
    check(ring, settings);
    simrun_free_machine(ring);
}

int main(void)
{
    static const struct test tests[] = {
        {"cut-through", test_cut_through},
        {"store and forward", test_store_and_forward},
        {"crowds", test_crowds},
        {"end of the clock", test_end_of_clock},
        {NULL, NULL},
    };
    return testing_run("days of fifo", tests);
}
