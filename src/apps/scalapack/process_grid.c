/* Checks that a grid of processes fits the ranks. */
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
                             "parameter '%s': %dx%d processes from rank %" PRId64 " on need %" PRId64
                             " ranks, there are %d",
                             name, rows, columns, first, needed, n_ranks);
    return 0;
}
