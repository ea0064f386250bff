/* simrun calibrate FILE: measures this computer, by a program of its own, which needs libraries that simulating does
 * not. With --from, a platform is made from tables that others have measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/data.h"
#include "os/output.h"
#include "simrun/calibrate_from.h"
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

/* Options that go with tables alone, and what needs them. */
static int check_options(const struct options *options, struct sim_error *error)
{
    const uint64_t of_tables = OPTION_BIT(OPTION_TOPOLOGY) | OPTION_BIT(OPTION_HOSTS) | OPTION_BIT(OPTION_CORES) |
                               OPTION_BIT(OPTION_EAGER_LIMIT) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT);
    if (options->from && options->speed)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--speed measures this computer, and --from reads files");
    if (options->from && options->n_files == 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "too few arguments: simrun calibrate --from FILE...; try simrun calibrate --from "
                             "osu_latency.txt -o machine.xml");
    if (!options->from && options_has(options, OPTION_OUTPUT) && options->n_files > 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "-o goes with --from, which reads tables: simrun calibrate --from %.200s -o %.200s",
                             options->files[0], options->output != NULL ? options->output : "-");
    if (!options->from && (options->given & of_tables) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--topology, --hosts, --cores, --eager-limit, --format and --output go with --from");
    if (!options->from && options->n_files > 1)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "too many arguments: simrun calibrate [FILE], such as %s; several are read with --from",
                             options->files[0]);
    return 0;
}

static int run(const struct options *options, struct sim_error *error)
{
    if (check_options(options, error) != 0)
        return -1;
    if (options->from)
        return calibrate_from(options, error);
    char *calibrator = data_program("simrun-calibrate");
    int status = measure(calibrator, options, error);
    free(calibrator);
    return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .arguments = "[FILE...]",
    .summary = "make a platform: of this computer, or from tables",
    .about = "FILE is written: kernels, memory and messages of this computer, in 20 seconds.\n"
             "--speed measures a processor alone, in 6 seconds, for the replay of a trace.\n"
             "--from FILE... reads outputs of OSU's or Intel's benchmarks, NetPIPE, mpptest,\n"
             "CSV, hwloc's XML, topology.conf, ibnetdiscover, and says how well they fit; a\n"
             "FILE may end with facts, as in FILE:ranks=64,hosts=2,wires=4,test=allreduce.\n",
    .example = "calibrate here.xml",
    .options = OPTION_BIT(OPTION_SPEED) | OPTION_BIT(OPTION_FROM) | OPTION_BIT(OPTION_TOPOLOGY) |
               OPTION_BIT(OPTION_HOSTS) | OPTION_BIT(OPTION_CORES) | OPTION_BIT(OPTION_EAGER_LIMIT) |
               OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_QUIET),
    .run = run,
};
