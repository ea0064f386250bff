/* Stub of several.c of src/simrun where there are no processes: one file at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/command.h"
#include "simrun/experiment.h"
#include "simrun/lab_live.h"

int experiment_run_each(int (*run)(const char *file, const struct options *options, struct sim_error *error),
                        const struct options *options, struct sim_error *error)
{
    if (options->n_files == 1)
        return run(options->files[0], options, error);
    return sim_error_set(error, SIM_BAD_INPUT, options->files[1], 0, "here one file is simulated at a time");
}

static int refuse(const struct options *options, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, options->files[0], 0, "here nothing is measured");
}

int lab_live_make(struct builder *block, const struct scenario *scenario, const struct options *options,
                  struct sim_error *error)
{
    (void)block, (void)options;
    return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0, "--live: this page simulates already");
}

int lab_live_refuse_trace(const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "--live: this page simulates already");
}

const struct command command_trace = {.name = "trace",
                                      .arguments = "PROGRAM",
                                      .summary = "not here",
                                      .about = "",
                                      .example = "trace ./app",
                                      .least = 1,
                                      .most = 1,
                                      .run = refuse};

const struct command command_calibrate = {.name = "calibrate",
                                          .arguments = "FILE",
                                          .summary = "not here",
                                          .about = "",
                                          .example = "here.xml",
                                          .least = 1,
                                          .most = 1,
                                          .run = refuse};

const struct command command_lab = {.name = "lab",
                                    .arguments = "FILE",
                                    .summary = "not here",
                                    .about = "",
                                    .example = "lab x",
                                    .least = 1,
                                    .most = 1,
                                    .run = refuse};

const struct command command_marks = {.name = "marks",
                                      .arguments = "FOLDER",
                                      .summary = "not here",
                                      .about = "",
                                      .example = "marks submissions",
                                      .least = 1,
                                      .most = 1,
                                      .run = refuse};
