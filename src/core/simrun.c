/* Simulations by name: applications, parameters and causes as texts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun_internal.h"

#include "apps/list.h"
#include "base/known.h"
#include "base/memory.h"
#include "core/forecast.h"
#include "core/memory.h"
#include "core/settings.h"
#include "core/simulation.h"
#include "core/what_if/what_if.h"
#include "metrics/detail.h"
#include "sim/kernel/autotune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct simrun {
    struct machine wired; /* the machine as the parameter topology wires it; name NULL: it is as it was given */
    const struct app_spec *app;
    int64_t *values;
    struct autotune autotune;
    struct simulation simulation;
};

/* ---- Applications and their parameters ---- */

const char *simrun_application(int i, const char **summary)
{
    const struct app_spec *app = app_skeletons[i];
    if (app != NULL && summary != NULL)
        *summary = app->summary;
    return app != NULL ? app->name : NULL;
}

static const char *application_at(const void *table, int i)
{
    (void)table;
    return simrun_application(i, NULL);
}

/* The i-th parameter, NULL behind the last. */
static const struct param_spec *parameter_at(const struct app_spec *app, int i)
{
    if (i < N_COMMON_PARAMS)
        return &common_params[i];
    return i < N_COMMON_PARAMS + app->n_params ? &app->params[i - N_COMMON_PARAMS] : NULL;
}

static const char *parameter_name_at(const void *app, int i)
{
    const struct param_spec *spec = parameter_at(app, i);
    return spec != NULL ? spec->name : NULL;
}

bool simrun_parameter(struct simrun_parameter *parameter, const char *application, int i)
{
    const struct app_spec *app = app_find(app_skeletons, application);
    const struct param_spec *spec = app != NULL ? parameter_at(app, i) : NULL;
    if (spec == NULL)
        return false;
    *parameter = (struct simrun_parameter){.name = spec->name, .summary = spec->summary, .fallback = spec->fallback};
    param_format_range(parameter->allowed, sizeof parameter->allowed, spec);
    return true;
}

const char *simrun_kernel(const char *application, int i)
{
    const struct app_spec *app = app_find(app_skeletons, application);
    return app != NULL && i < names_count(app->kernels) ? app->kernels[i] : NULL;
}

/* ---- Settings ---- */

static int set(int64_t *values, bool *given, const struct app_spec *app, const char *setting, struct sim_error *error)
{
    char name[64], text[512];
    size_t length = strcspn(setting, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, setting);
    if (setting[length] != '=')
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%.80s' is not NAME=VALUE", setting);
    for (int i = 0; parameter_at(app, i) != NULL; i++)
        if (strcmp(parameter_at(app, i)->name, name) == 0) {
            given[i] = true;
            if (param_parse(&values[i], parameter_at(app, i), setting + length + 1, text, sizeof text) == 0)
                return 0;
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter '%s': %s", name, text);
        }
    known_format(text, sizeof text, name, parameter_name_at, app);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "unknown parameter '%s'%s", name, text);
}

/* The values of all parameters, on the heap; NULL with the error. */
static int64_t *read_settings(const struct app_spec *app, const char *const *settings, struct sim_error *error)
{
    size_t n = (size_t)(N_COMMON_PARAMS + app->n_params);
    int64_t *values = xcalloc(n, sizeof *values);
    bool *given = xcalloc(n, sizeof *given);
    int status = 0;
    for (int i = 0; status == 0 && settings != NULL && settings[i] != NULL; i++)
        status = set(values, given, app, settings[i], error);
    for (int i = 0; status == 0 && i < (int)n; i++) {
        const struct param_spec *spec = parameter_at(app, i);
        char why[256];
        if (given[i])
            continue;
        if (spec->fallback == NULL)
            status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter '%s' must be set", spec->name);
        else
            param_parse(&values[i], spec, spec->fallback, why, sizeof why);
    }
    free(given);
    if (status == 0)
        return values;
    free(values);
    return NULL;
}

/* ---- Simulations ---- */

/* Check that the machine knows what all routines of the program cost. */
static int check_kernels(const struct simulation *simulation, struct sim_error *error)
{
    const char *const *names = simulation->program.app->kernels;
    int n = names_count(names);
    struct kernel_cost *costs = xcalloc((size_t)n, sizeof *costs);
    int status = machine_bind_kernels(simulation->machine, names, n, 1, costs, error);
    free(costs);
    return status;
}

