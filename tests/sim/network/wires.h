/* For the tests of the networks on wires: programs as lists of ops, small platforms, and a kernel run that keeps
 * every interval. A process holds one platform, so each platform has a child process for the checks that belong to it.
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_WIRES_H
#define TESTS_WIRES_H

#include "base/memory.h"
#include "metrics/metrics.h"
#include "sim/kernel/kernel.h"
#include "sim/platform/platform.h"
#include "tests/sim/network/named.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define US INT64_C(1000000) /* in picoseconds */
#define MS (1000 * US)

static struct machine machine;

/* Hooks for the oracle: called in the child of on_platform() before it loads its machine, and to run programs there. */
static void (*before_loading)(void);
static int (*run_kernel)(struct kernel_stats *stats, const struct kernel_run *run,
                         struct sim_error *error) = kernel_run;

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Length / bandwidth, in picoseconds. */
static inline int64_t stream_ps(int64_t bytes, double Bps)
{
    return llround((double)bytes * (1e12 / Bps));
}

/* --- programs --- */

enum { MAX_RANKS = 16, MAX_OPS = 512 };

struct script {
    int n_ranks, ranks_per_host;
    int chunk; /* ops of a step; 0: one */
    int count[MAX_RANKS];
    struct op ops[MAX_RANKS][MAX_OPS];
};

static bool script_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    const struct script *script = config;
    int chunk = script->chunk > 0 ? script->chunk : 1;
    if (step * chunk >= script->count[rank])
        return false;
    for (int64_t i = step * chunk; i < (step + 1) * chunk && i < script->count[rank]; i++) {
        const struct op *op = &script->ops[rank][i];
        *op_list_add(list, (enum op_kind)op->kind, op->scope) = *op;
    }
    return true;
}

static const char *const script_scopes[] = {"", "first", "second", NULL};
static const char *const script_kernels[] = {"work", NULL};
static const struct app_spec script_app = {
    .name = "script", .scopes = script_scopes, .kernels = script_kernels, .emit = script_emit};

static inline struct op *add(struct script *script, int rank, enum op_kind kind, int peer, int64_t bytes)
{
    struct op *op = &script->ops[rank][script->count[rank]++];
    *op = (struct op){.kind = (uint8_t)kind, .peer = peer, .bytes = bytes, .scope = 1};
    return op;
}

static inline void add_work(struct script *script, int rank, int64_t ps)
{
    if (ps > 0)
        add(script, rank, OP_COMPUTE, -1, 0)->times = ps;
}

/* --- platforms --- */

#define WORK_PROPS "<prop id='cycle' value='1ps'/><prop id='kernel.work' value='cpu=1'/>"

/* A buffer for a platform's text. */
struct text {
    char *start;
    FILE *stream;
    size_t size;
};

static inline void platform_begin(struct text *text, const char *props)
{
    text->stream = open_memstream(&text->start, &text->size);
    fprintf(text->stream,
            "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
            "<platform version='4.1'><zone id='world' routing='Full'>" WORK_PROPS "%s\n",
            props);
}

static inline char *platform_end(struct text *text)
{
    fputs("</zone></platform>\n", text->stream);
    fclose(text->stream);
    return text->start;
}

struct wire_row {
    double Bps;
    int64_t latency_ns;
};

/* Hosts in a line with a wire between neighbors; the caller frees the text. */
static inline char *line_platform(const char *props, const struct wire_row *wires, int n_wires)
{
    struct text text;
    platform_begin(&text, props);
    for (int i = 0; i <= n_wires; i++)
        fprintf(text.stream, "<host id='h%d' speed='1Gf'/>\n", i);
    for (int i = 0; i < n_wires; i++)
        fprintf(text.stream,
                "<link id='w%d' bandwidth='%.17gBps' latency='%" PRId64 "ns' "
                "sharing_policy='SPLITDUPLEX'/>\n",
                i, wires[i].Bps, wires[i].latency_ns);
    for (int i = 0; i < n_wires; i++)
        for (int j = i + 1; j <= n_wires; j++) {
            fprintf(text.stream, "<route src='h%d' dst='h%d'>", i, j);
            for (int w = i; w < j; w++)
                fprintf(text.stream, "<link_ctn id='w%d' direction='UP'/>", w);
            fputs("</route>\n", text.stream);
        }
    return platform_end(&text);
}

/* Hosts that each have a wire in each direction to a switch. */
static inline char *star_platform(const char *props, int n_hosts, struct wire_row wire)
{
    struct text text;
    platform_begin(&text, props);
    fprintf(text.stream,
            "<cluster id='c' prefix='n' suffix='' radical='0-%d' speed='1Gf' bw='%.17gBps' lat='%" PRId64 "ns'/>\n",
            n_hosts - 1, wire.Bps, wire.latency_ns);
    return platform_end(&text);
}

