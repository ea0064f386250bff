/* A grid of processes that an application is given as a parameter: process rows x process columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_PROCESS_GRID_H
#define APPS_SCALAPACK_PROCESS_GRID_H

#include "base/error.h"

#include <stdint.h>

/* Check that the grid, a value of the PARAM_PROCESS_GRID `name` that is not auto, can begin at rank `first` of n_ranks:
 * -1 and an error where there are too few ranks. */
int process_grid_check(const char *name, int64_t grid, int64_t first, int n_ranks, struct sim_error *error);

/* The grid that a routine is done on, the parameter "grid". Auto: all ranks, near-square, with no fewer rows than
 * columns. A single rank is a grid, whatever was asked for. -1 and an error where there are too few ranks. */
int process_grid_choose(int *rows, int *columns, int64_t grid, int n_ranks, struct sim_error *error);

#endif
