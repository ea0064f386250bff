/* Replaying a TI trace of a ring of 128 ranks: beside `smpirun -replay` of the same file in the same run, reading
 * included; and its growth to ten million messages, of sends and receives and of requests. Fails where it does not
 * take a tenth of the processor's time, which unlike the time by the clock does not depend on what else the computer
 * does, or where its memory grows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/host_use.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 128, REPEATS = 5, DEMANDED = 10 };

struct cost {
    double wall_s, cpu_s;
    long peak_rss_kib;
    bool good;
};

static char folder[] = "/tmp/bench-replay-XXXXXX";

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Run a program, in the folder, without what it says. */
static struct cost run(const char *const *arguments)
{
    double start_s = host_clock_s();
    struct rusage usage = {0};
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        if (chdir(folder) != 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
            _exit(126);
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    bool ended = child > 0 && wait4(child, &status, 0, &usage) == child;
    return (struct cost){.wall_s = host_clock_s() - start_s,
                         .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                         .peak_rss_kib = usage.ru_maxrss,
                         .good = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

static void keep_best(struct cost *best, struct cost next)
{
    if (best->wall_s == 0) {
        *best = next;
        return;
    }
    best->wall_s = next.wall_s < best->wall_s ? next.wall_s : best->wall_s;
    best->cpu_s = next.cpu_s < best->cpu_s ? next.cpu_s : best->cpu_s;
    best->good &= next.good;
}

/* --- the files --- */

static FILE *create(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        perror(path);
        exit(1);
    }
    return stream;
}

static void close_file(FILE *stream)
{
    if (fclose(stream) != 0) {
        perror(folder);
        exit(1);
    }
}

/* How each rank sends to the next rank and receives from the previous one. */
enum way { BY_SEND, BY_REQUESTS };

static void write_rank(FILE *stream, int rank, long rounds, enum way way)
{
    const char *begun = way == BY_REQUESTS ? "i" : "";
    int next = (rank + 1) % RANKS, before = (rank + RANKS - 1) % RANKS;
    fprintf(stream, "%d init\n", rank);
    for (long i = 0; i < rounds; i++) {
        fprintf(stream, "%d %ssend %d 0 1024 6\n%d %srecv %d 0 1024 6\n", rank, begun, next, rank, begun, before);
        if (way == BY_REQUESTS)
            fprintf(stream, "%d waitall 2\n", rank);
    }
    fprintf(stream, "%d finalize\n", rank);
}

/* All ranks in one file, and, if wanted, each in its own. */
static void write_traces(long rounds, enum way way, bool each)
{
    FILE *one = create("one.txt"), *list = create("one.ti"), *each_list = create("each.ti");
    fputs("one.txt\n", list);
    for (int r = 0; r < RANKS; r++) {
        char name[32];
        write_rank(one, r, rounds, way);
        snprintf(name, sizeof name, "rank%d.txt", r);
        fprintf(each_list, "%s\n", name);
        if (each) {
            FILE *stream = create(name);
            write_rank(stream, r, rounds, way);
            close_file(stream);
        }
    }
    close_file(one);
    close_file(list);
    close_file(each_list);
}

static void write_setting(void)
{
    FILE *platform = create("platform.xml"), *hosts = create("hosts");
    fprintf(platform,
            "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" "
            "radical=\"0-%d\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\"/></zone></platform>\n",
            RANKS - 1);
    for (int r = 0; r < RANKS; r++)
        fprintf(hosts, "n%d\n", r);
    close_file(platform);
    close_file(hosts);
    for (int each = 0; each <= 1; each++) {
        FILE *scenario = create(each ? "each.xml" : "one.xml");
        fprintf(scenario,
                "<scenario name='ring'><platform file='platform.xml'/><application name='trace' "
                "file='%s.ti'/></scenario>\n",
                each ? "each" : "one");
        close_file(scenario);
    }
}

/* --- the measurements --- */

/* How many times as much of the processor's time smpirun takes; 0 where one does not run. */
static double compare(const char *simrun, bool each, const char *network)
{
    const char *const ours[] = {simrun, "-q", "-n", network, each ? "each.xml" : "one.xml", NULL};
    const char *const theirs[] = {"smpirun",   "-np",          "128",
                                  "-platform", "platform.xml", "-hostfile",
                                  "hosts",     "-replay",      each ? "each.ti" : "one.ti",
                                  NULL};
    struct cost our = {0}, their = {0};
    for (int i = 0; i < REPEATS; i++) {
        keep_best(&our, run(ours));
        keep_best(&their, run(theirs));
    }
    if (!our.good || !their.good) {
        printf("  %s does not run\n", our.good ? "smpirun" : "simrun");
        return 0;
    }
    printf("  %-22s %-6s %9.1f %9.1f %9.1f %9.1f %9.1f x %7.1f x\n", each ? "a file for each rank" : "one file",
           network, 1e3 * our.wall_s, 1e3 * our.cpu_s, 1e3 * their.wall_s, 1e3 * their.cpu_s, their.wall_s / our.wall_s,
           their.cpu_s / our.cpu_s);
    return their.cpu_s / our.cpu_s;
}

static bool compare_all(const char *simrun)
{
    printf("ring of %d ranks, 1000 rounds: best of %d [ms]\n", RANKS, REPEATS);
    printf("  %-22s %-6s %9s %9s %9s %9s %11s %9s\n", "trace", "", "simrun", "its CPU", "smpirun", "its CPU", "faster",
           "by CPU");
    write_traces(1000, BY_SEND, true);
    bool good = compare(simrun, false, "quiet") >= DEMANDED;
    compare(simrun, true, "quiet");
    compare(simrun, false, "fifo");
    compare(simrun, true, "fifo");
    if (!good)
        printf("  simrun must be %d times as fast by CPU with one file and network quiet\n", DEMANDED);
    return good;
}

static bool grow(const char *simrun, enum way way)
{
    const char *const arguments[] = {simrun, "-q", "-n", "quiet", "one.xml", NULL};
    long first_kib = 0;
    bool good = true;
    printf("growth, network quiet, %s\n  %12s %9s %14s %14s\n",
           way == BY_SEND ? "send and recv" : "isend, irecv and waitall", "messages", "time [s]", "messages/s",
           "peak RSS [KiB]");
    for (long rounds = 781; rounds <= 78125; rounds = rounds == 7812 ? 78125 : rounds * 10 + 2) {
        write_traces(rounds, way, false);
        struct cost cost = run(arguments);
        long messages = rounds * RANKS;
        printf("  %12ld %9.2f %14.0f %14ld%s\n", messages, cost.wall_s, (double)messages / cost.wall_s,
               cost.peak_rss_kib, cost.good ? "" : " failed");
        first_kib = first_kib == 0 ? cost.peak_rss_kib : first_kib;
        good &= cost.good && cost.peak_rss_kib < first_kib + first_kib / 20;
    }
    if (!good)
        printf("  the memory must not grow\n");
    return good;
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        perror(folder);
}

int main(void)
{
    const char *simrun = getenv("SIMRUN");
    if (simrun == NULL || mkdtemp(folder) == NULL) {
        fputs("SIMRUN must name the program\n", stderr);
        return 2;
    }
    atexit(remove_folder);
    write_setting();
    bool good = compare_all(simrun);
    good &= grow(simrun, BY_SEND);
    good &= grow(simrun, BY_REQUESTS);
    return good ? 0 : 1;
}
