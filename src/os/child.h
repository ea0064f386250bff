/* Child processes. */
#ifndef OS_CHILD_H
#define OS_CHILD_H

enum { CHILD_END = 64 };

/* How a child ended, by the status that waitpid() gave: "ended by signal 9 (Killed)" or "ended with status 3". */
void child_describe(char text[CHILD_END], int status);

#endif
