/* A traced program, of any format that can be read: its ranks' messages and computations, again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/begun.h"
#include "apps/replay/list.h"
#include "trace/formats.h"
#include "trace/part/within.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_SPEED = 1000 };
enum { PARAM_SPEED, PARAM_PROGRESS, PARAM_BROADCAST, PARAM_OTHERS = PARAM_BROADCAST + N_BROADCAST_PARAMS };

static const char *const no_scopes[] = {"", NULL};

static const char *const progress_names[] = {"always", "calls", NULL};

static const struct param_spec params[] = {
    [PARAM_SPEED] =
        {"speed", PARAM_RATE, "0", .max = INT64_C(1000000000000000000),
         .summary = "speed of the traced computer, such as 4Gf; 0: computations take as long as traced on any machine"},
    [PARAM_PROGRESS] = {"progress", PARAM_CHOICE, "always", .choices = progress_names,
                        .summary =
                            "when non-blocking collectives go on: always, or calls: not while their rank computes"},
    BROADCAST_PARAMS("auto", "standard"),
    COLLECTIVE_PARAMS(),
};

void trace_input_describe(struct trace_input *input)
{
    struct analysis_scopes *scopes = &input->scopes;
    analysis_scopes_init(scopes, &input->reader.info);
    input->scope_names = xcalloc((size_t)scopes->count + 1, sizeof *input->scope_names);
    memcpy(input->scope_names, scopes->names, (size_t)scopes->count * sizeof *scopes->names);
    input->app = app_trace;
    input->app.scopes = input->scope_names;
}

static int open_reader(struct record_reader *reader, const char *file, const struct part_request *part,
                       struct sim_error *error)
{
    if (record_open(reader, file, error) != 0)
        return -1;
    if ((!part_is_asked(part) && reader->info.n_off == 0) || part_within(reader, part, error) == 0)
        return 0;
    record_close(reader);
    return -1;
}

static char *copy(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

int trace_input_open(void **input, int *n_ranks, const char *file, const struct part_request *part,
                     struct sim_error *error)
{
    struct trace_input *made = xcalloc(1, sizeof *made);
    if (open_reader(&made->reader, file, part, error) != 0) {
        free(made);
        return -1;
    }
    made->file = xstrdup(file);
    made->from = copy(part->from);
    made->to = copy(part->to);
    made->ranks = copy(part->ranks);
    made->process = getpid();
    trace_input_describe(made);
    *n_ranks = made->reader.info.n_ranks;
    *input = made;
    return 0;
}

void trace_input_close(void *data)
{
    struct trace_input *input = data;
    if (input == NULL)
        return;
    record_close(&input->reader);
    analysis_scopes_dispose(&input->scopes);
    free(input->scope_names);
    free(input->file);
    free(input->from);
    free(input->to);
    free(input->ranks);
    free(input);
}

static void make_ranks(struct replay *replay)
{
    const struct groups *groups = &replay->groups;
    replay->n_locations = record_locations(&replay->input->reader.info);
    replay->ranks = xcalloc((size_t)replay->n_locations, sizeof *replay->ranks);
    replay->histories = xcalloc((size_t)groups->n_groups, sizeof *replay->histories);
    for (int g = 0; g < groups->n_groups; g++)
        replay->histories[g] = xcalloc((size_t)groups_size(groups, g), sizeof **replay->histories);
    replay_reset(replay);
}

static void trace_dispose(void *config)
{
    struct replay *replay = *(struct replay **)config;
    free(config);
    if (replay->input->user == replay)
        replay->input->user = NULL;
    for (int r = 0; r < replay->n_locations && replay->ranks != NULL; r++) {
        if (replay->ranks[r].collective != NULL)
            free(replay->ranks[r].collective->blocks);
        free(replay->ranks[r].collective);
        free(replay->ranks[r].scopes);
    }
    for (int g = 0; g < replay->groups.n_groups; g++)
        free(replay->histories[g]);
    free(replay->histories);
    begun_free(replay->begun);
    groups_dispose(&replay->groups);
    free(replay->ranks);
    trace_input_close(replay->own);
    free(replay);
}

static int check_ranks(const struct trace_input *input, int n_ranks, struct sim_error *error)
{
    int traced = input->reader.info.n_ranks;
    if (n_ranks == traced)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'ranks' is %d, but %s has %d rank%s", n_ranks,
                         input->file, traced, traced == 1 ? "" : "s");
}

/* No computer does so little; a unit has been forgotten. */
static int check_speed(int64_t speed, struct sim_error *error)
{
    if (speed == 0 || speed >= LEAST_SPEED)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "parameter 'speed' is %lld flop/s; allowed: 0, or at least %d, such as 4Gf", (long long)speed,
                         LEAST_SPEED);
}

