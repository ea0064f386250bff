/* Call paths: through which functions the program comes to a call of MPI. A path is a chain of sites, from the
 * outermost function to the place that calls MPI; ranks number their paths, and each is defined by the path around it
 * and a site.
 *
 * Unwinding takes 15 to 30 us (src/eppa/record/paths.c says how it is avoided).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_PATHS_H
#define EPPA_RECORD_PATHS_H

#include "eppa/record/callers.h"

/* The number of the path of a call, from 1; 0 if it is not known. Where there are too many, it is the part of the path
 * that has a number, and where it is too deep, that without its outer part: such calls are counted. */
uint32_t paths_find(struct caller caller);
/* How many calls have got less than their path. */
uint64_t paths_n_cut(void);

#endif
