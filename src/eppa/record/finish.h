/* The end of a run that came to its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_FINISH_H
#define EPPA_RECORD_FINISH_H

/* Make the archive of the spool, all ranks of MPI_COMM_WORLD together, and put it into its place; if that does not work
 * out, rank 0 says why, and the records are kept. */
void finish_together(void);

#endif