/* Where ranks have further threads, or collectives go on beside them, or receives are from any source. */
static void use_threads(struct replay *replay, struct program *program, bool progresses)
{
    const struct record_info *info = &replay->input->reader.info;
    int n_threads = record_locations(info) / info->n_ranks;
    if (n_threads == 1 && info->n_begun == 0 && !info->has_any_source)
        return;
    program->n_processors = n_threads;
    program->processor_names = (const char *const *)info->processor_names;
    program->has_any_source = info->has_any_source;
    if (info->n_begun == 0)
        return;
    replay->begun = begun_new(replay->input->file);
    program->has_progress = progresses;
    replay->progress = progresses ? program->n_processors++ : 0;
}

/* Ranks that do several things at once, where the trace has them. */
static void set_up_strands(struct program *program, struct replay *replay, bool progresses)
{
    struct record_reader *reader = &replay->input->reader;
    if (reader->format->strands != NULL)
        replay->schedule = reader->format->strands(reader);
    if (replay->schedule == NULL) {
        use_threads(replay, program, progresses);
        return;
    }
    program->n_scheduled = replay->schedule->n_cpus;
    program->has_any_source = replay->schedule->has_any;
    program->waits_for_each = true;
    if (replay->schedule->class == GOAL_PARALLEL)
        program->n_processors = program->n_scheduled;
}

static int trace_setup(struct program *program, const int64_t *values, const struct placement *placement,
                       struct sim_error *error)
{
    struct trace_input *input = program->input;
    void *own = NULL;
    struct groups groups;
    int n_ranks;
    bool is_known;
    if (input == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "application 'trace' needs a trace");
    if (check_ranks(input, placement->n_ranks, error) != 0 || check_speed(values[PARAM_SPEED], error) != 0)
        return -1;
    if (input->process != getpid() && !record_is_shared(&input->reader)) {
        const struct part_request part = {input->from, input->to, input->ranks};
        if (trace_input_open(&own, &n_ranks, input->file, &part, error) != 0)
            return -1;
        input = own;
    }
    const struct record_info *info = &input->reader.info;
    if (check_ranks(input, placement->n_ranks, error) != 0 ||
        groups_init(&groups, info->groups, info->n_groups, info->n_ranks, error) != 0) {
        trace_input_close(own);
        return -1;
    }
    struct replay *replay = xcalloc(1, sizeof *replay);
    *replay = (struct replay){.input = input, .own = own, .speed = (double)values[PARAM_SPEED], .groups = groups};
    make_ranks(replay);
    set_up_strands(program, replay, values[PARAM_PROGRESS] == 0);
    program->app = &((struct trace_input *)program->input)->app;
    program->config = xmalloc(sizeof(struct replay *));
    *(struct replay **)program->config = replay;
    program->collectives = broadcast_options(&values[PARAM_BROADCAST], SEND_STANDARD);
    program->traced = info;
    program->knows_sources = info->n_any_source > 0;
    bool has_times = info->has_times || info->has_lengths;
    program->keeps_computation = has_times && values[PARAM_SPEED] == 0;
    program->ignores_speed = !has_times && values[PARAM_SPEED] != 0;
    collective_options(&program->collectives, &values[PARAM_OTHERS]);
    program->collectives.traced = coll_chooser_of(info->library, &is_known);
    program->groups = info->groups;
    program->n_groups = info->n_groups;
    return 0;
}

struct goal_file *replay_schedule(const struct program *program)
{
    if (program->n_scheduled == 0 || program->n_processors == 0)
        return NULL;
    return (*(struct replay *const *)program->config)->schedule;
}

const struct app_spec app_trace = {
    .name = "trace",
    .summary = "a traced program: replays an OTF2, TI or GOAL trace",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .scopes = no_scopes,
    .setup = trace_setup,
    .dispose = trace_dispose,
    .emit = replay_emit,
    .emit_strand = replay_emit_strand,
    .describe_strand = replay_describe_strand,
    .failed = replay_failed,
    .finished = replay_finished,
    .describe = replay_describe,
    .explain = replay_explain,
    .open_input = trace_input_open,
    .close_input = trace_input_close,
    .parallel_only = true,
};
