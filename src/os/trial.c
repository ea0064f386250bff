/* Limits the time and memory of a trial child: SIGALRM, no core file, data beyond what it has already. */
#include "os/trial.h"

#include "base/memory.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

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
