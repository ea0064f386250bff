/* Checks the runs of a scenario before any is simulated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "experiment/plan.h"
#include "experiment/sweep_internal.h"
#include "experiment/workers.h"

#include <stdlib.h>

/* Count the runs on the platform that a decision would discard, and the messages that its runs send: as the number of
 * events and the cost of a run that stands for them all, since this may be done in a child. */
static int check_platform(void *data, struct study_run *run, int index, struct sim_error *error)
{
    const struct sweep *sweep = data;
    int64_t *values = xmalloc((size_t)sweep->scenario.n_params * sizeof *values);
    int status = 0;
    (void)index;
    for (int64_t i = 0; status == 0 && i < scenario_run_count(&sweep->scenario); i++) {
        bool discarded = false;
        double messages = 0;
        scenario_run_values(&sweep->scenario, i, values);
        status = run_check(&sweep->context, values, &discarded, &messages, error);
        run->events += discarded;
        run->wall_s += messages;
    }
    free(values);
    return status;
}

static int take_counts(void *data, struct study_run *run, int index, struct sim_error *error)
{
    struct sweep *sweep = data;
    (void)index;
    (void)error;
    sweep->n_discarded += (int)run->events;
    sweep->messages += run->wall_s;
    return 0;
}

static int check_one(struct sweep *sweep, struct sim_error *error)
{
    static const int todo[] = {0};
    struct study_run run = {0};
    struct study study = {.runs = &run, .n_runs = 1};
    const struct workers_task task = {.self = sweep,
                                      .todo = todo,
                                      .n_todo = 1,
                                      .jobs = 1,
                                      .prepare = sweep_load_platform,
                                      .simulate = check_platform,
                                      .done = take_counts};
    if (sweep->context.machine == NULL)
        return workers_run(&study, &task, error);
    int status = check_platform(sweep, &run, 0, error);
    return status == 0 ? take_counts(sweep, &run, 0, error) : -1;
}

/* Check the reference file; it is matched with runs that have no measure but the time. */
static int check_reference(const struct run_context *context, struct sim_error *error)
{
    struct study study = {0};
    struct run_context all = *context;
    if (context->scenario->reference_file == NULL)
        return 0;
    all.shard = (struct shard){0};
    plan_open(&study, &all);
    for (int i = 0; i < study.n_runs; i++)
        result_add_ratio(&study.runs[i].result, "", "time_s", 1.0);
    int status = plan_match_references(&study, context->scenario, error);
    sweep_dispose(&study);
    return status;
}

int sweep_check(const struct run_context *context, int *n_discarded, double *messages, struct sim_error *error)
{
    int status = 0;
    *n_discarded = 0;
    *messages = 0;
    for (int p = 0; status == 0 && p < context->scenario->n_platforms; p++) {
        struct sweep sweep;
        sweep_init(&sweep, context, p);
        status = check_one(&sweep, error);
        *n_discarded += sweep.n_discarded;
        *messages += sweep.messages;
    }
    return status == 0 ? check_reference(context, error) : -1;
}
