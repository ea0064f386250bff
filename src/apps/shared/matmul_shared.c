/* Product of two n x n matrices of doubles in shared memory: what matmul does by messages.
 *
 * A, B and C lie one behind the other, row after row; at the beginning rank 0 has all of A and B. Every rank reads its
 * rows of A and all of B, and writes its rows of C; the first n mod p ranks have one row more. After a barrier rank 0
 * reads C. The size of the default is that of Munin's matrix multiply (Carter, Bennett, Zwaenepoel 1991).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_N, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_MULTIPLICATION, SCOPE_COLLECTION };
enum { KERNEL_DGEMM };
enum { MATRIX_A, MATRIX_B, MATRIX_C, N_MATRICES };
enum { ROOT = 0, DOUBLE_BYTES = 8 };

static const char *const scopes[] = {"", "multiplication", "collection", NULL};
static const char *const kernels[] = {"dgemm", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, "400", .min = 1, .max = 32768, .summary = "rows and columns of the matrices"},
    DSM_PARAMS,
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
    int64_t n = values[PARAM_N];
    *config = (struct config){n, placement->n_ranks};
    program->config = config;
    program->dsm = dsm_options(&values[PARAM_DSM], N_MATRICES * n * n * DOUBLE_BYTES, 0, 0);
    return 0;
}

static void add_access(const struct config *config, struct op_list *list, enum op_kind kind, int scope, int matrix,
                       int64_t first_row, int64_t rows)
{
    int64_t row_bytes = config->n * DOUBLE_BYTES;
    struct op *op = op_list_add(list, kind, scope);
    op->address = (matrix * config->n + first_row) * row_bytes;
    op->bytes = rows * row_bytes;
}

static void add_product(const struct config *config, int rank, struct op_list *list)
{
    int64_t n = config->n, rows = coll_share(n, config->n_ranks, rank);
    int64_t first = coll_share_start(n, config->n_ranks, rank);
    if (rows == 0)
        return;
    add_access(config, list, OP_PAGE_READ, SCOPE_MULTIPLICATION, MATRIX_A, first, rows);
    add_access(config, list, OP_PAGE_READ, SCOPE_MULTIPLICATION, MATRIX_B, 0, n);
    op_list_call(list, SCOPE_MULTIPLICATION, KERNEL_DGEMM, rows, n, n);
    add_access(config, list, OP_PAGE_WRITE, SCOPE_MULTIPLICATION, MATRIX_C, first, rows);
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    (void)seen;
    if (step > 0)
        return false;
    op_list_add(list, OP_BARRIER, SCOPE_MULTIPLICATION);
    add_product(config, rank, list);
    op_list_add(list, OP_BARRIER, SCOPE_COLLECTION);
    if (rank == ROOT)
        add_access(config, list, OP_PAGE_READ, SCOPE_COLLECTION, MATRIX_C, 0, config->n);
    return true;
}

const struct app_spec app_matmul_shared = {
    .name = "matmul-shared",
    .summary = "matrix product in shared memory, rows of the result distributed in blocks",
    .source = "Carter, Bennett, Zwaenepoel 1991 (Munin)",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
