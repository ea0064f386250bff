/* The trial: the OTF2 library can crash, or take gigabytes, over an anchor file or definitions that are corrupt. So a
 * child process opens the archive first, within limits. Over corrupt events the library only complains.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/input.h"

#include "os/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIAL_EXHAUSTED = 1, TRIAL_REJECTED = 3 };

/* The error goes to the parent as it is. */
static void run_child(const void *file, int answer)
{
    struct otf_input input;
    struct record_info info;
    struct sim_error error;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    trial_limit();
    if (otf_input_open(&input, &info, file, &error) == 0)
        _exit(0);
    _exit(write(answer, &error, sizeof error) == (ssize_t)sizeof error ? TRIAL_REJECTED : TRIAL_EXHAUSTED);
}

static int judge(int status, const char *file, bool has_answer, const struct sim_error *answer, struct sim_error *error)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_REJECTED && has_answer) {
        *error = *answer;
        return -1;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "its definitions cannot be read within %d s",
                             TRIAL_SECONDS);
    if (WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_EXHAUSTED)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "its definitions need more than %d GiB", TRIAL_GIB);
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "is not an OTF2 archive that can be read: the OTF2 library crashes on it");
}

int otf_input_try(const char *file, struct sim_error *error)
{
    struct sim_error answer;
    const struct child child = {run_child, file, file, "for its trial", &answer, sizeof answer};
    size_t length;
    int status = 0;
    if (child_run(&child, &length, &status, error) != 0)
        return -1;
    return judge(status, file, length == sizeof answer, &answer, error);
}
