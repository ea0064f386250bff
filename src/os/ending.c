/* The set of signals that end the program. */
#include "os/ending.h"

void ending_handle(int signal_number, void (*handler)(int signal_number))
{
    struct sigaction former;
    if (sigaction(signal_number, NULL, &former) == 0 && former.sa_handler != SIG_IGN)
        signal(signal_number, handler);
}

void ending_block(sigset_t *former)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, former);
}
