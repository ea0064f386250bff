/* Where Ocean's grids lie in shared memory: each in blocks, a block to a rank, with a border of one point around it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SHARED_OCEAN_GRIDS_H
#define APPS_SHARED_OCEAN_GRIDS_H

#include "apps/shared/ops.h"

#include <stdint.h>

/* The grids that a time step uses, and those of multigrid: solution and right-hand side on each level. */
enum ocean_grid {
    GRID_PSI,
    GRID_PSIM = GRID_PSI + 2,
    GRID_PSIB = GRID_PSIM + 2,
    GRID_GA,
    GRID_GB,
    GRID_OLD_GA,
    GRID_OLD_GB,
    GRID_WORK1,
    GRID_WORK2 = GRID_WORK1 + 2,
    GRID_WORK3,
    GRID_WORK4,
    GRID_WORK5 = GRID_WORK4 + 2,
    GRID_WORK6 = GRID_WORK5 + 2,
    GRID_WORK7,
    GRID_TEMP = GRID_WORK7 + 2,
    GRID_TAUZ = GRID_TEMP + 2,
    N_FINE_GRIDS,
    GRID_SOLUTION = N_FINE_GRIDS,
};
enum { OCEAN_LEVELS = 3, GRID_RIGHT = GRID_SOLUTION + OCEAN_LEVELS, N_OCEAN_GRIDS = GRID_RIGHT + OCEAN_LEVELS };
enum ocean_colour { COLOUR_BLACK, COLOUR_RED, COLOUR_BOTH };

/* A block of one level: its points, without the border, where it begins in each grid of its level. */
struct ocean_block {
    struct span rows, columns; /* of the whole grid */
    int64_t at;                /* bytes */
};

struct ocean_grids {
    int n_ranks, n_rows, n_columns; /* ranks in rows and columns of blocks */
    int64_t bytes;                  /* of all grids */
    int64_t begin[N_OCEAN_GRIDS];
    struct ocean_block *blocks; /* OCEAN_LEVELS * n_ranks, the finest level first */
};

/* Lay out grids of n by n points; n is a multiple of 4. To be disposed of. */
void ocean_grids_init(struct ocean_grids *grids, int64_t n, int n_ranks);
void ocean_grids_dispose(struct ocean_grids *grids);

int ocean_level_of(int grid);
const struct ocean_block *ocean_block(const struct ocean_grids *grids, int grid, int rank);
int64_t ocean_rows(const struct ocean_block *block);
int64_t ocean_points(const struct ocean_block *block);

/* The points of the block; the block with its border. */
struct pieces ocean_inside(const struct ocean_grids *grids, int grid, int rank);
struct pieces ocean_whole(const struct ocean_grids *grids, int grid, int rank);
/* The points of one color in a row of the block, counted from 0; row and column add up to an even number: red. */
struct pieces ocean_row(const struct ocean_grids *grids, int grid, int rank, int64_t row, enum ocean_colour colour);

/* Copy the neighbors' points of a color that are next to the block into its border: eight ops at most. */
void ocean_copy_borders(const struct ocean_grids *grids, int grid, int rank, enum ocean_colour colour, int scope,
                        struct op_list *list);
/* Read the row before the last of the neighbor above, and the column before the last of the one on the left. */
void ocean_read_beyond(const struct ocean_grids *grids, int grid, int rank, int scope, struct op_list *list);

#endif
