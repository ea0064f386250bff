/* Broadcasts one after another from the same root, and nothing else: to compare algorithms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_ROUNDS, PARAM_BYTES, PARAM_BROADCAST };
enum { SCOPE_NONE, SCOPE_BROADCAST };

static const char *const scopes[] = {"", "broadcast", NULL};

static const struct param_spec params[] = {
    [PARAM_ROUNDS] = {"rounds", PARAM_COUNT, "1", .min = 1, .max = INT64_C(1000000000),
                      .summary = "number of broadcasts"},
    [PARAM_BYTES] = {"bytes", PARAM_SIZE, "1KiB", .max = INT64_C(1) << 40, .summary = "length of the message"},
    BROADCAST_PARAMS("binomial", "standard"),
};

struct config {
    int64_t rounds, bytes;
    int root;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.rounds = values[PARAM_ROUNDS], .bytes = values[PARAM_BYTES], .root = placement->root};
    program->config = config;
    program->collectives = broadcast_options(&values[PARAM_BROADCAST], SEND_STANDARD);
    return 0;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    (void)rank;
    const struct config *config = data;
    if (step >= config->rounds)
        return false;
    struct op *op = op_list_add(list, OP_BROADCAST, SCOPE_BROADCAST);
    op->peer = config->root;
    op->bytes = config->bytes;
    return true;
}

const struct app_spec app_broadcast = {
    .name = "broadcast",
    .summary = "a series of broadcasts from the same root",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"rounds", "bytes", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"broadcast", SUBJECT_BROADCAST, NULL}, {0}},
    .setup = setup,
    .emit = emit,
};
