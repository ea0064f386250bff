/* Which processes share a machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_MACHINE_H
#define EPPA_ARCHIVE_MACHINE_H

#include <stdint.h>

/* A number that processes have in common if they are on one machine, since the same boot, and in the same namespace
 * of this kind ("time": they read one clock; "pid": they have one numbering of processes). */
uint64_t machine_identity(const char *namespace);

#endif
