/* Opens the study of a scenario: names the parameters of each run, and finds its references.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/plan.h"

#include "base/memory.h"
#include "interval/intern.h"
#include "sim/machine/nodes.h"
#include "study/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if some collective of the run looks at an option. */
static bool is_option_used(const struct study_run *run, unsigned option)
{
    for (int i = 0; i < run->n_parameters; i++) {
        enum subject subject = run->parameters[i].subject;
        if (subject < SUBJECT_BROADCAST || subject > SUBJECT_BARRIER)
            continue;
        const struct coll_spec *algorithm =
            coll_find((enum coll_family)(subject - SUBJECT_BROADCAST), run->parameters[i].text);
        if (algorithm != NULL && coll_uses(algorithm, (enum coll_use)option))
            return true;
    }
    return false;
}

/* True if a parameter needs no mention: it is at its default, or the run does not use it. */
static bool is_unused(const struct study_run *run, const struct param_spec *spec, const char *text, bool mesh)
{
    bool of_mesh = spec == &common_params[COMMON_MESH] || spec == &common_params[COMMON_LAYOUT] ||
                   spec == &common_params[COMMON_ROOT];
    return (spec->fallback != NULL && strcmp(text, spec->fallback) == 0) || (of_mesh && !mesh) ||
           (spec->option != 0 && !is_option_used(run, spec->option));
}

/* Where there are several platforms, they are the values of a parameter. */
static void name_platform(struct study_run *run, const struct scenario *scenario, int platform)
{
    struct study_parameter *parameter = &run->parameters[run->n_parameters++];
    *parameter = (struct study_parameter){.name = "platform",
                                          .subject = SUBJECT_PLATFORM,
                                          .is_candidate = scenario->decision != NULL,
                                          .number = platform};
    parameter_set_text(parameter, scenario->platforms[platform].name);
}

static void name_parameters(struct study_run *run, const struct scenario *scenario, bool mesh, const int64_t *values)
{
    char text[PARAMETER_TEXT];
    run->n_parameters = scenario->n_params;
    run->parameters = xcalloc((size_t)scenario->n_params + 1, sizeof *run->parameters);
    for (int i = 0; i < scenario->n_params; i++) {
        const struct param_spec *spec = scenario->params[i].spec;
        struct study_parameter *parameter = &run->parameters[i];
        parameter->name = spec->name;
        parameter->subject = (unsigned)spec->concerns & 127;
        parameter->number = values[i];
        parameter->is_number = param_is_number(spec);
        parameter->is_real = spec->type == PARAM_REAL;
        parameter->is_candidate = scenario->decision != NULL && scenario_is_candidate(spec);
        parameter->width = param_has_sides(spec) ? (unsigned)PARAM_MESH_WIDTH(values[i]) & 0x1ffffff : 0;
        parameter->height = param_has_sides(spec) ? (unsigned)PARAM_MESH_HEIGHT(values[i]) & 0x1ffffff : 0;
        param_format(text, sizeof text, spec, values[i]);
        parameter_set_text(parameter, text);
        parameter->is_problem = i >= N_COMMON_PARAMS && app_is_problem(scenario->app, spec->name);
    }
    for (int i = 0; i < scenario->n_params; i++)
        run->parameters[i].is_unused = is_unused(run, scenario->params[i].spec, run->parameters[i].text, mesh);
}

static const char *topology_intern_name(const struct topology *topology)
{
    char name[200];
    topology_format(name, sizeof name, topology);
    return intern_text(name);
}

static const struct study_topology *note_topology(const struct topology *topology, const struct machine *platform)
{
    struct study_topology known;
    struct topology_facts facts;
    topology_facts(&facts, topology);
    memset(&known, 0, sizeof known);
    known.hosts = facts.hosts;
    known.diameter = facts.diameter;
    known.bisection = facts.bisection;
    known.wires = facts.wires;
    known.degree = facts.degree;
    known.host_degree = facts.host_degree;
    known.links_per_host = platform != NULL ? platform->links_per_host : 0;
    snprintf(known.name, sizeof known.name, "%.119s", topology_intern_name(topology));
    return intern_bytes(&known, sizeof known);
}

