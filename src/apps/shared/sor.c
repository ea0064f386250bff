/* Red-black successive over-relaxation, as in the TreadMarks distribution (sor.c, 1997).
 *
 * The elements of the grid of rows + 2 by columns + 2 are colored like a chessboard; those of one color have only
 * neighbors of the other. Each color is a matrix of its own, rows of columns/2 + 1 floats, so that a half of an
 * iteration reads one matrix and writes the other. In odd rows the black elements begin at column 0 of their matrix
 * and the red ones at column 1, in even rows the other way round; what is left over at the other end is the edge,
 * which every rank sets in its rows before the first iteration. A barrier ends each half.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"
#include "sim/kernel/app.h"

#include "base/memory.h"

#include <stddef.h>

enum { PARAM_ROWS, PARAM_COLUMNS, PARAM_ITERATIONS, PARAM_DSM };
enum { SCOPE_NONE, SCOPE_INITIALISATION, SCOPE_BLACK, SCOPE_RED };
enum { KERNEL_AVERAGE };
enum colour { RED, BLACK };
enum { FLOAT_BYTES = 4 };

static const char *const scopes[] = {"", "initialisation", "black", "red", NULL};
static const char *const kernels[] = {"sor.average", NULL};

static const struct param_spec params[] = {
    [PARAM_ROWS] = {"rows", PARAM_COUNT, "2000", .min = 1, .max = 65536,
                    .summary = "rows of the grid, excluding its edges"},
    [PARAM_COLUMNS] = {"columns", PARAM_COUNT, "1000", .min = 2, .max = 65536,
                       .summary = "elements per row; an odd last one is ignored"},
    [PARAM_ITERATIONS] = {"iterations", PARAM_COUNT, "51", .min = 1, .max = 1000000,
                          .summary = "number of iterations, each in two halves"},
    DSM_PARAMS,
};

struct config {
    int64_t rows, half, iterations, row_bytes; /* half: elements of one color in a row */
    int n_ranks;
};

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    (void)error;
    struct config *config = xmalloc(sizeof *config);
    *config = (struct config){.rows = values[PARAM_ROWS],
                              .half = values[PARAM_COLUMNS] / 2,
                              .iterations = values[PARAM_ITERATIONS],
                              .row_bytes = (values[PARAM_COLUMNS] / 2 + 1) * FLOAT_BYTES,
                              .n_ranks = placement->n_ranks};
    program->config = config;
    program->dsm = dsm_options(values + PARAM_DSM, 2 * (config->rows + 2) * config->row_bytes, 0, 0);
    return 0;
}

static int64_t address_of(const struct config *config, enum colour colour, int64_t row, int64_t column)
{
    return (colour * (config->rows + 2) + row) * config->row_bytes + column * FLOAT_BYTES;
}

/* Rows 1 ... rows are dealt out. */
static struct span rows_of(const struct config *config, int rank)
{
    struct span rows = span_of(config->rows, config->n_ranks, rank);
    return (struct span){rows.from + 1, rows.to + 1};
}

static struct pieces whole_rows(const struct config *config, enum colour colour, int64_t from, int64_t to)
{
    return (struct pieces){address_of(config, colour, from, 0), (to - from) * config->row_bytes, 1, 0};
}

/* `count` elements from `column` on in every second of the rows, the odd ones or the even ones. */
static struct pieces every_second_row(const struct config *config, enum colour colour, struct span rows, int parity,
                                      int64_t column, int64_t count)
{
    int64_t first = rows.from + (rows.from % 2 != parity);
    return (struct pieces){.address = address_of(config, colour, first, column),
                           .bytes = count * FLOAT_BYTES,
                           .pieces = (rows.to - first + 1) / 2,
                           .stride = 2 * config->row_bytes};
}

/* The column of the matrix at which the elements begin that are no edge. */
static int64_t first_column(enum colour colour, int parity)
{
    return (colour == BLACK) != (parity == 1);
}

static void add_edges(const struct config *config, int rank, struct op_list *list)
{
    struct span rows = rows_of(config, rank);
    for (int colour = RED; colour <= BLACK; colour++) {
        for (int parity = 0; parity < 2; parity++) {
            int64_t column = first_column((enum colour)colour, parity) == 0 ? config->half : 0;
            shared_write(list, SCOPE_INITIALISATION,
                         every_second_row(config, (enum colour)colour, rows, parity, column, 1));
        }
        if (rank == 0)
            shared_write(list, SCOPE_INITIALISATION, whole_rows(config, (enum colour)colour, 0, 1));
        if (rank == config->n_ranks - 1)
            shared_write(list, SCOPE_INITIALISATION,
                         whole_rows(config, (enum colour)colour, config->rows + 1, config->rows + 2));
    }
    op_list_add(list, OP_BARRIER, SCOPE_INITIALISATION);
}

/* The row above the band is needed first, the one below it last. */
static void add_half(const struct config *config, int rank, enum colour colour, struct op_list *list)
{
    struct span rows = rows_of(config, rank);
    int scope = colour == BLACK ? SCOPE_BLACK : SCOPE_RED;
    enum colour other = colour == BLACK ? RED : BLACK;
    if (rows.to > rows.from) {
        shared_read(list, scope, whole_rows(config, other, rows.from - 1, rows.to));
        op_list_work(list, scope, KERNEL_AVERAGE, (rows.to - rows.from - 1) * config->half);
        shared_read(list, scope, whole_rows(config, other, rows.to, rows.to + 1));
        op_list_work(list, scope, KERNEL_AVERAGE, config->half);
        for (int parity = 0; parity < 2; parity++)
            shared_write(list, scope,
                         every_second_row(config, colour, rows, parity, first_column(colour, parity), config->half));
    }
    op_list_add(list, OP_BARRIER, scope);
}

static bool emit_shared(const void *data, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    const struct config *config = data;
    (void)seen;
    if (step > 2 * config->iterations)
        return false;
    if (step == 0)
        add_edges(config, rank, list);
    else
        add_half(config, rank, step % 2 == 1 ? BLACK : RED, list);
    return true;
}

const struct app_spec app_sor = {
    .name = "sor",
    .summary = "red-black successive over-relaxation on two shared matrices, in bands of rows",
    .source = "TreadMarks distribution, sor.c; Lu, Dwarkadas, Cox, Zwaenepoel 1995",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"rows", "columns", "iterations", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit_shared = emit_shared,
};
