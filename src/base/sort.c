/* Merge sort, from the bottom up.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct sorting {
    size_t row_bytes;
    sort_compare *compare;
    void *context;
};

/* Merge from[start ... middle) and from[middle ... end) into to[start ... end). */
static void merge(const struct sorting *sorting, char *to, const char *from, size_t start, size_t middle, size_t end)
{
    const size_t bytes = sorting->row_bytes;
    size_t left = start, right = middle;
    for (size_t i = start; i < end; i++) {
        bool takes_left = left < middle && (right == end || sorting->compare(from + left * bytes, from + right * bytes,
                                                                             sorting->context) <= 0);
        memcpy(to + i * bytes, from + (takes_left ? left++ : right++) * bytes, bytes);
    }
}

void sort_rows(void *rows, size_t n_rows, size_t row_bytes, sort_compare *compare, void *context)
{
    const struct sorting sorting = {row_bytes, compare, context};
    char *other = xmalloc(n_rows * row_bytes + 1), *from = rows, *to = other;
    for (size_t width = 1; width < n_rows; width *= 2) {
        for (size_t start = 0; start < n_rows; start += 2 * width)
            merge(&sorting, to, from, start, start + width < n_rows ? start + width : n_rows,
                  start + 2 * width < n_rows ? start + 2 * width : n_rows);
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != rows)
        memcpy(rows, from, n_rows * row_bytes);
    free(other);
}

/* A function, as a context. */
struct plain {
    int (*compare)(const void *a, const void *b);
};

static int compare_plainly(const void *a, const void *b, void *context)
{
    const struct plain *plain = context;
    return plain->compare(a, b);
}

void sort_stable(void *rows, size_t n_rows, size_t row_bytes, int (*compare)(const void *a, const void *b))
{
    struct plain plain = {compare};
    sort_rows(rows, n_rows, row_bytes, compare_plainly, &plain);
}
