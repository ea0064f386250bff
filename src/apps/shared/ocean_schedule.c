/* Ocean's time steps and solutions, action by action.
 *
 * A time step is ten phases of stencils with a barrier after each. In the sixth and the eighth a Poisson equation is
 * solved by red-black Gauss-Seidel multigrid. A relaxation copies the neighbors' black points into the own border,
 * relaxes the red ones, and the other way round. Then the largest error is found under a lock, and all look whether
 * they go on, to a coarser or to a finer grid: four barriers, and one more on the way to a coarser one.
 *
 * How often multigrid relaxes on which level depends on the values. Here it is as counted in a run of SPLASH-2's
 * program, grids of 258 x 258 with their edges, tolerance 1e-7: 200 relaxations in 13 solutions, 900 barriers in
 * all. Time steps beyond the sixth go as the sixth.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ocean_schedule.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/* The levels of one solution after the other, 0 the finest: the start, then two for each time step. */
static const char *const solutions[] = {
    "00111100011221100011221100011221100011221100011221100011221100011221100",
    "0011222211000112221100011221100",
    "0011222211000112221100",
    "000112221100",
    "00",
    "00000",
    "000",
    "000112221100",
    "00",
    "0000",
    "00011221100",
    "0000112221100",
    "000112221100",
};
enum { N_SOLUTIONS = sizeof solutions / sizeof solutions[0] };

enum stencil_name {
    LAPLACIAN_PSI,
    LAPLACIAN_PSIM = LAPLACIAN_PSI + 2,
    LAPLACIAN_WORK7 = LAPLACIAN_PSIM + 2,
    LAPLACIAN_WORK4 = LAPLACIAN_WORK7 + 2,
    JACOBIAN_WORK1 = LAPLACIAN_WORK4 + 2,
    JACOBIAN_WORK2 = JACOBIAN_WORK1 + 2,
    DIFFERENCES,
    TAKE_PSIM,
    ADD_FORCE,
    TAKE_TEMP,
    RIGHT_SIDES,
    BEGIN_PSIB,
    END_PSIB,
    BEGIN_GA,
    END_GA,
    SUM_GA,
    ADD_PSIB,
    BEGIN_GB,
    END_GB,
    COMBINE_GA_GB,
    ADVANCE_PSI,
    N_STENCILS
};

#define PAIR(grid, i) (uint8_t)(GRID_##grid + (i))
#define LAPLACIAN(i, from, to)                                                                                         \
    {                                                                                                                  \
        OCEAN_LAPLACIAN, 1, 1, 1, {PAIR(from, i)},                                                                     \
        {                                                                                                              \
            PAIR(to, i)                                                                                                \
        }                                                                                                              \
    }

const struct ocean_stencil ocean_stencils[N_STENCILS] = {
    [LAPLACIAN_PSI] = LAPLACIAN(0, PSI, WORK1),
    [LAPLACIAN_PSI + 1] = LAPLACIAN(1, PSI, WORK1),
    [LAPLACIAN_PSIM] = LAPLACIAN(0, PSIM, WORK7),
    [LAPLACIAN_PSIM + 1] = LAPLACIAN(1, PSIM, WORK7),
    [LAPLACIAN_WORK7] = LAPLACIAN(0, WORK7, WORK4),
    [LAPLACIAN_WORK7 + 1] = LAPLACIAN(1, WORK7, WORK4),
    [LAPLACIAN_WORK4] = LAPLACIAN(0, WORK4, WORK7),
    [LAPLACIAN_WORK4 + 1] = LAPLACIAN(1, WORK4, WORK7),
    [JACOBIAN_WORK1] = {OCEAN_JACOBIAN, 1, 2, 1, {GRID_WORK1, GRID_TEMP}, {GRID_WORK5}},
    [JACOBIAN_WORK1 + 1] = {OCEAN_JACOBIAN, 1, 2, 1, {PAIR(WORK1, 1), PAIR(TEMP, 1)}, {PAIR(WORK5, 1)}},
    [JACOBIAN_WORK2] = {OCEAN_JACOBIAN, 1, 2, 1, {GRID_WORK2, GRID_WORK3}, {GRID_WORK6}},
    [DIFFERENCES] =
        {OCEAN_COMBINE, 4, 2, 4, {GRID_PSI, PAIR(PSI, 1)}, {GRID_WORK2, GRID_WORK3, GRID_TEMP, PAIR(TEMP, 1)}},
    [TAKE_PSIM] = {OCEAN_COMBINE, 2, 2, 2, {GRID_PSIM, PAIR(PSIM, 1)}, {GRID_PSI, PAIR(PSI, 1)}},
    [ADD_FORCE] = {OCEAN_COMBINE, 2, 2, 2, {GRID_WORK1, PAIR(WORK1, 1)}, {GRID_WORK1, PAIR(WORK1, 1)}},
    [TAKE_TEMP] = {OCEAN_COMBINE, 2, 2, 2, {GRID_TEMP, PAIR(TEMP, 1)}, {GRID_PSIM, PAIR(PSIM, 1)}},
    [RIGHT_SIDES] = {OCEAN_COMBINE,
                     5,
                     6,
                     2,
                     {GRID_WORK5, PAIR(WORK5, 1), GRID_WORK6, GRID_WORK7, PAIR(WORK7, 1), GRID_TAUZ},
                     {GRID_GA, GRID_GB}},
    [BEGIN_PSIB] = {OCEAN_COMBINE, 2, 1, 2, {GRID_PSIB}, {GRID_RIGHT, GRID_SOLUTION}},
    [END_PSIB] = {OCEAN_COMBINE, 2, 1, 1, {GRID_SOLUTION}, {GRID_PSIB}},
    [BEGIN_GA] = {OCEAN_COMBINE, 2, 2, 2, {GRID_GA, GRID_OLD_GA}, {GRID_RIGHT, GRID_SOLUTION}},
    [END_GA] = {OCEAN_COMBINE, 2, 1, 2, {GRID_SOLUTION}, {GRID_GA, GRID_OLD_GA}},
    [SUM_GA] = {OCEAN_COMBINE, 1, 1, 0, {GRID_GA}, {0}},
    [ADD_PSIB] = {OCEAN_COMBINE, 1, 2, 1, {GRID_GA, GRID_PSIB}, {GRID_GA}},
    [BEGIN_GB] = {OCEAN_COMBINE, 2, 2, 2, {GRID_GB, GRID_OLD_GB}, {GRID_RIGHT, GRID_SOLUTION}},
    [END_GB] = {OCEAN_COMBINE, 2, 1, 2, {GRID_SOLUTION}, {GRID_GB, GRID_OLD_GB}},
    [COMBINE_GA_GB] = {OCEAN_COMBINE, 2, 2, 2, {GRID_GA, GRID_GB}, {GRID_WORK2, GRID_WORK3}},
    [ADVANCE_PSI] =
        {OCEAN_COMBINE, 2, 4, 2, {GRID_PSI, PAIR(PSI, 1), GRID_WORK2, GRID_WORK3}, {GRID_PSI, PAIR(PSI, 1)}},
};

