/* Loads a scenario for a command and checks its runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/experiment.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "core/what_if/what_if.h"
#include "experiment/sweep.h"
#include "sim/scenario/platforms.h"
#include "simrun/analyse.h"
#include "simrun/inputs.h"
#include "simrun/replay.h"

#include <stdlib.h>

static int load(struct scenario *scenario, const char *file, const struct options *options, struct sim_error *error)
{
    if (analyse_is_trace(file) && options->platform == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "is a trace; this needs a scenario, or --platform FILE to replay the trace on");
    if (analyse_is_trace(file) && options->iterations != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--iterations is about the traced run; without --platform it is analyzed");
    if (options->source != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "--source is about a traced run; what is simulated has scopes in place of lines");
    if (analyse_is_trace(file))
        return replay_load(scenario, file, &options->part, options->platform, error);
    if (options->iterations != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is a scenario; --iterations is about traces");
    if (part_is_asked(&options->part))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "is a scenario; --from, --to and --ranks choose a part of a trace");
    if (inputs_check_scenario(file, error) != 0 || scenario_load_file(scenario, file, app_specs, error) != 0)
        return -1;
    if (options->platform == NULL)
        return 0;
    char *platforms = replay_find_platforms(options->platform, error);
    int status = platforms != NULL ? scenario_platforms_replace(scenario, platforms, error) : -1;
    free(platforms);
    return status;
}

static int load_and_set(struct scenario *scenario, const char *file, const struct options *options,
                        struct sim_error *error)
{
    if (load(scenario, file, options, error) != 0)
        return -1;
    if (options->placement != NULL && scenario_place(scenario, options->placement, error) != 0)
        return -1;
    for (int i = 0; i < options->n_settings; i++)
        if (scenario_set(scenario, options->settings[i], error) != 0)
            return -1;
    return 0;
}

int experiment_load(struct experiment *experiment, const char *name, const struct options *options,
                    struct sim_error *error)
{
    *experiment = (struct experiment){0};
    char *file = analyse_is_trace(name) ? xstrdup(name) : inputs_find_scenario(name, error);
    int status = file != NULL ? load_and_set(&experiment->scenario, file, options, error) : -1;
    free(file);
    return status;
}

/* The causes whose gains are asked for: by the command line, else by the scenario. */
static int find_causes(uint32_t *causes, const struct scenario *scenario, const struct options *options,
                       struct sim_error *error)
{
    char why[320];
    *causes = options->what_if;
    if (!scenario->asks_what_if || *causes != 0)
        return 0;
    if (what_if_parse(causes, scenario->causes, why, sizeof why) == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, scenario->causes_line, "<what-if> causes: %s", why);
}

int experiment_prepare(struct experiment *experiment, int64_t sequential_ps, const struct options *options,
                       struct sim_error *error)
{
    struct machine *machine = NULL;
    uint32_t causes;
    double messages = 0;
    if (find_causes(&causes, &experiment->scenario, options, error) != 0)
        return -1;
    /* If there are several, each is loaded in processes of its own. */
    bool one = experiment->scenario.n_platforms == 1 && !experiment->is_one_of_several;
    if (one && machines_open(&experiment->machines, &machine, &experiment->scenario, error) != 0)
        return -1;
    experiment->context = (struct run_context){.scenario = &experiment->scenario,
                                               .machine = machine,
                                               .machines = experiment->machines,
                                               .sequential = sequential_times_new(),
                                               .sequential_ps = sequential_ps,
                                               .what_if = causes,
                                               .details = options->details,
                                               .most_drawn = options->format->most_drawn,
                                               .shard = {options->shard - 1, options->n_shards}};
    int status = sweep_check(&experiment->context, &experiment->n_discarded, &messages, error);
    experiment->context.messages = options->quiet ? 0 : messages;
    return status;
}

void experiment_close(struct experiment *experiment)
{
    run_cache_close(experiment->context.cache);
    if (experiment->context.sequential != NULL)
        sequential_times_free(experiment->context.sequential);
    machines_close(experiment->machines);
    scenario_dispose(&experiment->scenario);
}
