/* Routes that a platform lacks. SimGrid answers a question for one with no links on some zones, with a crash on others,
 * and with an exception on a third kind. So where some may be missing, a child process asks first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"
#include "sim/platform/simgrid.h"

#include "os/child.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    RING_HOSTS = 512, /* beyond TRIAL_PAIRS_HOSTS up to here routes are tried from each host to the next */
    TARGETS = 4096,   /* of more hosts not more are tried from the first */
};

/* ---- In a child process ---- */

static sigjmp_buf asked;

static void give_up(int signal_number)
{
    siglongjmp(asked, signal_number);
}

/* SimGrid's messages meanwhile are about routes that are missing. */
static void survive_questions(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    simgrid_end_at_once();
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = give_up}, NULL);
    sigaction(SIGABRT, &(struct sigaction){.sa_handler = give_up}, NULL);
    dup2(nowhere, STDERR_FILENO);
}

enum answer { NO_ANSWER, NO_LINKS, LINKS };

static enum answer ask(const_sg_host_t from, const_sg_host_t to)
{
    size_t n_links;
    if (sigsetjmp(asked, 1) != 0)
        return NO_ANSWER;
    free(simgrid_route(from, to, &n_links));
    return n_links > 0 ? LINKS : NO_LINKS;
}

/* From a host to itself there need be no links. */
static bool is_there(sg_host_t *hosts, size_t from, size_t to)
{
    return ask(hosts[from], hosts[to]) >= (from == to ? NO_LINKS : LINKS);
}

/* Graph zones search anew from each source, so that a large machine is tried from one host only. The ring of all hosts
 * proves that a graph zone connects every pair. */
bool routes_are_there(sg_host_t *hosts, size_t n)
{
    bool are = true;
    size_t n_sources = n <= RING_HOSTS ? n : 1, step = n <= RING_HOSTS ? 1 : (n - 1) / TARGETS + 1;
    survive_questions();
    for (size_t from = 0; are && from < n_sources; from++) {
        bool is_ring = n > TRIAL_PAIRS_HOSTS && n <= RING_HOSTS;
        are = !is_ring || (is_there(hosts, from, from) && is_there(hosts, from, (from + 1) % n));
        for (size_t to = 0; are && !is_ring && to < n; to += step)
            are = is_there(hosts, from, to);
    }
    return are;
}

struct question {
    sg_host_t *hosts; /* SimGrid's list */
    size_t n, from;
};

static void answer_row(const void *data, int descriptor)
{
    const struct question *question = data;
    bool *row = calloc(question->n, sizeof *row);
    size_t done = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    trial_limit();
    survive_questions();
    for (size_t to = 0; row != NULL && to < question->n; to++)
        row[to] = ask(question->hosts[question->from], question->hosts[to]) == LINKS;
    for (ssize_t n = 0; row != NULL && done < question->n && n >= 0; done += (size_t)n)
        n = write(descriptor, row + done, question->n - done);
    _exit(0);
}

int routes_ask(bool *row, sg_host_t *hosts, size_t n, size_t from, struct sim_error *error)
{
    const struct question question = {hosts, n, from};
    const struct child child = {answer_row, &question, NULL, "to look for routes", row, n};
    size_t length;
    int status = 0;
    if (child_run(&child, &length, &status, error) != 0)
        return -1;
    return length == n ? 0
                       : sim_error_set(error, SIM_UNFINISHED, NULL, 0, "the process that looks for routes has ended");
}
