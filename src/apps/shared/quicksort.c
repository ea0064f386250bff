/* Quicksort of n integers with a shared stack of subarrays: the program that was measured with TreadMarks (Keleher,
 * Cox, Dwarkadas, Zwaenepoel 1994; 256 K integers), as its authors distributed it.
 *
 * A rank pops a subarray. As long as it has `threshold` elements or more it is split around the larger of its first two
 * elements; the smaller part is pushed, the rank goes on with the larger. A shorter one is bubble-sorted, by all m (m
 * - 1) comparisons: the inner loop does not get shorter. Stack, its top and the number of waiting ranks are under one
 * lock, the flag that wakes who waits under another. The stack fills page 0; top, waiting count and the array follow
 * it, so that they share page 1.
 *
 * The tree of subarrays is fixed in setup, by partitioning the values that the program sorts: 0 ... n-1, shuffled with
 * lrand48(), which it does not seed. The order in time decides which rank gets which subarray. A partition exchanges
 * elements on the wrong side, at random places; here these are spread evenly.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/shared/ops.h"
#include "base/memory.h"
#include "base/range.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PARAM_N, PARAM_THRESHOLD, PARAM_SEED, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_QUEUE, SCOPE_PARTITION, SCOPE_BUBBLE };
enum { KERNEL_PARTITION, KERNEL_BUBBLE, KERNEL_POLL };
enum { LOCK_PAUSE, LOCK_STACK, N_LOCKS };
enum { STACK, SORTED, N_COUNTERS };
enum { WORD = 4, STACK_SLOTS = 512, SLOT_BYTES = 8, ADDRESS_TOP = STACK_SLOTS * SLOT_BYTES };
enum { ADDRESS_WAITING = ADDRESS_TOP + WORD, ADDRESS_ARRAY = ADDRESS_WAITING + WORD };
enum { WAITS_PER_ROUND = 64 };

/* The number that a rank sees: the depth of the stack; from FIRST_SORTED on, how many leaves were sorted before its
 * own; from FIRST_PART on, a part to work at; END instead of a part: all is sorted. -1: nothing was on the stack. */
#define FIRST_SORTED (INT64_C(1) << 30)
#define FIRST_PART (INT64_C(1) << 40)
#define END (INT64_C(1) << 50)

static const char *const scopes[] = {"", "queue", "partition", "bubble sort", NULL};
static const char *const kernels[] = {"qs.partition", "qs.bubble", "qs.poll", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, "262144", .min = 1, .max = INT64_C(1) << 24, .summary = "number of integers"},
    [PARAM_THRESHOLD] = {"threshold", PARAM_COUNT, "1024", .min = 2, .max = INT64_C(1) << 20,
                         .summary = "subarrays shorter than this are bubble-sorted"},
    [PARAM_SEED] = {"seed", PARAM_COUNT, "305441741", .max = UINT32_MAX,
                    .summary = "seed of the order of the values, for srand48(); by default as if it was not called"},
    DSM_PARAMS,
};

/* A subarray, and the two that it is split into by that many exchanges of two elements; a leaf has none. */
struct part {
    int64_t first, size, left, exchanges;
    int32_t smaller, larger; /* 0: a leaf */
};

struct config {
    int64_t n_leaves, round; /* round: steps from one pop to the next */
    struct part parts[];
};

struct tree {
    struct part *parts;
    size_t count, capacity;
};

static int32_t add_part(struct tree *tree, int64_t first, int64_t size)
{
    tree->parts = xgrow(tree->parts, tree->count, &tree->capacity, sizeof *tree->parts);
    tree->parts[tree->count] = (struct part){.first = first, .size = size};
    return (int32_t)tree->count++;
}

/* lrand48(), as POSIX has it. */
static int64_t next_random(uint64_t *state)
{
    *state = (*state * UINT64_C(0x5DEECE66D) + 11) & ((UINT64_C(1) << 48) - 1);
    return (int64_t)(*state >> 17);
}

static void exchange(int32_t *values, int64_t a, int64_t b)
{
    int32_t value = values[a];
    values[a] = values[b];
    values[b] = value;
}

static int32_t *shuffled_values(int64_t n, uint64_t seed)
{
    int32_t *values = xmalloc((size_t)n * sizeof *values);
    uint64_t state = seed << 16 | 0x330E;
    for (int64_t i = 0; i < n; i++)
        values[i] = (int32_t)i;
    for (int64_t i = 0; i < n; i++)
        exchange(values, i, i + next_random(&state) % (n - i));
    return values;
}