/* Load the platform in a child process and count there what the check says of it: the number of failures. The text is
 * freed. */
static inline int on_platform(char *text, int (*check)(const void *argument), const void *argument)
{
    char file[] = P_tmpdir "/test-wires-XXXXXX.xml";
    int descriptor = mkstemps(file, 4);
    if (descriptor < 0 || write(descriptor, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    close(descriptor);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct sim_error error;
        int failures = 1;
        if (before_loading != NULL)
            before_loading();
        if (machine_load(&machine, file, &error) != 0)
            fprintf(stderr, "%s\n%s", error.message, text);
        else
            failures = check(argument);
        machine_dispose(&machine);
        free(text);
        _exit(failures == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    unlink(file);
    free(text);
    if (WIFSIGNALED(status))
        fprintf(stderr, "the child was ended by signal %d\n", WTERMSIG(status));
    return status;
}

/* --- running --- */

/* Every interval of a run, with its work in place of the borrowed one, and what follows from them for each location. */
struct recording {
    struct interval *intervals;
    size_t count, capacity;
    int64_t present[MAX_RANKS];
    int64_t
        busy_until[MAX_RANKS]; /* the end of the location's last interval that is not idle: when its program ended */
    int64_t state_ps[MAX_RANKS][N_LOCATION_STATES];
    bool broken; /* intervals of a location do not follow each other, or work does not add up */
};

static inline void record_take(void *self, const struct interval *interval)
{
    struct recording *record = self;
    int64_t length = interval->end_ps - interval->start_ps, work = 0;
    for (int c = 0; interval->work_ps != NULL && c < N_WORK_COMPONENTS; c++)
        work += interval->work_ps[c];
    if (interval->start_ps != record->present[interval->location] || length < 0 ||
        (interval->work_ps != NULL && work != length))
        record->broken = true;
    record->present[interval->location] = interval->end_ps;
    record->state_ps[interval->location][interval->state] += length;
    if (interval->state != STATE_IDLE && length > 0)
        record->busy_until[interval->location] = interval->end_ps;
    record->intervals = xgrow(record->intervals, record->count, &record->capacity, sizeof *record->intervals);
    record->intervals[record->count] = *interval;
    record->intervals[record->count++].work_ps = NULL;
}

struct outcome {
    int status;
    struct kernel_stats stats;
    struct sim_error error;
    struct recording record;
};

/* Run a script with the record and up to METRICS_MAX further sinks. The caller frees outcome.record.intervals. */
static inline struct outcome run_with(const struct script *script, const struct network_spec *network,
                                      const struct metrics *metrics)
{
    struct outcome outcome = {0};
    struct placement placement;
    struct placement_request request = {.n_ranks = script->n_ranks,
                                        .ranks_per_host = script->ranks_per_host > 0 ? script->ranks_per_host : 1};
    struct program program = {.app = &script_app, .config = (void *)(uintptr_t)script};
    struct interval_sink sinks[METRICS_MAX + 1] = {{.take = record_take, .self = &outcome.record}};
    int n_sinks = 1;
    for (int i = 0; metrics != NULL && i < metrics->count; i++)
        sinks[n_sinks++] = metrics->sinks[i];
    outcome.status = placement_init(&placement, &request, &machine, &outcome.error);
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network,
                                   .sinks = sinks,
                                   .n_sinks = n_sinks};
    if (outcome.status == 0)
        outcome.status = run_kernel(&outcome.stats, &run, &outcome.error);
    if (outcome.status != 0)
        fprintf(stderr, "%s\n", outcome.error.message);
    for (int r = 0; outcome.status == 0 && r < script->n_ranks; r++)
        if (outcome.record.broken || outcome.record.present[r] != outcome.stats.end_ps) {
            fprintf(stderr, "%s: the account of rank %d does not close\n", network->name, r);
            outcome.status = -1;
        }
    return outcome;
}

static inline struct outcome run_script(const struct script *script, const char *network)
{
    struct outcome outcome = run_with(script, network_named(network), NULL);
    free(outcome.record.intervals);
    outcome.record.intervals = NULL;
    return outcome;
}

/* A component of the critical path. */
static inline wide_int path_part(const struct result *result, const char *name)
{
    const struct measure *measure = result_find(result, "critical_path_s", name);
    return measure != NULL ? measure_number(measure) : -1;
}

/* 1 and a message where a time is further from the expected than `tolerance`, relative; else 0. */
static inline int differs(const char *what, const char *network, int64_t got, int64_t expected, double tolerance)
{
    if ((double)llabs(got - expected) <= tolerance * (double)expected)
        return 0;
    fprintf(stderr, "%s, %s: %" PRId64 " ps, expected %" PRId64 "\n", what, network, got, expected);
    return 1;
}

#endif
