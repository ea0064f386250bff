/* Pairs of ranks that measure messages: rank i of the lower half and rank i + p/2. The tests of the OSU
 * micro-benchmarks and of Intel's:
 *
 *     pingpong    a message there, one back
 *     window      so many messages there at once, then an empty one back: osu_bw, osu_mbw_mr, Uniband
 *     both        so many each way at once, then an empty one back: osu_bibw, Biband
 *
 * A time per message, or a rate, is the run's time by `rounds` (x `window`, x 2 of pingpong). If the number of ranks is
 * odd, the last has nothing to do.
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

/* It may be empty, unlike op_list_message()'s. */
static void add_message(struct op_list *list, enum op_kind kind, int peer, int64_t bytes)
{
    struct op *op = op_list_add(list, kind, SCOPE_MESSAGES);
    op->peer = peer;
    op->bytes = bytes;
}

/* The i-th message of a window, receives first; false behind them. */
static bool add_of_window(const struct config *config, bool is_first, int peer, int64_t i, struct op_list *list)
{
    bool receives = !is_first || config->pattern == PATTERN_BOTH, sends = is_first || config->pattern == PATTERN_BOTH;
    int64_t n_receives = receives ? config->window : 0, n_sends = sends ? config->window : 0;
    if (i < n_receives + n_sends)
        add_message(list, i < n_receives ? OP_IRECV : OP_ISEND, peer, config->bytes);
    return i < n_receives + n_sends;
}

static int64_t steps_of_round(const struct config *config)
{
    return config->pattern == PATTERN_PINGPONG ? 1
           : config->pattern == PATTERN_WINDOW ? config->window + 1
                                               : 2 * config->window + 1;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    bool is_first = rank < config->n_pairs;
    int peer = is_first ? rank + config->n_pairs : rank - config->n_pairs;
    int64_t n_steps = steps_of_round(config);
    if (step / n_steps >= config->rounds || rank >= 2 * config->n_pairs)
        return false;
    if (config->pattern == PATTERN_PINGPONG) {
        add_message(list, is_first ? OP_SEND : OP_RECV, peer, config->bytes);
        add_message(list, is_first ? OP_RECV : OP_SEND, peer, config->bytes);
    } else if (!add_of_window(config, is_first, peer, step % n_steps, list)) {
        op_list_add(list, OP_WAIT, SCOPE_MESSAGES);
        add_message(list, is_first ? OP_RECV : OP_SEND, peer, 0);
    }
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
