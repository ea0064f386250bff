/* Jacobi's iteration on a grid, as the TreadMarks papers have it: the grid is shared, a scratch array of the same size
 * is private. In the first half of an iteration every rank puts the averages of four neighbors of the elements of its
 * band of rows into the scratch array, in the second half it copies them back; a barrier ends each half. The edges of
 * the grid are kept, each set by who has its rows.
 *
 * Elements are floats. 7.4 times the time that 6.3 barriers a second leave to an iteration on 8 processors is 47
 * cycles of the R3400 for an element, which is what loads, three additions, a division and a copy take in single
 * precision (platforms/decstation-atm.xml); in double precision it would be about 85.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_ROWS, PARAM_COLUMNS, PARAM_ITERATIONS, PARAM_ELEMENT, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_INITIALISATION, SCOPE_AVERAGE, SCOPE_COPY };
enum { KERNEL_AVERAGE, KERNEL_COPY };

static const char *const scopes[] = {"", "initialisation", "average", "copy", NULL};
static const char *const kernels[] = {"jacobi.average", "jacobi.copy", NULL};

static const struct param_spec params[] = {
    [PARAM_ROWS] = {"rows", PARAM_COUNT, "2000", .min = 3, .max = 65536,
                    .summary = "rows of the grid, including its edges"},
    [PARAM_COLUMNS] = {"columns", PARAM_COUNT, "1000", .min = 3, .max = 65536,
                       .summary = "elements per row, including its edges"},
    [PARAM_ITERATIONS] = {"iterations", PARAM_COUNT, "100", .min = 1, .max = 1000000,
                          .summary = "number of iterations, each in two halves"},
    [PARAM_ELEMENT] = {"element", PARAM_SIZE, "4", .min = 4, .max = 8,
                       .summary = "size of an element; the kernels' costs are those of 4"},
    DSM_PARAMS,
};

struct config {
    int64_t rows, columns, iterations, element_bytes, row_bytes;
    int n_ranks;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.rows = values[PARAM_ROWS],
                              .columns = values[PARAM_COLUMNS],
                              .iterations = values[PARAM_ITERATIONS],
                              .element_bytes = values[PARAM_ELEMENT],
                              .row_bytes = values[PARAM_COLUMNS] * values[PARAM_ELEMENT],
                              .n_ranks = placement->n_ranks};
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, config->rows * config->row_bytes, 0, 0);
    return 0;
}

/* Whole rows, without gaps. */
static struct pieces rows_of(const struct config *config, int64_t from, int64_t to)
{
    return (struct pieces){from * config->row_bytes, (to - from) * config->row_bytes, to > from, 0};
}

/* Elements `from` ... `to`-1 of each row. */
static struct pieces columns_of(const struct config *config, struct span rows, int64_t from, int64_t to)
{
    return (struct pieces){.address = rows.from * config->row_bytes + from * config->element_bytes,
                           .bytes = (to - from) * config->element_bytes,
                           .pieces = rows.to - rows.from,
                           .stride = config->row_bytes};
}

/* The rows of the rank's band that are not edges. */
static struct span inner_rows(const struct config *config, int rank)
{
    struct span rows = span_of(config->rows, config->n_ranks, rank);
    rows.from = rows.from == 0 ? 1 : rows.from;
    rows.to = rows.to == config->rows ? config->rows - 1 : rows.to;
    return rows;
}

static void add_edges(const struct config *config, int rank, struct op_list *list)
{
    struct span rows = span_of(config->rows, config->n_ranks, rank);
    if (rows.to > rows.from) {
        shared_write(list, SCOPE_INITIALISATION, columns_of(config, rows, 0, 1));
        shared_write(list, SCOPE_INITIALISATION, columns_of(config, rows, config->columns - 1, config->columns));
        if (rows.from == 0)
            shared_write(list, SCOPE_INITIALISATION, rows_of(config, 0, 1));
        if (rows.to == config->rows)
            shared_write(list, SCOPE_INITIALISATION, rows_of(config, config->rows - 1, config->rows));
    }
    op_list_add(list, OP_BARRIER, SCOPE_INITIALISATION);
}

/* The row above the band is needed first, the one below it last. */
static void add_average(const struct config *config, int rank, struct op_list *list)
{
    struct span rows = inner_rows(config, rank);
    int64_t columns = config->columns - 2, count = rows.to - rows.from;
    if (count > 0) {
        shared_read(list, SCOPE_AVERAGE, rows_of(config, rows.from - 1, rows.to));
        op_list_work(list, SCOPE_AVERAGE, KERNEL_AVERAGE, (count - 1) * columns);
        shared_read(list, SCOPE_AVERAGE, rows_of(config, rows.to, rows.to + 1));
        op_list_work(list, SCOPE_AVERAGE, KERNEL_AVERAGE, columns);
    }
    op_list_add(list, OP_BARRIER, SCOPE_AVERAGE);
}

static void add_copy(const struct config *config, int rank, struct op_list *list)
{
    struct span rows = inner_rows(config, rank);
    shared_write(list, SCOPE_COPY, columns_of(config, rows, 1, config->columns - 1));
    op_list_work(list, SCOPE_COPY, KERNEL_COPY, (rows.to - rows.from) * (config->columns - 2));
    op_list_add(list, OP_BARRIER, SCOPE_COPY);
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    (void)seen;
    if (step > 2 * config->iterations)
        return false;
    if (step == 0)
        add_edges(config, rank, list);
    else if (step % 2 == 1)
        add_average(config, rank, list);
    else
        add_copy(config, rank, list);
    return true;
}

const struct app_spec app_jacobi = {
    .name = "jacobi",
    .summary = "Jacobi iteration on a shared grid, in bands of rows, two barriers per iteration",
    .source = "Keleher, Cox, Dwarkadas, Zwaenepoel 1994; program in Amza et al. 1996, figure 2",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"rows", "columns", "iterations", "element", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