/* Put what is less than the larger of the first two values before the rest (Aho, Hopcroft, Ullman 1983). */
static void split_part(struct part *part, int32_t *values)
{
    int64_t low = 0, high = part->size - 1;
    int32_t pivot = values[0] > values[1] ? values[0] : values[1];
    do {
        exchange(values, low, high);
        part->exchanges++;
        while (values[low] < pivot)
            low++;
        while (high >= 0 && values[high] >= pivot)
            high--;
    } while (low <= high);
    part->left = low;
}

static void grow_tree(struct tree *tree, int64_t n, int64_t threshold, uint64_t seed)
{
    int32_t *values = shuffled_values(n, seed);
    add_part(tree, 0, n);
    for (size_t i = 0; i < tree->count; i++) {
        struct part part = tree->parts[i];
        if (part.size < threshold)
            continue;
        split_part(&part, values + part.first);
        int32_t low = add_part(tree, part.first, part.left);
        int32_t high = add_part(tree, part.first + part.left, part.size - part.left);
        part.smaller = part.left > part.size - part.left ? high : low;
        part.larger = part.left > part.size - part.left ? low : high;
        tree->parts[i] = part;
    }
    free(values);
}

/* Parts that one rank handles in a row: along the larger ones down to a leaf. */
static int64_t longest_chain(const struct tree *tree)
{
    int64_t longest = 0;
    for (size_t i = 0; i < tree->count; i++) {
        int64_t length = 1;
        for (const struct part *part = &tree->parts[i]; part->larger != 0; part = &tree->parts[part->larger])
            length++;
        longest = int64_max(longest, length);
    }
    return longest;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)placement;
    (void)error;
    struct tree tree = {0};
    grow_tree(&tree, values[PARAM_N], values[PARAM_THRESHOLD], (uint64_t)values[PARAM_SEED]);
    struct config *config = xmalloc(sizeof *config + tree.count * sizeof *tree.parts);
    memcpy(config->parts, tree.parts, tree.count * sizeof *tree.parts);
    config->n_leaves = (int64_t)(tree.count + 1) / 2;
    config->round = 2 + longest_chain(&tree) + WAITS_PER_ROUND;
    free(tree.parts);
    program->config = config;
    int64_t bytes = ADDRESS_ARRAY + values[PARAM_N] * WORD;
    program->dsm = dsm_options(&values[PARAM_DSM], bytes, N_LOCKS, N_COUNTERS);
    return 0;
}

/* ---- ops ---- */

static void add_access(struct op_list *list, enum op_kind kind, int scope, int64_t address, int64_t bytes)
{
    struct op *op = op_list_add(list, kind, scope);
    op->address = address;
    op->bytes = bytes;
}

static void add_work(struct op_list *list, int scope, int kernel, int64_t times)
{
    struct op *op = op_list_add(list, OP_COMPUTE, scope);
    op->kernel = (int16_t)kernel;
    op->times = times;
    op->role = kernel == KERNEL_POLL ? ROLE_CONTROL : ROLE_USEFUL;
}

static void add_count(struct op_list *list, enum op_kind kind, int counter, int64_t value)
{
    struct op *op = op_list_add(list, kind, SCOPE_QUEUE);
    op->counter = counter;
    op->value = value;
}

static void add_runs(struct op_list *list, int64_t first, int64_t run, int64_t stride, int64_t runs)
{
    if (runs == 0)
        return;
    struct op *op = op_list_add(list, OP_PAGE_WRITE, SCOPE_PARTITION);
    op->address = ADDRESS_ARRAY + first * WORD;
    op->bytes = int64_min(run, stride) * WORD;
    op->pieces = (int32_t)runs;
    op->stride = (int32_t)(stride * WORD);
}

/* Write `count` of the words from `first` on, in as many runs as if each word was written or not by chance. */
static void add_scattered(struct op_list *list, int64_t first, int64_t words, int64_t count)
{
    count = int64_min(count, words);
    int64_t runs = int64_max(count * (words - count) / words, 1), stride = words / runs, longer = count % runs;
    add_runs(list, first, count / runs + 1, stride, longer);
    add_runs(list, first + longer * stride, count / runs, stride, runs - longer);
}

/* The subarray's entry on the stack. The stack's real depth is not known here, so that each has a place of its own. */
static void add_entry(struct op_list *list, enum op_kind kind, int64_t part)
{
    add_access(list, kind, SCOPE_QUEUE, part % STACK_SLOTS * SLOT_BYTES, SLOT_BYTES);
}

static void add_push(struct op_list *list, int64_t part)
{
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_STACK);
    add_access(list, OP_PAGE_READ, SCOPE_QUEUE, ADDRESS_TOP, WORD);
    add_entry(list, OP_PAGE_WRITE, part);
    add_access(list, OP_PAGE_WRITE, SCOPE_QUEUE, ADDRESS_TOP, WORD);
    add_count(list, OP_PUSH, STACK, FIRST_PART + part);
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_STACK);
}

