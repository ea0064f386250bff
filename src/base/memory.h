/* Memory that ends the program when it runs out, so that no caller checks for NULL.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Called once when memory runs out, before the program says so and ends with status 1; to remove what is half
 * written. */
extern void (*memory_exhausted)(void);

/* Never return NULL, not even for a size of 0. The caller frees with free(). */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
/* The same from the beginning of a cache line on, for elements that fill one. */
enum { CACHE_LINE_BYTES = 64 };
void *xcalloc_lines(size_t count);
void *xrealloc(void *block, size_t size);

/* Have each block of 4 MiB or more mapped alone from now on, at the program's start: it grows where it is, and goes
 * back to the system when it is freed. Left to itself, glibc keeps what such arrays have grown out of. */
void memory_map_large_blocks(void);
char *xstrdup(const char *text);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Make room for one more element in a growing array: doubles *capacity when count has reached it. */
void *xgrow(void *block, size_t count, size_t *capacity, size_t element_size);

#endif
