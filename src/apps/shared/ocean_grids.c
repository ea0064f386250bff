/* Lays out Ocean's grids, and says which bytes of them are a block, a row, or next to a neighbor's border.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ocean_grids.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum { POINT_BYTES = 8 };

/* The most nearly square arrangement with no more rows than columns. */
static int rows_of_blocks(int n_ranks)
{
    int rows = 1;
    for (int i = 1; (int64_t)i * i <= n_ranks; i++)
        if (n_ranks % i == 0)
            rows = i;
    return rows;
}

/* Dealt out on the coarsest level, so that a rank's coarse points are among its fine ones. */
static struct span deal(int64_t n, int count, int which, int level)
{
    int finer = OCEAN_LEVELS - 1 - level;
    struct span coarse = span_of(n >> (OCEAN_LEVELS - 1), count, which);
    return (struct span){coarse.from << finer, coarse.to << finer};
}

static int64_t width_of(const struct ocean_block *block)
{
    return block->columns.to - block->columns.from + 2;
}

/* The blocks of a level; the bytes of a grid. */
static int64_t add_level(struct ocean_grids *grids, int64_t n, int level)
{
    int64_t at = 0;
    for (int rank = 0; rank < grids->n_ranks; rank++) {
        struct ocean_block *block = &grids->blocks[level * grids->n_ranks + rank];
        block->rows = deal(n, grids->n_rows, rank / grids->n_columns, level);
        block->columns = deal(n, grids->n_columns, rank % grids->n_columns, level);
        block->at = at;
        at += (ocean_rows(block) + 2) * width_of(block) * POINT_BYTES;
    }
    return at;
}

void ocean_grids_init(struct ocean_grids *grids, int64_t n, int n_ranks)
{
    int64_t level_bytes[OCEAN_LEVELS];
    int rows = rows_of_blocks(n_ranks);
    *grids = (struct ocean_grids){.n_ranks = n_ranks,
                                  .n_rows = rows,
                                  .n_columns = n_ranks / rows,
                                  .blocks = xcalloc((size_t)n_ranks * OCEAN_LEVELS, sizeof *grids->blocks)};
    for (int level = 0; level < OCEAN_LEVELS; level++)
        level_bytes[level] = add_level(grids, n, level);
    for (int grid = 0; grid < N_OCEAN_GRIDS; grid++) {
        grids->begin[grid] = grids->bytes;
        grids->bytes += level_bytes[ocean_level_of(grid)];
    }
}

void ocean_grids_dispose(struct ocean_grids *grids)
{
    free(grids->blocks);
}

int ocean_level_of(int grid)
{
    return grid < GRID_SOLUTION ? 0 : (grid - GRID_SOLUTION) % OCEAN_LEVELS;
}

const struct ocean_block *ocean_block(const struct ocean_grids *grids, int grid, int rank)
{
    return &grids->blocks[ocean_level_of(grid) * grids->n_ranks + rank];
}

int64_t ocean_rows(const struct ocean_block *block)
{
    return block->rows.to - block->rows.from;
}

static int64_t columns_of(const struct ocean_block *block)
{
    return block->columns.to - block->columns.from;
}

int64_t ocean_points(const struct ocean_block *block)
{
    return ocean_rows(block) * columns_of(block);
}

/* ---- pieces; rows and columns are counted from 0, the border has -1 and the number of rows or columns ---- */

static int64_t address_of(const struct ocean_grids *grids, int grid, int rank, int64_t row, int64_t column)
{
    const struct ocean_block *block = ocean_block(grids, grid, rank);
    return grids->begin[grid] + block->at + ((row + 1) * width_of(block) + column + 1) * POINT_BYTES;
}

struct pieces ocean_inside(const struct ocean_grids *grids, int grid, int rank)
{
    const struct ocean_block *block = ocean_block(grids, grid, rank);
    return (struct pieces){address_of(grids, grid, rank, 0, 0), columns_of(block) * POINT_BYTES, ocean_rows(block),
                           width_of(block) * POINT_BYTES};
}

struct pieces ocean_whole(const struct ocean_grids *grids, int grid, int rank)
{
    const struct ocean_block *block = ocean_block(grids, grid, rank);
    if (ocean_points(block) == 0)
        return (struct pieces){0};
    return (struct pieces){address_of(grids, grid, rank, -1, -1),
                           (ocean_rows(block) + 2) * width_of(block) * POINT_BYTES, 1, 0};
}

