/* Ends of a run without MPI_Finalize or MPI_Abort: signals, exit(), a failed node.
 *
 * Every rank holds a shared lock on the spool, which the system lets go when the process ends, however it ends.
 * eppa-recover, in a session of its own, waits for an exclusive one; if there is a spool by then, it makes the archive
 * of it. So nothing is asked of a process that dies, and no signal of the program's is touched.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_WATCH_H
#define EPPA_RECORD_WATCH_H

/* Start eppa-recover, by rank 0 when all ranks have opened the spool. */
void watch_start(void);

#endif
