/* Traveling salesman by branch and bound in shared memory: the program that was measured with TreadMarks (Keleher,
 * Cox, Dwarkadas, Zwaenepoel 1994; 19 cities), as its authors distributed it.
 *
 * Partial tours wait in a queue, the most promising first. A rank that looks for work does so under a lock: it takes
 * the first, extends it by each city and puts the tours back, until it finds one that lacks no more than `recursive`
 * cities. That one it completes in all ways, alone. The best tour's length is read without a lock: an old value costs
 * work, not correctness. These reads are left out. They cost nothing, because the length lies on the page that every
 * look for work brings up to date. A better tour is written under a lock of its own.
 *
 * The queue is run in setup, for cities placed at random, so that looks for work touch what they really would
 * (tsp_queue.c). How much work a tour is, is a hash of its number, log-normal: completing the tours of four sets of 19
 * random cities in this order, on one processor, gave standard deviations of 0.52 to 0.70 of the logarithm. This leaves
 * out that the first tours, as long as no good one is known, were up to 19 times the mean. In a series of independent
 * tours, the i-th is the best so far with probability 1/i, which says when the best tour is written.
 *
 * The cities that were measured are not known, so two numbers are taken from the measurement: 700 tours are 16.1 lock
 * acquisitions a second in 43.7 s, and 9e8 steps of 14 cycles the 7.2 times 43.7 s on one processor (R). Speedup,
 * messages and bytes are not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/shared/ops.h"
#include "apps/shared/tsp_queue.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/range.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PARAM_CITIES, PARAM_RECURSIVE, PARAM_TOURS, PARAM_STEPS, PARAM_SEED, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_QUEUE, SCOPE_SOLVE, SCOPE_BEST };
enum { KERNEL_VISIT, KERNEL_BOUND };
enum { LOCK_BEST, LOCK_QUEUE, N_LOCKS };
enum { STREAM_WORK = 1000001, STREAM_BEST };
#define WORK_SIGMA 0.6

static const char *const scopes[] = {"", "queue", "solve", "best", NULL};
static const char *const kernels[] = {"tsp.visit", "tsp.bound", NULL};

static const struct param_spec params[] = {
    [PARAM_CITIES] = {"cities", PARAM_COUNT, "19", .min = 4, .max = TSP_MAX_CITIES, .summary = "number of cities"},
    [PARAM_RECURSIVE] = {"recursive", PARAM_COUNT, "12", .min = 1, .max = 31,
                         .summary = "tours that lack at most this many cities are completed by one rank"},
    [PARAM_TOURS] = {"tours", PARAM_COUNT, "700", .min = 1, .max = 1000000, .summary = "most tours that are completed"},
    [PARAM_STEPS] = {"steps", PARAM_COUNT, "900000000", .min = 1, .max = INT64_C(1) << 50,
                     .summary = "cities tried to complete all of them"},
    [PARAM_SEED] = {"seed", PARAM_COUNT, "6", .max = 1000000,
                    .summary = "seed of the cities' locations and of the work of the tours"},
    DSM_PARAMS,
};

struct look {
    int64_t steps; /* the work of the tour that is found */
    int32_t first_access, n_accesses;
    int32_t n_tours, tour;
    bool best;
};

struct config {
    int n_cities;
    int64_t n_looks, round; /* round: steps from one look to the next */
    struct look *looks;
    struct tsp_access *accesses;
};

/* The work of all tours, of which each gets its part. */
static void share_work(struct config *config, int64_t steps, uint64_t seed)
{
    double sum = 0, so_far = 0;
    for (int64_t i = 0; i < config->n_looks; i++)
        sum += exp(WORK_SIGMA * pseudo_normal(STREAM_WORK + seed, (uint64_t)i));
    for (int64_t i = 0, done = 0; i < config->n_looks; i++) {
        so_far += exp(WORK_SIGMA * pseudo_normal(STREAM_WORK + seed, (uint64_t)i));
        int64_t upto = i == config->n_looks - 1 ? steps : (int64_t)((double)steps * (so_far / sum));
        config->looks[i].steps = upto - done;
        done = upto;
    }
}

