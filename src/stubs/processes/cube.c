/* Stub of src/cube: profiles for Cube are not read here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cube/cube.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

int cube_open(struct cube *cube, const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "here profiles for Cube are not read");
}

void cube_close(struct cube *cube)
{
}

int cube_read_values(double **values, const struct cube *cube, const struct cube_metric *metric,
                     struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "here profiles for Cube are not read");
}
