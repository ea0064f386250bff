/* Guards a rank: if it is killed, a line and a status of simrun are left.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_GUARD_H
#define MPI_GUARD_H

/* From here on the program is a child, for which the process that mpirun has started waits. Before MPI_Init(). */
void guard_begin(void);

#endif