static void add_partition(const struct part *part, struct op_list *list)
{
    int64_t right = part->size - part->left;
    add_access(list, OP_PAGE_READ, SCOPE_PARTITION, ADDRESS_ARRAY + part->first * WORD, part->size * WORD);
    add_work(list, SCOPE_PARTITION, KERNEL_PARTITION, part->size);
    add_scattered(list, part->first, part->left, part->exchanges);
    add_scattered(list, part->first + part->left, right, part->exchanges);
    add_push(list, part->smaller);
}

static void add_bubble(const struct part *part, struct op_list *list)
{
    add_access(list, OP_PAGE_READ, SCOPE_BUBBLE, ADDRESS_ARRAY + part->first * WORD, part->size * WORD);
    add_work(list, SCOPE_BUBBLE, KERNEL_BUBBLE, part->size * (part->size - 1));
    add_access(list, OP_PAGE_WRITE, SCOPE_BUBBLE, ADDRESS_ARRAY + part->first * WORD, part->size * WORD);
    add_count(list, OP_FETCH_ADD, SORTED, 1);
}

/* ---- steps ---- */

/* Rank 0 has filled the array and pushes it before the others begin. */
static void add_start(int rank, struct op_list *list)
{
    if (rank == 0) {
        add_count(list, OP_FETCH_ADD, SORTED, FIRST_SORTED);
        add_push(list, 0);
    }
    op_list_add(list, OP_BARRIER, SCOPE_QUEUE);
    op_list_add(list, OP_BARRIER, SCOPE_QUEUE);
}

static void add_take(struct op_list *list)
{
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_STACK);
    add_access(list, OP_PAGE_READ, SCOPE_QUEUE, ADDRESS_TOP, WORD);
    add_count(list, OP_POP, STACK, 0);
}

/* With what was taken. A rank that finds the end leaves it there for the others; who finds nothing counts as
 * waiting. */
static void add_taken(int64_t seen, struct op_list *list)
{
    if (seen == END) {
        add_count(list, OP_PUSH, STACK, END);
    } else if (seen >= FIRST_PART) {
        add_access(list, OP_PAGE_WRITE, SCOPE_QUEUE, ADDRESS_TOP, WORD);
        add_entry(list, OP_PAGE_READ, seen - FIRST_PART);
    } else {
        add_access(list, OP_PAGE_READ, SCOPE_QUEUE, ADDRESS_WAITING, WORD);
        add_access(list, OP_PAGE_WRITE, SCOPE_QUEUE, ADDRESS_WAITING, WORD);
    }
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_STACK);
    if (seen == END)
        op_list_add(list, OP_BARRIER, SCOPE_QUEUE);
}

/* Wait until the flag says that there is something on the stack. The flag is in private memory and set by a message to
 * all, which is not sent here; who has waited passes through its lock. */
static void add_wait(struct op_list *list)
{
    add_work(list, SCOPE_QUEUE, KERNEL_POLL, 1);
    add_count(list, OP_FETCH_ADD, STACK, 0);
}

/* The `i`-th part of the chain that begins with the one taken; nothing beyond its leaf. */
static void add_part_work(const struct config *config, int64_t taken, int64_t i, struct op_list *list)
{
    const struct part *part = &config->parts[taken];
    for (; i > 0 && part->larger != 0; i--)
        part = &config->parts[part->larger];
    if (i > 0)
        return;
    if (part->larger != 0)
        add_partition(part, list);
    else
        add_bubble(part, list);
}

/* All is sorted: wake the others, and leave the end on the stack. */
static void add_end(struct op_list *list)
{
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_PAUSE);
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_PAUSE);
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_STACK);
    add_count(list, OP_PUSH, STACK, END);
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_STACK);
}

static void add_wake(int64_t seen, struct op_list *list)
{
    if (seen <= 0 || seen >= FIRST_SORTED)
        return;
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_PAUSE);
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_PAUSE);
}

/* A round: take (step 0 and 1), then the chain of parts or waiting, then what the last of it asks for. */
static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    int64_t at = (step - 1) % config->round;
    if (step == 0)
        add_start(rank, list);
    else if (at == 0 && seen == END)
        return false;
    else if (at == 0)
        add_take(list);
    else if (at == 1)
        add_taken(seen, list);
    else if (at == config->round - 1 && seen == FIRST_SORTED + config->n_leaves - 1)
        add_end(list);
    else if (at == config->round - 1)
        add_wake(seen, list);
    else if (seen >= FIRST_PART && seen != END)
        add_part_work(config, seen - FIRST_PART, at - 2, list);
    else if (seen <= 0)
        add_wait(list);
    return true;
}

const struct app_spec app_quicksort = {
    .name = "quicksort",
    .summary = "quicksort in shared memory, subarrays on a stack",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", "seed", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
