/* The set of signals that end the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/exit_signals.h"

void exit_signals_handle(int signal_number, void (*handler)(int signal_number))
{
    struct sigaction former;
    if (sigaction(signal_number, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
        signal(signal_number, handler);
}

void exit_signals_block(sigset_t *former)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, former);
}
