/* ScaLAPACK's two-dimensional block-cyclic distribution, as arithmetic.
 *
 * One dimension: indices 0 ... n-1 are cut into blocks of `block`, the last of which may be shorter, and the blocks are
 * dealt in turn to the processes 0 ... processes-1, beginning with `source`. Two dimensions: rows and columns of a
 * matrix are dealt independently, the rows to the rows of a grid of processes and the columns to its columns.
 *
 * Everything takes constant time but the overlaps. Ranges: n >= 0, block >= 1, processes >= 1, 0 <= source < processes;
 * n and block * processes at most 2^61. A process or an index out of range is a broken invariant.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_BLOCK_CYCLIC_H
#define APPS_SCALAPACK_BLOCK_CYCLIC_H

#include <stdint.h>

enum { DOUBLE_BYTES = 8 }; /* of an element */

/* a / b, rounded up; neither is negative. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

struct block_cyclic {
    int64_t n;
    int64_t block;
    int processes;
    int source; /* the process that has the first block */
};

/* Process (i, j) of the grid has the number i * columns.processes + j. */
struct block_cyclic_matrix {
    struct block_cyclic rows, columns;
};

/* How many indices the process owns (ScaLAPACK's numroc). */
int64_t block_cyclic_count(const struct block_cyclic *d, int process);

/* How many of the indices from ... to-1 it owns, 0 <= from <= to <= n. */
int64_t block_cyclic_count_range(const struct block_cyclic *d, int process, int64_t from, int64_t to);

/* The process that owns index i, 0 <= i < n. */
int block_cyclic_owner(const struct block_cyclic *d, int64_t i);

/* How many indices process a owns in x and process b in y, two distributions of the same n. It takes a time of at most
 * the square root of n, and constant time where the distributions repeat together after few blocks. */
int64_t block_cyclic_overlap(const struct block_cyclic *x, int a, const struct block_cyclic *y, int b);

/* The same for the elements of a matrix: what a redistribution from x to y has to move from a to b. */
int64_t block_cyclic_volume(const struct block_cyclic_matrix *x, int a, const struct block_cyclic_matrix *y, int b);

#endif