static int open_values(struct simrun *opened, struct machine *machine, struct sim_error *error)
{
    const struct network_spec *network = NULL;
    struct topology topology;
    if (simulation_network(&network, machine, opened->values[COMMON_NETWORK], error) != 0 ||
        settings_topology(&topology, opened->values, error) != 0)
        return -1;
    if (topology.spec != NULL)
        machine_derive(&opened->wired, machine, &topology);
    if (simulation_init(&opened->simulation, topology.spec != NULL ? &opened->wired : machine, network, opened->app,
                        NULL, opened->values, false, error) != 0)
        return -1;
    if (check_kernels(&opened->simulation, error) == 0)
        return 0;
    simulation_dispose(&opened->simulation);
    return -1;
}

static void free_simrun(struct simrun *simulation)
{
    if (simulation->wired.name != NULL)
        machine_dispose(&simulation->wired);
    free(simulation->values);
    free(simulation);
}

int simrun_open(struct simrun **simulation, struct machine *machine, const char *application,
                const char *const *settings, struct sim_error *error)
{
    char known[512];
    const struct app_spec *app = app_find(app_skeletons, application);
    if (app == NULL) {
        known_format(known, sizeof known, application, application_at, NULL);
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "unknown application '%.80s'%s", application, known);
    }
    struct simrun *opened = xcalloc(1, sizeof *opened);
    opened->app = app;
    opened->values = read_settings(app, settings, error);
    if (opened->values == NULL || open_values(opened, machine, error) != 0) {
        free_simrun(opened);
        return -1;
    }
    *simulation = opened;
    return 0;
}

void simrun_close(struct simrun *simulation)
{
    if (simulation == NULL)
        return;
    simulation_dispose(&simulation->simulation);
    autotune_dispose(&simulation->autotune);
    free_simrun(simulation);
}

const struct simulation *opened_simulation(const struct simrun *opened)
{
    return &opened->simulation;
}

int opened_on_one_rank(struct simulation *simulation, const struct simrun *opened, struct sim_error *error)
{
    const struct simulation *original = &opened->simulation;
    return simulation_init(simulation, original->machine, original->network, opened->app, NULL, opened->values, true,
                           error);
}

struct interval_setup simrun_events(const struct simrun *simulation)
{
    return simulation_events(&simulation->simulation);
}

int simrun_ask(struct simrun *simulation, const char *details, struct sim_error *error)
{
    char why[240];
    if (detail_parse(&simulation->simulation.details, details, why, sizeof why) == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s", why);
}

static int measure(struct result *result, struct simrun *self, const struct interval_sink *observer,
                   struct sim_error *error)
{
    struct simulation *simulation = &self->simulation;
    struct kernel_stats stats;
    struct memory_use use;
    int64_t sequential_ps = -1;
    simulation->program.collectives.autotune = &self->autotune;
    machine_forget_routes(simulation->machine);
    if ((!self->app->parallel_only &&
         simulation_sequential_time(&sequential_ps, simulation->machine, simulation->network, self->app, self->values,
                                    error) != 0) ||
        simulation_measure(result, &stats, simulation, sequential_ps, observer, error) != 0 ||
        forecast_add(result, simulation, error) != 0)
        return -1;
    if (memory_find_most(&use, &simulation->program, &simulation->placement) == 0)
        result_add_count(result, "", "memory_bytes", use.bytes);
    return 0;
}

int simrun_run(struct result *result, struct simrun *simulation, const struct interval_sink *observer,
               struct sim_error *error)
{
    struct result measured;
    result_init(&measured);
    autotune_dispose(&simulation->autotune);
    simulation->autotune = (struct autotune){.count = 0};
    if (measure(&measured, simulation, observer, error) != 0) {
        result_dispose(&measured);
        return -1;
    }
    simulation_add_fastest(&measured, &simulation->autotune);
    result_dispose(result);
    *result = measured;
    return 0;
}

int simrun_what_if(struct result *result, struct simrun *simulation, const char *causes, struct sim_error *error)
{
    const struct kernel_run run = simulation_kernel_run(&simulation->simulation);
    uint32_t wanted;
    char why[512];
    if (what_if_parse(&wanted, causes, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s", why);
    return what_if_measure(result, &run, wanted, error);
}
