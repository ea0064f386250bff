/* Signals that end the program from outside: Ctrl-C, a time limit, a terminal that is closed. */
#ifndef OS_ENDING_H
#define OS_ENDING_H

#include <signal.h>

/* Have them wait; `former` is what sigprocmask() takes to let them in again. */
void ending_block(sigset_t *former);

#endif
