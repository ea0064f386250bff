/* Radix sort, as in SPLASH-2: two shared arrays of keys, from one of which the keys go to the other, digit by digit
 * from the lowest on.
 *
 * For each digit every rank counts its part of the keys by the digit's value; after a barrier it adds up the counts of
 * all to know where its keys of each value go; after another it moves them, and a barrier ends the digit. SPLASH-2
 * adds the counts up along a tree whose nodes wait for flags; TreadMarks has locks and barriers only, so here every
 * rank reads all counts.
 *
 * A rank's keys of one value come to lie side by side. So the scattered writes are one run for each value, here in an
 * order that differs from rank to rank, as the first writes to the pages do in the program. Keys are random: the
 * digits are drawn from a hash of the key's place.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"
#include "base/hash.h"
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_KEYS, PARAM_RADIX, PARAM_MAX_KEY, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_INITIALISATION, SCOPE_COUNT, SCOPE_OFFSETS, SCOPE_MOVE };
enum { KERNEL_COUNT, KERNEL_OFFSET, KERNEL_MOVE };
enum { KEY_BYTES = 4, MAX_DIGITS = 32 };

static const char *const scopes[] = {"", "initialisation", "count", "offsets", "move", NULL};
static const char *const kernels[] = {"radix.count", "radix.offset", "radix.move", NULL};

static const struct param_spec params[] = {
    [PARAM_KEYS] = {"keys", PARAM_COUNT, "1048576", .min = 1, .max = 1 << 26, .summary = "keys of 4 bytes"},
    [PARAM_RADIX] = {"radix", PARAM_COUNT, "1024", .min = 2, .max = 4096,
                     .summary = "number of values of a digit, a power of 2"},
    [PARAM_MAX_KEY] = {"max_key", PARAM_COUNT, "524288", .min = 2, .max = 1 << 30,
                       .summary = "keys are less than this"},
    DSM_PARAMS,
};

struct config {
    int64_t n, radix;
    int64_t n_values[MAX_DIGITS]; /* of each digit; the highest may have fewer */
    int n_digits, n_ranks;
    int32_t runs[]; /* where the run of each digit, rank and value begins: n_digits * n_ranks * radix */
};

static size_t run_index(const struct config *config, int digit, int rank, int64_t value)
{
    return (size_t)(((int64_t)digit * config->n_ranks + rank) * config->radix + value);
}

static void count_keys(struct config *config, int digit)
{
    for (int rank = 0; rank < config->n_ranks; rank++) {
        struct span keys = span_of(config->n, config->n_ranks, rank);
        for (int64_t i = keys.from; i < keys.to; i++) {
            uint64_t key = pseudo_random((uint64_t)digit, (uint64_t)i);
            int64_t value = (int64_t)(key % (uint64_t)config->n_values[digit]);
            config->runs[run_index(config, digit, rank, value)]++;
        }
    }
}

/* Counts become places: value by value, and of each value rank by rank. */
static void place_runs(struct config *config, int digit)
{
    int32_t at = 0;
    for (int64_t value = 0; value < config->radix; value++)
        for (int rank = 0; rank < config->n_ranks; rank++) {
            int32_t *run = &config->runs[run_index(config, digit, rank, value)], count = *run;
            *run = at;
            at += count;
        }
}

static int n_digits_of(int64_t max_key, int64_t radix)
{
    int n = 1;
    for (int64_t reach = radix; reach < max_key; reach *= radix)
        n++;
    return n;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int64_t radix = values[PARAM_RADIX], max_key = values[PARAM_MAX_KEY];
    if ((radix & (radix - 1)) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "radix: %lld is not a power of 2", (long long)radix);
    int n_digits = n_digits_of(max_key, radix);
    size_t n_runs = (size_t)n_digits * (size_t)placement->n_ranks * (size_t)radix;
    struct config *config = xcalloc(1, sizeof *config + n_runs * sizeof config->runs[0]);
    config->n = values[PARAM_KEYS];
    config->radix = radix;
    config->n_digits = n_digits;
    config->n_ranks = placement->n_ranks;
    for (int digit = 0; digit < n_digits; digit++, max_key = (max_key - 1) / radix + 1) {
        config->n_values[digit] = max_key < radix ? max_key : radix;
        count_keys(config, digit);
        place_runs(config, digit);
    }
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, (2 * config->n + placement->n_ranks * radix) * KEY_BYTES, 0, 0);
    return 0;
}

