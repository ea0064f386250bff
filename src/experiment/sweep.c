/* Makes the runs of a scenario, one after the other or in child processes, and checks them before.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/sweep.h"

#include "base/memory.h"
#include "experiment/plan.h"
#include "experiment/progress.h"
#include "experiment/sweep_internal.h"
#include "experiment/workers.h"
#include "metrics/detail.h"
#include "os/host_use.h"
#include "study/decision.h"
#include "study/ranking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one platform after the other --- */

void sweep_init(struct sweep *sweep, const struct run_context *context, int platform)
{
    int before = platform * plan_count_of_platform(context);
    *sweep = (struct sweep){.context = *context,
                            .scenario = *context->scenario,
                            .platform = platform,
                            .first = plan_count_before(context, before)};
    sweep->n_runs = plan_count_before(context, before + plan_count_of_platform(context)) - sweep->first;
    sweep->scenario.platform_file = sweep->scenario.platforms[platform].file;
    sweep->context.scenario = &sweep->scenario;
}

int sweep_load_platform(void *data, struct sim_error *error)
{
    struct sweep *sweep = data;
    if (sweep->context.machine != NULL)
        return 0;
    return machines_open(&sweep->context.machines, &sweep->context.machine, &sweep->scenario, error);
}

/* The runs of the study that are on the platform. */
static struct study part_of(const struct study *study, const struct sweep *sweep)
{
    return (struct study){.runs = study->runs + sweep->first, .n_runs = sweep->n_runs};
}

/* The place among all runs of the scenario of a run on the platform. */
static int place_of(const struct sweep *sweep, int index)
{
    return plan_place(&sweep->context, sweep->first + index);
}

/* --- simulating what the store does not have --- */

enum { LATER_MEASURES = 2 }; /* the place in a ranking, and the factor to the best */

/* Say in an error which of the runs it is about. */
static void name_run(struct sim_error *error, const struct scenario *scenario, const int64_t *values)
{
    size_t used = strlen(error->message);
    const char *before = " (run with";
    for (int i = 0; i < scenario->n_params; i++) {
        char value[128];
        if (scenario->params[i].n_values < 2)
            continue;
        param_format(value, sizeof value, scenario->params[i].spec, values[i]);
        snprintf(error->message + used, sizeof error->message - used, "%s %s=%s", before,
                 scenario->params[i].spec->name, value);
        used = strlen(error->message);
        before = "";
    }
    snprintf(error->message + used, sizeof error->message - used, ")");
}

static int simulate_one(void *data, struct study_run *run, int index, struct sim_error *error)
{
    const struct sweep *sweep = data;
    int64_t *values = xmalloc((size_t)sweep->scenario.n_params * sizeof *values);
    scenario_run_values(&sweep->scenario, place_of(sweep, index) % plan_count_of_platform(&sweep->context), values);
    int status = run_simulate(run, &sweep->context, values, error);
    if (status != 0 && scenario_run_count(&sweep->scenario) > 1)
        name_run(error, &sweep->scenario, values);
    free(values);
    return status;
}

static int finish_one(void *data, struct study_run *run, int index, struct sim_error *error)
{
    struct sweep *sweep = data;
    if (sweep->context.cache != NULL &&
        run_cache_add(sweep->context.cache, sweep->platform, place_of(sweep, index) + 1, run, error) != 0)
        return -1;
    result_trim(&run->result, LATER_MEASURES);
    progress_step(sweep->progress);
    return 0;
}

/* Take the run from the store if it is there; not if it has no answer to --what-if that is asked for, or one that is
 * not, since of a long sweep only the best has one. */
static int find_stored(bool *found, struct study_run *run, const struct sweep *sweep, struct sim_error *error)
{
    const struct study_run empty = *run;
    if (run_cache_find(found, sweep->context.cache, sweep->platform, run, error) != 0)
        return -1;
    run->wiring = empty.wiring;
    run->topology = empty.topology;
    result_trim(&run->result, LATER_MEASURES);
    bool is_explained = *found && result_find_table(&run->result, TABLE_WHAT_IF_CAUSES) != NULL;
    if (!*found || run_is_discarded(run) || is_explained == (sweep->context.what_if != 0))
        return 0;
    result_dispose(&run->result);
    *run = empty;
    *found = false;
    return 0;
}

/* The runs that are not in the store, rising; those that are, are taken from there. A run that is to be traced, or of
 * which there are details to say, is simulated again. */
