/* simrun-mpi: simrun FILE as a program of MPI. All ranks go through the same sweep; rank 0 deals its runs to the
 * others, keeps them in the store, and says the answer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "mpi/deal.h"
#include "mpi/guard.h"
#include "os/exit_signals.h"
#include "simrun/program.h"

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct command command_simulate;

static int rank, n_ranks;

static void tell(bool help)
{
    if (!help) {
        program_write_version("simrun-mpi");
        return;
    }
    puts("Usage: mpirun -n RANKS simrun-mpi [OPTION]... FILE\n"
         "Simulate the runs of a scenario on the ranks of Open MPI, and say where the time\n"
         "went. Rank 0 deals the runs to the others, keeps them, and writes the report,\n"
         "which is that of simrun FILE. All options of that but --jobs are here, too.");
    options_help(stdout, command_simulate.options & ~OPTION_BIT(OPTION_JOBS));
    puts("\nExample: mpirun -n 16 simrun-mpi --store study.db --set ranks=1..128 gj256");
}

/* For help or the version alone MPI is not begun; of several ranks the first one answers. */
static bool tells_alone(int argc, char **argv)
{
    if (argc != 2)
        return false;
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (!help && strcmp(argv[1], "--version") != 0 && strcmp(argv[1], "-V") != 0)
        return false;
    const char *of_launcher = getenv("PMIX_RANK");
    if (of_launcher == NULL || strcmp(of_launcher, "0") == 0)
        tell(help);
    return true;
}

/* Others than rank 0 simulate only. */
static int adjust(struct options *options, const struct command *command, struct sim_error *error)
{
    if (command != &command_simulate)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "simrun-mpi only simulates scenarios; for the rest use 'simrun %s'", command->name);
    if (options->help || options->version) {
        if (rank == 0)
            tell(options->help);
        return sim_error_set(error, SIM_DONE, NULL, 0, "%s", "");
    }
    if (options->n_files > 1)
        return sim_error_set(error, SIM_BAD_INPUT, options->files[1], 0, "simrun-mpi takes one scenario at a time");
    if (options_has(options, OPTION_JOBS))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--jobs: the ranks of simrun-mpi are its jobs");
    if (rank == 0)
        return 0;
    options->store = NULL;
    options->trace = NULL;
    options->output = "/dev/null";
    options->format = report_specs[0];
    options->quiet = true;
    return 0;
}

int main(int argc, char **argv)
{
    struct sim_error error = {0};
    sigset_t former;
    program_begin();
    if (tells_alone(argc, argv))
        return program_end(0, &error);
    guard_begin();
    exit_signals_block(&former); /* also in the threads of MPI: only this one may close the store */
    MPI_Init(&argc, &argv);
    sigprocmask(SIG_SETMASK, &former, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    deal_begin(rank, n_ranks);
    int failed = program_run(argc > 0 ? argc - 1 : 0, argv + 1, adjust, &error);
    deal_end(failed != 0 ? &error : NULL);
    int status = rank == 0 ? program_end(failed, &error) : SIM_DONE;
    MPI_Finalize();
    return status;
}
