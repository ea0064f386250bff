/* Asks for the facts of a platform in a child process, so that SimGrid, which keeps one platform, is left free.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "os/child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

static void report_facts(const void *file, int descriptor)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    struct platform_facts facts;
    platform_find_facts(&facts, file);
    _exit(write(descriptor, &facts, sizeof facts) == (ssize_t)sizeof facts ? 0 : 1);
}

int platform_ask_facts(struct platform_facts *facts, const char *file, struct sim_error *error)
{
    const struct child child = {report_facts, file, file, "to load it", facts, sizeof *facts};
    char end[CHILD_END];
    size_t length;
    int how = 0;
    if (child_run(&child, &length, &how, error) != 0)
        return -1;
    child_describe(end, how);
    if (length < sizeof *facts)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the process that loads it was %s", end);
    if (facts->status != 0)
        *error = facts->error;
    return facts->status;
}