/* Nothing where the run has no topology, or one that does not fit. The topology of an unchanged platform may be
 * known. */
static void note_wiring(struct study_run *run, const struct machine *platform, const int64_t *values)
{
    struct topology topology;
    struct sim_error ignored;
    if (settings_topology(&topology, values, &ignored) != 0)
        return;
    if (topology.spec != NULL)
        run->wiring = topology_intern_name(&topology);
    if (topology.spec != NULL || (platform != NULL && machine_topology(&topology, platform)))
        run->topology = note_topology(&topology, platform);
}

static bool has_mesh(const struct run_context *context, const int64_t *values)
{
    struct machine *machine;
    struct sim_error ignored;
    return context->machine != NULL && run_find_machine(&machine, context, values, &ignored) == 0 &&
           machine->net->mesh_width > 0;
}

int plan_count_of_platform(const struct run_context *context)
{
    return (int)scenario_run_count(context->scenario);
}

int plan_count(const struct run_context *context)
{
    return plan_count_of_platform(context) * context->scenario->n_platforms;
}

int plan_count_before(const struct run_context *context, int place)
{
    const struct shard *shard = &context->shard;
    if (shard->count == 0)
        return place;
    return place > shard->index ? (place - shard->index - 1) / shard->count + 1 : 0;
}

int plan_place(const struct run_context *context, int index)
{
    const struct shard *shard = &context->shard;
    return shard->count == 0 ? index : shard->index + index * shard->count;
}

void plan_open(struct study *study, const struct run_context *context)
{
    const struct scenario *scenario = context->scenario;
    study->version = SIMRUN_VERSION;
    study->scenario = scenario->name;
    study->title = scenario_heading(scenario);
    study->decision = scenario->decision != NULL ? measure_identify("", scenario->decision, M_TIME) : M_NONE;
    study->phases = scenario->app->phases;
    int of_platform = plan_count_of_platform(context);
    study->n_runs = plan_count_before(context, plan_count(context));
    study->runs = xcalloc((size_t)study->n_runs + 1, sizeof *study->runs);
    int64_t *values = xmalloc((size_t)scenario->n_params * sizeof *values);
    for (int i = 0; i < study->n_runs; i++) {
        int place = plan_place(context, i);
        scenario_run_values(scenario, place % of_platform, values);
        name_parameters(&study->runs[i], scenario, has_mesh(context, values), values);
        note_wiring(&study->runs[i], context->machine, values);
        if (scenario->n_platforms > 1)
            name_platform(&study->runs[i], scenario, place / of_platform);
    }
    free(values);
    study->varying = study_find_varying(study);
}

/* --- references --- */

static int parse_parameter(const void *context, int parameter, const char *text, int64_t *value, char *why,
                           size_t why_size)
{
    const struct scenario *scenario = context;
    for (int i = 0; parameter == scenario->n_params && i < scenario->n_platforms; i++)
        if (strcmp(text, scenario->platforms[i].name) == 0) {
            *value = i;
            return 0;
        }
    if (parameter == scenario->n_params) {
        snprintf(why, why_size, "'%.80s' is not a platform of the scenario", text);
        return -1;
    }
    return param_parse(value, scenario->params[parameter].spec, text, why, why_size);
}

int plan_match_references(struct study *study, const struct scenario *scenario, struct sim_error *error)
{
    struct reference *reference = NULL;
    if (scenario->reference_file == NULL || scenario->has_other_platforms) /* measured on another machine */
        return 0;
    const struct reference_parameters parameters = {study->runs[0].parameters, study->runs[0].n_parameters,
                                                    parse_parameter, scenario};
    if (reference_load(&reference, scenario->reference_file, &parameters, error) != 0)
        return -1;
    for (int i = 0; i < study->n_runs; i++)
        if (!run_is_discarded(&study->runs[i]))
            reference_match(reference, &study->runs[i]);
    reference_free(reference);
    return 0;
}