static void fill_looks(struct config *config, const struct tsp_looks *looks, uint64_t seed)
{
    int longest = 0;
    for (size_t i = 0; i < looks->count; i++) {
        const struct tsp_look *look = &looks->items[i];
        config->looks[i] = (struct look){.first_access = (int32_t)look->first_access,
                                         .n_accesses = look->n_accesses,
                                         .n_tours = look->n_tours,
                                         .tour = look->tour,
                                         .best = pseudo_uniform(STREAM_BEST + seed, i) * (double)(i + 1) < 1};
        longest = int_max(longest, look->n_accesses);
    }
    config->round = 1 + (longest + OP_LIST_MAX - 1) / OP_LIST_MAX + 1;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)placement;
    (void)error;
    struct tsp_looks looks;
    uint64_t seed = (uint64_t)values[PARAM_SEED];
    tsp_queue_run(&looks, (int)values[PARAM_CITIES], (int)values[PARAM_TOURS], (int)values[PARAM_RECURSIVE], seed);
    size_t looks_size = looks.count * sizeof(struct look);
    size_t accesses_size = looks.n_accesses * sizeof(struct tsp_access);
    struct config *config = xmalloc(sizeof *config + looks_size + accesses_size);
    config->n_cities = (int)values[PARAM_CITIES];
    config->n_looks = (int64_t)looks.count;
    config->looks = (struct look *)(config + 1);
    config->accesses = (struct tsp_access *)(config->looks + looks.count);
    memcpy(config->accesses, looks.accesses, accesses_size);
    fill_looks(config, &looks, seed);
    share_work(config, values[PARAM_STEPS], seed);
    free(looks.items);
    free(looks.accesses);
    program->config = config;
    program->dsm = dsm_options(&values[PARAM_DSM], (int64_t)TSP_WORDS * TSP_WORD, N_LOCKS, 1);
    return 0;
}

/* ---- ops ---- */

static void add_access(struct op_list *list, int scope, struct tsp_access access)
{
    struct op *op = op_list_add(list, access.write ? OP_PAGE_WRITE : OP_PAGE_READ, scope);
    op->address = (int64_t)access.word * TSP_WORD;
    op->bytes = (int64_t)access.words * TSP_WORD;
}

static void add_look(struct op_list *list)
{
    shared_lock(list, OP_ACQUIRE, SCOPE_QUEUE, LOCK_QUEUE);
    op_list_add(list, OP_FETCH_ADD, SCOPE_QUEUE)->value = 1;
}

/* The `i`-th step of a look's accesses under the lock. */
static void add_accesses(const struct config *config, const struct look *look, int64_t i, struct op_list *list)
{
    const struct tsp_access *accesses = &config->accesses[look->first_access];
    for (int64_t a = i * OP_LIST_MAX; a < look->n_accesses && a < (i + 1) * OP_LIST_MAX; a++)
        add_access(list, SCOPE_QUEUE, accesses[a]);
}

/* A bound looks at an edge from each city to each. The tour is read before the lock is let go: here the next look, by
 * any rank, gives its place back. */
static void add_solution(const struct config *config, const struct look *look, struct op_list *list)
{
    int tour = TSP_TOURS + look->tour * TSP_TOUR_WORDS;
    if (look->n_tours > 0)
        op_list_work(list, SCOPE_QUEUE, KERNEL_BOUND, (int64_t)look->n_tours * config->n_cities * config->n_cities);
    add_access(list, SCOPE_QUEUE, (struct tsp_access){tour, TSP_TOUR_WORDS, false});
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_QUEUE);
    add_access(list, SCOPE_SOLVE, (struct tsp_access){TSP_WEIGHTS, TSP_MAX_CITIES * config->n_cities, false});
    op_list_work(list, SCOPE_SOLVE, KERNEL_VISIT, look->steps);
    if (!look->best)
        return;
    shared_lock(list, OP_ACQUIRE, SCOPE_BEST, LOCK_BEST);
    add_access(list, SCOPE_BEST, (struct tsp_access){TSP_BEST_LENGTH, 1, false});
    add_access(list, SCOPE_BEST, (struct tsp_access){TSP_BEST_LENGTH, 1, true});
    add_access(list, SCOPE_BEST,
               (struct tsp_access){TSP_BEST_TOUR, (config->n_cities + TSP_WORD - 1) / TSP_WORD, true});
    shared_lock(list, OP_RELEASE, SCOPE_BEST, LOCK_BEST);
}

static void add_nothing_found(struct op_list *list)
{
    add_access(list, SCOPE_QUEUE, (struct tsp_access){TSP_DONE, 1, false});
    add_access(list, SCOPE_QUEUE, (struct tsp_access){TSP_DONE, 1, true});
    shared_lock(list, OP_RELEASE, SCOPE_QUEUE, LOCK_QUEUE);
    op_list_add(list, OP_BARRIER, SCOPE_NONE);
}

/* A round is a look and the solution of what it found; `seen` is the number of the look. */
static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    int64_t at = (step - 1) % config->round;
    bool found = seen < config->n_looks;
    (void)rank;
    if (step == 0) {
        op_list_add(list, OP_BARRIER, SCOPE_NONE);
        op_list_add(list, OP_BARRIER, SCOPE_NONE);
    } else if (at == 0 && !found) {
        return false;
    } else if (at == 0) {
        add_look(list);
    } else if (at == config->round - 1 && found) {
        add_solution(config, &config->looks[seen], list);
    } else if (found) {
        add_accesses(config, &config->looks[seen], at - 1, list);
    } else if (at == 1) {
        add_nothing_found(list);
    }
    return true;
}

const struct app_spec app_tsp = {
    .name = "tsp",
    .summary = "traveling salesman by branch and bound in shared memory, with a queue of tours under a lock",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"cities", "tours", "steps", "seed", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
