/* The programs on which TreadMarks and NCP2 were studied, with the sizes of the literature: one of several
 * applications, chosen by a parameter, each with its own parameters at their defaults but for those named here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include <assert.h>
#include <stddef.h>

enum { PARAM_PROGRAM, PARAM_DSM };
enum { MAX_VALUES = 16, MAX_SET = 2 };

extern const struct app_spec app_jacobi, app_tsp, app_quicksort, app_water, app_sor, app_radix, app_em3d, app_ocean;

/* Sizes of 1994 (Keleher, Cox, Dwarkadas, Zwaenepoel), then, where they differ, of 1996 (Bianchini and others). */
static const struct {
    const struct app_spec *app;
    const char *set[MAX_SET][2]; /* name, value */
} programs[] = {
    {&app_jacobi, {{NULL}}},        {&app_tsp, {{NULL}}},
    {&app_quicksort, {{NULL}}},     {&app_water, {{NULL}}},
    {&app_sor, {{NULL}}},           {&app_radix, {{NULL}}},
    {&app_em3d, {{NULL}}},          {&app_ocean, {{NULL}}},
    {&app_tsp, {{"cities", "18"}}}, {&app_water, {{"molecules", "512"}, {"steps", "2"}}},
};
static const char *const program_names[] = {"jacobi", "tsp",   "quicksort", "water",     "sor", "radix",
                                            "em3d",   "ocean", "tsp-18",    "water-512", NULL};
static const char *const scopes[] = {"", NULL};

static const struct param_spec params[] = {
    [PARAM_PROGRAM] = {"program", PARAM_CHOICE, "jacobi", .choices = program_names, .summary = "the application"},
    DSM_PARAMS,
};

/* The value of the i-th parameter of a program, as text. */
static const char *text_of(int program, int i)
{
    const struct app_spec *app = programs[program].app;
    for (int s = 0; s < MAX_SET && programs[program].set[s][0] != NULL; s++)
        if (param_find(app->params, app->n_params, programs[program].set[s][0]) == i)
            return programs[program].set[s][1];
    return app->params[i].fallback;
}

/* The application's own parameters, then the variant's, which are the last of each table. */
static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t chosen[MAX_VALUES];
    int which = (int)values[PARAM_PROGRAM];
    const struct app_spec *app = programs[which].app;
    int n_own = app->n_params - N_DSM_PARAMS;
    char why[160];
    assert(app->n_params <= MAX_VALUES);
    for (int i = 0; i < n_own; i++)
        if (param_parse(&chosen[i], &app->params[i], text_of(which, i), why, sizeof why) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s: %s", app->params[i].name, why);
    for (int i = 0; i < N_DSM_PARAMS; i++)
        chosen[n_own + i] = values[PARAM_DSM + i];
    program->app = app;
    return app->setup(program, chosen, placement, error);
}

const struct app_spec app_treadmarks = {
    .name = "treadmarks",
    .summary = "the programs used to study TreadMarks and NCP2, with the published sizes",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994, section 5; Bianchini et al. 1996",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"program", NULL},
    .scopes = scopes,
    .setup = setup,
};
