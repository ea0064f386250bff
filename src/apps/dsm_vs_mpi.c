/* The same problem by messages and in shared memory: one of four applications, chosen by two parameters. The rest of
 * the parameters are those of the four together.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "sim/kernel/app.h"

#include <assert.h>
#include <stddef.h>

enum { PROBLEM_MATMUL, PROBLEM_GAUSS_JORDAN, N_PROBLEMS };
enum { MEMORY_MESSAGES, MEMORY_SHARED, N_MEMORIES };
enum { PARAM_PROBLEM, PARAM_MEMORY, PARAM_N, PARAM_ROWS, PARAM_ALIGN, PARAM_BROADCAST };
enum { PARAM_DSM = PARAM_BROADCAST + N_BROADCAST_PARAMS, MAX_VALUES = 3 + N_BROADCAST_PARAMS + N_DSM_PARAMS };

static const char *const problem_names[] = {"matmul", "gauss-jordan", NULL};
static const char *const memory_names[] = {"messages", "shared", NULL};
static const char *const rows_names[] = {"block", "cyclic", NULL};
static const char *const scopes[] = {"", NULL};

static const struct param_spec params[] = {
    [PARAM_PROBLEM] = {"problem", PARAM_CHOICE, "matmul", .choices = problem_names, .summary = "the problem to solve"},
    [PARAM_MEMORY] = {"memory", PARAM_CHOICE, "shared", .choices = memory_names,
                      .summary = "whether ranks exchange messages or share memory"},
    [PARAM_N] = {"n", PARAM_COUNT, .min = 1, .max = 16384, .summary = "rows of the matrices, or equations"},
    [PARAM_ROWS] = {"rows", PARAM_CHOICE, "cyclic", .choices = rows_names,
                    .summary = "gauss-jordan only: how the rows are distributed among the ranks"},
    [PARAM_ALIGN] = {"align", PARAM_SIZE, "4KiB", .min = 8, .max = 1 << 20,
                     .summary = "shared gauss-jordan only: rows start at multiples of this"},
    BROADCAST_PARAMS("binomial", "synchronous for flat, standard otherwise"),
    DSM_PARAMS,
};

extern const struct app_spec app_matmul, app_matmul_shared, app_gauss_jordan, app_gauss_shared;

/* The applications and, in their parameters' order, what their values are here. */
static const struct {
    const struct app_spec *app;
    int n_values;
    int values[MAX_VALUES];
} delegates[N_PROBLEMS][N_MEMORIES] = {
    [PROBLEM_MATMUL] = {[MEMORY_MESSAGES] = {&app_matmul, 1, {PARAM_N}},
                        [MEMORY_SHARED] = {&app_matmul_shared,
                                           5,
                                           {PARAM_N, PARAM_DSM, PARAM_DSM + 1, PARAM_DSM + 2, PARAM_DSM + 3}}},
    [PROBLEM_GAUSS_JORDAN] = {[MEMORY_MESSAGES] = {&app_gauss_jordan,
                                                   7,
                                                   {PARAM_N, PARAM_ROWS, PARAM_BROADCAST, PARAM_BROADCAST + 1,
                                                    PARAM_BROADCAST + 2, PARAM_BROADCAST + 3, PARAM_BROADCAST + 4}},
                              [MEMORY_SHARED] = {&app_gauss_shared,
                                                 7,
                                                 {PARAM_N, PARAM_ROWS, PARAM_ALIGN, PARAM_DSM, PARAM_DSM + 1,
                                                  PARAM_DSM + 2, PARAM_DSM + 3}}},
};

/* The program is the other application's from here on, with its scopes and kernels. */
static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t chosen[MAX_VALUES];
    int problem = (int)values[PARAM_PROBLEM], memory = (int)values[PARAM_MEMORY];
    for (int i = 0; i < delegates[problem][memory].n_values; i++)
        chosen[i] = values[delegates[problem][memory].values[i]];
    program->app = delegates[problem][memory].app;
    assert(delegates[problem][memory].n_values == program->app->n_params);
    return program->app->setup(program, chosen, placement, error);
}

const struct app_spec app_dsm_vs_mpi = {
    .name = "dsm-vs-mpi",
    .summary = "matmul or gauss-jordan, with messages or in shared memory",
    .source = "see these four applications",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"problem", "n", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"broadcast", SUBJECT_BROADCAST, NULL}, {0}},
    .setup = setup,
};