/* Steps that every rank has for the action, so that actions have the same numbers everywhere. */
static int64_t steps_of(const struct ocean_grids *grids, const struct ocean_action *action)
{
    int64_t most = 0;
    if (action->kind == DO_TOUCH)
        return (N_OCEAN_GRIDS + OP_LIST_MAX - 1) / OP_LIST_MAX;
    if (action->kind != DO_RELAX)
        return 1;
    for (int rank = 0; rank < grids->n_ranks; rank++) {
        int64_t rows = ocean_rows(ocean_block(grids, action->what, rank));
        most = rows > most ? rows : most;
    }
    return (most + OCEAN_ROWS_PER_STEP - 1) / OCEAN_ROWS_PER_STEP;
}

static void add(struct ocean_schedule *schedule, enum ocean_action_kind kind, int scope, int what, int colour)
{
    schedule->actions = xgrow(schedule->actions, schedule->n_actions, &schedule->capacity, sizeof *schedule->actions);
    struct ocean_action *action = &schedule->actions[schedule->n_actions++];
    *action = (struct ocean_action){(uint8_t)kind, (uint8_t)scope, (uint8_t)what, (uint8_t)colour, 0};
}

static void add_relaxation(struct ocean_schedule *schedule, int level)
{
    int grid = GRID_SOLUTION + level;
    add(schedule, DO_CLEAR, OCEAN_RELAX, OCEAN_ERROR, 0);
    add(schedule, DO_BARRIER, OCEAN_RELAX, 0, 0);
    add(schedule, DO_COPY, OCEAN_RELAX, grid, COLOUR_BLACK);
    add(schedule, DO_RELAX, OCEAN_RELAX, grid, COLOUR_RED);
    add(schedule, DO_BARRIER, OCEAN_RELAX, 0, 0);
    add(schedule, DO_COPY, OCEAN_RELAX, grid, COLOUR_RED);
    add(schedule, DO_RELAX, OCEAN_RELAX, grid, COLOUR_BLACK);
    add(schedule, DO_ADD, OCEAN_RELAX, OCEAN_ERROR, 0);
    add(schedule, DO_BARRIER, OCEAN_RELAX, 0, 0);
    add(schedule, DO_READ, OCEAN_RELAX, OCEAN_ERROR, 0);
    add(schedule, DO_BARRIER, OCEAN_RELAX, 0, 0);
}

