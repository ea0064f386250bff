/* simrun platform FILE: the machine that the parameter `topology` makes, as a platform file; or any, as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/command.h"
#include "simrun/experiment.h"

static int write_machine(struct experiment *experiment, const struct options *options, struct sim_error *error)
{
    const struct scenario *scenario = &experiment->scenario;
    if (scenario->n_platforms > 1)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                             "simrun platform writes one machine, but the scenario has several platforms");
    if (experiment_prepare(experiment, -1, options, error) != 0)
        return -1;
    return machines_write(experiment->machines, scenario, options->output, options->text, error);
}

static int run(const struct options *options, struct sim_error *error)
{
    struct experiment experiment;
    int status = experiment_load(&experiment, options->files[0], options, error);
    if (status == 0)
        status = write_machine(&experiment, options, error);
    experiment_close(&experiment);
    return status;
}

const struct command command_platform = {
    .name = "platform",
    .arguments = "FILE",
    .summary = "write the machine that a topology makes",
    .about = "FILE is a scenario. Its parameter topology rewires the hosts of its platform\n(simrun list topologies); "
             "all runs must have the same machine. With --text, any\nmachine is written, in the format that the "
             "library libsimrun reads.\n",
    .example = "platform --set topology=torus --set ranks=64 -o torus.xml gj256",
    .options = OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_TEXT) | OPTION_BIT(OPTION_QUIET),
    .least = 1,
    .most = 1,
    .run = run,
};
