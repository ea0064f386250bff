#include "simrun/keep.h"

#include "base/memory.h"
#include "simrun/contents.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

struct keep {
    struct store *store;
    int64_t origin;
};

/* The platform's name as machines have it: the file's without folder and ending; to be freed. */
static char *platform_name(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file, *dot = strrchr(base, '.');
    return xformat("%.*s", dot != NULL ? (int)(dot - base) : (int)strlen(base), base);
}

/* What decides the result besides scenario, platform and parameters. */
static char *describe_input(const struct scenario *scenario, int64_t sequential_ps)
{
    char *trace = scenario->input_file != NULL ? contents_describe_trace(scenario->input_file) : xstrdup("");
    char *text = sequential_ps < 0 ? xstrdup(trace) : xformat("%s T_seq %lld ps", trace, (long long)sequential_ps);
    free(trace);
    return text;
}

static int find_origin(struct keep *keep, const struct scenario *scenario, int64_t sequential_ps,
                       struct sim_error *error)
{
    struct store_origin origin = {.kind = "simulated", .scenario = scenario->name};
    char *scenario_text, *platform_text;
    if (contents_read(&scenario_text, &origin.scenario_size, scenario->file, error) != 0)
        return -1;
    if (contents_read_platform(&platform_text, &origin.platform_size, scenario->platform_file, error) != 0) {
        free(scenario_text);
        return -1;
    }
    char *platform = platform_name(scenario->platform_file), *input = describe_input(scenario, sequential_ps),
         *program = contents_describe_program();
    origin.scenario_text = scenario_text;
    origin.platform_text = platform_text;
    origin.platform = platform;
    origin.input = input;
    origin.program = program;
    int status = store_find_origin(&keep->origin, keep->store, &origin, error);
    free(scenario_text);
    free(platform_text);
    free(platform);
    free(input);
    free(program);
    return status;
}

int keep_open(struct keep **keep, const char *store_file, const struct scenario *scenario, int64_t sequential_ps,
              struct sim_error *error)
{
    struct keep *opened = xcalloc(1, sizeof *opened);
    if (store_open(&opened->store, store_file, STORE_WRITE, error) != 0 ||
        find_origin(opened, scenario, sequential_ps, error) != 0) {
        keep_close(opened);
        return -1;
    }
    *keep = opened;
    return 0;
}

void keep_close(struct keep *keep)
{
    if (keep == NULL)
        return;
    store_close(keep->store);
    free(keep);
}

int keep_find(bool *found, struct keep *keep, struct report_run *run, struct sim_error *error)
{
    return store_find_run(found, keep->store, keep->origin, run, error);
}

int keep_add(struct keep *keep, const struct report_run *run, struct sim_error *error)
{
    return store_add(keep->store, keep->origin, run, error);
}

int keep_add_trace(const char *store_file, const char *trace_file, const char *name, const char *baseline,
                   int64_t sequential_ps, const struct report_run *run, struct sim_error *error)
{
    struct store *store;
    int64_t id;
    if (store_open(&store, store_file, STORE_WRITE, error) != 0)
        return -1;
    char *trace = contents_describe_trace(trace_file),
         *base = baseline != NULL ? contents_describe_trace(baseline) : xstrdup(""),
         *input = xformat("%s; baseline %s, T_seq %lld ps", trace, base, (long long)sequential_ps),
         *program = contents_describe_program();
    const struct store_origin origin = {.kind = "traced",
                                        .scenario = name,
                                        .scenario_text = "",
                                        .platform_text = "",
                                        .platform = run->platform,
                                        .input = input,
                                        .program = program};
    int status = store_find_origin(&id, store, &origin, error);
    if (status == 0)
        status = store_add(store, id, run, error);
    free(trace);
    free(base);
    free(input);
    free(program);
    store_close(store);
    return status;
}
