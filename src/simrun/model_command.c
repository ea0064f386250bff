/* simrun model: models of the runs of a scenario, of traces, of a store or of a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/file_kind.h"
#include "os/libraries.h"
#include "os/named.h"
#include "simrun/analyse.h"
#include "simrun/command.h"
#include "simrun/model.h"
#include "simrun/profile_run.h"
#include "simrun/simulate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Refuse options of simulations: runs that have been measured are not simulated. */
static int check_measured(const struct options *options, struct sim_error *error)
{
    if (options->n_settings > 0 || options->store != NULL || options_has(options, OPTION_JOBS))
        return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0,
                             "--set, --network, --jobs and --store are for scenarios; runs of a store and rows of a "
                             "table are chosen by conditions: ranks=4");
    if (options->until > 0)
        return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0,
                             "--until is for scenarios: nothing else can be simulated at further sizes");
    return 0;
}

extern const struct command command_model;

/* A word that names a file, not a measure: measures are found in no folder, and have no extensions of files. */
static bool names_file(const char *word)
{
    if (analyse_is_trace(word) || profile_run_takes(word) || strchr(word, '/') != NULL)
        return true;
    char *known = named_find("scenarios", word);
    bool is_known = known != NULL;
    free(known);
    return is_known || (strchr(word, '.') != NULL && access(word, F_OK) == 0);
}

/* A word that ends as files of measurements do; it may be misspelt. */
static bool looks_like_file(const char *word)
{
    static const char *const extensions[] = {".csv",     ".tsv", ".txt", ".json", ".jsonl",
                                             ".extra-p", ".db",  ".xml", ".gz"};
    const char *extension = strrchr(word, '.');
    for (size_t i = 0; extension != NULL && i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(extension, extensions[i]) == 0)
            return true;
    return false;
}

/* True if the file is a table of measurements; an empty file counts as one, unless it is named as a scenario. */
static bool is_dataset(const char *file)
{
    enum file_is is = file_kind_of(file)->is;
    const char *extension = strrchr(file, '.');
    return is == FILE_DATASET || (is == FILE_EMPTY && extension != NULL && strcmp(extension, ".xml") != 0);
}

/* Model the files behind the measures. */
static int model_files(const struct options *options, struct sim_error *error)
{
    const char *first = options->files[0];
    bool is_store = file_begins(first, FILE_KIND_STORE);
    if (is_dataset(first))
        return check_measured(options, error) != 0 ? -1 : model_dataset(options, error);
    if (is_store && !library_is_there(LIBRARY_SQLITE))
        return library_refuse(LIBRARY_SQLITE, "a store", error);
    if (is_store || analyse_is_trace(first) || profile_run_takes(first))
        return check_measured(options, error) != 0 ? -1 : (is_store ? model_stored : model_traces)(options, error);
    if (options->n_files > 1)
        return sim_error_set(
            error, SIM_BAD_INPUT, options->files[1], 0,
            "model takes one scenario, traces or profiles of a program, or a store or a table and conditions");
    return simulate_scenario(first, options, error);
}

static int run_model(const struct options *options, struct sim_error *error)
{
    struct options asked = *options;
    asked.model = "";
    if (!names_file(options->files[0]) && options->n_files > 1) {
        asked.model = options->files[0];
        asked.files++;
        asked.n_files--;
    } else if (!names_file(options->files[0]) && !looks_like_file(options->files[0]) &&
               access(options->files[0], F_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "too few arguments: '%s' is no file; try simrun %s",
                             options->files[0], command_model.example);
    return model_files(&asked, error);
}

const struct command command_model = {
    .name = "model",
    .arguments = "[MEASURE,...] FILE...",
    .summary = "model how measures and parts of the time grow",
    .about = "Measures are named as in JSON, such as time_s; without any, the answer is what\n"
             "grows. FILE is a scenario, traces, or a store or table and conditions.\n",
    .example = "model time_s --set ranks=2,4,8,16,32 --predict 512 gj256",
    .options = OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_NETWORK) | OPTION_BIT(OPTION_JOBS) |
               OPTION_BIT(OPTION_STORE) | OPTION_BIT(OPTION_OVER) | OPTION_BIT(OPTION_PREDICT) |
               OPTION_BIT(OPTION_UNTIL) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) |
               OPTION_BIT(OPTION_VERBOSE) | OPTION_BIT(OPTION_QUIET),
    .least = 1,
    .run = run_model,
};
