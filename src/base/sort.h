/* Sorting. Equal rows stay in their order, as they do not with every qsort(): the same on all computers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* Less than, equal to or greater than 0, as for qsort(). */
typedef int sort_compare(const void *a, const void *b, void *context);

void sort_stable(void *rows, size_t n_rows, size_t row_bytes, int (*compare)(const void *a, const void *b));
/* The same with a context. */
void sort_rows(void *rows, size_t n_rows, size_t row_bytes, sort_compare *compare, void *context);

#endif
