/* The trial: the OTF2 library can crash, or take gigabytes, over an anchor file or definitions that are corrupt. So a
 * child process opens the archive first, within limits. Over corrupt events the library only complains. */
#include "trace/otf2/input.h"

#include "os/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIAL_EXHAUSTED = 1, TRIAL_REJECTED = 3 };

/* The error goes to the parent as it is. */
static _Noreturn void run_child(const char *file, int answer)
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
                         "is not an OTF2 archive that can be read: the OTF2 library crashes over it");
}

static bool read_answer(int end, struct sim_error *answer)
{
    size_t used = 0;
    while (used < sizeof *answer) {
        ssize_t n = read(end, (char *)answer + used, sizeof *answer - used);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            break;
        used += n > 0 ? (size_t)n : 0;
    }
    return used == sizeof *answer;
}

int otf_input_try(const char *file, struct sim_error *error)
{
    struct sim_error answer;
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "no pipe for its trial: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(file, ends[1]);
    int why = errno;
    close(ends[1]);
    bool has_answer = child > 0 && read_answer(ends[0], &answer);
    close(ends[0]);
    if (child < 0)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "no process for its trial: %s", strerror(why));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return judge(status, file, has_answer, &answer, error);
}
