/* Jacobi's iteration on a square grid of n x n points: each is replaced by the average of its four neighbors. The grid
 * is dealt in blocks to a grid of P x Q processes; process (i, j) is rank i Q + j, and further ranks have nothing to
 * do. In each iteration a rank exchanges the sides of its block with up to four others.
 *
 * The parts that overlap:
 *
 *     no        exchange ──> update all points
 *     requests  begin the exchange ──> update the inner points ──> wait for it ──> update the edges
 *     offload   the same, but the exchange is a strand of its own, on what needs no processor of the rank:
 *
 *               START ──> update the inner points ──> JOIN ──> update the edges
 *                 └────> exchange ─────────────────────┘
 *
 * The inner points are those that need nothing of other ranks. An edge that is a column is updated by itself where
 * there is overlap, in steps as long as a row, which has a cost of its own: a cache takes in a line for each point.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/process_grid.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

enum { PARAM_N, PARAM_ITERATIONS, PARAM_ELEMENT, PARAM_GRID, PARAM_OVERLAP };
enum { OVERLAP_NO, OVERLAP_REQUESTS, OVERLAP_OFFLOAD };
enum { SCOPE_NONE, SCOPE_EXCHANGE, SCOPE_UPDATE, SCOPE_EDGES };
enum { KERNEL_POINT, KERNEL_COLUMN };
enum { LINE_RANK, LINE_EXCHANGE, LINE_JOIN }; /* a join is named, but begins nothing */

static const char *const overlap_names[] = {"no", "requests", "offload", NULL};
static const char *const scopes[] = {"", "exchange", "update", "edges", NULL};
static const char *const kernels[] = {"stencil.point", "stencil.column", NULL};

static const struct param_spec params[] = {
    [PARAM_N] = {"n", PARAM_COUNT, "1024", .min = 1, .max = 1048576, .summary = "rows and columns of the grid"},
    [PARAM_ITERATIONS] = {"iterations", PARAM_COUNT, "10", .min = 1, .max = 1000000000,
                          .summary = "number of iterations"},
    [PARAM_ELEMENT] = {"element", PARAM_SIZE, "8", .min = 1, .max = 1024,
                       .summary = "size of a point; the kernels' costs are those of 8"},
    [PARAM_GRID] = {"grid", PARAM_PROCESS_GRID, "auto", .summary = "process rows x process columns; auto: near-square"},
    [PARAM_OVERLAP] = {"overlap", PARAM_CHOICE, "no", .choices = overlap_names,
                       .summary = "what overlaps with the update of inner points: nothing; the network's part of the "
                                  "exchange (requests); the processor's part of it, too (offload)"},
};

struct config {
    int64_t n, iterations, element_bytes;
    int rows, columns; /* of processes */
    int overlap;
};

static int check_size(const struct config *config, struct sim_error *error)
{
    if (config->n >= config->rows && config->n >= config->columns)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'n' is %lld; %dx%d processes need at least %d",
                         (long long)config->n, config->rows, config->columns,
                         config->rows > config->columns ? config->rows : config->columns);
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    struct config draft = {.n = values[PARAM_N],
                           .iterations = values[PARAM_ITERATIONS],
                           .element_bytes = values[PARAM_ELEMENT],
                           .overlap = (int)values[PARAM_OVERLAP]};
    if (process_grid_choose(&draft.rows, &draft.columns, values[PARAM_GRID], placement->n_ranks, error) != 0 ||
        check_size(&draft, error) != 0)
        return -1;
    program->config = memcpy(xmalloc(sizeof draft), &draft, sizeof draft);
    if (draft.overlap == OVERLAP_OFFLOAD && draft.rows * draft.columns > 1) {
        program->n_processors = 2;
        program->has_progress = true;
    }
    return 0;
}

/* --- blocks --- */

enum { UP, DOWN, LEFT, RIGHT, N_SIDES };

struct block {
    int64_t rows, columns;
    int neighbors[N_SIDES]; /* ranks; -1: there is none */
};

static struct block block_of(const struct config *config, int rank)
{
    int row = rank / config->columns, column = rank % config->columns;
    return (struct block){.rows = coll_share(config->n, config->rows, row),
                          .columns = coll_share(config->n, config->columns, column),
                          .neighbors = {[UP] = row > 0 ? rank - config->columns : -1,
                                        [DOWN] = row < config->rows - 1 ? rank + config->columns : -1,
                                        [LEFT] = column > 0 ? rank - 1 : -1,
                                        [RIGHT] = column < config->columns - 1 ? rank + 1 : -1}};
}

