/* Reading traces without simulating them: a ring of 128 ranks as TI, in one file rank by rank, in a file for each rank,
 * and in one file line by line; or the traces that are named. The records of all ranks are asked for by turns, as a
 * replay does, on one processor and on all that there are. Beside it, in the same run, the lines of the same bytes are
 * counted, so that the ratio does not depend on the computer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "trace/formats.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 128, ROUNDS = 8000, REPEATS = 5, BUFFER = 256 * 1024 };

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* --- the ring --- */

static FILE *create(const char *folder, const char *name)
{
    char *path = xformat("%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (stream == NULL)
        fail(path);
    free(path);
    return stream;
}

static void write_round(FILE *stream, int rank)
{
    fprintf(stream, "%d send %d 0 1024 6\n%d recv %d 0 1024 6\n", rank, (rank + 1) % RANKS, rank,
            (rank + RANKS - 1) % RANKS);
}

static void write_ring(const char *folder)
{
    FILE *one = create(folder, "one.ti"), *turns = create(folder, "turns.ti"), *list = create(folder, "each.ti");
    for (int rank = 0; rank < RANKS; rank++) {
        char name[32];
        snprintf(name, sizeof name, "rank%d.txt", rank);
        FILE *own = create(folder, name);
        for (int i = 0; i < ROUNDS; i++) {
            write_round(one, rank);
            write_round(own, rank);
        }
        fclose(own);
        fprintf(list, "%s\n", name);
    }
    for (int i = 0; i < ROUNDS; i++)
        for (int rank = 0; rank < RANKS; rank++)
            write_round(turns, rank);
    fclose(one);
    fclose(turns);
    fclose(list);
}

/* --- measuring --- */

/* Seconds: with one processor of its own time, which unlike the time by the clock does not depend on what else the
 * computer does. */
static double now_s(bool one)
{
    struct timespec time;
    clock_gettime(one ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds for all records of a trace, from opening it on. */
static double read_trace(long *count, const char *file, bool one)
{
    struct record_reader reader;
    struct record record;
    struct sim_error error = {0};
    double start_s = now_s(one);
    int left = 1;
    *count = 0;
    if (record_open(&reader, file, &error) != 0)
        fail(error.message);
    while (left > 0) {
        left = 0;
        for (int rank = 0; rank < reader.info.n_ranks; rank++) {
            int status = record_next(&reader, rank, &record, &error);
            if (status < 0)
                fail(error.message);
            left += status;
        }
        *count += left;
    }
    record_close(&reader);
    return now_s(one) - start_s;
}

/* Seconds for counting the lines of a file. */
static double count_lines(const char *file)
{
    static char buffer[BUFFER];
    double start_s = now_s(true);
    FILE *stream = fopen(file, "r");
    long lines = 0;
    size_t got;
    if (stream == NULL)
        fail(file);
    while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0)
        for (const char *p = buffer; (p = memchr(p, '\n', (size_t)(buffer + got - p))) != NULL; p++)
            lines++;
    fclose(stream);
    return lines > 0 ? now_s(true) - start_s : 0;
}

static void use_processors(const cpu_set_t *allowed, bool one)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    for (size_t i = 0; i < CPU_SETSIZE && one && CPU_COUNT(&first) == 0; i++)
        if (CPU_ISSET(i, allowed))
            CPU_SET(i, &first);
    sched_setaffinity(0, sizeof first, one ? &first : allowed);
}

/* `lines`: a file with as many bytes, or NULL. */
static void measure(const char *file, const char *lines)
{
    double best_s[2] = {1e9, 1e9}, lines_s = 1e9;
    long count = 0;
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int i = 0; i < REPEATS; i++) {
        for (int one = 0; one <= 1; one++) {
            use_processors(&allowed, one);
            double s = read_trace(&count, file, one == 1);
            best_s[one] = s < best_s[one] ? s : best_s[one];
        }
        double s = lines != NULL ? count_lines(lines) : 0;
        lines_s = s < lines_s ? s : lines_s;
        use_processors(&allowed, false);
    }
    const char *name = strrchr(file, '/');
    printf("  %-12s %10ld %14.2f %14.2f", name != NULL ? name + 1 : file, count, 1e-6 * (double)count / best_s[1],
           1e-6 * (double)count / best_s[0]);
    if (lines != NULL)
        printf(" %14.1f", best_s[1] / lines_s);
    printf("\n");
}

static void measure_ring(void)
{
    static const char *const names[] = {"one.ti", "each.ti", "turns.ti"};
    char folder[] = "/tmp/bench-records-XXXXXX";
    if (mkdtemp(folder) == NULL)
        fail(folder);
    write_ring(folder);
    char *lines = xformat("%s/one.ti", folder), *clean = xformat("rm -rf %s", folder);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *file = xformat("%s/%s", folder, names[i]);
        measure(file, lines);
        free(file);
    }
    if (system(clean) != 0)
        fail(clean);
    free(lines);
    free(clean);
}

int main(int n_arguments, char **arguments)
{
    printf("Reading traces, best of %d [million records/s]\n  %-12s %10s %14s %14s %14s\n", REPEATS, "trace", "records",
           "one processor", "all of them", "counting lines");
    for (int i = 1; i < n_arguments; i++)
        measure(arguments[i], NULL);
    if (n_arguments == 1)
        measure_ring();
    return 0;
}
