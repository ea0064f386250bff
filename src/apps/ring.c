/* A ring shift: in every round each rank sends to the next one and receives from the one before.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_ROUNDS, PARAM_BYTES, PARAM_MODE };
enum { SCOPE_NONE, SCOPE_SHIFT };

static const char *const scopes[] = {"", "shift", NULL};

static const struct param_spec params[] = {
    [PARAM_ROUNDS] = {"rounds", PARAM_COUNT, "1", .min = 1, .max = INT64_C(1000000000),
                      .summary = "number of shifts around the ring"},
    [PARAM_BYTES] = {"bytes", PARAM_SIZE, "1KiB", .max = INT64_C(1) << 40, .summary = "length of each message"},
    [PARAM_MODE] = {"mode", PARAM_CHOICE, "standard", .choices = send_mode_names,
                    .summary = "send mode; synchronous deadlocks"},
};

struct config {
    int64_t rounds, bytes;
    int n_ranks;
    enum send_mode mode;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.rounds = values[PARAM_ROUNDS],
                              .bytes = values[PARAM_BYTES],
                              .n_ranks = placement->n_ranks,
                              .mode = (enum send_mode)values[PARAM_MODE]};
    program->config = config;
    return 0;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    int p = config->n_ranks;
    if (p == 1 || step >= config->rounds)
        return false;
    struct op *op = op_list_add(list, OP_SEND, SCOPE_SHIFT);
    op->peer = rank + 1 < p ? rank + 1 : 0;
    op->bytes = config->bytes;
    op->mode = (uint8_t)config->mode;
    op = op_list_add(list, OP_RECV, SCOPE_SHIFT);
    op->peer = rank > 0 ? rank - 1 : p - 1;
    op->bytes = config->bytes;
    return true;
}

const struct app_spec app_ring = {
    .name = "ring",
    .summary = "each rank sends to the next rank and receives from the previous one",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"rounds", "bytes", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit = emit,
};