/* The first of a line's points of the color; a line from the grid's point (row, column) on. */
static int64_t first_of(enum ocean_colour colour, int64_t row, int64_t column)
{
    return colour == COLOUR_BOTH ? 0 : ((row + column) % 2 == 0) != (colour == COLOUR_RED);
}

/* Every `step`-th of the points from the `first` on in a row of the block, or down in a column. */
static struct pieces line(const struct ocean_grids *grids, int grid, int rank, int64_t row, int64_t column,
                          int64_t length, int64_t first, int64_t step, bool down)
{
    const struct ocean_block *block = ocean_block(grids, grid, rank);
    int64_t each = down ? width_of(block) * POINT_BYTES : POINT_BYTES;
    if (step == 1 && !down)
        return (struct pieces){address_of(grids, grid, rank, row, column), length * POINT_BYTES, length > 0, 0};
    return (struct pieces){address_of(grids, grid, rank, row, column) + first * each, POINT_BYTES,
                           (length - first + step - 1) / step, step * each};
}

struct pieces ocean_row(const struct ocean_grids *grids, int grid, int rank, int64_t row, enum ocean_colour colour)
{
    const struct ocean_block *block = ocean_block(grids, grid, rank);
    return line(grids, grid, rank, row, 0, columns_of(block),
                first_of(colour, block->rows.from + row, block->columns.from), colour == COLOUR_BOTH ? 1 : 2, false);
}

/* ---- neighbors ---- */

/* By how many rows and columns of blocks a neighbor is away. */
struct side {
    int down, right;
};

/* -1 where the grid ends, or where the neighbor has no points. */
static int neighbour(const struct ocean_grids *grids, int grid, int rank, struct side side)
{
    int row = rank / grids->n_columns + side.down, column = rank % grids->n_columns + side.right;
    if (row < 0 || row >= grids->n_rows || column < 0 || column >= grids->n_columns)
        return -1;
    int found = row * grids->n_columns + column;
    return ocean_points(ocean_block(grids, grid, found)) > 0 ? found : -1;
}

static void copy_line(const struct ocean_grids *grids, int grid, int rank, struct side side, enum ocean_colour colour,
                      int scope, struct op_list *list)
{
    const struct ocean_block *own = ocean_block(grids, grid, rank);
    int other = neighbour(grids, grid, rank, side);
    if (other < 0 || ocean_points(own) == 0)
        return;
    const struct ocean_block *its = ocean_block(grids, grid, other);
    bool down = side.right != 0; /* a column */
    int64_t from_row = side.down < 0 ? ocean_rows(its) - 1 : 0, from_column = side.right < 0 ? columns_of(its) - 1 : 0;
    int64_t to_row = side.down < 0 ? -1 : side.down > 0 ? ocean_rows(own) : 0;
    int64_t to_column = side.right < 0 ? -1 : side.right > 0 ? columns_of(own) : 0;
    int64_t length = down ? ocean_rows(own) : columns_of(own), step = colour == COLOUR_BOTH ? 1 : 2;
    int64_t first = first_of(colour, its->rows.from + from_row, its->columns.from + from_column);
    shared_read(list, scope, line(grids, grid, other, from_row, from_column, length, first, step, down));
    shared_write(list, scope, line(grids, grid, rank, to_row, to_column, length, first, step, down));
}

void ocean_copy_borders(const struct ocean_grids *grids, int grid, int rank, enum ocean_colour colour, int scope,
                        struct op_list *list)
{
    static const struct side sides[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int s = 0; s < 4; s++)
        copy_line(grids, grid, rank, sides[s], colour, scope, list);
}

void ocean_read_beyond(const struct ocean_grids *grids, int grid, int rank, int scope, struct op_list *list)
{
    const struct ocean_block *own = ocean_block(grids, grid, rank);
    int up = neighbour(grids, grid, rank, (struct side){-1, 0}),
        left = neighbour(grids, grid, rank, (struct side){0, -1});
    if (ocean_points(own) == 0)
        return;
    if (up >= 0)
        shared_read(
            list, scope,
            line(grids, grid, up, ocean_rows(ocean_block(grids, grid, up)) - 2, 0, columns_of(own), 0, 1, false));
    if (left >= 0)
        shared_read(
            list, scope,
            line(grids, grid, left, 0, columns_of(ocean_block(grids, grid, left)) - 2, ocean_rows(own), 0, 1, true));
}