static int find_todo(int *todo, int *n_todo, struct study *study, const struct sweep *sweep, struct sim_error *error)
{
    *n_todo = 0;
    for (int i = 0; i < study->n_runs; i++) {
        bool found = false;
        if (sweep->context.cache != NULL && sweep->context.trace == NULL && sweep->context.details == 0 &&
            find_stored(&found, &study->runs[i], sweep, error) != 0)
            return -1;
        if (!found)
            todo[(*n_todo)++] = i;
    }
    return 0;
}

const struct workers_elsewhere *workers_elsewhere;
enum { ELSEWHERE = 0 }; /* as a number of jobs */

static int simulate_todo(struct study *study, struct sweep *sweep, const int *todo, int n_todo, int jobs,
                         struct sim_error *error)
{
    bool loaded = sweep->context.machine != NULL, caches = sweep->context.cache != NULL && sweep->context.trace == NULL;
    const struct workers_task task = {.self = sweep,
                                      .todo = todo,
                                      .n_todo = n_todo,
                                      .jobs = jobs < n_todo ? jobs : n_todo,
                                      .confirms = caches,
                                      .prepare = sweep_load_platform,
                                      .simulate = simulate_one,
                                      .done = finish_one};
    int status = 0;
    bool elsewhere = jobs == ELSEWHERE;
    if (elsewhere || (n_todo > 0 && (!loaded || task.jobs > 1 || caches))) {
        sweep->progress->waits = true;
        status = (elsewhere ? workers_elsewhere->run : workers_run)(study, &task, error);
        sweep->progress->waits = false;
        return status;
    }
    for (int i = 0; status == 0 && i < n_todo; i++) {
        struct study_run *run = &study->runs[todo[i]];
        status = simulate_one(sweep, run, todo[i], error);
        if (status == 0)
            status = finish_one(sweep, run, todo[i], error);
    }
    return status;
}

/* Say it at once where it takes minutes: of what is not in the store, taken to be like the rest. */
static void note_size(const struct run_context *context, const struct study *study)
{
    static const double many = 3e8, per_s = 5e6;
    char duration[32];
    double messages = context->messages * (study->n_runs - study->n_stored) / plan_count(context);
    if (messages < many)
        return;
    progress_format_duration(duration, sizeof duration, messages / per_s);
    fprintf(stderr, "simrun: %s: about %.2g messages to simulate, about %s at %.0f million per second\n",
            context->scenario->file, messages, duration, per_s / 1e6);
}

/* All of that: first what is known is found, on all platforms, so that the progress is right. */
static int simulate_all(struct study *study, const struct run_context *context, int jobs, bool shown,
                        struct sim_error *error)
{
    int n_platforms = context->scenario->n_platforms, status = 0;
    struct sweep *sweeps = xcalloc((size_t)n_platforms, sizeof *sweeps);
    int *todo = xmalloc((size_t)study->n_runs * sizeof *todo), *n_todo = xcalloc((size_t)n_platforms, sizeof *n_todo);
    struct progress progress;
    if (workers_elsewhere != NULL && context->trace == NULL)
        jobs = ELSEWHERE;
    study->n_stored = study->n_runs;
    for (int p = 0; status == 0 && p < n_platforms; p++) {
        sweep_init(&sweeps[p], context, p);
        sweeps[p].progress = &progress;
        struct study part = part_of(study, &sweeps[p]);
        status = find_todo(todo + sweeps[p].first, &n_todo[p], &part, &sweeps[p], error);
        study->n_stored -= n_todo[p];
    }
    /* If this process only simulates, another one says all there is to say. */
    bool only_simulates = workers_elsewhere != NULL && workers_elsewhere->only_simulates;
    if (!only_simulates)
        note_size(context, study);
    progress_open(&progress, shown && status == 0, only_simulates ? 0 : study->n_runs, study->n_stored, context->cache);
    for (int p = 0; status == 0 && p < n_platforms; p++) {
        struct study part = part_of(study, &sweeps[p]);
        status = simulate_todo(&part, &sweeps[p], todo + sweeps[p].first, n_todo[p], jobs, error);
    }
    progress_close(&progress);
    free(sweeps);
    free(todo);
    free(n_todo);
    if (status == 0 && only_simulates)
        status = sim_error_set(error, SIM_DONE, NULL, 0, "%s", "");
    return status;
}

static bool is_among(const struct study_run *run, struct study_run *const runs[], int n)
{
    for (int i = 0; i < n; i++)
        if (runs[i] == run)
            return true;
    return false;
}

