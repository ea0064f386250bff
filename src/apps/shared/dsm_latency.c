/* The operations of shared memory one at a time, each in scope `measured`: what it takes of the time by itself is that
 * scope's share of the critical path.
 *
 * The last rank is the one that is measured, because it is the last to leave the barrier that separates preparation and
 * measurement, so that no rank is busy with the one when the other begins.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum {
    OPERATION_OF_LOCK,
    OPERATION_OF_FORWARDED,
    OPERATION_OF_BARRIER,
    OPERATION_OF_PAGE,
    OPERATION_OF_TWIN,
    OPERATION_OF_DIFF
};
enum { PARAM_OPERATION, PARAM_WORDS, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_PREPARATION, SCOPE_MEASURED };
enum { WORD_BYTES = 4, MAX_PAGE_BYTES = 65536 };

static const char *const operation_choices[] = {"lock", "lock-forwarded", "barrier", "page", "twin", "diff", NULL};
static const char *const scopes[] = {"", "preparation", "measured", NULL};

static const struct param_spec params[] = {
    [PARAM_OPERATION] = {"operation", PARAM_CHOICE, "lock", .choices = operation_choices,
                         .summary = "lock: its manager had it last; lock-forwarded: a third rank had it; page: fetch "
                                    "of a copy; twin: first write; diff: of `words` words of a page"},
    [PARAM_WORDS] = {"words", PARAM_COUNT, "1", .min = 1, .max = 1024, .summary = "4-byte words changed for diff"},
    DSM_PARAMS,
};

struct config {
    int operation, n_ranks;
    int64_t words;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){(int)values[PARAM_OPERATION], placement->n_ranks, values[PARAM_WORDS]};
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, MAX_PAGE_BYTES, 1, 0);
    return 0;
}

static void add(struct op_list *list, enum op_kind kind, int scope, int64_t words)
{
    struct op *op = op_list_add(list, kind, scope);
    op->bytes = words * WORD_BYTES;
}

/* The preparation before the barrier: rank 1 has had the lock, the last rank has had the page, which is rank 0's alone
 * no more. */
static void add_preparation(const struct config *config, int rank, struct op_list *list)
{
    if (config->operation == OPERATION_OF_FORWARDED && rank == 1) {
        add(list, OP_ACQUIRE, SCOPE_PREPARATION, 0);
        add(list, OP_RELEASE, SCOPE_PREPARATION, 0);
    }
    bool had_page = config->operation == OPERATION_OF_DIFF || config->operation == OPERATION_OF_TWIN;
    if (had_page && rank == config->n_ranks - 1)
        add(list, OP_PAGE_READ, SCOPE_PREPARATION, config->words);
    add(list, OP_BARRIER, SCOPE_PREPARATION, 0);
    if (config->operation == OPERATION_OF_DIFF && rank == 0)
        add(list, OP_PAGE_WRITE, SCOPE_PREPARATION, config->words);
    if (config->operation == OPERATION_OF_DIFF)
        add(list, OP_BARRIER, SCOPE_PREPARATION, 0);
}

static void add_measured(const struct config *config, int rank, struct op_list *list)
{
    static const enum op_kind kinds[] = {OP_ACQUIRE, OP_ACQUIRE, OP_BARRIER, OP_PAGE_READ, OP_PAGE_WRITE, OP_PAGE_READ};
    int measured = config->operation == OPERATION_OF_TWIN ? 0 : config->n_ranks - 1;
    if (config->operation == OPERATION_OF_BARRIER || rank == measured)
        add(list, kinds[config->operation], SCOPE_MEASURED, config->words);
    if (kinds[config->operation] == OP_ACQUIRE && rank == measured)
        add(list, OP_RELEASE, SCOPE_MEASURED, 0);
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    static const bool is_prepared[] = {
        [OPERATION_OF_FORWARDED] = true, [OPERATION_OF_TWIN] = true, [OPERATION_OF_DIFF] = true};
    const struct config *config = data;
    (void)seen;
    if (step >= 2)
        return false;
    if (step == 1)
        add_measured(config, rank, list);
    else if (is_prepared[config->operation])
        add_preparation(config, rank, list);
    return true;
}

const struct app_spec app_dsm_latency = {
    .name = "dsm-latency",
    .summary = "shared-memory operations, one at a time",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994, section 5.1",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"operation", "words", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit_shared = emit_shared,
};
