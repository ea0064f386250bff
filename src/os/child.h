/* Child processes: what one answers, how it ended, and limits for one that tries what a library may not survive.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_CHILD_H
#define OS_CHILD_H

#include "base/error.h"

#include <stddef.h>

/* A child: its work, which ends the process itself, and its answer, which it writes to the descriptor. */
struct child {
    void (*work)(const void *data, int descriptor);
    const void *data;
    const char *file, *purpose; /* for messages: "no process to load it", with the purpose "to load it" */
    void *answer;               /* room for `size` bytes of it; what is more is dropped */
    size_t size;
};

/* Run it to its end: the length of the answer, and the status of waitpid(). -1 with SIM_UNFINISHED if there is no
 * pipe or process. */
int child_run(const struct child *child, size_t *length, int *status, struct sim_error *error);

enum { CHILD_END = 64 };

/* How a child ended, by the status that waitpid() gave: "ended by signal 9 (Killed)" or "ended with status 3". */
void child_describe(char text[CHILD_END], int status);

enum { TRIAL_SECONDS = 60, TRIAL_GIB = 4 };

/* Bound the calling process: SIGALRM ends it after TRIAL_SECONDS, it gets at most TRIAL_GIB more of memory, and leaves
 * no core. Nothing half-written of the parent's is removed if it ends. */
void trial_limit(void);

#endif
