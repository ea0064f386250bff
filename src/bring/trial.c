/* Simulates benchmarks on a platform that was made.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/trial.h"

#include "base/memory.h"
#include "core/simrun.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 12, SETTING = 160, MOST_WINDOW = 4096 };
static const double MOST_MESSAGES = 4e6; /* of a run */

struct settings {
    char texts[SETTINGS][SETTING];
    const char *list[SETTINGS + 1];
    int count;
};

static __attribute__((format(printf, 2, 3))) void set(struct settings *settings, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(settings->texts[settings->count], SETTING, format, values);
    va_end(values);
    settings->list[settings->count] = settings->texts[settings->count];
    settings->list[++settings->count] = NULL;
}

/* ---- What is simulated ---- */

static int per_host(const struct series *series)
{
    return (series->ranks + series->hosts - 1) / series->hosts;
}

static const char *pattern_of(enum benchmark_kind kind)
{
    return kind == BENCHMARK_LATENCY ? "pingpong" : kind == BENCHMARK_STREAM ? "window" : "both";
}

static void set_all(struct settings *settings, const struct test_bed *bed, const struct series *series, int64_t bytes)
{
    *settings = (struct settings){0};
    set(settings, "ranks=%d", series->ranks);
    set(settings, "ranks_per_host=%d", per_host(series));
    set(settings, "bytes=%lld", (long long)bytes);
    if (series->spec->kind == BENCHMARK_COLLECTIVE) {
        set(settings, "collective=%s", series->spec->collective);
        if (bed->platform->topology[0] != '\0') {
            set(settings, "topology=%s", bed->platform->topology);
            set(settings, "dimensions=%s", bed->platform->dimensions);
        }
    } else {
        set(settings, "pattern=%s", pattern_of(series->spec->kind));
        set(settings, "window=%d", series->window);
    }
}

/* The time of the benchmark's unit, out of that of the run. */
static double unit_of(const struct series *series, double time_s)
{
    switch (series->spec->kind) {
    case BENCHMARK_LATENCY:
        return time_s / 2;
    case BENCHMARK_STREAM:
    case BENCHMARK_BOTH:
        return time_s / series->window;
    default:
        return time_s;
    }
}

static int simulate(double *time_s, struct machine *machine, const struct test_bed *bed, const struct series *series,
                    int64_t bytes, struct sim_error *error)
{
    struct settings settings;
    struct simrun *simulation = NULL;
    struct result result;
    set_all(&settings, bed, series, bytes);
    const char *application = series->spec->kind == BENCHMARK_COLLECTIVE ? "collective" : "pairs";
    if (simrun_open(&simulation, machine, application, settings.list, error) != 0)
        return -1;
    result_init(&result);
    int status = simrun_run(&result, simulation, NULL, error);
    if (status == 0)
        *time_s = unit_of(series, measure_value(result_find(&result, "", "time_s")));
    result_dispose(&result);
    simrun_close(simulation);
    return status;
}

/* ---- A series ---- */

static double messages_of(const struct series *series)
{
    double ranks = series->ranks;
    if (series->spec->kind != BENCHMARK_COLLECTIVE)
        return ranks * series->window;
    bool is_quadratic =
        strncmp(series->spec->collective, "all", 3) == 0 && strcmp(series->spec->collective, "allreduce") != 0;
    return is_quadratic ? ranks * ranks : 2 * ranks * (log2(ranks) + 1);
}

/* The most of all lengths; a run takes time for each host, too. */
static double cost_of(const struct test_bed *bed, const struct series *series)
{
    return series->count * (messages_of(series) + series->hosts + bed->platform->n_hosts);
}

/* Why it cannot be simulated; NULL: it can. */
static const char *obstacle(const struct test_bed *bed, const struct series *series)
{
    if (series->spec->kind == BENCHMARK_EXCHANGE)
        return "no program of simrun's does only that";
    if (series->ranks < 2)
        return "the number of its ranks is not known: write it behind the file's name, as in FILE:ranks=64,hosts=4";
    if (series->hosts < 1 || series->hosts > series->ranks)
        return "the number of its hosts is not known: write it behind the file's name, as in FILE:hosts=2";
    if (series->window > MOST_WINDOW)
        return "windows of more than 4096 messages";
    if (messages_of(series) > MOST_MESSAGES)
        return "more than 4 million messages";
    return cost_of(bed, series) > bed->messages_left ? "too many messages with those of other benchmarks" : NULL;
}

static void conclude(struct trial *trial)
{
    for (int i = 0; i < trial->count; i++) {
        struct trial_row *row = &trial->rows[i];
        row->error = row->simulated_s / row->measured_s - 1;
        trial->mean_error += fabs(row->error) / trial->count;
        if (fabs(row->error) >= fabs(trial->worst_error)) {
            trial->worst_error = row->error;
            trial->worst_bytes = row->bytes;
        }
    }
}

/* Pairs are tried around one switch with as much latency as their wires have in all; collectives on the topology. */
static int open_machine(struct machine **machine, const struct test_bed *bed, const struct series *series,
                        struct sim_error *error)
{
    const struct made_platform *platform = bed->platform;
    bool is_collective = series->spec->kind == BENCHMARK_COLLECTIVE;
    double wire_s = platform->wire_latency_s;
    int n_hosts = is_collective && platform->n_hosts > series->hosts ? platform->n_hosts : series->hosts;
    char *text = platform_text(platform, n_hosts < 2 ? 2 : n_hosts, is_collective ? wire_s : wire_s * bed->wires / 2,
                               is_collective);
    int status = simrun_read_machine(machine, "platform", text, error);
    free(text);
    return status;
}

int trial_run(struct trial *trial, struct test_bed *bed, const struct series *series, struct sim_error *error)
{
    struct machine *machine = NULL;
    const char *why = obstacle(bed, series);
    *trial = (struct trial){.series = series, .why = why != NULL ? xstrdup(why) : NULL};
    if (why != NULL)
        return 0;
    bed->messages_left -= cost_of(bed, series);
    if (open_machine(&machine, bed, series, error) != 0)
        return -1;
    trial->rows = xcalloc((size_t)series->count, sizeof *trial->rows);
    int status = 0;
    for (int i = 0; i < series->count && status == 0; i++) {
        const struct point *point = &series->points[i];
        struct trial_row *row = &trial->rows[trial->count];
        *row = (struct trial_row){.bytes = point->bytes, .measured_s = point->time_s};
        status = simulate(&row->simulated_s, machine, bed, series, point->bytes, error);
        trial->count += status == 0;
    }
    conclude(trial);
    simrun_free_machine(machine);
    if (status != 0)
        trial_dispose(trial);
    return status;
}

void trial_dispose(struct trial *trial)
{
    free(trial->rows);
    free(trial->why);
    *trial = (struct trial){0};
}
