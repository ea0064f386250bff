/* Gives each of several files a process.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "base/range.h"
#include "os/child.h"
#include "simrun/experiment.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int run_file(const char *file, const struct options *options, struct sim_error *error);

/* In the child: the status that it ends with. */
static int run_alone(run_file *run, const char *file, const struct options *options)
{
    struct sim_error error = {0};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int status = run(file, options, &error) == 0 ? SIM_DONE : (int)error.status;
    if (status != SIM_DONE)
        message_print("%s", error.message);
    fflush(NULL);
    return status;
}

/* The status of the file's process, once it has ended. */
static int run_in_child(run_file *run, const char *file, const struct options *options)
{
    int status = 0;
    char end[CHILD_END];
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(run_alone(run, file, options));
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        message_print("%s: cannot start a process: %s", file, strerror(errno));
        return SIM_UNFINISHED;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    child_describe(end, status);
    message_print("%s: was %s before it finished", file, end);
    return SIM_UNFINISHED;
}

int experiment_run_each(run_file *run, const struct options *options, struct sim_error *error)
{
    int worst = SIM_DONE;
    if (options->n_files == 1)
        return run(options->files[0], options, error);
    for (int i = 0; i < options->n_files; i++)
        worst = int_max(worst, run_in_child(run, options->files[i], options));
    *error = (struct sim_error){.status = (enum sim_status)worst};
    return worst == SIM_DONE ? 0 : -1;
}
