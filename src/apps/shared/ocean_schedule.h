/* The work of Ocean, as a list of actions that all ranks share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SHARED_OCEAN_SCHEDULE_H
#define APPS_SHARED_OCEAN_SCHEDULE_H

#include "apps/shared/ocean_grids.h"

#include <stddef.h>
#include <stdint.h>

enum ocean_scope {
    OCEAN_NONE,
    OCEAN_INITIALISATION,
    OCEAN_STENCILS,
    OCEAN_RELAX,
    OCEAN_LEVEL_CHANGES,
};
enum ocean_kernel {
    OCEAN_LAPLACIAN,
    OCEAN_JACOBIAN,
    OCEAN_COMBINE,
    OCEAN_RELAXATION,
    OCEAN_COARSER,
    OCEAN_FINER,
};
enum ocean_sum { OCEAN_ERROR, OCEAN_PSI, N_OCEAN_SUMS }; /* shared, each under a lock of the same number */

enum ocean_action_kind {
    DO_BARRIER,
    DO_TOUCH, /* all grids are initialized */
    DO_STENCIL,
    DO_COPY,  /* the neighbors' points into the border of a grid */
    DO_RELAX, /* points of a color */
    DO_CLEAR, /* rank 0 sets a sum to 0 */
    DO_ADD,   /* to a sum */
    DO_READ,  /* a sum */
    DO_COARSER,
    DO_FINER,
    N_OCEAN_ACTIONS
};

struct ocean_action {
    uint8_t kind, scope;
    uint8_t what;   /* grid, stencil, level or sum */
    uint8_t colour; /* enum ocean_colour */
    int64_t first;  /* of its steps, which all ranks have */
};

/* Reads and writes are of blocks of grids. */
struct ocean_stencil {
    uint8_t kernel, times; /* times the kernel is done for a point */
    uint8_t n_reads, n_writes;
    uint8_t reads[6], writes[4];
};
extern const struct ocean_stencil ocean_stencils[];

/* Rows relaxed in a step: each is an op. */
enum { OCEAN_ROWS_PER_STEP = OP_LIST_MAX - 3 };

struct ocean_schedule {
    struct ocean_action *actions;
    size_t n_actions, capacity;
    int64_t n_steps;
};

/* To be disposed of. */
void ocean_schedule_init(struct ocean_schedule *schedule, const struct ocean_grids *grids, int64_t n_time_steps);
void ocean_schedule_dispose(struct ocean_schedule *schedule);
/* The action that step `step` is of; it is before n_steps. */
const struct ocean_action *ocean_action_at(const struct ocean_schedule *schedule, int64_t step);

#endif
