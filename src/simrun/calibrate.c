/* simrun calibrate FILE: measures this computer, by a program of its own, which needs libraries that simulating does
 * not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/data.h"
#include "os/output.h"
#include "simrun/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Become Open MPI's mpirun, by the name that it has where there are others; return only if that fails. Root has to say
 * that it means it. */
static void exec_mpirun(char *calibrator, bool progress, const char *file)
{
    const char *arguments[16] = {"mpirun", "-np", "2", "--oversubscribe", "--bind-to", "none"};
    int n = 6;
    if (geteuid() == 0)
        arguments[n++] = "--allow-run-as-root";
    arguments[n++] = calibrator;
    if (progress)
        arguments[n++] = "--progress";
    arguments[n] = file;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execvp("mpirun.openmpi", (char *const *)arguments);
    execvp(arguments[0], (char *const *)arguments);
}

/* Find out whether the file can be written before anything is measured. */
static int check_file(const struct options *options, struct sim_error *error)
{
    struct output output;
    if (options->n_files == 0)
        return sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "too few arguments: simrun calibrate FILE; try simrun calibrate here.xml, or simrun calibrate "
            "--speed");
    if (strcmp(options->files[0], "-") == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "simrun calibrate writes to a file, not to standard output (-)");
    if (output_open(&output, options->files[0], error) != 0)
        return -1;
    output_abandon(&output);
    return 0;
}

/* Become the calibrator itself, with one thread. */
static int measure_speed(char *calibrator, struct sim_error *error)
{
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execl(calibrator, calibrator, "--speed", (char *)NULL);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s cannot be started: %s", calibrator, strerror(errno));
}

static int measure(char *calibrator, const struct options *options, struct sim_error *error)
{
    if (options->speed && options->n_files > 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "simrun calibrate --speed prints one number and writes no file, such as %s",
                             options->files[0]);
    if (access(calibrator, X_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "simrun calibrate needs %s, which is not there: install libopenmpi-dev openmpi-bin "
                             "libopenblas-dev (in a checkout: tools/install-packages calibrate), then configure and "
                             "build again",
                             calibrator);
    if (options->speed)
        return measure_speed(calibrator, error);
    if (check_file(options, error) != 0)
        return -1;
    exec_mpirun(calibrator, !options->quiet && isatty(STDERR_FILENO), options->files[0]);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "simrun calibrate runs mpirun, which cannot be started (%s): install openmpi-bin",
                         strerror(errno));
}

static int run(const struct options *options, struct sim_error *error)
{
    char *calibrator = data_program("simrun-calibrate");
    int status = measure(calibrator, options, error);
    free(calibrator);
    return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .arguments = "[FILE]",
    .summary = "measure this computer and write it as a platform",
    .about = "It takes about 20 seconds, and measures kernels of linear algebra, memory, and\n"
             "messages between two processes. Scenarios can use FILE as their platform.\n"
             "--speed measures only a processor, by the best rate of dgemm, in 6 seconds: give\n"
             "it to the replay of a trace that was recorded on this computer.\n",
    .example = "calibrate here.xml",
    .options = OPTION_BIT(OPTION_SPEED) | OPTION_BIT(OPTION_QUIET),
    .most = 1,
    .run = run,
};
