/* The program that replays a trace, for the targets that read one: all steps of all ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "shared/program.h"

#include "fuzzing.h"

#include "apps/replay/list.h"
#include "base/map.h"
#include "base/memory.h"
#include "sim/kernel/app.h"

#include <stdlib.h>
#include <string.h>

/* The ops of a step of a strand, or of a rank that has none: asked twice, they are the same. False after the last. */
static bool check_step(const struct program *program, int rank, int64_t line, int64_t step, struct op_list *list)
{
    const struct app_spec *app = program->app;
    struct op_list again = {.count = 0};
    struct op_list *lists[] = {list, &again};
    list->count = 0;
    for (int i = 0; i < 2; i++) {
        bool is_step = program->n_processors > 0 ? app->emit_strand(program->config, rank, line, step, lists[i])
                                                 : app->emit(program->config, rank, step, lists[i]);
        if (!is_step) {
            fuzz_check(i == 0);
            return false;
        }
    }
    fuzz_check(list->count == again.count && (list->count > 0 || program->n_processors > 0));
    fuzz_check(memcmp(list->ops, again.ops, (size_t)list->count * sizeof *list->ops) == 0);
    return true;
}

/* Lines of a rank that can begin: the first, and those that have been named by as many as they need. */
struct lines {
    struct map named;
    int64_t *items;
    size_t count, capacity;
};

static void add_line(struct lines *lines, int64_t line)
{
    if (lines->count == lines->capacity) {
        lines->capacity = lines->capacity > 0 ? 2 * lines->capacity : 64;
        lines->items = xrealloc(lines->items, lines->capacity * sizeof *lines->items);
    }
    lines->items[lines->count++] = line;
}

static void name_line(struct lines *lines, const struct op *start)
{
    struct map_entry *entry = map_add(&lines->named, map_key(0, 0, (int32_t)(start->line >> 32), (int32_t)start->line));
    entry->index = entry->index == MAP_NOTHING ? 1 : entry->index + 1;
    if (entry->index == (start->needed > 1 ? start->needed : 1))
        add_line(lines, start->line);
}

static void check_rank(const struct program *program, int rank)
{
    struct lines lines = {.count = 0};
    struct op_list list = {.count = 0};
    struct sim_error error;
    add_line(&lines, 0);
    while (lines.count > 0) {
        int64_t line = lines.items[--lines.count];
        for (int64_t step = 0; check_step(program, rank, line, step, &list); step++)
            for (int i = 0; i < list.count; i++)
                if (list.ops[i].kind == OP_START)
                    name_line(&lines, &list.ops[i]);
    }
    map_dispose(&lines.named);
    free(lines.items);
    fuzz_has_read(program->app->failed(program->config, &error), &error);
}

static void check_program(void *input, int n_ranks)
{
    int64_t values[32];
    char why[200];
    const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    struct program program;
    struct sim_error error;
    const struct app_spec *app = app_find(app_specs, "trace");
    fuzz_check(app->n_params <= (int)(sizeof values / sizeof values[0]));
    for (int i = 0; i < app->n_params; i++)
        fuzz_check(param_parse(&values[i], &app->params[i], app->params[i].fallback, why, sizeof why) == 0);
    if (!fuzz_has_read(
            program_init_from(&program, app, &(struct program_input){.opened = input}, values, &placement, &error),
            &error))
        return;
    for (int rank = 0; rank < n_ranks; rank++)
        check_rank(&program, rank);
    program_dispose(&program);
}

void fuzz_check_replay(const char *file)
{
    const struct app_spec *app = app_find(app_specs, "trace");
    struct sim_error error;
    void *input;
    int n_ranks;
    if (!fuzz_has_read(app->open_input(&input, &n_ranks, file, &(struct part_request){0}, &error), &error))
        return;
    check_program(input, n_ranks);
    app->close_input(input);
}
