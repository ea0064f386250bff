/* Gauss-Jordan elimination of n equations in shared memory: the same elimination as gauss-jordan (Zemerly95, section 4;
 * eqs. 10-15), with barriers where that has broadcasts.
 *
 * The matrix of n rows of n+1 doubles lies row after row, the solution behind it; at the beginning rank 0 has all of
 * it. Each row has pages of its own, as programs for shared memory in software have it: rows of several ranks on a page
 * would be exchanged in every step. 511 equations fill a page of 4 KiB with each row. In each of n steps the owner of
 * row k inverts the pivot (inv) and normalizes the row (norm), from column k on; after a barrier every rank prepares
 * (set) and subtracts it (rsub) in all its other rows, from column k+1 on. One barrier a step is enough: row k is
 * written again only after the next. At the end each rank copies its part of the solution (buf), and rank 0 reads it
 * all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/shared/ops.h"
#include "base/memory.h"

#include <stddef.h>

enum { ROWS_BLOCK, ROWS_CYCLIC };
enum { PARAM_N, PARAM_ROWS, PARAM_ALIGN, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_ELIMINATION, SCOPE_PIVOT, SCOPE_COLLECTION };
enum { KERNEL_INV, KERNEL_NORM, KERNEL_SET, KERNEL_RSUB, KERNEL_BUF };
enum { ROOT = 0, DOUBLE_BYTES = 8 };

static const char *const rows_names[] = {"block", "cyclic", NULL};
static const char *const scopes[] = {"", "elimination", "pivot", "collection", NULL};
static const char *const kernels[] = {"gj.inv", "gj.norm", "gj.set", "gj.rsub", "gj.buf", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, "511", .min = 1, .max = 16384, .summary = "number of equations"},
    [PARAM_ROWS] = {"rows", PARAM_CHOICE, "cyclic", .choices = rows_names,
                    .summary = "how the rows are distributed among the ranks"},
    [PARAM_ALIGN] = {"align", PARAM_SIZE, "4KiB", .min = 8, .max = 1 << 20,
                     .summary = "rows start at multiples of this"},
    DSM_PARAMS,
};

struct config {
    int64_t n;
    int64_t row_bytes, stride; /* stride: from the beginning of a row to that of the next */
    int64_t solution;          /* its address */
    int n_ranks;
    bool cyclic;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    int64_t n = values[PARAM_N], row_bytes = (n + 1) * DOUBLE_BYTES, align = values[PARAM_ALIGN];
    int64_t stride = (row_bytes + align - 1) / align * align;
    *config = (struct config){.n = n,
                              .row_bytes = row_bytes,
                              .stride = stride,
                              .solution = n * stride,
                              .n_ranks = placement->n_ranks,
                              .cyclic = values[PARAM_ROWS] == ROWS_CYCLIC};
    program->config = config;
    program->dsm = dsm_options(&values[PARAM_DSM], n * stride + n * DOUBLE_BYTES, 0, 0);
    return 0;
}

/* Rows first, first + stride, ... before `end` are the rank's. */
struct rows {
    int64_t first, stride, end;
};

static struct rows rows_of(const struct config *config, int rank)
{
    if (config->cyclic)
        return (struct rows){rank, config->n_ranks, config->n};
    int64_t first = coll_share_start(config->n, config->n_ranks, rank);
    return (struct rows){first, 1, first + coll_share(config->n, config->n_ranks, rank)};
}

static int64_t count_of(struct rows rows)
{
    return rows.first < rows.end ? (rows.end - rows.first + rows.stride - 1) / rows.stride : 0;
}

static bool owns(struct rows rows, int64_t k)
{
    return k >= rows.first && k < rows.end && (k - rows.first) % rows.stride == 0;
}

/* Columns from `column` on of some rows. */
static void add_access(const struct config *config, struct op_list *list, enum op_kind kind, int scope,
                       struct rows rows, int64_t column)
{
    if (count_of(rows) == 0)
        return;
    struct op *op = op_list_add(list, kind, scope);
    op->address = rows.first * config->stride + column * DOUBLE_BYTES;
    op->bytes = config->row_bytes - column * DOUBLE_BYTES;
    op->pieces = (int32_t)count_of(rows);
    op->stride = (int32_t)(rows.stride * config->stride);
}

static void add_pivot(const struct config *config, int rank, int64_t k, struct op_list *list)
{
    struct rows pivot = {k, 1, k + 1};
    if (owns(rows_of(config, rank), k)) {
        add_access(config, list, OP_PAGE_READ, SCOPE_PIVOT, pivot, k);
        op_list_work(list, SCOPE_PIVOT, KERNEL_INV, 1);
        op_list_work(list, SCOPE_PIVOT, KERNEL_NORM, config->n - k);
        add_access(config, list, OP_PAGE_WRITE, SCOPE_PIVOT, pivot, k);
    }
    op_list_add(list, OP_BARRIER, SCOPE_PIVOT);
}

static void add_elimination(const struct config *config, int rank, int64_t k, struct op_list *list)
{
    struct rows all = rows_of(config, rank), before = all, after = all, pivot = {k, 1, k + 1};
    int64_t rows = count_of(all) - owns(all, k);
    if (rows == 0)
        return;
    if (owns(all, k)) {
        before.end = k;
        after.first = k + all.stride;
    } else {
        after.first = all.end;
    }
    add_access(config, list, OP_PAGE_READ, SCOPE_ELIMINATION, pivot, k);
    add_access(config, list, OP_PAGE_READ, SCOPE_ELIMINATION, before, k);
    add_access(config, list, OP_PAGE_READ, SCOPE_ELIMINATION, after, k);
    op_list_work(list, SCOPE_ELIMINATION, KERNEL_SET, rows);
    op_list_work(list, SCOPE_ELIMINATION, KERNEL_RSUB, rows * (config->n - k));
    add_access(config, list, OP_PAGE_WRITE, SCOPE_ELIMINATION, before, k + 1);
    add_access(config, list, OP_PAGE_WRITE, SCOPE_ELIMINATION, after, k + 1);
}

static void add_end(const struct config *config, int rank, struct op_list *list)
{
    struct rows rows = rows_of(config, rank);
    if (count_of(rows) > 0) {
        op_list_work(list, SCOPE_COLLECTION, KERNEL_BUF, count_of(rows));
        struct op *op = op_list_add(list, OP_PAGE_WRITE, SCOPE_COLLECTION);
        op->address = config->solution + rows.first * DOUBLE_BYTES;
        op->bytes = DOUBLE_BYTES;
        op->pieces = (int32_t)count_of(rows);
        op->stride = (int32_t)(rows.stride * DOUBLE_BYTES);
    }
    op_list_add(list, OP_BARRIER, SCOPE_COLLECTION);
    if (rank != ROOT)
        return;
    struct op *op = op_list_add(list, OP_PAGE_READ, SCOPE_COLLECTION);
    op->address = config->solution;
    op->bytes = config->n * DOUBLE_BYTES;
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    (void)seen;
    if (step > 2 * config->n)
        return false;
    if (step == 2 * config->n)
        add_end(config, rank, list);
    else if (step % 2 == 0)
        add_pivot(config, rank, step / 2, list);
    else
        add_elimination(config, rank, step / 2, list);
    return true;
}

const struct app_spec app_gauss_shared = {
    .name = "gauss-shared",
    .summary = "Gauss-Jordan elimination in shared memory, one barrier per step",
    .source = "Zemerly95, section 4",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
