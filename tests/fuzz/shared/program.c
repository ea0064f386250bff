/* The program that replays a trace, for the targets that read one: all steps of all ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "shared/program.h"

#include "fuzzing.h"

#include "apps/replay/list.h"
#include "sim/kernel/app.h"

#include <string.h>

static void check_rank(const struct program *program, int rank)
{
    struct op_list list = {.count = 0}, again = {.count = 0};
    struct sim_error error;
    for (int64_t step = 0; program->app->emit(program->config, rank, step, &list); step++) {
        fuzz_check(program->app->emit(program->config, rank, step, &again));
        fuzz_check(list.count > 0 && list.count == again.count);
        fuzz_check(memcmp(list.ops, again.ops, (size_t)list.count * sizeof *list.ops) == 0);
        list.count = again.count = 0;
    }
    fuzz_has_read(program->app->failed(program->config, &error), &error);
}

static void check_program(void *input, int n_ranks)
{
    const int64_t values[] = {0, 0, 0, 512, 0, 4, [N_BROADCAST_PARAMS + N_COLL_FAMILIES - 1] = 0};
    const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    struct program program;
    struct sim_error error;
    const struct app_spec *app = app_find(app_specs, "trace");
    fuzz_check(app->n_params == (int)(sizeof values / sizeof values[0]));
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
    if (!fuzz_has_read(app->open_input(&input, &n_ranks, file, &error), &error))
        return;
    check_program(input, n_ranks);
    app->close_input(input);
}
