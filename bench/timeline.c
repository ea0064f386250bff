/* Cost of recording a timeline: runs without a consumer of intervals, with one that does nothing, which is the cost of
 * the receipts, and with a recorder, in turns. Also the lengths of the encoded forms, as they are and compressed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"
#include "apps/replay/list.h"
#include "base/memory.h"
#include "core/simulation.h"
#include "os/host_use.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 9, OVERVIEW_BYTES = 300000 };

static const struct {
    const char *name, *platform, *body;
} programs[] = {
    {"gj256, 64 ranks", "t800-mesh",
     "<application name='gauss-jordan'/><param name='n' value='256'/><param name='ranks' value='64'/>"},
    {"gj256, 128 ranks", "t800-mesh",
     "<application name='gauss-jordan'/><param name='n' value='256'/><param name='ranks' value='128'/>"},
    {"water, 8 ranks, I+P+D", "ncp2-myrinet",
     "<application name='water'/><param name='ranks' value='8'/><param name='variant' value='I+P+D'/>"},
    {"all-to-all, 1024 ranks", "t800-mesh-64x64",
     "<application name='collective'/><param name='collective' value='alltoall'/><param name='ranks' value='1024'/>"},
    {"ring, 128 ranks, 10,000 rounds", "t800-mesh",
     "<application name='ring'/><param name='rounds' value='10000'/><param name='ranks' value='128'/>"},
};

static void fail(const struct sim_error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static void count_interval(void *self, const struct interval *interval)
{
    (void)interval;
    ++*(int64_t *)self;
}

static void compress(const char *form, const uint8_t *bytes, size_t length, double encode_s)
{
    printf("    %-9s %8.1f ms  %9zu bytes, compressed ", form, 1e3 * encode_s, length);
    fflush(stdout);
    FILE *stream = popen("gzip -6 | wc -c", "w");
    if (stream == NULL || fwrite(bytes, 1, length, stream) != length || pclose(stream) != 0)
        exit(1);
}

static void encode(const struct timeline *timeline, const char *form, size_t most_bytes)
{
    uint8_t *bytes;
    size_t length;
    double start_s = host_clock_s();
    timeline_encode(&bytes, &length, timeline, most_bytes);
    compress(form, bytes, length, host_clock_s() - start_s);
    free(bytes);
}

static void finish(struct timeline *timeline, const struct result *result)
{
    struct rusage usage;
    double start_s = host_clock_s();
    timeline_finish(timeline, (int64_t)measure_number(result_find(result, "", "time_s")));
    getrusage(RUSAGE_SELF, &usage);
    printf("    finish    %8.1f ms, at most %ld MB\n", 1e3 * (host_clock_s() - start_s), usage.ru_maxrss / 1024);
    encode(timeline, "exact", SIZE_MAX);
    encode(timeline, "overview", OVERVIEW_BYTES);
}

/* The processor's time of one run, with each observer in turn: others may use this computer, too. */
struct times {
    double without_s, counting_s, recording_s;
    int64_t n_events;
};

static double timed(const struct simulation *simulation, const struct interval_sink *observer, struct result *result)
{
    struct sim_error error;
    struct kernel_stats stats;
    result_init(result);
    clock_t start = clock();
    if (simulation_measure(result, &stats, simulation, 0, observer, &error) != 0)
        fail(&error);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void keep_least(double *least_s, double time_s)
{
    if (*least_s == 0 || time_s < *least_s)
        *least_s = time_s;
}

static void measure(struct times *times, const struct simulation *simulation, bool last)
{
    struct result result;
    const struct interval_setup setup = simulation_events(simulation);
    struct timeline *timeline = timeline_new(&setup, NULL);
    times->n_events = 0;
    keep_least(&times->without_s, timed(simulation, NULL, &result));
    result_dispose(&result);
    keep_least(&times->counting_s,
               timed(simulation, &(struct interval_sink){.take = count_interval, .self = &times->n_events}, &result));
    result_dispose(&result);
    keep_least(&times->recording_s,
               timed(simulation, &(struct interval_sink){.take = timeline_take, .self = timeline}, &result));
    if (last) {
        printf("    without %.3f s, receipts %+.1f %%, recorded %+.1f %%: %.1f million events a second\n",
               times->without_s, 100 * (times->counting_s / times->without_s - 1),
               100 * (times->recording_s / times->without_s - 1), 1e-6 * (double)times->n_events / times->recording_s);
        finish(timeline, &result);
    }
    result_dispose(&result);
    timeline_free(timeline);
}

static void run(int program)
{
    struct sim_error error;
    struct scenario scenario;
    struct machine machine;
    struct simulation simulation;
    struct times times = {0};
    char *text = xformat("<scenario name='bench'><platform file='" SOURCE_DIR "/platforms/%s.xml'/>%s</scenario>",
                         programs[program].platform, programs[program].body);
    if (scenario_load_text(&scenario, text, strlen(text), "bench", app_specs, &error) != 0 ||
        machine_load(&machine, scenario.platform_file, &error) != 0)
        fail(&error);
    int64_t *values = xcalloc((size_t)scenario.n_params, sizeof *values);
    scenario_run_values(&scenario, 0, values);
    const struct network_spec *network;
    if (simulation_network(&network, &machine, values[COMMON_NETWORK], &error) != 0 ||
        simulation_init(&simulation, &machine, network, scenario.app, scenario.input, values, false, &error) != 0)
        fail(&error);
    for (int i = 0; i < REPEATS; i++)
        measure(&times, &simulation, i == REPEATS - 1);
}

int main(void)
{
    printf("Timelines: recording, in time of the processor, best of %d; the encoded forms\n", REPEATS);
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
        printf("  %s\n", programs[p].name);
        fflush(stdout);
        if (fork() == 0) { /* SimGrid holds one platform a process */
            run((int)p);
            fflush(stdout);
            _exit(0);
        }
        wait(NULL);
    }
    return 0;
}
