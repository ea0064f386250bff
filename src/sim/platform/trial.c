/* The trial load of a platform: SimGrid ends the process over a file that it rejects, so a child process loads it
 * first, and the child's death and last words become an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"
#include "sim/platform/simgrid.h"

#include "base/memory.h"
#include "os/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit status of the child where the message is ours, not SimGrid's; and where routes are missing. */
enum { TRIAL_FAULT = 3, TRIAL_LACKS = 4 };

/* SimGrid catches SIGINT, and ends the process with status 1 and without a word; but who interrupts a program waits to
 * hear that a signal has ended it. */
static void init_simgrid(int *count, char **arguments)
{
    struct sigaction former;
    sigset_t interrupt, blocked;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &blocked);
    sigaction(SIGINT, NULL, &former);
    simgrid.simgrid_init(count, arguments);
    sigaction(SIGINT, &former, NULL);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

void machine_simgrid_load(const char *document, char *threshold)
{
    char program[] = "simrun", format[] = "--log=root.fmt:%m%n";
    char *arguments[] = {program, threshold, format, NULL};
    int count = 3;
    init_simgrid(&count, arguments);
    simgrid.simgrid_load_platform(document);
    simgrid.simgrid_run_until(0);
}

/* ---- The trial, in a child process ---- */

static _Noreturn void fail_trial(const char *message)
{
    fputs(message, stderr);
    fflush(stderr);
    _exit(TRIAL_FAULT);
}

/* SimGrid takes negative speeds, bandwidths and latencies without complaint. */
static void check_hosts(sg_host_t *hosts, size_t n_hosts)
{
    for (size_t i = 0; i < n_hosts; i++)
        if (!(simgrid.sg_host_get_speed(hosts[i]) > 0))
            fail_trial(xformat("host '%s': the speed is not positive", simgrid.sg_host_get_name(hosts[i])));
}

static void check_links(void)
{
    sg_link_t *links = simgrid.sg_link_list();
    for (size_t i = 0; i < simgrid.sg_link_count(); i++) {
        if (!(simgrid.sg_link_get_bandwidth(links[i]) > 0))
            fail_trial(xformat("link '%s': the bandwidth is not positive", simgrid.sg_link_get_name(links[i])));
        if (!(simgrid.sg_link_get_latency(links[i]) >= 0))
            fail_trial(xformat("link '%s': the latency is negative", simgrid.sg_link_get_name(links[i])));
    }
    free(links);
}

/* The input of the child. */
struct trial {
    const char *document;
};

static void run_trial(const void *data, int messages)
{
    const struct trial *trial = data;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no trial outlives the program */
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(messages, STDERR_FILENO);
    if (nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    trial_limit();
    char threshold[] = "--log=root.thres:error";
    machine_simgrid_load(trial->document, threshold);
    if (simgrid.sg_host_count() == 0)
        fail_trial("the platform has no host");
    sg_host_t *hosts = simgrid.sg_host_list();
    check_hosts(hosts, simgrid.sg_host_count());
    check_links();
    _exit(routes_are_there(hosts, simgrid.sg_host_count()) ? 0 : TRIAL_LACKS);
}

/* ---- What became of the trial ---- */

/* "Parse error at DOCUMENT:LINE: TEXT": take LINE, return TEXT. */
static const char *take_place(const char *message, const char *document, long *line)
{
    static const char prefix[] = "Parse error at ";
    if (strncmp(message, prefix, sizeof prefix - 1) != 0)
        return message;
    const char *place = message + sizeof prefix - 1;
    if (strncmp(place, document, strlen(document)) != 0 || place[strlen(document)] != ':')
        return message;
    char *end;
    long number = strtol(place + strlen(document) + 1, &end, 10);
    if (strncmp(end, ": ", 2) != 0)
        return message;
    *line = number;
    return end + 2;
}

/* "PREFIX ... MIDDLE TEXT": TEXT, where the message is of this form. */
static const char *skip_form(const char *message, const char *prefix, const char *middle)
{
    if (strncmp(message, prefix, strlen(prefix)) != 0)
        return message;
    const char *found = strstr(message, middle);
    return found != NULL ? found + strlen(middle) : message;
}

/* SimGrid's text says "does name a node" of one that it does not know, and announces a list on the following lines. */
static void mend_text(char *text)
{
    char *list = strstr(text, " Existing netpoints:");
    if (list != NULL)
        *list = '\0';
    char *claim = strstr(text, " does name a node.");
    if (claim != NULL)
        memcpy(claim, " names no node", sizeof " names no node");
}

static int reject(const char *document, const char *file, char *output, struct sim_error *error)
{
    long line = 0;
    output[strcspn(output, "\n")] = '\0';
    const char *text = take_place(output, document, &line);
    text = skip_form(text, "Invalid XML (", "): ");
    text = skip_form(text, "Uncaught exception ", ": ");
    char mended[512];
    snprintf(mended, sizeof mended, "%.511s", text);
    mend_text(mended);
    return sim_error_set(error, SIM_BAD_INPUT, file, line, "SimGrid rejects it: %s",
                         mended[0] != '\0' ? mended : "it gives no reason");
}

static bool is_memory_limited(void)
{
    struct rlimit space, data;
    return getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0 || space.rlim_cur != RLIM_INFINITY ||
           data.rlim_cur != RLIM_INFINITY;
}

/* Find failures that are not the platform's doing: all files that SimGrid opens have been opened by us before. */
static int judge_surroundings(int status, const char *file, const char *output, struct sim_error *error)
{
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    bool crashed = !WIFSIGNALED(status);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        crashed = crashed || WTERMSIG(status) == crashes[i];
    char end[CHILD_END];
    child_describe(end, status);
    if (!crashed)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the trial load was %s", end);
    if (strstr(output, "Unable to open '") != NULL || strstr(output, "Cannot open file '") != NULL)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the trial load cannot open its files: %s",
                             "too many are open, or one has gone");
    if (strstr(output, "out of memory") != NULL || (strstr(output, "std::bad_alloc") != NULL && is_memory_limited()))
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the trial load was out of memory");
    return 0;
}

static int judge_trial(int status, const char *document, const char *file, char *output, struct sim_error *error)
{
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == TRIAL_LACKS))
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_FAULT)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "%s", output);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "SimGrid does not load it within %d s", TRIAL_SECONDS);
    if (judge_surroundings(status, file, output, error) != 0)
        return -1;
    if (strncmp(output, "Segmentation fault", 18) == 0 || strncmp(output, "Access violation", 16) == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "SimGrid crashes over it");
    if (strstr(output, "std::bad_alloc") != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "SimGrid needs more than %d GiB to load it", TRIAL_GIB);
    return reject(document, file, output, error);
}

int machine_trial(bool *lacks_routes, const char *document, const char *file, struct sim_error *error)
{
    char output[4096];
    const struct trial trial = {document};
    const struct child child = {run_trial, &trial, file, "for the trial load", output, sizeof output - 1};
    size_t length;
    int status = 0;
    if (child_run(&child, &length, &status, error) != 0)
        return -1;
    output[length] = '\0';
    *lacks_routes = WIFEXITED(status) && WEXITSTATUS(status) == TRIAL_LACKS;
    return judge_trial(status, document, file, output, error);
}
