/* What a second processor gives to one simulation, and what it could give: what its metrics take, how many of its
 * messages go from one half of the ranks to the other, and what it costs to hand 128 bytes to another processor: an
 * event, or a letter with a row of the critical path. Bounds of a run follow: with the metrics on a thread of their
 * own, and with half of the ranks on each. The latter takes halves for equal, and counts no waiting of one for the
 * other. On quiet the run is made in halves, too, and measured (sim/kernel/flow/halves.h). */
#include "core/simrun.h"
#include "core/simrun_internal.h"
#include "core/simulation.h"
#include "os/host_use.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 20, RANKS = 128 };

/* --- handing over: batches of items of 128 bytes, such as an event, in a ring --- */

enum { ITEM_BYTES = 128, BATCH_ITEMS = 64, N_SLOTS = 16, N_BATCHES = 20000, N_TRIPS = 20000 };

struct slot {
    _Alignas(64) char items[BATCH_ITEMS * ITEM_BYTES];
};

static struct slot slots[N_SLOTS];
static _Alignas(64) atomic_long given;
static _Alignas(64) atomic_long taken;

static void await(atomic_long *count, long least)
{
    while (atomic_load_explicit(count, memory_order_acquire) < least)
        continue;
}

static void sit_on(size_t processor)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void *take_all(void *data)
{
    static struct slot own;
    sit_on(1);
    for (long i = 0; i < N_TRIPS + N_BATCHES; i++) {
        await(&given, i + 1);
        if (i >= N_TRIPS)
            memcpy(&own, &slots[i % N_SLOTS], sizeof own);
        atomic_store_explicit(&taken, i + 1, memory_order_release);
    }
    return data;
}

/* The nanoseconds of a way there and back, and of an item in a full ring. */
static void hand_over(double *trip_ns, double *item_ns)
{
    static struct slot own;
    pthread_t thread;
    cpu_set_t before;
    given = taken = 0;
    sched_getaffinity(0, sizeof before, &before);
    if (pthread_create(&thread, NULL, take_all, NULL) != 0)
        exit(1);
    sit_on(0);
    double start_s = host_clock_s();
    for (long i = 0; i < N_TRIPS; i++) {
        atomic_store_explicit(&given, i + 1, memory_order_release);
        await(&taken, i + 1);
    }
    *trip_ns = (host_clock_s() - start_s) / N_TRIPS * 1e9;
    start_s = host_clock_s();
    for (long i = N_TRIPS; i < N_TRIPS + N_BATCHES; i++) {
        await(&taken, i - N_SLOTS + 1);
        memset(&own, (int)i, sizeof own);
        memcpy(&slots[i % N_SLOTS], &own, sizeof own);
        atomic_store_explicit(&given, i + 1, memory_order_release);
    }
    pthread_join(thread, NULL);
    *item_ns = (host_clock_s() - start_s) / ((double)N_BATCHES * BATCH_ITEMS) * 1e9;
    sched_setaffinity(0, sizeof before, &before);
}

static bool has_two_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_ISSET(0, &set) && CPU_ISSET(1, &set);
}

/* --- simulations --- */

static const struct {
    const char *name, *app, *settings[5];
} programs[] = {
    {"ring", "ring", {"rounds=4000"}},
    {"binomial broadcast", "broadcast", {"rounds=4000"}},
    {"flat broadcast", "broadcast", {"broadcast=flat", "rounds=4000"}},
    {"all-to-all", "collective", {"collective=alltoall", "bytes=64", "rounds=20"}},
};

static const char *const networks[] = {"quiet", "fifo"};

