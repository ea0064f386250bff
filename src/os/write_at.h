/* Writing at a place of a file that is open, as for a temporary one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_WRITE_AT_H
#define OS_WRITE_AT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Write all of the bytes at an offset of a file, which messages call `name`; 0, or -1 with SIM_UNFINISHED. */
int write_at(int descriptor, const void *bytes, size_t size, int64_t offset, const char *name, struct sim_error *error);

#endif
