/* Limits for a child process that tries what a library may not survive. */
#ifndef OS_TRIAL_H
#define OS_TRIAL_H

enum { TRIAL_SECONDS = 60, TRIAL_GIB = 4 };

/* Bound the calling process: SIGALRM ends it after TRIAL_SECONDS, it gets at most TRIAL_GIB more of memory, and leaves
 * no core. Nothing half-written of the parent's is removed if it ends. */
void trial_limit(void);

#endif
