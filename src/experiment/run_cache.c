/* Looks runs up in the store before a sweep, and adds those that are simulated as they arrive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/run_cache.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "core/what_if/what_if.h"
#include "experiment/file_hash.h"
#include "experiment/identity.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

struct run_cache {
    struct store *store;
    char *file;
    int64_t *origins; /* by platform */
};

/* Describe the input that decides the result besides scenario, platform and parameters. */
static char *describe_input(const struct scenario *scenario, int64_t sequential_ps, uint32_t causes)
{
    char *trace = scenario->input_file != NULL ? contents_describe_trace(scenario->input_file) : xstrdup("");
    struct builder text = {0};
    builder_add(&text, "%s", trace);
    if (scenario->own_text != NULL)
        builder_add(&text, " broadcast SHA-256 %s", sha256_of(scenario->own_text, scenario->own_size).digits);
    free(trace);
    if (sequential_ps >= 0)
        builder_add(&text, " T_seq %lld ps", (long long)sequential_ps);
    if (causes != 0)
        builder_add(&text, " what-if");
    for (int i = 0; i < N_CAUSES; i++)
        if ((causes & UINT32_C(1) << i) != 0)
            builder_add(&text, " %s", without_names[i]);
    return builder_take(&text);
}

/* The origin of the runs on one platform; the rest of *origin is there. */
static int find_origin(struct run_cache *cache, struct store_origin *origin, const struct scenario *scenario,
                       int platform, struct sim_error *error)
{
    char *text;
    origin->platform = scenario->platforms[platform].name;
    if (contents_read_platform(&text, &origin->platform_size, scenario->platforms[platform].file, error) != 0)
        return -1;
    if (scenario->allocation_text != NULL) { /* results depend on it just as on the platform */
        size_t more = strlen(scenario->allocation_text);
        text = xrealloc(text, origin->platform_size + more + 1);
        memcpy(text + origin->platform_size, scenario->allocation_text, more);
        origin->platform_size += more;
    }
    origin->platform_text = text;
    int status = store_find_origin(&cache->origins[platform], cache->store, origin, error);
    free(text);
    return status;
}

static int find_origins(struct run_cache *cache, const struct scenario *scenario, int64_t sequential_ps,
                        uint32_t causes, struct sim_error *error)
{
    struct store_origin origin = {.kind = "simulated",
                                  .scenario = scenario->name,
                                  .scenario_text = scenario->text,
                                  .scenario_size = scenario->size,
                                  .program = identity_program};
    char *input = describe_input(scenario, sequential_ps, causes);
    origin.input = input;
    int status = 0;
    cache->origins = xcalloc((size_t)scenario->n_platforms, sizeof *cache->origins);
    for (int i = 0; status == 0 && i < scenario->n_platforms; i++)
        status = find_origin(cache, &origin, scenario, i, error);
    free(input);
    return status;
}

int run_cache_open(struct run_cache **cache, const char *store_file, const struct scenario *scenario,
                   int64_t sequential_ps, uint32_t causes, struct sim_error *error)
{
    struct run_cache *opened = xcalloc(1, sizeof *opened);
    opened->file = xstrdup(store_file);
    if (store_open(&opened->store, store_file, STORE_WRITE, error) != 0 ||
        find_origins(opened, scenario, sequential_ps, causes, error) != 0) {
        run_cache_close(opened);
        return -1;
    }
    *cache = opened;
    return 0;
}

void run_cache_close(struct run_cache *cache)
{
    if (cache == NULL)
        return;
    store_close(cache->store);
    free(cache->origins);
    free(cache->file);
    free(cache);
}

int run_cache_find_other(char **program, struct run_cache *cache, int n_platforms, struct sim_error *error)
{
    const char *found = NULL;
    for (int i = 0; found == NULL && i < n_platforms; i++)
        if (store_find_other_program(&found, cache->store, cache->origins[i], error) != 0)
            return -1;
    *program = found != NULL ? store_format_program(found) : NULL;
    return 0;
}

const char *run_cache_file(const struct run_cache *cache)
{
    return cache->file;
}

int run_cache_find(bool *found, struct run_cache *cache, int platform, struct study_run *run, struct sim_error *error)
{
    return store_find_run(found, cache->store, cache->origins[platform], run, error);
}

int run_cache_add(struct run_cache *cache, int platform, int number, const struct study_run *run,
                  struct sim_error *error)
{
    return store_add(NULL, cache->store, cache->origins[platform], number, identity_compiler, run, error);
}

int run_cache_add_trace(const char *store_file, const char *trace_file, const char *name, const char *baseline,
                        int64_t sequential_ps, const struct study_run *run, struct sim_error *error)
{
    struct store *store;
    int64_t id;
    if (store_open(&store, store_file, STORE_WRITE, error) != 0)
        return -1;
    char *trace = contents_describe_trace(trace_file),
         *base = baseline != NULL ? contents_describe_trace(baseline) : xstrdup(""),
         *input = xformat("%s; baseline %s, T_seq %lld ps", trace, base, (long long)sequential_ps);
    const struct store_origin origin = {.kind = "traced",
                                        .scenario = name,
                                        .scenario_text = "",
                                        .platform_text = "",
                                        .platform = run->platform,
                                        .input = input,
                                        .program = identity_program};
    int status = store_find_origin(&id, store, &origin, error);
    if (status == 0)
        status = store_add(NULL, store, id, 0, identity_compiler, run, error);
    free(trace);
    free(base);
    free(input);
    store_close(store);
    return status;
}
