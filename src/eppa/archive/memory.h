/* Memory. If there is none left, the process ends with one line and status 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_MEMORY_H
#define EPPA_ARCHIVE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The memory that malloc() and others gave, which is not NULL any more. */
void *memory_need(void *memory);
/* Room for item n of a vector, which grows by doubling at powers of two. */
void *memory_grow(void *items, uint32_t n, size_t size);
/* A copy with a 0 behind it; to be freed. */
void *memory_copy(const void *data, size_t length);

#endif
