/* Gauss-Jordan elimination of n equations (Zemerly95, section 4; eqs. 10-15).
 *
 * The root reads the matrix of (n+1) x (n+1) doubles, initializes the links and deals out rows of n+1. In each of n
 * steps the owner of row k inverts the pivot (inv), normalizes the row (norm) and broadcasts it; every rank then
 * prepares (set) and subtracts (rsub) it in all its other rows, from column k+1 on. At the end each rank copies its
 * part of the solution (buf), the root collects it and writes it.
 *
 * The paper does not say how its broadcasts send. The measured one-to-all broadcast takes the time of sends that wait
 * for their receivers, the neighbour broadcast that of sends which do not (docs/explain/accuracy-cells.md, What was
 * chosen): hence the modes that `broadcast_mode` auto stands for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { ROWS_BLOCK, ROWS_CYCLIC };
enum { PARAM_N, PARAM_ROWS, PARAM_BROADCAST };
enum { SCOPE_NONE, SCOPE_INITIALISATION, SCOPE_DISTRIBUTION, SCOPE_ELIMINATION, SCOPE_BROADCAST, SCOPE_COLLECTION };
enum { KERNEL_INV, KERNEL_NORM, KERNEL_SET, KERNEL_RSUB, KERNEL_BUF };
enum { BARRIER_BYTES = 4, DOUBLE_BYTES = 8 };

static const char *const rows_names[] = {"block", "cyclic", NULL};
static const char *const scopes[] = {"",  "initialisation", "distribution", "elimination", "broadcast", "collection",
                                     NULL};
static const char *const kernels[] = {"gj.inv", "gj.norm", "gj.set", "gj.rsub", "gj.buf", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, .min = 1, .max = 16384, .summary = "number of equations"},
    [PARAM_ROWS] = {"rows", PARAM_CHOICE, "block", .choices = rows_names,
                    .summary = "how the rows are distributed among the ranks"},
    BROADCAST_PARAMS("neighbour", "synchronous for flat, standard otherwise"),
};

struct config {
    int64_t n;
    int n_ranks, root;
    bool cyclic;
    int64_t n_links;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.n = values[PARAM_N],
                              .n_ranks = placement->n_ranks,
                              .root = placement->root,
                              .cyclic = values[PARAM_ROWS] == ROWS_CYCLIC,
                              .n_links = placement_link_count(placement)};
    program->config = config;
    bool flat = coll_broadcasts[values[PARAM_BROADCAST]] == &coll_flat;
    program->collectives = broadcast_options(&values[PARAM_BROADCAST], flat ? SEND_SYNCHRONOUS : SEND_STANDARD);
    return 0;
}

/* The rank that holds row k; in blocks the first n mod p ranks have one row more. */
static int owner_of(const struct config *config, int64_t k)
{
    if (config->cyclic)
        return (int)(k % config->n_ranks);
    int64_t rows = config->n / config->n_ranks, larger = config->n % config->n_ranks;
    if (k < larger * (rows + 1))
        return (int)(k / (rows + 1));
    return (int)(larger + (k - larger * (rows + 1)) / rows);
}

#define add_collective(list, kind, scope, root, times, bytes)                                                          \
    add_collective_at(list, kind, scope, root, times, bytes, OP_HERE)
static void add_collective_at(struct op_list *list, enum op_kind kind, int scope, int root, int64_t times,
                              int64_t bytes, const char *at)
{
    struct op *op = op_list_add_at(list, kind, scope, at);
    op->peer = root;
    op->times = times;
    op->bytes = bytes;
}

static void add_start(const struct config *config, int rank, struct op_list *list)
{
    int64_t row_bytes = (config->n + 1) * DOUBLE_BYTES;
    if (rank == config->root)
        op_list_add(list, OP_READ, SCOPE_DISTRIBUTION)->bytes = (config->n + 1) * row_bytes;
    if (rank == config->root && config->n_ranks > 1)
        op_list_add(list, OP_LINK_INIT, SCOPE_INITIALISATION)->links = config->n_links;
    add_collective(list, OP_BARRIER, SCOPE_INITIALISATION, config->root, 0, BARRIER_BYTES);
    add_collective(list, OP_SCATTER, SCOPE_DISTRIBUTION, config->root, config->n, row_bytes);
}

static void add_elimination(const struct config *config, int rank, int64_t k, struct op_list *list)
{
    int owner = owner_of(config, k);
    int64_t rows = coll_share(config->n, config->n_ranks, rank) - (rank == owner), columns = config->n - k;
    if (rank == owner) {
        op_list_work(list, SCOPE_ELIMINATION, KERNEL_INV, 1);
        op_list_work(list, SCOPE_ELIMINATION, KERNEL_NORM, columns);
    }
    add_collective(list, OP_BROADCAST, SCOPE_BROADCAST, owner, 0, (config->n + 1) * DOUBLE_BYTES);
    op_list_work(list, SCOPE_ELIMINATION, KERNEL_SET, rows);
    op_list_work(list, SCOPE_ELIMINATION, KERNEL_RSUB, rows * columns);
}

static void add_end(const struct config *config, int rank, struct op_list *list)
{
    op_list_work(list, SCOPE_ELIMINATION, KERNEL_BUF, coll_share(config->n, config->n_ranks, rank));
    add_collective(list, OP_GATHER, SCOPE_COLLECTION, config->root, config->n, DOUBLE_BYTES);
    if (rank == config->root)
        op_list_add(list, OP_WRITE, SCOPE_COLLECTION)->bytes = config->n * DOUBLE_BYTES;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    if (step > config->n + 1)
        return false;
    if (step == 0)
        add_start(config, rank, list);
    else if (step <= config->n)
        add_elimination(config, rank, step - 1, list);
    else
        add_end(config, rank, list);
    return true;
}

const struct app_spec app_gauss_jordan = {
    .name = "gauss-jordan",
    .summary = "Gauss-Jordan elimination, rows distributed among the ranks, one broadcast per step",
    .source = "Zemerly95, section 4",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"broadcast", SUBJECT_BROADCAST, NULL}, {0}},
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
};
