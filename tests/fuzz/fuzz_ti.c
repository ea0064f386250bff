/* Fuzzing of the TI reader, and of the replay that makes a program of what it gives: the list, then the files of ranks
 * 0, 1, ..., which the list names 0.ti, 1.ti, ... Each step of the program is asked for twice, and is the same both
 * times. */
#include "fuzzing.h"

#include "apps/replay/list.h"
#include "sim/kernel/app.h"

#include <stdio.h>
#include <stdlib.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_parts parts;
    const struct app_spec *app = app_find(app_specs, "trace");
    struct sim_error error;
    void *input;
    int n_ranks, n_before = parts.count;
    fuzz_check_quiet();
    fuzz_split(&parts, data, size);
    fuzz_write("list.ti", parts.items[0].data, parts.items[0].size);
    for (int i = 1; i < parts.count || i < n_before; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.ti", i - 1);
        fuzz_write(name, parts.items[i].data, parts.items[i].size);
    }
    char *file = fuzz_path("list.ti");
    if (fuzz_has_read(app->open_input(&input, &n_ranks, file, &error), &error)) {
        check_program(input, n_ranks);
        app->close_input(input);
    }
    free(file);
    fuzz_check_quiet();
    return 0;
}
