/* Pairs of ranks that measure messages: rank i of the lower half and rank i + p/2. The tests of the OSU
 * micro-benchmarks and of Intel's:
 *
 *     pingpong    a message there, one back
 *     window      so many messages there at once, then an empty one back: osu_bw, osu_mbw_mr, Uniband
 *     both        so many each way at once, then an empty one back: osu_bibw, Biband
 *
 * A time per message, or a rate, is the run's time by `rounds` (x `window`, x 2 of pingpong). Of an odd number of ranks
 * the last has nothing to do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

enum { PARAM_PATTERN, PARAM_BYTES, PARAM_WINDOW, PARAM_ROUNDS };
enum { PATTERN_PINGPONG, PATTERN_WINDOW, PATTERN_BOTH };
enum { SCOPE_NONE, SCOPE_MESSAGES };

static const char *const pattern_names[] = {"pingpong", "window", "both", NULL};
static const char *const scopes[] = {"", "messages", NULL};

static const struct param_spec params[] = {
    [PARAM_PATTERN] = {"pattern", PARAM_CHOICE, "pingpong", .choices = pattern_names,
                       .summary = "a message there and one back; a window of messages one way, or both ways"},
    [PARAM_BYTES] = {"bytes", PARAM_SIZE, "1KiB", .max = INT64_C(1) << 40, .summary = "length of each message"},
    [PARAM_WINDOW] = {"window", PARAM_COUNT, "64", .min = 1, .max = 4096,
                      .summary = "messages that are under way at once, of window and both"},
    [PARAM_ROUNDS] = {"rounds", PARAM_COUNT, "1", .min = 1, .max = INT64_C(1000000000),
                      .summary = "number of repetitions"},
};

struct config {
    int64_t bytes, window, rounds;
    int pattern, n_pairs;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    const struct config config = {.bytes = values[PARAM_BYTES],
                                  .window = values[PARAM_WINDOW],
                                  .rounds = values[PARAM_ROUNDS],
                                  .pattern = (int)values[PARAM_PATTERN],
                                  .n_pairs = placement->n_ranks / 2};
    program->config = memcpy(xmalloc(sizeof config), &config, sizeof config);
    return 0;
}

static void add_window(const struct config *config, enum op_kind kind, int peer, struct op_list *list)
{
    for (int64_t i = 0; i < config->window; i++)
        op_list_message(list, kind, SCOPE_MESSAGES, peer, config->bytes);
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    bool is_first = rank < config->n_pairs, is_window = config->pattern != PATTERN_PINGPONG;
    int peer = is_first ? rank + config->n_pairs : rank - config->n_pairs;
    int64_t answer_bytes = is_window ? 0 : config->bytes;
    if (step >= config->rounds || rank >= 2 * config->n_pairs)
        return false;
    if (is_window) {
        if (!is_first || config->pattern == PATTERN_BOTH)
            add_window(config, OP_IRECV, peer, list);
        if (is_first || config->pattern == PATTERN_BOTH)
            add_window(config, OP_ISEND, peer, list);
        op_list_add(list, OP_WAIT, SCOPE_MESSAGES);
    } else {
        op_list_message(list, is_first ? OP_SEND : OP_RECV, SCOPE_MESSAGES, peer, config->bytes);
    }
    op_list_message(list, is_first ? OP_RECV : OP_SEND, SCOPE_MESSAGES, peer, answer_bytes);
    return true;
}

const struct app_spec app_pairs = {
    .name = "pairs",
    .summary = "pairs of ranks that measure messages: ping-pong, and windows one way or both ways",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"pattern", "bytes", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit = emit,
};
