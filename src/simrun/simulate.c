/* simrun FILE...: a scenario is simulated, a trace analyzed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/simulate.h"
#include "base/builder.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/range.h"
#include "core/what_if/what_if.h"
#include "experiment/plan.h"
#include "experiment/sweep.h"
#include "metrics/detail.h"
#include "simrun/analyse.h"
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/cube_answer.h"
#include "simrun/experiment.h"
#include "simrun/inputs.h"
#include "simrun/lab_live.h"
#include "simrun/model.h"
#include "simrun/replay.h"
#include "simrun/source.h"
#include "study/sections/runs.h"
#include "study/sections/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int check_single_run(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    long long n_runs = scenario_run_count(scenario) * scenario->n_platforms;
    if (options->trace == NULL || n_runs == 1)
        return 0;
    char *first = scenario_first_run(scenario);
    sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "--trace writes one run, but this scenario has %lld%s%s%s",
                  n_runs, scenario->n_platforms > 1 ? ", on several platforms; leave one <platform> in it" : "",
                  first[0] != '\0' ? "; pick one, for example with" : "", first);
    free(first);
    return -1;
}

/* Check --baseline: T_seq is simulated where the program can run on one rank; for a replay it is what the options
 * say. */
static int check_sequential(const struct scenario *scenario, const struct options *options, struct sim_error *error)
{
    if (!options_has(options, OPTION_BASELINE) || scenario->app->parallel_only)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                         "--baseline is for traces and their replay; T_seq of '%s' is simulated", scenario->app->name);
}

static void print_cost(const struct study *study)
{
    double wall_s = 0;
    int64_t events = 0, most_queued = 0, most_messages = 0, peak_bytes = 0;
    for (int i = 0; i < study->n_runs; i++) {
        wall_s += study->runs[i].wall_s;
        events += study->runs[i].events;
        peak_bytes = int64_max(peak_bytes, study->runs[i].peak_rss_bytes);
        most_queued = int64_max(most_queued, study->runs[i].most_queued);
        most_messages = int64_max(most_messages, study->runs[i].most_messages);
    }
    message_print(
        "%d run%s in %.3f s, events: %lld; at most in the queue: %lld; messages that wait: %lld; memory: %.1f MB",
        study->n_runs, study->n_runs == 1 ? "" : "s", wall_s, (long long)events, (long long)most_queued,
        (long long)most_messages, (double)peak_bytes / 1e6);
}

/* A decision of which no candidate is left has been reported, but decides nothing. */
static int check_decided(const struct study *study, const char *file, struct sim_error *error)
{
    int n_discarded = 0;
    for (int i = 0; i < study->n_runs; i++)
        n_discarded += run_is_discarded(&study->runs[i]);
    if (study->decision == M_NONE || n_discarded < study->n_runs)
        return 0;
    return sim_error_set(error, SIM_UNFINISHED, file, 0, "no decision: all %d candidates are discarded", study->n_runs);
}

/* A scenario that is simulated, and the study of it. */
struct simulate_command {
    struct run_context *context;
    struct scenario *scenario;
    const struct options *options;
    struct study study;
    struct builder live; /* what a page that simulates is made of; empty: the page does not */
};

/* Which of the runs these are. */
static void note_shard(struct document *document, const struct simulate_command *self)
{
    const struct shard *shard = &self->context->shard;
    const char *text = document_format(document, "Shard %d of %d: %d of %d runs", shard->index + 1, shard->count,
                                       self->study.n_runs, plan_count(self->context));
    document_sentence(document, xformat("%s.", text));
    if (!self->options->quiet)
        message_print("%s: s%s", self->context->scenario->file, text + 1);
}

/* Make the document of a shard that has no runs. */
static void document_no_runs(struct document *document, const struct study *study)
{
    document->name = study->scenario;
    document->title = study->title != NULL ? study->title : study->scenario;
    document_table(document, "runs", NULL, FOR_PROGRAMS);
}

static int simulate_sweep(struct simulate_command *self, struct sim_error *error)
{
    bool shown = !self->options->quiet && isatty(STDERR_FILENO);
    return sweep_simulate(&self->study, self->context, self->options->jobs, shown, error);
}

