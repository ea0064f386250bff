/* Runs child processes, says how they ended, and limits their time and memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/child.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Read until the child has closed its end. */
static size_t read_answer(const struct child *child, int descriptor)
{
    size_t used = 0;
    for (;;) {
        char scrap[512];
        bool fits = used < child->size;
        ssize_t n = fits ? read(descriptor, (char *)child->answer + used, child->size - used)
                         : read(descriptor, scrap, sizeof scrap);
        if (n == 0 || (n < 0 && errno != EINTR))
            return used;
        if (fits && n > 0)
            used += (size_t)n;
    }
}

int child_run(const struct child *child, size_t *length, int *status, struct sim_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sim_error_set(error, SIM_UNFINISHED, child->file, 0, "no pipe %s: %s", child->purpose, strerror(errno));
    fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        child->work(child->data, ends[1]);
    int why = errno;
    close(ends[1]);
    *length = process > 0 ? read_answer(child, ends[0]) : 0;
    close(ends[0]);
    if (process < 0)
        return sim_error_set(error, SIM_UNFINISHED, child->file, 0, "no process %s: %s", child->purpose, strerror(why));
    while (waitpid(process, status, 0) < 0 && errno == EINTR)
        continue;
    return 0;
}

void child_describe(char text[CHILD_END], int status)
{
    if (WIFSIGNALED(status))
        snprintf(text, CHILD_END, "ended by signal %d (%.32s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, CHILD_END, "ended with status %d", WEXITSTATUS(status));
}

/* ---- trials ---- */

static void limit_time(void)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    sigaction(SIGALRM, &by_default, NULL);
    alarm(TRIAL_SECONDS);
}

/* The bound counts from what the process has already, which under a sanitizer is terabytes of address space. */
static void limit_memory(void)
{
    unsigned long data_pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "re");
    if (sizes == NULL)
        return;
    if (fscanf(sizes, "%*u %*u %*u %*u %*u %lu", &data_pages) == 1) {
        rlim_t limit = (rlim_t)data_pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)TRIAL_GIB << 30);
        setrlimit(RLIMIT_DATA, &(struct rlimit){limit, limit});
    }
    fclose(sizes);
}

void trial_limit(void)
{
    memory_exhausted = NULL;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    limit_time();
    limit_memory();
}
