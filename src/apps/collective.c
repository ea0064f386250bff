/* One collective again and again, and nothing else: to compare algorithms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_COLLECTIVE, PARAM_ROUNDS, PARAM_BYTES, PARAM_BROADCAST };
enum { PARAM_OTHERS = PARAM_BROADCAST + N_BROADCAST_PARAMS };
enum { SCOPE_NONE, SCOPE_COLLECTIVE };

static const char *const scopes[] = {"", "collective", NULL};

/* As in enum coll_family. */
static const char *const collective_names[] = {"broadcast", "scatter",  "gather",  "reduce", "allreduce",
                                               "allgather", "alltoall", "barrier", NULL};

static const struct param_spec params[] = {
    [PARAM_COLLECTIVE] = {"collective", PARAM_CHOICE, "broadcast", .choices = collective_names,
                          .summary = "the collective that is repeated"},
    [PARAM_ROUNDS] = {"rounds", PARAM_COUNT, "1", .min = 1, .max = INT64_C(1000000000),
                      .summary = "number of repetitions"},
    [PARAM_BYTES] =
        {"bytes", PARAM_SIZE, "1KiB", .max = INT64_C(1) << 40,
         .summary =
             "length of the message, of each rank's vector, or of the block to or from each rank; a barrier has none"},
    BROADCAST_PARAMS("auto", "standard"),
    COLLECTIVE_PARAMS(),
};

struct config {
    int64_t rounds, bytes;
    enum op_kind kind;
    int n_ranks, root;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.rounds = values[PARAM_ROUNDS],
                              .bytes = values[PARAM_BYTES],
                              .kind = coll_families[values[PARAM_COLLECTIVE]].kind,
                              .n_ranks = placement->n_ranks,
                              .root = placement->root};
    program->config = config;
    program->collectives = broadcast_options(&values[PARAM_BROADCAST], SEND_STANDARD);
    collective_options(&program->collectives, &values[PARAM_OTHERS]);
    return 0;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    (void)rank;
    const struct config *config = data;
    if (step >= config->rounds)
        return false;
    struct op *op = op_list_add(list, config->kind, SCOPE_COLLECTIVE);
    op->peer = config->root;
    op->bytes = config->kind == OP_BARRIER ? 0 : config->bytes; /* which carries nothing */
    op->blocks = config->n_ranks;                               /* blocks of scatter and gather */
    return true;
}

const struct app_spec app_collective = {
    .name = "collective",
    .summary = "any collective, repeated",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"collective", "rounds", "bytes", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit = emit,
};
