/* Traffic for networks: each rank sends messages at random moments, at a rate that does not depend on how many of them
 * have come. What a network lets through of that, and with which delay, tells networks and routings apart (Dally and
 * Towles 2004, chapter 23; Kim et al. 2008).
 *
 * Message i of all ranks goes by one permutation, so that each rank gets one, too, and knows from whom:
 *
 *     uniform      a random one of all ranks, another for each i
 *     adversarial  from each group to a random rank of the next group: group g to g + 1, and the last to the first
 *     transpose    rank (x, y) of a square to rank (y, x)
 *     neighbour    each rank to the next one
 *
 * A message to oneself is left out. Each rank sends once in each slot of time, at a random moment; a slot is as long as
 * the first wire of a host needs for a message, divided by `load`. The run ends when all messages have come. So it
 * takes about as long as all slots while the network lets everything through, and beyond that messages x bytes / (what
 * it lets through of a host).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stddef.h>

enum { PARAM_PATTERN, PARAM_LOAD, PARAM_MESSAGES, PARAM_BYTES, PARAM_GROUP, PARAM_SEED };
enum { PATTERN_UNIFORM, PATTERN_ADVERSARIAL, PATTERN_TRANSPOSE, PATTERN_NEIGHBOUR };
enum { SCOPE_NONE, SCOPE_TRAFFIC };
enum { STREAM_MOMENTS = 1, STREAM_PAIRS = 2, N_STREAMS = 4 };

static const char *const scopes[] = {"", "traffic", NULL};
static const char *const pattern_names[] = {"uniform", "adversarial", "transpose", "neighbour", NULL};

static const struct param_spec params[] = {
    [PARAM_PATTERN] = {"pattern", PARAM_CHOICE, "uniform", .choices = pattern_names,
                       .summary = "where messages go: anywhere, from each group to the next, from (x, y) to (y, x), to "
                                  "the next rank"},
    [PARAM_LOAD] = {"load", PARAM_REAL, "1", .min = 100, .max = 100 * UNITS_REAL,
                    .summary = "bytes that a rank sends, as a share of what the first wire of its host could carry"},
    [PARAM_MESSAGES] = {"messages", PARAM_COUNT, "100", .min = 1, .max = 1000000, .summary = "messages of each rank"},
    [PARAM_BYTES] = {"bytes", PARAM_SIZE, "1KiB", .min = 1, .max = INT64_C(1) << 30,
                     .summary = "length of each message"},
    [PARAM_GROUP] = {"group", PARAM_COUNT, "1", .min = 1, .max = 16777216,
                     .summary = "ranks of a group, for adversarial; it must divide the ranks"},
    [PARAM_SEED] = {"seed", PARAM_COUNT, "1", .max = 1000000, .summary = "seed of moments and destinations"},
};

struct config {
    int64_t messages, bytes;
    double slot_ps; /* in each of which a rank sends once */
    int n_ranks, pattern;
    int group; /* ranks among which a permutation is: a group, or all; of a transpose, the side of the square */
    uint64_t stream;
};