/* Simulate the sweep with further sizes, again and again, until the bands of its models are narrow; runs in a store are
 * not simulated again. *said are the sizes, or empty. */
static int narrow(struct builder *said, struct simulate_command *self, struct sim_error *error)
{
    enum { MOST_ROUNDS = 20 };
    for (int round = 0; round < MOST_ROUNDS; round++) {
        char *added = model_extend(self->scenario, self->context, &self->study, self->options);
        if (added == NULL)
            return 0;
        builder_add(said, "%s%s", said->length > 0 ? "; " : "", added);
        free(added);
        model_dispose(&self->study);
        sweep_dispose(&self->study);
        self->study = (struct study){.verbose = self->options->verbose};
        if (simulate_sweep(self, error) != 0 || model_fit(&self->study, self->scenario, self->options, error) != 0)
            return -1;
    }
    return 0;
}

/* The lines of the application: in a page those of the run that is drawn. */
static void add_source(struct document *document, const struct study *study, const struct options *options)
{
    const struct study_run *run = study->drawn != NULL ? study->drawn : study_find_detailed(study);
    if (run != NULL && !run->is_traced)
        source_add_application(document, run, (options->details & DETAIL_BIT(DETAIL_SOURCE)) != 0);
}

static int make_document(struct document *document, void *data, struct sim_error *error)
{
    struct simulate_command *self = data;
    const struct options *options = self->options;
    struct builder added = {0};
    if (simulate_sweep(self, error) != 0)
        return -1;
    if (options->n_shards > 0)
        note_shard(document, self);
    if (self->study.n_runs == 0) {
        document_no_runs(document, &self->study);
        return 0;
    }
    if (replay_add_traced(&self->study, self->context->scenario, error) != 0 ||
        model_fit(&self->study, self->context->scenario, options, error) != 0)
        return -1;
    int status = options->until > 0 ? narrow(&added, self, error) : 0;
    if (status == 0) {
        runs_document(document, &self->study);
        add_source(document, &self->study, options);
    }
    if (status == 0 && added.length > 0)
        document_sentence(document, xformat("Simulated in addition: %s.", added.text));
    if (self->live.length > 0)
        document_bytes(document, LIVE_BLOCK, self->live.text, self->live.length);
    free(added.text);
    return status;
}

static int simulate_and_report(void *data, struct sim_error *error)
{
    struct simulate_command *self = data;
    const struct study *study = &self->study;
    int status = answer_output(self->options, make_document, self, error);
    if (status == 0 && self->options->verbose && !self->options->quiet)
        print_cost(study);
    if (status == 0 && study->n_stored > 0 && !self->options->quiet)
        message_print("%d of %d runs from the store %s", study->n_stored, study->n_runs,
                      run_cache_file(self->context->cache));
    if (status == 0 && self->options->n_shards == 0) /* other shards may have candidates */
        status = check_decided(study, self->context->scenario->file, error);
    model_dispose(&self->study);
    sweep_dispose(&self->study);
    return status;
}

/* Runs of another version of simrun stay in the store, and are not reused. */
static int tell_other_program(const struct experiment *experiment, const struct options *options,
                              struct sim_error *error)
{
    char *program;
    if (options->store == NULL || options->quiet)
        return 0;
    if (run_cache_find_other(&program, experiment->context.cache, experiment->scenario.n_platforms, error) != 0)
        return -1;
    if (program != NULL)
        message_print("%s: has runs of another simrun, %s, which are kept and not reused", options->store, program);
    free(program);
    return 0;
}

