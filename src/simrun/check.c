/* simrun check FILE...: whether scenarios, platforms, traces and stores are in order; nothing is simulated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "os/file_kind.h"
#include "os/named.h"
#include "sim/platform/platform.h"
#include "simrun/analyse.h"
#include "simrun/check_trace.h"
#include "simrun/command.h"
#include "simrun/experiment.h"
#include "simrun/inputs.h"
#include "store/store.h"

#include <stdlib.h>
#include <unistd.h>

/* "FILE: ok, 2 WORDs" */
static void print_count(const char *file, const char *what, long long count, const char *word)
{
    char *name = message_clean(file);
    printf("%s: ok, %s%lld %s%s", name, what, count, word, count == 1 ? "" : "s");
    free(name);
}

static int check_scenario(const char *file, const struct options *options, struct sim_error *error)
{
    struct experiment experiment;
    int status = experiment_load(&experiment, file, options, error);
    if (status == 0)
        status = experiment_prepare(&experiment, -1, options, error);
    if (status == 0) {
        print_count(experiment.scenario.file, "",
                    scenario_run_count(&experiment.scenario) * experiment.scenario.n_platforms, "run");
        if (experiment.n_discarded > 0)
            printf(", %d of them discarded", experiment.n_discarded);
        putchar('\n');
    }
    experiment_close(&experiment);
    return status;
}

static int check_platform(const char *file, struct sim_error *error)
{
    struct machine machine;
    if (machine_load(&machine, file, error) != 0)
        return -1;
    print_count(file, "a platform of ", machine.net->n_hosts, "host");
    putchar('\n');
    machine_dispose(&machine);
    return 0;
}

static int check_runs(int *n_runs, struct store *store, struct sim_error *error)
{
    int64_t *ids = NULL;
    int status = conditions_select(&ids, n_runs, store, NULL, 0, error);
    for (int i = 0; status == 0 && i < *n_runs; i++) {
        struct store_run run;
        status = store_load(&run, store, ids[i], error);
        if (status == 0) {
            free(run.run.parameters);
            result_dispose(&run.run.result);
        }
    }
    free(ids);
    return status;
}

static int check_store(const char *file, struct sim_error *error)
{
    struct store *store = NULL;
    int n_runs = 0;
    if (inputs_reserve_store("FILE", file, error) != 0 || store_open(&store, file, STORE_READ, error) != 0)
        return -1;
    int status = check_runs(&n_runs, store, error);
    store_close(store);
    if (status != 0)
        return -1;
    print_count(file, "a store of ", n_runs, "run");
    putchar('\n');
    return 0;
}

/* A word that is neither a file nor the name of a scenario may be that of a platform; to be freed. Else
 * NULL. */
static char *platform_named(const char *word)
{
    char *scenario = access(word, F_OK) != 0 ? named_find("scenarios", word) : NULL;
    char *platform = access(word, F_OK) != 0 && scenario == NULL ? named_find("platforms", word) : NULL;
    free(scenario);
    return platform;
}

/* Check a file that has no parameters. */
static int check_file(const char *file, enum file_is is, struct sim_error *error)
{
    return (is == FILE_PLATFORM ? check_platform : is == FILE_STORE ? check_store : check_trace)(file, error);
}

static int run_file(const char *word, const struct options *options, struct sim_error *error)
{
    char *platform = platform_named(word);
    const char *file = platform != NULL ? platform : word;
    enum file_is is = file_kind_of(file)->is;
    int status;
    if (!analyse_is_trace(file) && is != FILE_PLATFORM && is != FILE_STORE)
        status = check_scenario(file, options, error);
    else if (options->n_settings > 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "--set and --network are for scenarios");
    else
        status = check_file(file, is, error);
    free(platform);
    return status;
}

static int run(const struct options *options, struct sim_error *error)
{
    return experiment_run_each(run_file, options, error);
}

const struct command command_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "check scenarios, platforms, traces and stores",
    .about = "Nothing is simulated. For each FILE, one line reports that it is valid, or what\nis wrong. In a valid "
             "trace, each send has a receive, and each receive a send.\nOnly a replay shows whether the trace runs to "
             "its end without a deadlock.\n",
    .example = "check gj-scaling",
    .options = OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_NETWORK) | OPTION_BIT(OPTION_QUIET),
    .least = 1,
    .run = run,
};