/* ---- the arrays: keys, keys, counts ---- */

static struct pieces words(int64_t from, int64_t count)
{
    return (struct pieces){from * KEY_BYTES, count * KEY_BYTES, count > 0, 0};
}

static struct pieces own_keys(const struct config *config, int rank, int array)
{
    struct span keys = span_of(config->n, config->n_ranks, rank);
    return words(array * config->n + keys.from, keys.to - keys.from);
}

static struct pieces run_of(const struct config *config, int digit, int rank, int64_t value)
{
    int64_t from = config->runs[run_index(config, digit, rank, value)], to = config->n;
    if (rank + 1 < config->n_ranks)
        to = config->runs[run_index(config, digit, rank + 1, value)];
    else if (value + 1 < config->radix)
        to = config->runs[run_index(config, digit, 0, value + 1)];
    return words((digit + 1) % 2 * config->n + from, to - from);
}

/* ---- the phases ---- */

static int64_t n_own(const struct config *config, int rank)
{
    struct span keys = span_of(config->n, config->n_ranks, rank);
    return keys.to - keys.from;
}

static void add_initialisation(const struct config *config, int rank, struct op_list *list)
{
    shared_write(list, SCOPE_INITIALISATION, own_keys(config, rank, 0));
    op_list_add(list, OP_BARRIER, SCOPE_INITIALISATION);
}

static void add_count(const struct config *config, int rank, int digit, struct op_list *list)
{
    shared_read(list, SCOPE_COUNT, own_keys(config, rank, digit % 2));
    op_list_work(list, SCOPE_COUNT, KERNEL_COUNT, n_own(config, rank));
    shared_write(list, SCOPE_COUNT, words(2 * config->n + rank * config->radix, config->radix));
    op_list_add(list, OP_BARRIER, SCOPE_COUNT);
}

static void add_offsets(const struct config *config, int rank, int digit, struct op_list *list)
{
    (void)rank;
    (void)digit;
    shared_read(list, SCOPE_OFFSETS, words(2 * config->n, config->n_ranks * config->radix));
    op_list_work(list, SCOPE_OFFSETS, KERNEL_OFFSET, config->n_ranks * config->radix);
    op_list_add(list, OP_BARRIER, SCOPE_OFFSETS);
}

static void add_end(const struct config *config, int rank, int digit, struct op_list *list)
{
    (void)digit;
    op_list_work(list, SCOPE_MOVE, KERNEL_MOVE, n_own(config, rank));
    op_list_add(list, OP_BARRIER, SCOPE_MOVE);
}

/* A few runs. An odd factor modulo a power of 2 visits every value once. */
static void add_runs(const struct config *config, int rank, int digit, int64_t which, struct op_list *list)
{
    int64_t start = (int64_t)(pseudo_random(MAX_DIGITS, (uint64_t)rank) % (uint64_t)config->radix);
    for (int64_t i = which * OP_LIST_MAX; i < (which + 1) * OP_LIST_MAX && i < config->radix; i++)
        shared_write(list, SCOPE_MOVE, run_of(config, digit, rank, (start + i * 389) & (config->radix - 1)));
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    static void (*const phases[])(const struct config *, int, int, struct op_list *) = {add_count, add_offsets};
    const struct config *config = data;
    int64_t n_run_steps = (config->radix + OP_LIST_MAX - 1) / OP_LIST_MAX, n_phases = n_run_steps + 3;
    int64_t digit = (step - 1) / n_phases, phase = (step - 1) % n_phases;
    (void)seen;
    if (step > 0 && digit >= config->n_digits)
        return false;
    if (step == 0)
        add_initialisation(config, rank, list);
    else if (phase < 2)
        phases[phase](config, rank, (int)digit, list);
    else if (phase < 2 + n_run_steps)
        add_runs(config, rank, (int)digit, phase - 2, list);
    else
        add_end(config, rank, (int)digit, list);
    return true;
}

const struct app_spec app_radix = {
    .name = "radix",
    .summary = "radix sort, all-to-all through two shared arrays",
    .source = "SPLASH-2, radix",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"keys", "max_key", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