static void add_solution(struct ocean_schedule *schedule, const char *levels)
{
    for (; *levels != '\0'; levels++) {
        int level = levels[0] - '0', next = levels[1] == '\0' ? level : levels[1] - '0';
        add_relaxation(schedule, level);
        if (next == level)
            continue;
        add(schedule, DO_COPY, OCEAN_LEVEL_CHANGES, GRID_SOLUTION + level, COLOUR_BOTH);
        if (next > level) {
            add(schedule, DO_COPY, OCEAN_LEVEL_CHANGES, GRID_RIGHT + level, COLOUR_BOTH);
            add(schedule, DO_BARRIER, OCEAN_LEVEL_CHANGES, 0, 0);
        }
        add(schedule, next > level ? DO_COARSER : DO_FINER, OCEAN_LEVEL_CHANGES, level, 0);
    }
}

/* Add the stencil of a pair of grids, or of one: their borders, if they are `copied`, then the stencil. */
static void add_stencil(struct ocean_schedule *schedule, int stencil, bool copied, int scope)
{
    for (int r = 0; r < ocean_stencils[stencil].n_reads && copied; r++)
        add(schedule, DO_COPY, scope, ocean_stencils[stencil].reads[r], COLOUR_BOTH);
    add(schedule, DO_STENCIL, scope, stencil, 0);
}

static void add_pair(struct ocean_schedule *schedule, int first)
{
    add_stencil(schedule, first, true, OCEAN_STENCILS);
    add_stencil(schedule, first + 1, true, OCEAN_STENCILS);
}

static void end_phase(struct ocean_schedule *schedule, int scope)
{
    add(schedule, DO_BARRIER, scope, 0, 0);
}

static void add_solved(struct ocean_schedule *schedule, int before, const char *levels, int after, int scope)
{
    add_stencil(schedule, before, false, scope);
    add_solution(schedule, levels);
    add_stencil(schedule, after, false, scope);
}

static void add_start(struct ocean_schedule *schedule)
{
    add(schedule, DO_TOUCH, OCEAN_INITIALISATION, 0, 0);
    for (int i = 0; i < 3; i++)
        end_phase(schedule, OCEAN_INITIALISATION);
    add_solved(schedule, BEGIN_PSIB, solutions[0], END_PSIB, OCEAN_INITIALISATION);
    end_phase(schedule, OCEAN_INITIALISATION);
    add(schedule, DO_ADD, OCEAN_INITIALISATION, OCEAN_PSI, 0);
    end_phase(schedule, OCEAN_INITIALISATION);
}

static void add_stencil_phases(struct ocean_schedule *schedule)
{
    add_pair(schedule, LAPLACIAN_PSI);
    add_stencil(schedule, DIFFERENCES, false, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, TAKE_PSIM, false, OCEAN_STENCILS);
    add_pair(schedule, LAPLACIAN_PSIM);
    add_stencil(schedule, ADD_FORCE, false, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
    add_pair(schedule, JACOBIAN_WORK1);
    add_stencil(schedule, TAKE_TEMP, false, OCEAN_STENCILS);
    add_pair(schedule, LAPLACIAN_WORK7);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, JACOBIAN_WORK2, true, OCEAN_STENCILS);
    add_pair(schedule, LAPLACIAN_WORK4);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, RIGHT_SIDES, false, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
}

static void add_time_step(struct ocean_schedule *schedule, int64_t step)
{
    int64_t last = (N_SOLUTIONS - 1) / 2, which = step < last ? step : last - 1;
    add_stencil_phases(schedule);
    add_solved(schedule, BEGIN_GA, solutions[1 + 2 * which], END_GA, OCEAN_STENCILS);
    add(schedule, DO_CLEAR, OCEAN_STENCILS, OCEAN_PSI, 0);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, SUM_GA, false, OCEAN_STENCILS);
    add(schedule, DO_ADD, OCEAN_STENCILS, OCEAN_PSI, 0);
    end_phase(schedule, OCEAN_STENCILS);
    add(schedule, DO_READ, OCEAN_STENCILS, OCEAN_PSI, 0);
    add_stencil(schedule, ADD_PSIB, false, OCEAN_STENCILS);
    add_solved(schedule, BEGIN_GB, solutions[2 + 2 * which], END_GB, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, COMBINE_GA_GB, false, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
    add_stencil(schedule, ADVANCE_PSI, false, OCEAN_STENCILS);
    end_phase(schedule, OCEAN_STENCILS);
}

void ocean_schedule_init(struct ocean_schedule *schedule, const struct ocean_grids *grids, int64_t n_time_steps)
{
    *schedule = (struct ocean_schedule){0};
    add_start(schedule);
    for (int64_t step = 0; step < n_time_steps; step++)
        add_time_step(schedule, step);
    for (size_t i = 0; i < schedule->n_actions; i++) {
        schedule->actions[i].first = schedule->n_steps;
        schedule->n_steps += steps_of(grids, &schedule->actions[i]);
    }
}

void ocean_schedule_dispose(struct ocean_schedule *schedule)
{
    free(schedule->actions);
}

const struct ocean_action *ocean_action_at(const struct ocean_schedule *schedule, int64_t step)
{
    size_t low = 0, high = schedule->n_actions;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (schedule->actions[middle].first <= step)
            low = middle;
        else
            high = middle;
    }
    return &schedule->actions[low];
}
