/* The census of ranks: finds out, without MPI, whether all ranks run under this library: a rank that does not would
 * take the messages for its own. Each leaves a file in a directory beside the archive to come, which one finds all of
 * them in, or not for some time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_CENSUS_H
#define EPPA_RECORD_CENSUS_H

#include <stdbool.h>

/* Are all there? All that are get the same answer, and one of them says if not. Waits for EPPA_WAIT seconds at most.
 * A launcher that does not say which run this is (launcher.h) is trusted. */
bool census_is_full(const char *base, int rank, int n_ranks);

#endif
