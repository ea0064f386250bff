/* SPLASH-2's Ocean, the one with contiguous partitions: eddies and currents of an ocean basin on square grids of
 * doubles.
 *
 * Ranks are arranged in a rectangle, and each has a block of each grid, with a border of one point around it. All of it
 * is in shared memory: 23 grids of the time step, and the solution and the right-hand side of multigrid on three
 * levels. ocean_schedule.c has the order of the steps. The edges of the basin are left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ocean_schedule.h"
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

enum { PARAM_SIDE, PARAM_STEPS, PARAM_DSM };
enum { SUMS_ALIGNMENT = 4096, SUM_BYTES = 8 };

static const char *const scopes[] = {
    [OCEAN_NONE] = "",       [OCEAN_INITIALISATION] = "initialisation", [OCEAN_STENCILS] = "stencils",
    [OCEAN_RELAX] = "relax", [OCEAN_LEVEL_CHANGES] = "levels",          [OCEAN_LEVEL_CHANGES + 1] = NULL,
};
static const char *const kernels[] = {
    [OCEAN_LAPLACIAN] = "ocean.laplacian",
    [OCEAN_JACOBIAN] = "ocean.jacobian",
    [OCEAN_COMBINE] = "ocean.combine",
    [OCEAN_RELAXATION] = "ocean.relax",
    [OCEAN_COARSER] = "ocean.coarser",
    [OCEAN_FINER] = "ocean.finer",
    [OCEAN_FINER + 1] = NULL,
};

static const struct param_spec params[] = {
    [PARAM_SIDE] = {"size", PARAM_COUNT, "258", .min = 6, .max = 4098,
                    .summary = "points per side of the grid, including its two edges; 2 more than a multiple of 4"},
    [PARAM_STEPS] = {"steps", PARAM_COUNT, "6", .min = 1, .max = 1000, .summary = "time steps"},
    DSM_PARAMS,
};

struct config {
    struct ocean_grids grids;
    struct ocean_schedule schedule;
    int64_t sums_at;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t inside = values[PARAM_SIDE] - 2;
    if (inside % 4 != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "size: %lld is not 2 more than a multiple of 4",
                             (long long)values[PARAM_SIDE]);
    struct config *config = xcalloc(1, sizeof *config);
    ocean_grids_init(&config->grids, inside, placement->n_ranks);
    ocean_schedule_init(&config->schedule, &config->grids, values[PARAM_STEPS]);
    config->sums_at = (config->grids.bytes + SUMS_ALIGNMENT - 1) / SUMS_ALIGNMENT * SUMS_ALIGNMENT;
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, config->sums_at + N_OCEAN_SUMS * SUM_BYTES, N_OCEAN_SUMS, 0);
    return 0;
}

static void dispose(void *data)
{
    struct config *config = data;
    ocean_grids_dispose(&config->grids);
    ocean_schedule_dispose(&config->schedule);
    free(config);
}

/* ---- actions ---- */

/* The context of an action: what it is done to, and the list for its ops. */
struct scene {
    const struct config *config;
    const struct ocean_grids *grids;
    const struct ocean_action *action;
    struct op_list *list;
    int rank;
    int64_t part; /* of the action's steps */
};

static void do_barrier(const struct scene *scene)
{
    op_list_add(scene->list, OP_BARRIER, scene->action->scope);
}

static void do_touch(const struct scene *scene)
{
    for (int64_t grid = scene->part * OP_LIST_MAX; grid < (scene->part + 1) * OP_LIST_MAX && grid < N_OCEAN_GRIDS;
         grid++)
        shared_write(scene->list, scene->action->scope, ocean_whole(scene->grids, (int)grid, scene->rank));
}

static void work(const struct scene *scene, int kernel, int grid, int64_t times)
{
    int64_t points = ocean_points(ocean_block(scene->grids, grid, scene->rank));
    op_list_work(scene->list, scene->action->scope, kernel, points * times);
}

static void do_stencil(const struct scene *scene)
{
    const struct ocean_stencil *stencil = &ocean_stencils[scene->action->what];
    for (int r = 0; r < stencil->n_reads; r++)
        shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, stencil->reads[r], scene->rank));
    work(scene, stencil->kernel, stencil->reads[0], stencil->times);
    for (int w = 0; w < stencil->n_writes; w++)
        shared_write(scene->list, scene->action->scope, ocean_inside(scene->grids, stencil->writes[w], scene->rank));
}

