/* Product of two n x n matrices of doubles by stripes (Lemeire07, example 1.2 and figure 1.3).
 *
 * The master, rank 0, deals out stripes of rows of A and stripes of columns of B, to one slave after the other; the
 * first n mod p ranks have one row and one column more. In each of p steps every rank multiplies its stripe of A by the
 * stripe of B that it has; between the steps the stripes of B move on by one rank in the ring. At the end the slaves
 * send their rows of C to the master. Empty stripes are neither sent nor computed.
 *
 * In the shift a rank sends without waiting, receives, and then waits: else all would wait in their sends for receives
 * that no rank reaches.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_N };
enum { SCOPE_NONE, SCOPE_DISTRIBUTION, SCOPE_MULTIPLICATION, SCOPE_SHIFT, SCOPE_COLLECTION };
enum { KERNEL_DGEMM };
enum { MASTER = 0, DOUBLE_BYTES = 8 };

static const char *const scopes[] = {"", "distribution", "multiplication", "shift", "collection", NULL};
static const char *const kernels[] = {"dgemm", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, .min = 1, .max = 65536, .summary = "rows and columns of the matrices"},
};

struct config {
    int64_t n;
    int n_ranks;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.n = values[PARAM_N], .n_ranks = placement->n_ranks};
    program->config = config;
    return 0;
}

/* Rows of A and columns of B in the rank's stripes. */
static int64_t width_of(const struct config *config, int rank)
{
    return coll_share(config->n, config->n_ranks, rank);
}

static int64_t stripe_bytes(const struct config *config, int rank)
{
    return width_of(config, rank) * config->n * DOUBLE_BYTES;
}

/* The master turns to one slave a step, a slave to the master. */
static int peer_at(int rank, int64_t step)
{
    return rank == MASTER ? (int)step + 1 : MASTER;
}

static void add_distribution(const struct config *config, int rank, int64_t step, struct op_list *list)
{
    int peer = peer_at(rank, step), slave = rank == MASTER ? peer : rank;
    enum op_kind kind = rank == MASTER ? OP_SEND : OP_RECV;
    for (int matrix = 0; matrix < 2; matrix++) /* A, then B */
        op_list_message(list, kind, SCOPE_DISTRIBUTION, peer, stripe_bytes(config, slave));
}

static void add_collection(const struct config *config, int rank, int64_t step, struct op_list *list)
{
    int peer = peer_at(rank, step), slave = rank == MASTER ? peer : rank;
    op_list_message(list, rank == MASTER ? OP_RECV : OP_SEND, SCOPE_COLLECTION, peer, stripe_bytes(config, slave));
}

/* The rank whose stripe of B `rank` has in a step. */
static int stripe_at(const struct config *config, int rank, int64_t step)
{
    return (int)((rank - step + config->n_ranks) % config->n_ranks);
}

static void add_multiplication(const struct config *config, int rank, int64_t step, struct op_list *list)
{
    int64_t rows = width_of(config, rank), columns = width_of(config, stripe_at(config, rank, step));
    op_list_call(list, SCOPE_MULTIPLICATION, KERNEL_DGEMM, rows, columns, config->n);
}

static void add_shift(const struct config *config, int rank, int64_t step, struct op_list *list)
{
    int p = config->n_ranks;
    int64_t out = stripe_bytes(config, stripe_at(config, rank, step));
    int64_t in = stripe_bytes(config, stripe_at(config, rank, step + 1));
    op_list_message(list, OP_ISEND, SCOPE_SHIFT, rank == p - 1 ? 0 : rank + 1, out);
    op_list_message(list, OP_RECV, SCOPE_SHIFT, rank == 0 ? p - 1 : rank - 1, in);
    if (out > 0)
        op_list_add(list, OP_WAIT, SCOPE_SHIFT);
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    int p = config->n_ranks;
    int64_t deals = rank == MASTER ? p - 1 : 1; /* steps of the distribution, and of the collection */
    if (step >= 2 * deals + p)
        return false;
    if (step < deals) {
        add_distribution(config, rank, step, list);
    } else if (step < deals + p) {
        add_multiplication(config, rank, step - deals, list);
        if (step < deals + p - 1)
            add_shift(config, rank, step - deals, list);
    } else {
        add_collection(config, rank, step - deals - p, list);
    }
    return true;
}

const struct app_spec app_matmul = {
    .name = "matmul",
    .summary = "matrix product of stripes that a master distributes and the ranks shift around a ring",
    .source = "Lemeire07, example 1.2",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
};
