/* Stub of workers.c and progress_signals.c of src/experiment where there are no processes: all runs one after the
 * other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/progress_internal.h"
#include "experiment/workers.h"

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
