/* Runs in child processes, which send their results back through sockets.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_WORKERS_H
#define EXPERIMENT_WORKERS_H

#include "base/error.h"
#include "study/run.h"

#include <stdbool.h>

/* A task: the runs that are to be simulated. The callbacks get `self`. */
struct workers_task {
    void *self;
    const int *todo; /* the indices of the runs in report->runs, rising; n_todo of them */
    int n_todo;
    int jobs; /* children at the same time */

    /* A child begins a run only when done() has returned for all of its runs but the last, so that of the finished ones
     * not more than two for each job are lost if all ends at once. */
    bool confirms;

    /* In a child, before its first run: what each of them needs for itself; NULL: nothing. */
    int (*prepare)(void *self, struct sim_error *error);
    /* In a child: simulate. It sends the output of run_write(); all else of *run is lost. */
    int (*simulate)(void *self, struct study_run *run, int index, struct sim_error *error);
    /* In the parent: that run is complete, in an order that changes from time to time. */
    int (*done)(void *self, struct study_run *run, int index, struct sim_error *error);
};

/* Give the runs one by one to workers that are free, and fill in report->runs except for their parameters. If several
 * runs fail, the error is that of the first. Signals that end the program come only while it waits, not in done(). */
int workers_run(struct study *report, const struct workers_task *task, struct sim_error *error);

/* Processes that are there already, and simulate the runs of a sweep instead of children: those of a program of MPI,
 * each of which goes through the same sweep. */
struct workers_elsewhere {
    int (*run)(struct study *report, const struct workers_task *task, struct sim_error *error);
    bool only_simulates; /* this process does no more than that: the report is another's */
};
/* NULL: there are none. */
extern const struct workers_elsewhere *workers_elsewhere;

#endif
