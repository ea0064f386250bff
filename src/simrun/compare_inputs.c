/* Reads the inputs of a comparison, and names the versions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_inputs.h"

#include "base/memory.h"
#include "metrics/detail.h"
#include "os/file_kind.h"
#include "simrun/analyse.h"
#include "simrun/compare_names.h"
#include "simrun/compare_profile.h"
#include "simrun/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run, and who disposes of it. */
struct compare_source {
    struct study_run run; /* of a trace or a profile */
};

/* --- one input --- */

static struct compare_source *add_source(struct compare_inputs *inputs)
{
    inputs->sources = xgrow(inputs->sources, inputs->n_sources, &inputs->capacity, sizeof *inputs->sources);
    struct compare_source *source = &inputs->sources[inputs->n_sources++];
    *source = (struct compare_source){0};
    return source;
}

static void add_run(struct compare_version *version, const struct study_run *run)
{
    version->runs = xrealloc(version->runs, (size_t)(version->n_runs + 1) * sizeof *version->runs);
    version->runs[version->n_runs++] = *run;
}

/* The options of an analysis, with all that a comparison looks at. */
static struct options options_of_runs(const struct options *options)
{
    struct options own = *options;
    own.details = DETAIL_BIT(DETAIL_SCOPES) | DETAIL_BIT(DETAIL_PLACES);
    return own;
}

static int load_measured(struct compare_inputs *inputs, struct compare_version *version, const char *file,
                         const struct options *options, struct sim_error *error)
{
    const struct options own = options_of_runs(options);
    struct study_run run;
    int status = analyse_is_trace(file) ? analyse_run(&run, file, &own, error)
                                        : compare_profile_load(&run, file, error);
    if (status != 0)
        return -1;
    add_source(inputs)->run = run;
    add_run(version, &run);
    return 0;
}

static int load_word(struct compare_inputs *inputs, struct compare_version *version, const char *word,
                     const struct options *options, struct sim_error *error)
{
    bool is_profile = file_kind_of(word)->is == FILE_RUN_PROFILE;
    if (is_profile || analyse_is_trace(word))
        return load_measured(inputs, version, word, options, error);
    return file_kind_refuse(file_kind_of(word), word, "a trace or a profile", error);
}

/* --- all of them --- */

static bool is_separator(const char *word)
{
    return strcmp(word, "vs") == 0;
}

static bool has_separator(const struct options *options)
{
    for (int i = 0; i < options->n_files; i++)
        if (is_separator(options->files[i]))
            return true;
    return false;
}

static struct compare_version *add_version(struct compare_inputs *inputs)
{
    inputs->versions =
        xrealloc(inputs->versions, (size_t)(inputs->n_versions + 1) * sizeof *inputs->versions);
    struct compare_version *version = &inputs->versions[inputs->n_versions++];
    *version = (struct compare_version){.name = ""};
    return version;
}

static int check(const struct compare_inputs *inputs, struct sim_error *error)
{
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
    for (int i = 0; i < options->n_files && status == 0; i++) {
        const char *word = options->files[i];
        if (is_separator(word) || !by_groups)
            add_version(inputs);
        if (is_separator(word))
            continue;
        compare_names_add(&names, inputs->n_versions - 1, word);
        status = load_word(inputs, &inputs->versions[inputs->n_versions - 1], word, options, error);
    }
    if (status == 0)
        status = check(inputs, error);
    if (status == 0)
        compare_names_give(&names, inputs->versions, inputs->n_versions);
    compare_names_dispose(&names);
    return status;
}

void compare_inputs_dispose(struct compare_inputs *inputs)
{
    for (size_t i = 0; i < inputs->n_sources; i++)
        analyse_run_dispose(&inputs->sources[i].run);
    for (int v = 0; v < inputs->n_versions; v++)
        free(inputs->versions[v].runs);
    free(inputs->sources);
    free(inputs->versions);
}