static void do_copy(const struct scene *scene)
{
    ocean_copy_borders(scene->grids, scene->action->what, scene->rank, (enum ocean_colour)scene->action->colour,
                       scene->action->scope, scene->list);
}

/* A few rows; the block and its right-hand side are read at the beginning. */
static void do_relax(const struct scene *scene)
{
    int grid = scene->action->what, right = grid - GRID_SOLUTION + GRID_RIGHT;
    int64_t rows = ocean_rows(ocean_block(scene->grids, grid, scene->rank)), row = scene->part * OCEAN_ROWS_PER_STEP,
            count = 0;
    if (scene->part == 0) {
        shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, grid, scene->rank));
        shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, right, scene->rank));
    }
    for (int i = 0; i < OCEAN_ROWS_PER_STEP && row < rows; i++, row++) {
        struct pieces points =
            ocean_row(scene->grids, grid, scene->rank, row, (enum ocean_colour)scene->action->colour);
        shared_write(scene->list, scene->action->scope, points);
        count += points.pieces;
    }
    op_list_work(scene->list, scene->action->scope, OCEAN_RELAXATION, count);
}

static struct pieces sum_of(const struct scene *scene)
{
    return (struct pieces){scene->config->sums_at + scene->action->what * SUM_BYTES, SUM_BYTES, 1, 0};
}

static void do_clear(const struct scene *scene)
{
    if (scene->rank == 0)
        shared_write(scene->list, scene->action->scope, sum_of(scene));
}

static void do_add(const struct scene *scene)
{
    shared_lock(scene->list, OP_ACQUIRE, scene->action->scope, scene->action->what);
    shared_read(scene->list, scene->action->scope, sum_of(scene));
    shared_write(scene->list, scene->action->scope, sum_of(scene));
    shared_lock(scene->list, OP_RELEASE, scene->action->scope, scene->action->what);
}

static void do_read(const struct scene *scene)
{
    shared_read(scene->list, scene->action->scope, sum_of(scene));
}

/* Residuals become the right-hand side of the coarser grid, whose solution begins at 0. */
static void do_coarser(const struct scene *scene)
{
    int from = GRID_SOLUTION + scene->action->what, right = GRID_RIGHT + scene->action->what;
    shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, from, scene->rank));
    shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, right, scene->rank));
    ocean_read_beyond(scene->grids, from, scene->rank, scene->action->scope, scene->list);
    work(scene, OCEAN_COARSER, from + 1, 1);
    shared_write(scene->list, scene->action->scope, ocean_inside(scene->grids, right + 1, scene->rank));
    shared_write(scene->list, scene->action->scope, ocean_inside(scene->grids, from + 1, scene->rank));
}

/* The solution is added to that of the finer grid. */
static void do_finer(const struct scene *scene)
{
    int from = GRID_SOLUTION + scene->action->what;
    shared_read(scene->list, scene->action->scope, ocean_whole(scene->grids, from, scene->rank));
    work(scene, OCEAN_FINER, from - 1, 1);
    shared_write(scene->list, scene->action->scope, ocean_inside(scene->grids, from - 1, scene->rank));
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    static void (*const emitters[N_OCEAN_ACTIONS])(const struct scene *) = {
        [DO_BARRIER] = do_barrier, [DO_TOUCH] = do_touch, [DO_STENCIL] = do_stencil, [DO_COPY] = do_copy,
        [DO_RELAX] = do_relax,     [DO_CLEAR] = do_clear, [DO_ADD] = do_add,         [DO_READ] = do_read,
        [DO_COARSER] = do_coarser, [DO_FINER] = do_finer};
    const struct config *config = data;
    (void)seen;
    if (step >= config->schedule.n_steps)
        return false;
    const struct ocean_action *action = ocean_action_at(&config->schedule, step);
    emitters[action->kind](&(struct scene){config, &config->grids, action, list, rank, step - action->first});
    return true;
}

const struct app_spec app_ocean = {
    .name = "ocean",
    .summary = "ocean currents: stencils and red-black multigrid on grids divided into blocks",
    .source = "SPLASH-2, ocean; Woo et al. 1995",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"size", "steps", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
    .dispose = dispose,
};
