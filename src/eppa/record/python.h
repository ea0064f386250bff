/* Frames of Python, where the program is one that an interpreter executes, as with mpi4py.
 *
 * The interpreter is found in the process at run time, by the names of its public API (3.9 or later), and is asked only
 * while the thread holds its lock (the GIL): where mpi4py has given that back around a call of MPI, it is taken once
 * more. This is done before the thread's turn to record, because another thread may wait for its turn with the lock.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_PYTHON_H
#define EPPA_RECORD_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* Find the interpreter, if there is one. Without this, the others find no frames. */
void python_find(void);
/* True if there is one. */
extern bool python_is_there;
void python_take_frames(void);
/* Note the frames that the calling thread is in. */
static inline void python_look(void)
{
    if (python_is_there)
        python_take_frames();
}
/* How many there are, at most PYTHON_DEPTH from the innermost on. */
enum { PYTHON_DEPTH = 64 };
int python_depth(void);
/* The number of the site of frame i, of which 0 is the innermost; 0: there are too many sites. In the thread's turn. */
uint32_t python_site(int i);
/* A function of the interpreter: what is in its module is no function of the program. */
const void *python_function(void);

#endif