static bool has_neighbors(const struct block *block)
{
    for (int side = 0; side < N_SIDES; side++)
        if (block->neighbors[side] >= 0)
            return true;
    return false;
}

/* The rows or columns of a block, without those that are sides of it to others. */
static int64_t inner(const struct block *block, int64_t extent, int before, int behind)
{
    int64_t left = extent - (block->neighbors[before] >= 0) - (block->neighbors[behind] >= 0);
    return left > 0 ? left : 0;
}

/* --- ops --- */

static void add_messages(const struct config *config, const struct block *block, enum op_kind kind,
                         struct op_list *list)
{
    for (int side = 0; side < N_SIDES; side++)
        if (block->neighbors[side] >= 0)
            op_list_message(list, kind, SCOPE_EXCHANGE, block->neighbors[side],
                            (side == UP || side == DOWN ? block->columns : block->rows) * config->element_bytes);
}

static void add_begin(const struct config *config, const struct block *block, struct op_list *list)
{
    add_messages(config, block, OP_IRECV, list);
    add_messages(config, block, OP_ISEND, list);
}

static void add_strand_op(struct op_list *list, enum op_kind kind, int64_t line, uint32_t needed)
{
    struct op *op = op_list_add(list, kind, SCOPE_EXCHANGE);
    op->line = line;
    op->needed = needed;
}

/* An iteration whose exchange goes on while the inner points are updated. */
static void add_overlapped(const struct config *config, const struct block *block, struct op_list *list)
{
    int64_t rows = inner(block, block->rows, UP, DOWN), columns = inner(block, block->columns, LEFT, RIGHT);
    bool offloads = config->overlap == OVERLAP_OFFLOAD;
    if (offloads) {
        add_strand_op(list, OP_START, LINE_EXCHANGE, 1);
        list->ops[list->count - 1].processor = 1;
    } else {
        add_begin(config, block, list);
    }
    op_list_work(list, SCOPE_UPDATE, KERNEL_POINT, rows * columns);
    if (offloads)
        add_strand_op(list, OP_JOIN, LINE_JOIN, 2);
    else
        op_list_add(list, OP_WAIT, SCOPE_EXCHANGE);
    op_list_work(list, SCOPE_EDGES, KERNEL_POINT, (block->rows - rows) * block->columns);
    op_list_work(list, SCOPE_EDGES, KERNEL_COLUMN, rows * (block->columns - columns));
}

static void add_iteration(const struct config *config, const struct block *block, struct op_list *list)
{
    bool exchanges = has_neighbors(block);
    if (exchanges && config->overlap != OVERLAP_NO) {
        add_overlapped(config, block, list);
        return;
    }
    add_begin(config, block, list);
    if (exchanges)
        op_list_add(list, OP_WAIT, SCOPE_EXCHANGE);
    op_list_work(list, SCOPE_UPDATE, KERNEL_POINT, block->rows * block->columns);
}

/* The exchange as a strand, which names the join at its end. */
static void add_exchange(const struct config *config, const struct block *block, struct op_list *list)
{
    add_begin(config, block, list);
    op_list_add(list, OP_WAIT, SCOPE_EXCHANGE);
    add_strand_op(list, OP_START, LINE_JOIN, 2);
}

static bool emit_strand(const void *data, int rank, int64_t line, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    if (rank >= config->rows * config->columns || step >= (line == LINE_RANK ? config->iterations : 1))
        return false;
    const struct block block = block_of(config, rank);
    if (line == LINE_RANK)
        add_iteration(config, &block, list);
    else
        add_exchange(config, &block, list);
    return true;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    return emit_strand(data, rank, LINE_RANK, step, list);
}

/* The block and its neighbors' sides, twice: as it was, and as it becomes. */
static int64_t memory(const void *data, int rank)
{
    const struct config *config = data;
    if (rank >= config->rows * config->columns)
        return 0;
    const struct block block = block_of(config, rank);
    return 2 * (block.rows + 2) * (block.columns + 2) * config->element_bytes;
}

const struct app_spec app_stencil = {
    .name = "stencil",
    .summary = "Jacobi iteration on a grid in blocks; the exchange of their sides may overlap with computation",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"n", "iterations", "element", NULL},
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
    .emit_strand = emit_strand,
    .memory = memory,
};
