/* Starts a process on each of several processors, and times calls while all of them work.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/measure_sharing.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THIN = 64, MOST_SHAPES = 4, LEAST_CALLS = 5, MOST_CALLS = 501 };
static const double MEASURED_S = 0.1; /* of one shape */

/* The memory that the processes share: each comes to three meetings for a shape, and leaves its median times. */
struct together {
    int n_workers;
    atomic_bool gave_up;
    struct {
        atomic_int ready, done, over;
    } meetings[MOST_SHAPES];
    double seconds[]; /* worker by worker, of each shape */
};

/* ---- Processors ---- */

/* The processors that the system allows, once what mpirun has bound is undone for the moment. */
static void find_processors(cpu_set_t *allowed)
{
    cpu_set_t own, all;
    memset(&all, 0xff, sizeof all);
    CPU_ZERO(allowed);
    if (sched_getaffinity(0, sizeof own, &own) != 0)
        return;
    *allowed = own;
    if (sched_setaffinity(0, sizeof all, &all) == 0)
        sched_getaffinity(0, sizeof *allowed, allowed);
    sched_setaffinity(0, sizeof own, &own);
}

int measure_processors(void)
{
    cpu_set_t allowed;
    find_processors(&allowed);
    return CPU_COUNT(&allowed);
}

/* To the worker's one of the allowed processors. */
static bool bind_to(int worker)
{
    cpu_set_t allowed, one;
    find_processors(&allowed);
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed) && worker-- == 0)
            CPU_SET(i, &one);
    return CPU_COUNT(&one) == 1 && sched_setaffinity(0, sizeof one, &one) == 0;
}

/* ---- Shapes ---- */

/* A cube, and one thin dimension after the other: panels need more memory for each operation. */
static int plan_shapes(struct fit_sample *shapes, const struct kernel_spec *spec, int side)
{
    int count = 1 + spec->n_dimensions;
    for (int s = 0; s < count; s++)
        shapes[s] = (struct fit_sample){s == 1 ? THIN : side, s == 2 ? THIN : side, s == 3 ? THIN : side, 0};
    return count;
}

/* ---- The workers ---- */

static void meet(struct together *together, atomic_int *meeting)
{
    atomic_fetch_add(meeting, 1);
    while (atomic_load(meeting) < together->n_workers && !atomic_load(&together->gave_up))
        sched_yield();
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The median call; then work on until all have theirs. */
static double time_shape(struct together *together, int s, const struct kernel_spec *spec,
                         const struct operands *operands, const struct fit_sample *shape)
{
    double times_s[MOST_CALLS];
    int count = 0;
    measure_once(spec, operands, shape);
    meet(together, &together->meetings[s].ready);
    measure_once(spec, operands, shape);
    for (double start = now_s(); count < LEAST_CALLS || (count < MOST_CALLS && now_s() - start < MEASURED_S);)
        times_s[count++] = measure_once(spec, operands, shape);
    atomic_fetch_add(&together->meetings[s].done, 1);
    while (atomic_load(&together->meetings[s].done) < together->n_workers && !atomic_load(&together->gave_up))
        measure_once(spec, operands, shape);
    meet(together, &together->meetings[s].over);
    qsort(times_s, (size_t)count, sizeof times_s[0], compare);
    return times_s[count / 2];
}

static void work(struct together *together, int worker, const struct kernel_spec *spec, int side)
{
    struct fit_sample shapes[MOST_SHAPES];
    struct operands operands;
    int n_shapes = plan_shapes(shapes, spec, side);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!bind_to(worker))
        _exit(1);
    operands_init(&operands, side);
    for (int s = 0; s < n_shapes; s++)
        together->seconds[worker * n_shapes + s] = time_shape(together, s, spec, &operands, &shapes[s]);
    _exit(0);
}

/* ---- All of them ---- */

/* Run them to their ends. Where one fails, the others do not wait for it, and all give up. */
static bool run_workers(struct together *together, const struct kernel_spec *spec, int side)
{
    int n_started = 0;
    while (n_started < together->n_workers) {
        pid_t worker = fork();
        if (worker == 0)
            work(together, n_started, spec, side);
        if (worker < 0)
            break;
        n_started++;
    }
    if (n_started < together->n_workers)
        atomic_store(&together->gave_up, true);
    for (; n_started > 0; n_started--) {
        int status = 1;
        if (wait(&status) < 0 || status != 0)
            atomic_store(&together->gave_up, true);
    }
    return !atomic_load(&together->gave_up);
}

/* The mean of the workers' medians, for each shape. */
static bool measure_with(double *seconds, int n_workers, const struct kernel_spec *spec, int side)
{
    int n_shapes = 1 + spec->n_dimensions;
    size_t size = sizeof(struct together) + (size_t)n_workers * (size_t)n_shapes * sizeof(double);
    struct together *together = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (together == MAP_FAILED)
        return false;
    together->n_workers = n_workers;
    bool good = run_workers(together, spec, side);
    for (int s = 0; s < n_shapes; s++) {
        seconds[s] = 0;
        for (int w = 0; w < n_workers; w++)
            seconds[s] += together->seconds[w * n_shapes + s] / n_workers;
    }
    munmap(together, size);
    return good;
}

void measure_sharing(struct sharing *sharing, const struct kernel_spec *spec, int side, int processors)
{
    double seconds[(1 + SHARING_COUNTS) * MOST_SHAPES];
    int counts[1 + SHARING_COUNTS], n_shapes = 1 + spec->n_dimensions;
    int n_counts = sharing_plan(counts, processors);
    bool good = processors > 1;
    *sharing = (struct sharing){.n = 0};
    for (int c = 0; c < n_counts && good; c++)
        good = measure_with(&seconds[c * n_shapes], counts[c], spec, side);
    if (good)
        sharing_fit(sharing, counts, n_counts, seconds, n_shapes);
}
