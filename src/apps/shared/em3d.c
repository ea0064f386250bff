/* Em3d: electric and magnetic fields on an irregular graph (Culler, Dusseau, Goldstein, Krishnamurthy, Lumetta, von
 * Eicken, Yelick 1993).
 *
 * Half of the objects are electric, half magnetic. Each has `degree` edges to objects of the other kind, and its new
 * value is its old one less the weighted values at their ends. An iteration computes the electric values, then the
 * magnetic ones, with a barrier after each. Values are two shared arrays of doubles, the electric one first; edges and
 * weights are private to who has the object. A rank has a block of each array.
 *
 * `remote` percent of a rank's edges end at objects of other ranks, drawn at random from those up to `span` ranks
 * away, which lie in a ring; the others end in its own block. Objects are computed in order, so that remote values
 * are read in between.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"
#include "base/hash.h"
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_OBJECTS, PARAM_DEGREE, PARAM_REMOTE, PARAM_SPAN, PARAM_ITERATIONS, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_INITIALISATION, SCOPE_ELECTRIC, SCOPE_MAGNETIC };
enum { KERNEL_EDGE };
enum { VALUE_BYTES = 8, N_KINDS = 2 };

/* Remote values read in a step; the block of the other kind, the new values and the work are three more ops. */
enum { READ_PER_STEP = OP_LIST_MAX - 4 };

static const char *const scopes[] = {"", "initialisation", "electric", "magnetic", NULL};
static const char *const kernels[] = {"em3d.edge", NULL};

static const struct param_spec params[] = {
    [PARAM_OBJECTS] = {"objects", PARAM_COUNT, "40064", .min = 2, .max = 1 << 24,
                       .summary = "objects, half of them electric, half magnetic"},
    [PARAM_DEGREE] = {"degree", PARAM_COUNT, "20", .min = 1, .max = 1024, .summary = "edges per object"},
    [PARAM_REMOTE] = {"remote", PARAM_COUNT, "10", .min = 0, .max = 100,
                      .summary = "percentage of edges that end at another rank's object"},
    [PARAM_SPAN] = {"span", PARAM_COUNT, "0", .min = 0, .max = 65536,
                    .summary = "largest number of ranks that such an edge spans; 0: any number"},
    [PARAM_ITERATIONS] = {"iterations", PARAM_COUNT, "6", .min = 1, .max = 1000000,
                          .summary = "number of iterations, each in two halves"},
    DSM_PARAMS,
};

struct config {
    int64_t n, degree, remote, iterations; /* n: objects of a kind */
    int64_t n_steps;                       /* of a half, the same for all ranks */
    int n_ranks, span;
};

static struct span own(const struct config *config, int rank)
{
    return span_of(config->n, config->n_ranks, rank);
}

static int64_t n_edges(const struct config *config, int rank)
{
    struct span span = own(config, rank);
    return (span.to - span.from) * config->degree;
}

static int64_t n_remote(const struct config *config, int rank)
{
    return config->n_ranks == 1 ? 0 : n_edges(config, rank) * config->remote / 100;
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    int n_ranks = placement->n_ranks, most = n_ranks / 2;
    *config =
        (struct config){.n = values[PARAM_OBJECTS] / N_KINDS,
                        .degree = values[PARAM_DEGREE],
                        .remote = values[PARAM_REMOTE],
                        .iterations = values[PARAM_ITERATIONS],
                        .n_steps = 1,
                        .n_ranks = n_ranks,
                        .span = values[PARAM_SPAN] == 0 || values[PARAM_SPAN] > most ? most : (int)values[PARAM_SPAN]};
    for (int rank = 0; rank < n_ranks; rank++) {
        int64_t steps = (n_remote(config, rank) + READ_PER_STEP - 1) / READ_PER_STEP;
        config->n_steps = steps > config->n_steps ? steps : config->n_steps;
    }
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, N_KINDS * config->n * VALUE_BYTES, 0, 0);
    return 0;
}

static struct pieces values_of(const struct config *config, int kind, int64_t from, int64_t to)
{
    return (struct pieces){(kind * config->n + from) * VALUE_BYTES, (to - from) * VALUE_BYTES, 1, 0};
}

/* The rank at which a remote edge ends: 1 ... span to the one side of the ring or to the other. */
static int other_rank(const struct config *config, int rank, uint64_t random)
{
    int distance = 1 + (int)(random % (uint64_t)config->span), n = config->n_ranks;
    return (random >> 32) % 2 == 0 ? (rank + distance) % n : (rank + n - distance) % n;
}

/* The i-th remote edge of a rank's objects of a kind ends at an object of the other kind. */
static void read_remote(const struct config *config, int rank, int kind, int64_t i, struct op_list *list)
{
    uint64_t stream = (uint64_t)(N_KINDS * rank + kind);
    struct span span = own(config, other_rank(config, rank, pseudo_random(stream, 2 * (uint64_t)i)));
    if (span.to == span.from)
        return;
    int64_t object =
        span.from + (int64_t)(pseudo_random(stream, 2 * (uint64_t)i + 1) % (uint64_t)(span.to - span.from));
    shared_read(list, SCOPE_ELECTRIC + kind, values_of(config, !kind, object, object + 1));
}

/* A part of a half: remote values, then the objects that they are for. */
static void add_part(const struct config *config, int rank, int kind, int64_t part, struct op_list *list)
{
    struct span span = own(config, rank), edges = span_of(n_edges(config, rank), (int)config->n_steps, (int)part),
                remote = span_of(n_remote(config, rank), (int)config->n_steps, (int)part),
                objects = span_of(span.to - span.from, (int)config->n_steps, (int)part);
    int scope = SCOPE_ELECTRIC + kind;
    if (part == 0)
        shared_read(list, scope, values_of(config, !kind, span.from, span.to));
    for (int64_t i = remote.from; i < remote.to; i++)
        read_remote(config, rank, kind, i, list);
    op_list_work(list, scope, KERNEL_EDGE, edges.to - edges.from);
    shared_write(list, scope, values_of(config, kind, span.from + objects.from, span.from + objects.to));
    if (part == config->n_steps - 1)
        op_list_add(list, OP_BARRIER, scope);
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    int64_t half = (step - 1) / config->n_steps;
    (void)seen;
    if (step > 0 && half >= N_KINDS * config->iterations)
        return false;
    if (step > 0) {
        add_part(config, rank, (int)(half % N_KINDS), (step - 1) % config->n_steps, list);
        return true;
    }
    struct span span = own(config, rank);
    for (int kind = 0; kind < N_KINDS; kind++)
        shared_write(list, SCOPE_INITIALISATION, values_of(config, kind, span.from, span.to));
    op_list_add(list, OP_BARRIER, SCOPE_INITIALISATION);
    return true;
}

const struct app_spec app_em3d = {
    .name = "em3d",
    .summary = "electric and magnetic fields on an irregular graph, in two shared arrays",
    .source = "Culler et al. 1993",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"objects", "degree", "iterations", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