/* The side of the square, for a transpose; else the ranks among which messages are dealt. -1 with an error. */
static int find_group(const struct config *config, int group, struct sim_error *error)
{
    int n = config->n_ranks, side = (int)lround(sqrt(n));
    if (config->pattern == PATTERN_TRANSPOSE && side * side != n)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'ranks': a transpose needs a square number of ranks; %d is none", n);
    if (config->pattern == PATTERN_ADVERSARIAL && n > 1 && n % group != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'group': %d ranks are no whole number of groups of %d", n, group);
    return config->pattern == PATTERN_TRANSPOSE ? side : config->pattern == PATTERN_ADVERSARIAL && n > 1 ? group : n;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    struct config config = {.messages = values[PARAM_MESSAGES],
                            .bytes = values[PARAM_BYTES],
                            .n_ranks = placement->n_ranks,
                            .pattern = (int)values[PARAM_PATTERN],
                            .stream = (uint64_t)values[PARAM_SEED] * N_STREAMS};
    config.group = find_group(&config, (int)values[PARAM_GROUP], error);
    if (config.group < 0)
        return -1;
    config.slot_ps = placement_wire_ps(placement, config.bytes) / PARAM_TO_REAL(values[PARAM_LOAD]);
    program->config = xmalloc(sizeof config);
    *(struct config *)program->config = config;
    return 0;
}

/* ---- Destinations ---- */

/* A permutation of 0 ... n-1, and back: four rounds of Feistel on the least square of a power of two that holds them,
 * repeated until the number is one of them. */
enum { ROUNDS = 4 };

static uint32_t scramble(uint32_t half, uint64_t key, int round, uint32_t mask)
{
    return (uint32_t)pseudo_random(key + (uint64_t)round, half) & mask;
}

static int permute(int i, int n, uint64_t key, bool back)
{
    int bits = 1;
    while ((INT64_C(1) << 2 * bits) < n)
        bits++;
    uint32_t mask = (UINT32_C(1) << bits) - 1, number = (uint32_t)i;
    do {
        uint32_t high = number >> bits, low = number & mask;
        for (int round = 0; round < ROUNDS; round++) {
            uint32_t kept = back ? high : low;
            uint32_t other = (back ? low : high) ^ scramble(kept, key, back ? ROUNDS - 1 - round : round, mask);
            high = back ? other : kept;
            low = back ? kept : other;
        }
        number = high << bits | low;
    } while (number >= (uint32_t)n);
    return (int)number;
}

/* Where a rank's message of a step goes to; `back`: the rank from which it gets one. */
static int partner(const struct config *config, int rank, int64_t step, bool back)
{
    int n = config->n_ranks, group = config->group, turn = back ? -1 : 1;
    if (config->pattern == PATTERN_TRANSPOSE)
        return rank % group * group + rank / group;
    if (config->pattern == PATTERN_NEIGHBOUR)
        return (rank + turn + n) % n;
    bool among_all = config->pattern == PATTERN_UNIFORM;
    int first = among_all ? 0 : (rank / group * group + turn * group + n) % n; /* of the group that it goes to */
    uint64_t from = (uint64_t)(back ? first : rank / group * group);
    uint64_t key = pseudo_random(config->stream + STREAM_PAIRS, (uint64_t)step * (uint64_t)n + from);
    return first + permute(rank % group, group, key, back);
}

/* ---- Steps ---- */

/* The moment of a send: somewhere in its slot. */
static int64_t moment_ps(const struct config *config, int rank, int64_t step)
{
    uint64_t i = (uint64_t)rank * (uint64_t)config->messages + (uint64_t)step;
    return llround(((double)step + pseudo_uniform(config->stream + STREAM_MOMENTS, i)) * config->slot_ps);
}

static void add_message(const struct config *config, enum op_kind kind, int peer, struct op_list *list)
{
    struct op *op = op_list_add(list, kind, SCOPE_TRAFFIC);
    op->peer = peer;
    op->bytes = config->bytes;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    if (config->n_ranks == 1 || step > config->messages)
        return false;
    if (step == config->messages) {
        op_list_add(list, OP_WAIT, SCOPE_TRAFFIC);
        return true;
    }
    struct op *delay = op_list_add(list, OP_DELAY, SCOPE_NONE);
    delay->delay_ps = moment_ps(config, rank, step) - (step > 0 ? moment_ps(config, rank, step - 1) : 0);
    int to = partner(config, rank, step, false);
    if (to != rank) {
        add_message(config, OP_IRECV, partner(config, rank, step, true), list);
        add_message(config, OP_ISEND, to, list);
    }
    return true;
}

const struct app_spec app_traffic = {
    .name = "traffic",
    .summary = "each rank sends messages at random moments, whether they come through or not",
    .source = "Dally, Towles 2004, chapter 23",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"pattern", "load", "messages", "bytes", "group", "seed", NULL},
    .scopes = scopes,
    .setup = setup,
    .emit = emit,
};
