/* How a child process ended, in words. */
#include "os/child.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void child_describe(char text[CHILD_END], int status)
{
    if (WIFSIGNALED(status))
        snprintf(text, CHILD_END, "ended by signal %d (%.32s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, CHILD_END, "ended with status %d", WEXITSTATUS(status));
}