static int simulate(struct experiment *experiment, const struct options *options, struct sim_error *error)
{
    int64_t sequential_ps;
    const struct scenario *scenario = &experiment->scenario;
    struct simulate_command self = {.context = &experiment->context,
                                    .scenario = &experiment->scenario,
                                    .options = options,
                                    .study = {.verbose = options->verbose}};
    if (check_single_run(scenario, options, error) != 0 || check_sequential(scenario, options, error) != 0 ||
        model_check(scenario, options, error) != 0 || analyse_sequential(&sequential_ps, options, error) != 0 ||
        experiment_prepare(experiment, sequential_ps, options, error) != 0)
        return -1;
    if (options->store != NULL && run_cache_open(&experiment->context.cache, options->store, scenario, sequential_ps,
                                                 options->what_if, error) != 0)
        return -1;
    if (tell_other_program(experiment, options, error) != 0)
        return -1;
    if (options->live && lab_live_make(&self.live, scenario, options, error) != 0)
        return -1;
    int status = answer_traced(&experiment->context.trace, options, simulate_and_report, &self, error);
    free(self.live.text);
    return status;
}

int simulate_scenario(const char *file, const struct options *options, struct sim_error *error)
{
    struct experiment experiment;
    int status = experiment_load(&experiment, file, options, error);
    if (status == 0)
        status = simulate(&experiment, options, error);
    experiment_close(&experiment);
    return status;
}

/* The causes are part of the option, so that a blank before them makes a file of them. */
static int check_cause(const char *file, const struct options *options, struct sim_error *error)
{
    uint32_t causes;
    char why[320];
    if (!options_has(options, OPTION_WHAT_IF) || access(file, F_OK) == 0 ||
        what_if_parse(&causes, file, why, sizeof why) != 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%s' is not a scenario; write --what-if=%s", file, file);
}

static int run_file(const char *file, const struct options *options, struct sim_error *error)
{
    if (file != options->files[0])
        putchar('\n');
    bool analyses = analyse_is_trace(file) && options->platform == NULL;
    if (cube_answer_takes(file))
        return cube_answer_file(file, options, error);
    if (analyses && options->live)
        return lab_live_refuse_trace(file, error);
    return (analyses ? analyse_file : simulate_scenario)(file, options, error);
}

/* Check a word on the command line: one that is no file has to be the name of a scenario. */
static int check_name(const char *file, struct sim_error *error)
{
    char *found = analyse_is_trace(file) || cube_answer_takes(file) ? xstrdup(file) : inputs_find_scenario(file, error);
    int status = found != NULL ? 0 : -1;
    free(found);
    return status;
}

static int run(const struct options *options, struct sim_error *error)
{
    for (int i = 0; i < options->n_files; i++)
        if (check_cause(options->files[i], options, error) != 0 || check_name(options->files[i], error) != 0)
            return -1;
    if (options_check_alone(options, error) != 0)
        return -1;
    for (int i = 0; options->n_files > 1 && i < options->n_files; i++)
        if (analyse_is_trace(options->files[i]))
            return sim_error_set(error, SIM_BAD_INPUT, options->files[i], 0,
                                 "a trace must be given alone, one at a time");
    return experiment_run_each(run_file, options, error);
}

const struct command command_simulate = {
    .name = "",
    .arguments = "FILE...",
    .summary = "simulate a scenario or analyze a trace, and show where the time goes",
    .about = "FILE is a scenario (.xml, or its name: gj256) or the trace of a run (.otf2).\n",
    .example = "--set ranks=16,32,64 gj256",
    .options = OPTION_BIT(OPTION_PLATFORM) | OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_PLACEMENT) |
               OPTION_BIT(OPTION_NETWORK) | OPTION_BIT(OPTION_JOBS) | OPTION_BIT(OPTION_SHARD) |
               OPTION_BIT(OPTION_STORE) | OPTION_BIT(OPTION_WHAT_IF) | OPTION_BIT(OPTION_DETAIL) |
               OPTION_BIT(OPTION_BASELINE) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_LIVE) |
               OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_TRACE) | OPTION_BIT(OPTION_PART_FROM) |
               OPTION_BIT(OPTION_PART_TO) | OPTION_BIT(OPTION_PART_RANKS) | OPTION_BIT(OPTION_ITERATIONS) |
               OPTION_BIT(OPTION_SOURCE) | OPTION_BIT(OPTION_VERBOSE) | OPTION_BIT(OPTION_QUIET) |
               OPTION_BIT(OPTION_DEBUG) | OPTION_BIT(OPTION_VERSION),
    .least = 1,
    .run = run,
};
