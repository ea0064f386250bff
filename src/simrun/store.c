/* Answers about what a store holds, as documents: its runs, and how two of them differ. */
#include "simrun/store.h"

#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/scenario/scenario.h"
#include "store/store.h"
#include "study/comparison.h"
#include "study/listing.h"

#include <stdlib.h>

struct selection {
    struct listing_run *stored;
    struct store_run *runs;
    int count;
};

static void dispose(struct selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        free(selection->runs[i].run.parameters);
        result_dispose(&selection->runs[i].run.result);
    }
    free(selection->runs);
    free(selection->stored);
}

/* What a name of the store is about. */
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

static int load(struct selection *selection, struct store *store, const int64_t *ids, int n_ids,
                struct sim_error *error)
{
    selection->runs = xcalloc((size_t)n_ids + 1, sizeof *selection->runs);
    selection->stored = xcalloc((size_t)n_ids + 1, sizeof *selection->stored);
    for (; selection->count < n_ids; selection->count++) {
        struct store_run *run = &selection->runs[selection->count];
        if (store_load(run, store, ids[selection->count], error) != 0)
            return -1;
        for (int i = 0; i < run->run.n_parameters; i++)
            run->run.parameters[i].subject = subject_of(run->run.parameters[i].name);
        selection->stored[selection->count] = (struct listing_run){
            run->id, run->scenario, run->program, run->scenario_hash, run->platform_hash, &run->run};
    }
    return 0;
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

static int list_runs(struct document *document, struct selection *selection, struct store *store,
                     const struct options *options, struct sim_error *error)
{
    int64_t *ids = NULL;
    int n_ids = 0;
    int status = conditions_select(&ids, &n_ids, store, options->files + 1, options->n_files - 1, error);
    if (status == 0)
        status = load(selection, store, ids, n_ids, error);
    if (status == 0)
        listing_document(document, SIMRUN_VERSION, options->files[0], find_phases(document), selection->stored,
                         selection->count);
    free(ids);
    return status;
}

int store_write_runs(FILE *stream, struct store *store, const struct options *options, struct sim_error *error)
{
    struct selection selection = {0};
    struct document document;
    document_init(&document, options->format->audience);
    int status = list_runs(&document, &selection, store, options, error);
    if (status == 0)
        options->format->write(stream, &document);
    document_dispose(&document);
    dispose(&selection);
    return status;
}

static int compare_runs(struct document *document, struct selection *selection, struct store *store,
                        const int64_t ids[2], struct sim_error *error)
{
    struct comparison_side sides[2];
    int status = load(selection, store, ids, 2, error);
    for (int i = 0; status == 0 && i < 2; i++) {
        const struct store_run *stored = &selection->runs[i];
        char *scenario = NULL, *platform = NULL;
        status = store_load_files(&scenario, &platform, store, ids[i], error);
        document_keep(document, scenario);
        document_keep(document, platform);
        sides[i] = (struct comparison_side){stored->id,    stored->scenario, stored->program, stored->kind,
                                            stored->input, scenario,         platform,        &stored->run};
    }
    if (status == 0)
        comparison_document(document, SIMRUN_VERSION, sides);
    return status;
}

int store_write_pair(FILE *stream, struct store *store, const int64_t ids[2], const struct options *options,
                     struct sim_error *error)
{
    struct selection selection = {0};
    struct document document;
    document_init(&document, options->format->audience);
    int status = compare_runs(&document, &selection, store, ids, error);
    if (status == 0)
        options->format->write(stream, &document);
    document_dispose(&document);
    dispose(&selection);
    return status;
}
