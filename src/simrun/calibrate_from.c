/* Makes a platform from the files, tries it, and says how well it fits, as a document.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/calibrate_from.h"

#include "base/memory.h"
#include "base/units.h"
#include "bring/trial.h"
#include "fabric/fabric.h"
#include "measurement/benchmark.h"
#include "os/output.h"
#include "sim/topology/topology.h"
#include "simrun/answer.h"
#include "simrun/calibrate_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double WIRE_LATENCY_S = 100e-9; /* assumed: a switch and a cable of today */

/* ---- Reading ---- */

static int read_file(struct calibration *self, const char *argument, struct sim_error *error)
{
    char *file = NULL;
    struct benchmark_facts facts;
    if (benchmark_split(&file, &facts, argument, error) != 0)
        return -1;
    int status = fabric_is_description(file) ? fabric_read(&self->fabric, file, error)
                                             : benchmarks_read(&self->benchmarks, file, &facts, error);
    free(file);
    return status;
}

/* The topology that the user says, and its hosts unless there are more. */
static int take_topology(struct fabric *fabric, const char *text, struct sim_error *error)
{
    struct topology topology;
    char why[512];
    if (text == NULL)
        return 0;
    if (topology_parse(&topology, text, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--topology: %s", why);
    topology_format(fabric->topology, sizeof fabric->topology, &topology);
    fabric->n_hosts = topology.n_hosts;
    fabric->n_links = 0;
    return 0;
}

static int read_files(struct calibration *self, const struct options *options, struct sim_error *error)
{
    for (int i = 0; i < options->n_files; i++)
        if (read_file(self, options->files[i], error) != 0)
            return -1;
    if (fabric_conclude(&self->fabric, error) != 0)
        return -1;
    if (take_topology(&self->fabric, options->topology, error) != 0)
        return -1;
    self->fabric.n_hosts = options->n_hosts > 0 ? options->n_hosts : self->fabric.n_hosts;
    self->fabric.cores = options->n_cores > 0 ? options->n_cores : self->fabric.cores;
    return 0;
}

/* ---- Trying ---- */

static int try_all(struct calibration *self, struct sim_error *error)
{
    struct test_bed bed = {&self->platform, self->model.wires, TRIAL_MESSAGES};
    self->trials = xcalloc(self->series.count, sizeof *self->trials);
    for (; self->n_trials < self->series.count; self->n_trials++)
        if (trial_run(&self->trials[self->n_trials], &bed, &self->series.items[self->n_trials], error) != 0)
            return -1;
    return 0;
}

/* ---- Writing ---- */

static int write_platform(const struct calibration *self, const struct options *options, struct sim_error *error)
{
    struct output output;
    char files[300] = "";
    if (options->output == NULL)
        return 0;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    for (size_t i = 0; i < self->benchmarks.n_files; i++)
        snprintf(files + strlen(files), sizeof files - strlen(files), "%s%.60s", i > 0 ? ", " : "",
                 self->benchmarks.files[i]);
    char *head = xformat("Made by simrun %s calibrate from %s%s%s. (Q) quoted from a file, (D) derived from one by "
                         "arithmetic, (A) assumed.",
                         SIMRUN_VERSION, files, self->fabric.sources[0] != '\0' ? "; nodes and wires: " : "",
                         self->fabric.sources);
    platform_write_file(&self->platform, head, output.stream);
    free(head);
    return output_close(&output, error);
}

static int answer(const struct options *options, struct calibration *self, struct sim_error *error)
{
    struct options to_terminal = *options; /* --output is for the platform */
    to_terminal.output = NULL;
    self->output = options->output;
    return answer_output(&to_terminal, calibrate_say, self, error);
}

/* ---- All of it ---- */

/* The name of the platform: the file's without folder and extension. */
static void name_platform(char name[64], const char *output)
{
    const char *base = output == NULL ? "hosts" : output;
    base = strrchr(base, '/') != NULL ? strrchr(base, '/') + 1 : base;
    snprintf(name, 64, "%.*s", (int)strcspn(base, "."), base);
    if (name[0] == '\0')
        snprintf(name, 64, "hosts");
}

static int make(struct calibration *self, const struct options *options, struct sim_error *error)
{
    const struct model_facts facts = {.eager_limit =
                                          options_has(options, OPTION_EAGER_LIMIT) ? options->eager_limit : -1,
                                      .wire_Bps = self->fabric.host_Bps,
                                      .wire_latency_s = WIRE_LATENCY_S};
    char name[64];
    if (series_make(&self->series, &self->benchmarks, error) != 0 ||
        bring_fit(&self->model, &self->series, &facts, error) != 0)
        return -1;
    name_platform(name, options->output);
    platform_make(&self->platform, &self->model, &self->benchmarks, &self->fabric, name);
    return try_all(self, error);
}

int calibrate_from(const struct options *options, struct sim_error *error)
{
    struct calibration self = {0};
    if (options->output == NULL && options_has(options, OPTION_OUTPUT))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--output is for the platform here, and the answer goes to standard output; allowed: the "
                             "name of a file");
    int status = read_files(&self, options, error);
    if (status == 0)
        status = make(&self, options, error);
    if (status == 0 && (status = write_platform(&self, options, error)) == 0)
        status = answer(options, &self, error);
    for (size_t i = 0; i < self.n_trials; i++)
        trial_dispose(&self.trials[i]);
    free(self.trials);
    platform_dispose(&self.platform);
    series_dispose(&self.series);
    fabric_dispose(&self.fabric);
    benchmarks_dispose(&self.benchmarks);
    return status;
}
