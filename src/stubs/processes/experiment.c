/* Stub of workers.c and progress_signals.c of src/experiment where there are no processes: all runs one after the
 * other.
 *
 * A page can start the program several times, side by side (page/lab/simulator.js). With SIMRUN_PART=K/N in its
 * environment, the program simulates every N-th run from the K-th on, and writes these to its output instead of a
 * report. With SIMRUN_PARTS=N, it takes the runs from the files /part-1 to /part-N, which have such outputs, simulates
 * what is in none of them, and reports as ever.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/transport.h"
#include "experiment/progress_internal.h"
#include "experiment/serialized_run.h"
#include "experiment/sweep_internal.h"
#include "experiment/workers.h"
#include "metrics/result.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void progress_prepare_message(const struct progress *progress)
{
    (void)progress;
}

void progress_catch_signals(struct progress *progress)
{
    (void)progress;
}

void progress_restore_signals(void)
{
}

int workers_run(struct study *report, const struct workers_task *task, struct sim_error *error)
{
    if (task->prepare != NULL && task->prepare(task->self, error) != 0)
        return -1;
    for (int i = 0; i < task->n_todo; i++) {
        struct study_run *run = &report->runs[task->todo[i]];
        if (task->simulate(task->self, run, task->todo[i], error) != 0 ||
            task->done(task->self, run, task->todo[i], error) != 0)
            return -1;
    }
    return 0;
}

/* --- a part of the runs --- */

enum { MOST_PARTS = 64, OF_NUMBER = 4 };

static int part, n_parts;  /* this one, from 1; 0: this program reports */
static int n_tasks, n_met; /* of all tasks so far: they, and their runs */

/* A run behind the number of its task and its size. */
static void write_run(int index, struct study_run *run, struct sim_error *error)
{
    size_t size;
    char *bytes = serialized_run_write(&size, index, run, error);
    wide_int task = n_tasks, length = (wide_int)size;
    struct transport to = {.to = stdout};
    transport_number(&to, &task, OF_NUMBER);
    transport_number(&to, &length, OF_NUMBER);
    transport_bytes(&to, bytes, size);
    free(bytes);
}

static int simulate_part(struct study *report, const struct workers_task *task, struct sim_error *error)
{
    bool prepared = task->prepare == NULL;
    struct sweep *sweep = task->self;
    (void)error; /* the one that reports has it */
    sweep->progress->total = report->n_runs * sweep->context.scenario->n_platforms;
    for (int i = 0; i < task->n_todo; i++) {
        struct study_run run = {0};
        struct sim_error own = {.status = SIM_DONE};
        if (n_met++ % n_parts != part - 1)
            continue;
        prepared = prepared || task->prepare(task->self, &own) == 0;
        if (prepared && task->simulate(task->self, &run, task->todo[i], &own) == 0)
            own.status = SIM_DONE;
        write_run(task->todo[i], &run, &own);
        progress_step(sweep->progress);
        result_dispose(&run.result);
    }
    n_tasks++;
    return 0;
}

/* --- runs of all parts --- */

static unsigned char *parts[MOST_PARTS]; /* what is in the files */
static size_t sizes[MOST_PARTS];

static void read_part(int number)
{
    size_t capacity = 0;
    char *name = xformat("/part-%d", number + 1);
    FILE *file = fopen(name, "rb");
    for (size_t n = 1; file != NULL && n > 0; sizes[number] += n) {
        parts[number] = xgrow(parts[number], sizes[number] + BUFSIZ, &capacity, 1);
        n = fread(parts[number] + sizes[number], 1, capacity - sizes[number], file);
    }
    if (file != NULL)
        fclose(file);
    free(name);
}

/* Take the runs of this task from a part, and note which these are. */
static int take_part(int *failed, bool *taken, struct study *report, const struct workers_task *task, int number,
                     struct sim_error *error)
{
    struct transport from = {.from = parts[number], .size = sizes[number]};
    int status = 0;
    while (status == 0 && transport_left(&from) > 0) {
        wide_int of, size, index = -1;
        transport_number(&from, &of, OF_NUMBER);
        transport_number(&from, &size, OF_NUMBER);
        if (from.failed || size < OF_NUMBER || (size_t)size > from.size)
            return serialized_run_fail(error);
        struct transport run = {.from = from.from, .size = (size_t)size};
        transport_number(&run, &index, OF_NUMBER);
        if (of == n_tasks) {
            status = serialized_run_read(failed, report, task, from.from, (size_t)size, error);
            if (status == 0)
                taken[index] = true;
        }
        from.from += size;
        from.size -= (size_t)size;
    }
    return status;
}

/* Simulate what none of the parts has, up to the first run that fails. */
static int simulate_rest(int failed, const bool *taken, struct study *report, const struct workers_task *task,
                         struct sim_error *error)
{
    int *rest = xmalloc((size_t)task->n_todo * sizeof *rest);
    struct workers_task others = *task;
    others.todo = rest;
    others.n_todo = 0;
    for (int i = 0; i < task->n_todo; i++)
        if (!taken[task->todo[i]] && task->todo[i] < failed)
            rest[others.n_todo++] = task->todo[i];
    int status = others.n_todo > 0 ? workers_run(report, &others, error) : 0;
    free(rest);
    return status;
}

static int take_parts(struct study *report, const struct workers_task *task, struct sim_error *error)
{
    bool *taken = xcalloc((size_t)report->n_runs, sizeof *taken);
    int status = 0, failed = INT32_MAX;
    for (int i = 0; i < n_parts && status == 0; i++)
        status = take_part(&failed, taken, report, task, i, error);
    if (status == 0)
        status = simulate_rest(failed, taken, report, task, error);
    free(taken);
    n_tasks++;
    return status != 0 || failed < INT32_MAX ? -1 : 0;
}

/* --- the environment --- */

static int number_in(const char *text, int most)
{
    long number = text != NULL ? strtol(text, NULL, 10) : 0;
    return number >= 1 && number <= most ? (int)number : 0;
}

__attribute__((constructor)) static void begin(void)
{
    static struct workers_elsewhere elsewhere;
    const char *own = getenv("SIMRUN_PART"), *slash = own != NULL ? strchr(own, '/') : NULL;
    n_parts = number_in(slash != NULL ? slash + 1 : getenv("SIMRUN_PARTS"), MOST_PARTS);
    part = slash != NULL ? number_in(own, n_parts) : 0;
    if (n_parts == 0 || (slash != NULL && part == 0))
        return;
    for (int i = 0; i < n_parts && part == 0; i++)
        read_part(i);
    elsewhere = (struct workers_elsewhere){part > 0 ? simulate_part : take_parts, part > 0};
    workers_elsewhere = &elsewhere;
}