static void fail(const struct sim_error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static struct simrun *open_program(struct machine *machine, int program, const char *network)
{
    char text[32];
    const char *settings[8] = {"ranks=128", text};
    struct simrun *opened;
    struct sim_error error;
    snprintf(text, sizeof text, "network=%s", network);
    for (int i = 0; programs[program].settings[i] != NULL; i++)
        settings[2 + i] = programs[program].settings[i];
    if (simrun_open(&opened, machine, programs[program].app, settings, &error) != 0)
        fail(&error);
    return opened;
}

struct counts {
    double events, messages, crossing;
};

static void count(void *data, const struct event *event)
{
    struct counts *counts = data;
    bool is_send = event->is_message != 0;
    counts->events++;
    counts->messages += is_send;
    counts->crossing += is_send && (event->location < RANKS / 2) != (event->peer < RANKS / 2);
}

/* The seconds of a run, with the usual metrics or with nothing that watches. */
static double time_once(const struct simulation *simulation, bool watched, int n_threads)
{
    struct simulation timed = *simulation;
    struct sim_error error;
    struct kernel_stats stats;
    struct result result;
    int64_t end_ps;
    result_init(&result);
    timed.n_threads = n_threads;
    double start_s = host_clock_s();
    int status = watched ? simulation_measure(&result, &stats, &timed, -1, NULL, &error)
                         : simulation_time(&end_ps, &timed, &error);
    double took_s = host_clock_s() - start_s;
    result_dispose(&result);
    if (status != 0)
        fail(&error);
    return took_s;
}

static void compare(struct machine *machine, int program, const char *network, double item_ns)
{
    struct sim_error error;
    struct counts counts = {0};
    struct result result;
    struct simrun *opened = open_program(machine, program, network);
    const struct event_sink counter = {.take = count, .self = &counts};
    double all_s = 1e9, bare_s = 1e9, halved_s = 1e9;
    result_init(&result);
    if (simrun_run(&result, opened, &counter, &error) != 0)
        fail(&error);
    for (int i = 0; i < REPEATS; i++) {
        all_s = fmin(all_s, time_once(opened_simulation(opened), true, 1));
        bare_s = fmin(bare_s, time_once(opened_simulation(opened), false, 1));
        halved_s = fmin(halved_s, time_once(opened_simulation(opened), true, 2));
    }
    double all_ns = all_s / counts.messages * 1e9, bare_ns = bare_s / counts.messages * 1e9;
    double events = counts.events / counts.messages, share = counts.crossing / counts.messages;
    double longer_ns = fmax(bare_ns, all_ns - bare_ns);
    printf("  %-20s %-6s %6.0f %6.0f %7.2f %6.1f %%   %5.2f %5.2f   %5.2f %8.2f\n", programs[program].name, network,
           all_ns, bare_ns, events, 100 * share, all_ns / longer_ns, all_ns / (longer_ns + events * item_ns),
           all_ns / (all_ns / 2 + share * item_ns), all_s / halved_s);
    result_dispose(&result);
    simrun_close(opened);
}

int main(void)
{
    static const char text[] = "hosts mesh 16x8 1.36Mf 2.5MBps 5us\neager_limit 64KiB\n";
    struct machine *machine;
    struct sim_error error;
    double trip_ns = 1e9, item_ns = 1e9;
    if (!has_two_processors()) {
        printf("processors 0 and 1 are wanted; this program may not use both\n");
        return 0;
    }
    if (simrun_read_machine(&machine, "mesh", text, &error) != 0)
        fail(&error);
    for (int i = 0; i < REPEATS; i++) {
        double trip, item;
        hand_over(&trip, &item);
        trip_ns = fmin(trip_ns, trip);
        item_ns = fmin(item_ns, item);
    }
    printf("to another processor: %.0f ns there and back, %.1f ns an item of %d bytes\n\n", trip_ns, item_ns,
           ITEM_BYTES);
    printf(
        "%d ranks, ns a message; times as fast on two processors at most: metrics apart (free, with the way), halves\n"
        "  %-20s %-6s %6s %6s %7s %8s   %5s %5s   %5s %8s\n",
        RANKS, "program", "", "all", "bare", "events", "crossing", "free", "way", "halves", "measured");
    for (size_t network = 0; network < sizeof networks / sizeof networks[0]; network++)
        for (int program = 0; program < (int)(sizeof programs / sizeof programs[0]); program++)
            compare(machine, program, networks[network], item_ns);
    simrun_free_machine(machine);
    return 0;
}
