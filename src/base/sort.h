/* Sorting with a context. Equal rows stay in their order, whatever the computer. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* Less than, equal to or greater than 0, as for qsort(). */
typedef int sort_compare(const void *a, const void *b, void *context);

void sort_rows(void *rows, size_t n_rows, size_t row_bytes, sort_compare *compare, void *context);

#endif
