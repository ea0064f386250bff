/* Reads the inputs of a comparison, and names the versions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_inputs.h"

#include "base/memory.h"
#include "experiment/sweep.h"
#include "interval/intern.h"
#include "metrics/detail.h"
#include "os/file_kind.h"
#include "simrun/analyse.h"
#include "simrun/compare_names.h"
#include "simrun/compare_store.h"
#include "simrun/experiment.h"
#include "simrun/profile_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where runs come from, and who disposes of them. */
struct compare_source {
    enum { FROM_FILE, FROM_SIMULATION, FROM_STORE } from;
    struct study_run run; /* of a trace or a profile */
    struct study study;   /* of a simulation, with `experiment` */
    struct experiment experiment;
    struct compare_stored stored;
};

/* --- sources --- */

/* It stays where it is. */
static struct compare_source *add_source(struct compare_inputs *inputs)
{
    inputs->sources =
        xgrow((void *)inputs->sources, inputs->n_sources, &inputs->capacity, sizeof(struct compare_source *));
    struct compare_source *source = xcalloc(1, sizeof *source);
    inputs->sources[inputs->n_sources++] = source;
    return source;
}

static void dispose_source(struct compare_source *source)
{
    if (source->from == FROM_FILE)
        analyse_run_dispose(&source->run);
    if (source->from == FROM_SIMULATION) {
        sweep_dispose(&source->study);
        experiment_close(&source->experiment);
    }
    if (source->from == FROM_STORE)
        compare_stored_dispose(&source->stored);
    free(source);
}

static void add_run(struct compare_version *version, const struct study_run *run)
{
    version->runs = xrealloc(version->runs, (size_t)(version->n_runs + 1) * sizeof *version->runs);
    version->runs[version->n_runs++] = *run;
}

/* --- one input --- */

/* The options of an analysis or a simulation, with all that a comparison looks at. */
static struct options options_of_runs(const struct options *options)
{
    struct options own = *options;
    own.details = DETAIL_BIT(DETAIL_SCOPES) | DETAIL_BIT(DETAIL_PLACES);
    return own;
}

static int load_measured(struct compare_inputs *inputs, struct compare_version *version, const char *file,
                         const struct options *options, struct sim_error *error)
{
    struct options own = options_of_runs(options);
    struct study_run run;
    own.n_settings = 0; /* they are for the scenarios beside it */
    int status = analyse_is_trace(file) ? analyse_run(&run, file, &own, error) : profile_run_load(&run, file, error);
    if (status != 0)
        return -1;
    add_source(inputs)->run = run;
    add_run(version, &run);
    return 0;
}

static int check_one_run(const struct scenario *scenario, struct sim_error *error)
{
    long long n_runs = scenario_run_count(scenario) * scenario->n_platforms;
    if (n_runs == 1)
        return 0;
    char *first = scenario_first_run(scenario);
    sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "compare takes one run of a scenario, and this has %lld%s%s",
                  n_runs, first[0] != '\0' ? "; pick one, for example with" : "", first);
    free(first);
    return -1;
}

/* A scenario, or the replay of a trace. */
static int simulate(struct compare_inputs *inputs, struct compare_version *version, const char *word,
                    const struct options *options, struct sim_error *error)
{
    const struct options own = options_of_runs(options);
    struct compare_source *source = add_source(inputs);
    source->from = FROM_SIMULATION;
    if (experiment_load(&source->experiment, word, &own, error) != 0)
        return -1;
    source->experiment.is_one_of_several = true;
    if (check_one_run(&source->experiment.scenario, error) != 0 ||
        experiment_prepare(&source->experiment, -1, &own, error) != 0 ||
        sweep_simulate(&source->study, &source->experiment.context, 1, false, error) != 0)
        return -1;
    add_run(version, &source->study.runs[0]);
    return 0;
}

static void add_stored(struct compare_version *version, struct compare_source *source)
{
    for (int i = 0; i < source->stored.question.count; i++)
        add_run(version, &source->stored.question.runs[i].run);
    version->origin = &source->stored.origin;
}

static bool has_store(const struct compare_inputs *inputs, const char *file)
{
    for (size_t i = 0; i < inputs->n_sources; i++)
        if (inputs->sources[i]->from == FROM_STORE && strcmp(inputs->sources[i]->stored.options.files[0], file) == 0)
            return true;
    return false;
}

static int load_stored(struct compare_inputs *inputs, struct compare_version *version, char **files, int n_files,
                       const struct options *options, struct sim_error *error)
{
    bool is_again = has_store(inputs, files[0]);
    struct compare_source *source = add_source(inputs);
    source->from = FROM_STORE;
    if (compare_stored_load(&source->stored, files, n_files, is_again, options, error) != 0)
        return -1;
    add_stored(version, source);
    return 0;
}

