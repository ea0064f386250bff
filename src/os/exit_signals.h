/* Signals that end the program from outside: Ctrl-C, a time limit, a terminal that is closed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_EXIT_SIGNALS_H
#define OS_EXIT_SIGNALS_H

#include <signal.h>

/* Have a handler for one of them, or SIG_DFL; one that is ignored, as nohup and background jobs of a shell have them,
 * stays so. */
void exit_signals_handle(int signal_number, void (*handler)(int signal_number));

/* Have them wait; `former` is what sigprocmask() takes to let them in again. */
void exit_signals_block(sigset_t *former);

#endif
