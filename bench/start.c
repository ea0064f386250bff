/* Time of a start of simrun: scenario gj256 on 4 ranks, of which the simulation is a millisecond, in turns with a
 * program that does nothing, and with a platform for which SimGrid has to be loaded. CPU time, because waiting for a
 * processor is not the start's doing; medians. Ratios are comparable between computers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 21, N_ROWS = 3 };

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* The CPU time of a program; it ends this one if it fails. */
static double run(const char *const *arguments)
{
    struct rusage usage;
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execv(arguments[0], (char **)(uintptr_t)arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        fprintf(stderr, "%s fails\n", arguments[0]);
        exit(1);
    }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static int by_size(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int main(void)
{
    const char *simrun = getenv("SIMRUN");
    if (simrun == NULL)
        simrun = "./simrun";
    const struct {
        const char *name, *const *arguments;
    } rows[N_ROWS] = {
        {"a program that does nothing", (const char *const[]){"/bin/true", NULL}},
        {"gj256 on 4 ranks",
         (const char *const[]){simrun, "--set", "ranks=4", SOURCE_DIR "/scenarios/gj256.xml", NULL}},
        {"gj-scaling on 4 ranks, with SimGrid", (const char *const[]){simrun, "--set", "ranks=4", "--set", "n=64",
                                                                      SOURCE_DIR "/scenarios/gj-scaling.xml", NULL}},
    };
    double took_s[N_ROWS][RUNS];
    for (int i = 0; i < RUNS; i++)
        for (int row = 0; row < N_ROWS; row++)
            took_s[row][i] = run(rows[row].arguments);
    printf("start: %d runs each, medians of CPU time\n", RUNS);
    for (int row = 0; row < N_ROWS; row++) {
        qsort(took_s[row], RUNS, sizeof took_s[row][0], by_size);
        printf("  %-36s %7.2f ms, %6.1f times nothing\n", rows[row].name, 1e3 * took_s[row][RUNS / 2],
               took_s[row][RUNS / 2] / took_s[0][RUNS / 2]);
    }
    return 0;
}
