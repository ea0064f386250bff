/* Which run this process belongs to, as its launcher knows it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_LAUNCHER_H
#define EPPA_RECORD_LAUNCHER_H

#include <stdbool.h>

enum { LAUNCHER_MAX_NAME = 256 };

/* A name that all ranks of the run have in common, and no other run at the same time: of PMIX_NAMESPACE, or of the
 * Hydra that started this process. false if there is none, or one that is too long or has a slash in it. */
bool launcher_name(char name[LAUNCHER_MAX_NAME + 1]);

/* True if this process is the first of its run by the launcher's number, or if there is no number; MPI is not asked. */
bool launcher_is_first(void);

#endif
