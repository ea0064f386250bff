/* How far the clocks of the ranks are apart.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_CLOCK_H
#define EPPA_RECORD_CLOCK_H

/* Measure it and write it down, as DEFINE_CLOCK; all ranks of MPI_COMM_WORLD together. Ranks on one machine read the
 * same clock, so they have exactly the same offset. */
void clock_measure(void);

#endif
