/* Signals that end the program from outside: Ctrl-C, a time limit, a terminal that is closed. */
#ifndef OS_ENDING_H
#define OS_ENDING_H

#include <signal.h>

/* Have a handler for one of them, or SIG_DFL; one that is ignored, as nohup and background jobs of a shell have them,
 * stays so. */
void ending_handle(int signal_number, void (*handler)(int signal_number));

/* Have them wait; `former` is what sigprocmask() takes to let them in again. */
void ending_block(sigset_t *former);

#endif
