/* Says how many runs are done when a signal ends the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/progress_internal.h"

#include "os/partial.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int exit_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_EXIT_SIGNALS = sizeof exit_signals / sizeof exit_signals[0] };

static struct progress *volatile current;
static struct sigaction formers[N_EXIT_SIGNALS];
static char messages[2][512]; /* one is written while the other can be read */
static const char *volatile message;

void progress_prepare_message(const struct progress *progress)
{
    char *next = messages[message == messages[0]], done[64] = "";
    const char *file = progress->cache != NULL && progress->done > 0 ? run_cache_file(progress->cache) : NULL;
    if (progress->total > 1)
        snprintf(done, sizeof done, " after %d of %d runs", progress->done, progress->total);
    snprintf(next, sizeof messages[0], "%ssimrun: interrupted%s%s%.300s%s\n", progress->shown ? "\r\033[K" : "", done,
             file != NULL ? "; they are in " : "", file != NULL ? file : "",
             file != NULL ? ", and the same command goes on" : "");
    if (progress->total == 0)
        *next = '\0';
    message = next;
}

static void end_by_signal(int signal_number)
{
    ssize_t ignored = write(STDERR_FILENO, message, strlen(message));
    (void)ignored;
    if (current->waits)
        run_cache_close(current->cache);
    partial_end_by_signal(signal_number);
}

/* A signal that is ignored stays so. */
void progress_catch_signals(struct progress *progress)
{
    struct sigaction action = {.sa_handler = end_by_signal};
    current = progress;
    for (int i = 0; i < N_EXIT_SIGNALS; i++)
        sigaddset(&action.sa_mask, exit_signals[i]);
    for (int i = 0; i < N_EXIT_SIGNALS; i++) {
        sigaction(exit_signals[i], NULL, &formers[i]);
        if (formers[i].sa_handler != SIG_IGN)
            sigaction(exit_signals[i], &action, NULL);
    }
}

void progress_restore_signals(void)
{
    for (int i = 0; i < N_EXIT_SIGNALS; i++)
        sigaction(exit_signals[i], &formers[i], NULL);
}
