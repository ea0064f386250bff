/* Cost of writing a trace: simrun on a ring of 128 ranks without one and with one of each format, in turns; the time
 * that the format adds to a message, and the memory for a run ten times as long. TMPDIR=/dev/shm leaves out the disk.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/host_use.h"
#include "trace/formats.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 128, ROUNDS = 2000, REPEATS = 3, LONGER = 10 };

struct cost {
    double wall_s, peak_mb;
};

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void exec_simrun(const char *scenario, const char *trace)
{
    const char *arguments[] = {"simrun", "-q", "-o", "/dev/null", scenario, trace != NULL ? "-t" : NULL, trace, NULL};
    execv(getenv("SIMRUN"), (char *const *)arguments);
    _exit(127);
}

static struct cost measure(const char *scenario, const char *trace)
{
    double start = host_clock_s();
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0)
        exec_simrun(scenario, trace);
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail("simrun has failed");
    return (struct cost){host_clock_s() - start, (double)usage.ru_maxrss / 1024};
}

static void write_scenario(const char *file, int rounds)
{
    FILE *stream = fopen(file, "w");
    if (stream == NULL)
        fail(file);
    fprintf(stream,
            "<scenario name='ring'><platform file='" SOURCE_DIR "/platforms/t800-mesh.xml'/><application name='ring'/>"
            "<param name='ranks' value='%d'/><param name='rounds' value='%d'/></scenario>",
            RANKS, rounds);
    fclose(stream);
}

static void compare(const char *folder, const char *extension)
{
    char *scenario = xformat("%s/ring.xml", folder), *trace = xformat("%s/trace%s", folder, extension);
    struct cost with = {.wall_s = 1e9}, without = {.wall_s = 1e9};
    write_scenario(scenario, ROUNDS);
    for (int i = 0; i < REPEATS; i++) {
        struct cost cost = measure(scenario, trace);
        with = cost.wall_s < with.wall_s ? cost : with;
        cost = measure(scenario, NULL);
        without = cost.wall_s < without.wall_s ? cost : without;
    }
    write_scenario(scenario, ROUNDS * LONGER);
    struct cost longer = measure(scenario, trace);
    printf(
        "  %-6s %6.2f s   without %5.2f s   ratio %5.1f   %5.2f us a message   %4.0f MB, %d times as long %4.0f MB\n",
        extension, with.wall_s, without.wall_s, with.wall_s / without.wall_s,
        1e6 * (with.wall_s - without.wall_s) / (RANKS * ROUNDS), with.peak_mb, LONGER, longer.peak_mb);
    free(trace);
    free(scenario);
}

int main(void)
{
    const char *where = getenv("TMPDIR");
    char *folder = xformat("%s/bench-traces-XXXXXX", where != NULL ? where : "/tmp");
    if (getenv("SIMRUN") == NULL || mkdtemp(folder) == NULL)
        fail("needs SIMRUN in the environment and a folder in $TMPDIR or /tmp");
    printf("Traces: a ring of %d ranks, %d messages, written to %s\n", RANKS, RANKS * ROUNDS, folder);
    for (int i = 0; trace_format_at(i) != NULL; i++)
        compare(folder, trace_format_at(i)->extension);
    char *clean = xformat("rm -rf %s", folder);
    int status = system(clean);
    free(clean);
    free(folder);
    return status;
}
