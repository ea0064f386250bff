/* simrun store ls: questions to a store, which simulate nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/store_questions.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/scenario/scenario.h"
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/inputs.h"
#include "store/store.h"
#include "study/sections/listing.h"

#include <stdlib.h>
#include <string.h>

/* The subject of a name of the store. */
static enum subject subject_of(const char *name)
{
    for (int a = -1; a < 0 || app_specs[a] != NULL; a++) {
        const struct param_spec *specs = a < 0 ? common_params : app_specs[a]->params;
        int found = param_find(specs, a < 0 ? (int)N_COMMON_PARAMS : app_specs[a]->n_params, name);
        if (found >= 0)
            return specs[found].concerns;
    }
    return SUBJECT_NONE;
}

/* How many of the run's parameters these are. */
static int count_known(const struct study_run *run, const struct param_spec *specs, int n_specs)
{
    int count = 0;
    for (int i = 0; i < run->n_parameters; i++)
        count += param_find(specs, n_specs, run->parameters[i].name) >= 0;
    return count;
}

/* The application, which the store does not name: its parameters are those of the run that are not common. NULL: there
 * is none like that any more. */
static const struct app_spec *find_app(const struct study_run *run)
{
    int n_common = count_known(run, common_params, N_COMMON_PARAMS);
    for (int a = 0; app_specs[a] != NULL; a++) {
        int count = count_known(run, app_specs[a]->params, app_specs[a]->n_params);
        int more = run->n_parameters - n_common - count; /* the platform, where there are several */
        if (count == app_specs[a]->n_params && more >= 0 && more <= 1)
            return app_specs[a];
    }
    return NULL;
}

static bool is_default(const char *text, const struct param_spec *specs, int n_specs, const char *name)
{
    int i = param_find(specs, n_specs, name);
    return i >= 0 && specs[i].fallback != NULL && strcmp(text, specs[i].fallback) == 0;
}

/* Find the parameters that the list need not mention, as plan_open() does for runs that are not stored. */
static void find_unused(struct study_run *run)
{
    const struct app_spec *app = find_app(run);
    for (int i = 0; i < run->n_parameters; i++) {
        struct study_parameter *parameter = &run->parameters[i];
        parameter->subject = (unsigned)subject_of(parameter->name) & 127;
        parameter->is_unused =
            is_default(parameter->text, common_params, N_COMMON_PARAMS, parameter->name) ||
            (app != NULL && is_default(parameter->text, app->params, app->n_params, parameter->name));
    }
}

int store_question_load_runs(struct store_question *self, const int64_t *ids, int n_ids, struct sim_error *error)
{
    self->runs = xcalloc((size_t)n_ids + 1, sizeof *self->runs);
    self->listed = xcalloc((size_t)n_ids + 1, sizeof *self->listed);
    for (; self->count < n_ids; self->count++) {
        struct store_run *run = &self->runs[self->count];
        if (store_load(run, self->store, ids[self->count], error) != 0)
            return -1;
        find_unused(&run->run);
        self->listed[self->count] = (struct listing_run){
            run->id, run->scenario, run->program, run->compiler, run->scenario_hash, run->platform_hash, &run->run};
    }
    return 0;
}

int store_question_open(struct store_question *question, const struct options *options, bool is_again,
                        struct sim_error *error)
{
    *question = (struct store_question){.options = options};
    return !is_again && inputs_reserve_store("FILE", options->files[0], error) != 0
               ? -1
               : store_open(&question->store, options->files[0], STORE_READ, error);
}

int store_question_load(struct store_question *self, struct sim_error *error)
{
    int64_t *ids = NULL;
    int n_ids = 0;
    int status =
        conditions_select(&ids, &n_ids, self->store, self->options->files + 1, self->options->n_files - 1, error);
    if (status == 0)
        status = store_question_load_runs(self, ids, n_ids, error);
    free(ids);
    return status;
}

/* The phases of all programs, for the document. */
static const struct phase_spec *find_phases(struct document *document)
{
    struct phase_spec *phases = NULL;
    size_t count = 0, capacity = 0;
    for (int a = 0; app_specs[a] != NULL; a++)
        for (const struct phase_spec *p = app_specs[a]->phases; p != NULL && p->name != NULL; p++) {
            phases = xgrow(phases, count, &capacity, sizeof *phases);
            phases[count++] = *p;
        }
    phases = xgrow(phases, count, &capacity, sizeof *phases);
    phases[count] = (struct phase_spec){0};
    document_keep(document, phases);
    return phases;
}

/* --- the answers --- */

int store_list_runs(struct document *document, void *question, struct sim_error *error)
{
    struct store_question *self = question;
    if (store_question_load(self, error) != 0)
        return -1;
    listing_document(document, SIMRUN_VERSION, self->options->files[0], find_phases(document), self->listed,
                     self->count);
    return 0;
}

void store_question_dispose(struct store_question *self)
{
    for (int i = 0; i < self->count; i++) {
        free(self->runs[i].run.parameters);
        result_dispose(&self->runs[i].run.result);
    }
    free(self->runs);
    free(self->listed);
    store_close(self->store);
}

static int answer(answer_make *make, const struct options *options, struct sim_error *error)
{
    struct store_question question;
    if (store_question_open(&question, options, false, error) != 0)
        return -1;
    int status = answer_output(options, make, &question, error);
    store_question_dispose(&question);
    return status;
}

/* --- the command --- */

static int run_ls(const struct options *options, struct sim_error *error)
{
    return answer(store_list_runs, options, error);
}

const struct command command_store_ls = {
    .name = "store ls",
    .arguments = "FILE [CONDITION]...",
    .summary = "list or export stored runs",
    .about = "FILE is a store (simrun --store). A CONDITION is a name, one of = != < <= > >=,\n"
             "and a value: ranks=64, broadcast!=flat, 'time_s<10ms'. ls numbers the RUNs.\n",
    .example = "store ls study.db ranks=64 'time_s<10ms'",
    .options = OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 1,
    .needs = LIBRARY_SQLITE,
    .run = run_ls,
};
