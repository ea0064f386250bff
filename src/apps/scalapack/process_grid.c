/* Chooses a grid of processes, and checks that one fits the ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/process_grid.h"

#include "sim/program/param.h"

#include <inttypes.h>
#include <stddef.h>

int process_grid_check(const char *name, int64_t grid, int64_t first, int n_ranks, struct sim_error *error)
{
    int rows = PARAM_MESH_WIDTH(grid), columns = PARAM_MESH_HEIGHT(grid);
    int64_t needed = first + (int64_t)rows * columns;
    if (needed > n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter '%s': %dx%d processes starting at rank %" PRId64 " need %" PRId64
                             " ranks; there are %d",
                             name, rows, columns, first, needed, n_ranks);
    return 0;
}

int process_grid_choose(int *rows, int *columns, int64_t grid, int n_ranks, struct sim_error *error)
{
    int wanted_rows = PARAM_MESH_WIDTH(grid), wanted_columns = PARAM_MESH_HEIGHT(grid);
    int64_t needed = (int64_t)wanted_rows * wanted_columns;
    if (n_ranks > 1 && needed > n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'grid': %dx%d processes need %" PRId64 " ranks; there are %d", wanted_rows,
                             wanted_columns, needed, n_ranks);
    *rows = wanted_rows;
    *columns = wanted_columns;
    if (n_ranks > 1 && needed > 0)
        return 0;
    for (int divisor = 1; divisor <= n_ranks / divisor; divisor++)
        if (n_ranks % divisor == 0)
            *columns = divisor;
    *rows = n_ranks / *columns;
    return 0;
}
