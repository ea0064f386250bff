/* The programs on which TreadMarks was measured, with the sizes of the literature: one of several applications, chosen
 * by a parameter, each with its own parameters at their defaults. */
#include "sim/kernel/app.h"

#include <assert.h>
#include <stddef.h>

enum { PARAM_PROGRAM, PARAM_DSM };
enum { MAX_VALUES = 16 };

static const char *const program_names[] = {"jacobi", "tsp", "quicksort", "water", "sor", "radix", NULL};
static const char *const scopes[] = {"", NULL};

static const struct param_spec params[] = {
    [PARAM_PROGRAM] = {"program", PARAM_CHOICE, "jacobi", .choices = program_names, .summary = "the application"},
    DSM_PARAMS,
};

extern const struct app_spec app_jacobi, app_tsp, app_quicksort, app_water, app_sor, app_radix;
static const struct app_spec *const programs[] = {&app_jacobi, &app_tsp, &app_quicksort,
                                                  &app_water,  &app_sor, &app_radix};

/* The application's own parameters at their defaults, then the variant's, which are the last of each table. */
static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t chosen[MAX_VALUES];
    const struct app_spec *app = programs[values[PARAM_PROGRAM]];
    int n_own = app->n_params - N_DSM_PARAMS;
    char why[160];
    assert(app->n_params <= MAX_VALUES);
    for (int i = 0; i < n_own; i++)
        if (param_parse(&chosen[i], &app->params[i], app->params[i].fallback, why, sizeof why) != 0)
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s: %s", app->params[i].name, why);
    for (int i = 0; i < N_DSM_PARAMS; i++)
        chosen[n_own + i] = values[PARAM_DSM + i];
    program->app = app;
    return app->setup(program, chosen, placement, error);
}

const struct app_spec app_treadmarks = {
    .name = "treadmarks",
    .summary = "the programs on which TreadMarks was measured, with the sizes of the literature",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994, section 5",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"program", NULL},
    .scopes = scopes,
    .setup = setup,
};
