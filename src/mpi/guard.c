/* mpirun's status is that of the first process that fails, 137 where one is killed. Killed is who takes much memory or
 * time: the child that simulates. The process that mpirun knows does neither. It ends with status 1 then, at which
 * mpirun ends the other ranks, and only a signal to the guard itself ends it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/guard.h"

#include "base/error.h"
#include "base/message.h"
#include "os/child.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals that are passed on to the child, as mpirun passes them on to ranks. */
static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { N_PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

static const char *own_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL)
            return getenv(names[i]);
    return "0";
}

/* The status of the child, as waitpid() says it; and the last signal that was passed on, or 0. */
static int await_child(int *passed, pid_t child, const sigset_t *awaited)
{
    int status;
    *passed = 0;
    for (;;) {
        int signal_number = sigwaitinfo(awaited, NULL);
        if (signal_number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
            return status;
        if (signal_number > 0 && signal_number != SIGCHLD) {
            *passed = signal_number;
            kill(child, signal_number);
        }
    }
}

static _Noreturn void end_as(int status, int passed, const sigset_t *former)
{
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    if (WTERMSIG(status) == passed) { /* it was meant */
        signal(passed, SIG_DFL);
        raise(passed);
        sigprocmask(SIG_SETMASK, former, NULL);
    }
    char end[CHILD_END];
    child_describe(end, status);
    message_print("rank %s %s; what was stored is kept, and the same command continues", own_rank(), end);
    _exit(SIM_UNFINISHED);
}

void guard_begin(void)
{
    sigset_t awaited, former;
    int passed;
    pid_t guard = getpid();
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (int i = 0; i < N_PASSED_ON; i++)
        sigaddset(&awaited, passed_on[i]);
    sigprocmask(SIG_BLOCK, &awaited, &former);
    signal(SIGCHLD, SIG_DFL); /* its parent may have ignored it */
    pid_t child = fork();
    if (child > 0) {
        int status = await_child(&passed, child, &awaited);
        end_as(status, passed, &former);
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != guard)
            _exit(SIM_UNFINISHED);
    }
    sigprocmask(SIG_SETMASK, &former, NULL); /* without a process for a child it goes on by itself */
}
