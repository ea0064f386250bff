/* A profile from the beginning of a run to its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_FINISH_PROFILE_H
#define EPPA_RECORD_FINISH_PROFILE_H

/* The end of a run that came to its end: all ranks of MPI_COMM_WORLD together. Rank 0 writes the file; if that does not
 * work out, it says why. */
void profile_finish(void);
/* MPI_Abort: what this rank knows, alone. */
void profile_abort(void);

#endif