/* The best of a decision's last ranking, else the fastest of those runs that have the problem of the last one: how many
 * there are, `most` at most. */
static int find_best(struct study_run *best[], int most, const struct study *study)
{
    if (study->decision != M_NONE)
        return decision_find_last_best(best, most, study);
    const struct study_run *last = &study->runs[study->n_runs - 1];
    for (int n = 0; n < most; n++) {
        best[n] = NULL;
        for (int i = 0; i < study->n_runs; i++) {
            struct study_run *run = &study->runs[i];
            bool counts = !run_is_discarded(run) && run_compare_problems(run, last) == 0 && !is_among(run, best, n);
            if (counts && (best[n] == NULL || run_time(run) < run_time(best[n])))
                best[n] = run;
        }
        if (best[n] == NULL)
            return n;
    }
    return most;
}

/* Simulate a run again, into the same place, which is empty. */
static int simulate_again(struct study *study, const struct run_context *context, const struct study_run *run,
                          struct sim_error *error)
{
    int index = (int)(run - study->runs);
    struct progress progress;
    struct sweep sweep;
    progress_open(&progress, false, 1, 0, NULL);
    sweep_init(&sweep, context, plan_place(context, index) / plan_count_of_platform(context));
    sweep.progress = &progress;
    int todo = index - sweep.first;
    struct study part = part_of(study, &sweep);
    int status = simulate_todo(&part, &sweep, &todo, 1, 1, error);
    progress_close(&progress);
    return status;
}

/* Explain a long sweep: only its best run is simulated again without what may be its causes. */
static int explain_best(struct study *study, const struct run_context *context, struct sim_error *error)
{
    struct study_run *best;
    if (find_best(&best, 1, study) == 0)
        return 0;
    result_dispose(&best->result);
    result_init(&best->result);
    return simulate_again(study, context, best, error);
}

/* Simulate a run again, with all details, beside the runs. */
static int draw_one(struct study *study, const struct run_context *context, struct study_run *run,
                    struct sim_error *error)
{
    const struct study_run former = *run;
    result_init(&run->result);
    int status = simulate_again(study, context, run, error);
    study->drawn[study->n_drawn] = *run;
    study->drawn_at[study->n_drawn++] = (int)(run - study->runs);
    *run = former;
    return status;
}

/* Draw the best run, and the next ones that are short: a page should neither take long nor grow by them. Events count
 * and not seconds, so that the same study has the same page. */
static int draw_best(struct study *study, const struct run_context *context, struct sim_error *error)
{
    enum { SHORT_EVENTS = 2000000 };
    struct study_run *best[MOST_DRAWN];
    int n = find_best(best, context->most_drawn, study), status = 0;
    struct run_context drawing = *context;
    drawing.what_if = 0;
    drawing.cache = NULL;
    drawing.trace = NULL;
    drawing.details |= DETAILS_DRAWN;
    if (n > 0)
        study->drawn = xmalloc((size_t)n * sizeof *study->drawn);
    for (int i = 0; i < n && status == 0 && (i == 0 || best[i]->events <= SHORT_EVENTS); i++)
        status = draw_one(study, &drawing, best[i], error);
    return status;
}

int sweep_simulate(struct study *study, const struct run_context *context, int jobs, bool progress,
                   struct sim_error *error)
{
    enum { MOST_EXPLAINED = 8 };
    plan_open(study, context);
    if (study->n_runs == 0)
        return 0;
    struct run_context all = *context;
    if (context->most_drawn > 0 && study->n_runs == 1)
        all.details |= DETAILS_DRAWN;
    bool only_best = context->what_if != 0 && plan_count(context) > MOST_EXPLAINED;
    if (only_best)
        all.what_if = 0;
    int status = simulate_all(study, &all, jobs, progress, error);
    if (status == 0 && only_best)
        status = explain_best(study, context, error);
    if (status == 0 && context->most_drawn > 0 && study->n_runs > 1)
        status = draw_best(study, context, error);
    if (status == 0)
        status = plan_match_references(study, context->scenario, error);
    if (status == 0 && study->decision != M_NONE)
        decision_rank(study);
    if (status == 0)
        ranking_add(study);
    return status;
}

void sweep_dispose(struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        free(study->runs[i].parameters);
        result_dispose(&study->runs[i].result);
    }
    for (int i = 0; i < study->n_drawn; i++)
        result_dispose(&study->drawn[i].result);
    free(study->drawn);
    free(study->runs);
    free((void *)(uintptr_t)study->varying);
    free(study->title);
}
