/* Loads and checks a scenario for a command, up to where its runs begin; and runs the command on several files, each by
 * itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_EXPERIMENT_H
#define SIMRUN_EXPERIMENT_H

#include "base/error.h"
#include "experiment/run.h"
#include "sim/scenario/scenario.h"
#include "simrun/options.h"

/* A scenario with its machines, all of its runs checked. */
struct experiment {
    struct scenario scenario;
    struct machines *machines; /* NULL: there are several platforms */
    struct run_context context;
    int n_discarded;
    bool is_one_of_several; /* its platform is loaded in processes of its own, so that others can be, too */
};

/* Load the scenario and apply the settings; experiment->scenario is ready. The last word of `file` may be a name to
 * look up. After an error experiment_close() is in place as well. */
int experiment_load(struct experiment *experiment, const char *file, const struct options *options,
                    struct sim_error *error);
/* Then load its machines and check every run, so that the last one's fault is found before the first is simulated. */
int experiment_prepare(struct experiment *experiment, int64_t sequential_ps, const struct options *options,
                       struct sim_error *error);
void experiment_close(struct experiment *experiment);

/* Call `run` for each file. SimGrid keeps one platform for the life of a process, so each of several files gets a
 * process of its own, which says itself what is wrong: *error has the worst status then, and no message. */
int experiment_run_each(int (*run)(const char *file, const struct options *options, struct sim_error *error),
                        const struct options *options, struct sim_error *error);

#endif
