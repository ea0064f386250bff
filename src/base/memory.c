/* Allocation that ends the program when memory runs out, and growing arrays.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { LARGE_PAGE = 2 << 20 };

void (*memory_exhausted)(void);

static void *checked(void *block)
{
    if (block != NULL)
        return block;
    if (memory_exhausted != NULL)
        memory_exhausted();
    fputs("simrun: out of memory\n", stderr);
    _exit(1);
}

/* Ask for pages of 2 MiB in large blocks, so that what is spread over all of it costs the processor fewer walks
 * through tables of pages. Nothing depends on whether the system does so. All small pages of the block are named, since
 * a block of which only a part were could not grow where it is: mremap() moves no mapping that is split. */
static void *as_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)block / page * page, end = ((uintptr_t)block + size + page - 1) / page * page;
    if (size >= 2 * LARGE_PAGE)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)size;
#endif
    return block;
}

void memory_map_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 2 * LARGE_PAGE);
    mallopt(M_TRIM_THRESHOLD, LARGE_PAGE);
#endif
}

void *xmalloc(size_t size)
{
    return as_large_pages(checked(malloc(size > 0 ? size : 1)), size);
}

void *xcalloc(size_t count, size_t size)
{
    return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *xcalloc_lines(size_t count)
{
    if (count > SIZE_MAX / CACHE_LINE_BYTES - 1)
        return checked(NULL);
    size_t size = (count > 0 ? count : 1) * CACHE_LINE_BYTES;
    return memset(checked(aligned_alloc(CACHE_LINE_BYTES, size)), 0, size);
}

void *xrealloc(void *block, size_t size)
{
    return as_large_pages(checked(realloc(block, size > 0 ? size : 1)), size);
}

char *xstrdup(const char *text)
{
    return checked(strdup(text));
}

char *xformat(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return checked(length < 0 ? NULL : text);
}

void *xgrow(void *block, size_t count, size_t *capacity, size_t element_size)
{
    if (count < *capacity)
        return block;
    size_t wanted = *capacity < 8 ? 8 : *capacity * 2;
    if (wanted > SIZE_MAX / element_size)
        return checked(NULL);
    *capacity = wanted;
    return xrealloc(block, wanted * element_size);
}