/* --- words --- */

static bool is_separator(const char *word)
{
    return strcmp(word, "vs") == 0;
}

/* A condition behind a store. */
static bool is_condition(const char *word)
{
    return word[strcspn(word, "=<>")] != '\0' && file_kind_of(word)->is == FILE_ABSENT;
}

/* The words from that one on that are one input: a file, or a store with its conditions. */
static int count_words(const struct options *options, int first)
{
    int end = first + 1;
    if (file_kind_of(options->files[first])->is == FILE_STORE)
        while (end < options->n_files && is_condition(options->files[end]))
            end++;
    return end - first;
}

static int load_words(struct compare_inputs *inputs, struct compare_version *version, char **words, int n_words,
                      const struct options *options, struct sim_error *error)
{
    bool is_store = file_kind_of(words[0])->is == FILE_STORE;
    if (part_is_asked(&options->part) && (is_store || profile_run_takes(words[0])))
        return sim_error_set(error, SIM_BAD_INPUT, words[0], 0,
                             "is a %s; --from, --to and --ranks choose a part of a trace",
                             is_store ? "store" : "profile");
    if (is_store)
        return load_stored(inputs, version, words, n_words, options, error);
    if (profile_run_takes(words[0]) || (analyse_is_trace(words[0]) && options->platform == NULL))
        return load_measured(inputs, version, words[0], options, error);
    return simulate(inputs, version, words[0], options, error);
}

/* --- all of them --- */

static bool has_separator(const struct options *options)
{
    for (int i = 0; i < options->n_files; i++)
        if (is_separator(options->files[i]))
            return true;
    return false;
}

static struct compare_version *add_version(struct compare_inputs *inputs)
{
    inputs->versions = xrealloc(inputs->versions, (size_t)(inputs->n_versions + 1) * sizeof *inputs->versions);
    struct compare_version *version = &inputs->versions[inputs->n_versions++];
    *version = (struct compare_version){.name = ""};
    return version;
}

/* True if a version was simulated, for which settings are. */
static bool has_simulation(const struct compare_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n_sources; i++)
        if (inputs->sources[i]->from == FROM_SIMULATION)
            return true;
    return false;
}

static int check(const struct compare_inputs *inputs, const struct options *options, struct sim_error *error)
{
    if (options->n_settings > 0 && !has_simulation(inputs))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--set %s: parameters are for scenarios, and for traces with --platform FILE; runs of a "
                             "store are chosen by conditions: ranks=4",
                             options->settings[0]);
    for (int v = 0; v < inputs->n_versions; v++)
        if (inputs->versions[v].n_runs == 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                 "compare: no run on one side of 'vs', which stands between versions: old/*.otf2 vs "
                                 "new/*.otf2");
    if (inputs->n_versions < 2)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "compare: there is one version; at least two are wanted: old.otf2 new.otf2");
    return 0;
}

int compare_inputs_load(struct compare_inputs *inputs, const struct options *options, struct sim_error *error)
{
    bool by_groups = has_separator(options);
    struct compare_names names = {0};
    *inputs = (struct compare_inputs){0};
    int status = 0;
    if (by_groups)
        add_version(inputs);
    for (int i = 0, n_words; i < options->n_files && status == 0; i += n_words) {
        char **words = options->files + i;
        n_words = count_words(options, i);
        if (is_separator(words[0]) || !by_groups)
            add_version(inputs);
        if (is_separator(words[0]))
            continue;
        compare_names_add(&names, inputs->n_versions - 1, words, n_words);
        status = load_words(inputs, &inputs->versions[inputs->n_versions - 1], words, n_words, options, error);
    }
    if (status == 0)
        status = check(inputs, options, error);
    if (status == 0)
        compare_names_give(&names, inputs->versions, inputs->n_versions);
    compare_names_dispose(&names);
    return status;
}

int compare_inputs_load_runs(struct compare_inputs *inputs, const struct options *options, struct sim_error *error)
{
    *inputs = (struct compare_inputs){0};
    for (int i = 1; i <= 2; i++) {
        struct compare_source *source = add_source(inputs);
        struct compare_version *version = add_version(inputs);
        source->from = FROM_STORE;
        if (compare_stored_load_run(&source->stored, options->files[i], i > 1, options, error) != 0)
            return -1;
        add_stored(version, source);
        version->name = intern_format("run %lld", (long long)source->stored.origin.number);
    }
    return 0;
}

void compare_inputs_dispose(struct compare_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n_sources; i++)
        dispose_source(inputs->sources[i]);
    for (int v = 0; v < inputs->n_versions; v++)
        free(inputs->versions[v].runs);
    free((void *)inputs->sources);
    free(inputs->versions);
}
