/* Two matrices aligned and multiplied: C = A B, where A is on one grid of processes, Ga, B on another, Gb, and the
 * product is done on a third (Caron02, section 5.2). B is redistributed to it, then A, then pdgemm runs on it.
 *
 * Ga is ranks 0, 1, ..., Gb the ranks after those. A candidate grid with the shape of Ga is Ga itself, one with the
 * shape of Gb is Gb, and any other one a virtual grid, the first ranks of both, row by row. A matrix that is on the
 * right grid already is not moved.
 *
 * The parts are the applications redistribute, in ScaLAPACK's order, and pdgemm.
 *
 * Memory: a matrix that has been moved is given back where it was, and C is not there before the product. So B goes
 * first, which has more on each process where Gb is the smaller grid. Buffers of messages and panels are not
 * counted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/block_cyclic.h"
#include "apps/scalapack/process_grid.h"
#include "apps/scalapack/product.h"
#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

extern const struct app_spec app_redistribute, app_pdgemm; /* the parts */

enum { PARAM_GRID_A = N_PRODUCT_PARAMS, PARAM_GRID_B, PARAM_GRID, PARAM_ALGORITHM };
enum { MAX_PART_PARAMS = 32 };

/* The scopes of the parts follow each other; each part's first one, "", is not used. */
enum { SCOPE_REDISTRIBUTION_B = 1, SCOPE_REDISTRIBUTION_A, SCOPE_PDGEMM };
static const char *const scopes[] = {"",
                                     "redistribution_b",
                                     "redistribution_a",
                                     "broadcast_a",
                                     "broadcast_b",
                                     "multiplication",
                                     "transposition",
                                     "accumulation",
                                     NULL};
static const char *const kernels[] = {"dgemm", "matadd", NULL}; /* those of pdgemm */
static const char *const algorithm_names[] = {"paper", "library", NULL};

static const struct param_spec params[] = {
    PRODUCT_PARAMS,
    [PARAM_GRID_A] = {"grid_a", PARAM_PROCESS_GRID, .excludes_auto = true,
                      .summary = "process grid of A, rows x columns: ranks 0, 1, ..."},
    [PARAM_GRID_B] = {"grid_b", PARAM_PROCESS_GRID, .excludes_auto = true,
                      .summary = "process grid of B: the ranks after those of grid_a"},
    [PARAM_GRID] =
        {"grid", PARAM_PROCESS_GRID, .excludes_auto = true,
         .summary = "process grid of the product: grid_a or grid_b if it has that shape, otherwise ranks 0, 1, ..."},
    [PARAM_ALGORITHM] = {"algorithm", PARAM_CHOICE, "paper", .choices = algorithm_names,
                         .summary = "algorithm of pdgemm"},
};

struct grid {
    int rows, columns, first; /* rank of its first process */
};

/* A matrix as it is dealt to the ranks of a grid. */
struct dealt {
    struct block_cyclic_matrix matrix;
    int first;
};

struct part {
    struct program program;
    int64_t n_steps;
    int first; /* rank that is 0 to the part */
    int scope; /* here, of the part's scope 1 */
};

enum { PART_B, PART_A, PART_PRODUCT, N_PARTS };

struct config {
    struct part parts[N_PARTS];
    struct dealt a_from, a_to, b_from, b_to, c;
};

/* --- grids --- */

/* Which ranks the grids of A, of B and of the product are; on a single rank that one, whatever was asked for. */
static int find_grids(struct grid grids[3], const int64_t *values, int n_ranks, struct sim_error *error)
{
    static const int places[] = {PARAM_GRID_A, PARAM_GRID_B, PARAM_GRID};
    int64_t a = values[PARAM_GRID_A], b = values[PARAM_GRID_B], product = values[PARAM_GRID];
    int64_t end_of_a = (int64_t)PARAM_MESH_WIDTH(a) * PARAM_MESH_HEIGHT(a);
    const int64_t firsts[] = {0, end_of_a, product == b && product != a ? end_of_a : 0};
    for (int i = 0; i < 3; i++) {
        int64_t shape = values[places[i]];
        grids[i] = (struct grid){1, 1, 0};
        if (n_ranks == 1)
            continue;
        if (process_grid_check(params[places[i]].name, shape, firsts[i], n_ranks, error) != 0)
            return -1;
        grids[i] = (struct grid){PARAM_MESH_WIDTH(shape), PARAM_MESH_HEIGHT(shape), (int)firsts[i]};
    }
    return 0;
}

static struct dealt deal(int64_t rows, int64_t columns, int64_t block, const struct grid *grid)
{
    return (struct dealt){{{rows, block, grid->rows, 0}, {columns, block, grid->columns, 0}}, grid->first};
}

/* --- parts --- */

/* A parameter of a part. */
struct setting {
    const char *name;
    int64_t value;
};

/* Configure an application with its defaults and the settings, which end with a NULL. */
static int start_part(struct part *part, const struct app_spec *app, const struct setting *settings, int n_ranks,
                      struct sim_error *error)
{
    const struct placement placement = {.n_ranks = n_ranks, .ranks_per_host = 1, .n_slots = n_ranks};
    int64_t values[MAX_PART_PARAMS] = {0};
    char why[256];
    assert(app->n_params <= MAX_PART_PARAMS);
    for (int i = 0; i < app->n_params; i++)
        if (app->params[i].fallback != NULL)
            param_parse(&values[i], &app->params[i], app->params[i].fallback, why, sizeof why);
    for (; settings->name != NULL; settings++)
        values[param_find(app->params, app->n_params, settings->name)] = settings->value;
    return program_init(&part->program, app, values, &placement, error);
}

/* A redistribution has as many rounds for each rank that takes part, as its first sender always does. */
static int start_redistribution(struct part *part, const struct dealt *from, const struct dealt *to, int n_ranks,
                                struct sim_error *error)
{
    const struct block_cyclic_matrix *x = &from->matrix, *y = &to->matrix;
    const struct setting settings[] = {
        {"m", x->rows.n},
        {"n", x->columns.n},
        {"block", x->rows.block},
        {"to_block", y->rows.block},
        {"from_grid", PARAM_MESH_PACK(x->rows.processes, x->columns.processes)},
        {"to_grid", PARAM_MESH_PACK(y->rows.processes, y->columns.processes)},
        {"from_first", from->first},
        {"to_first", to->first},
        {NULL, 0},
    };
    if (start_part(part, &app_redistribute, settings, n_ranks, error) != 0)
        return -1;
    struct op_list list = {.count = 0};
    for (; app_redistribute.emit(part->program.config, from->first, part->n_steps, &list); part->n_steps++)
        list.count = 0;
    return 0;
}

static int64_t pdgemm_algorithm(int64_t value)
{
    int place = param_find(app_pdgemm.params, app_pdgemm.n_params, "algorithm");
    int64_t found = 0;
    char why[256];
    param_parse(&found, &app_pdgemm.params[place], algorithm_names[value], why, sizeof why);
    return found;
}

static int start_product(struct part *part, const struct config *config, const int64_t *values, struct sim_error *error)
{
    const struct block_cyclic_matrix *c = &config->c.matrix;
    int rows = c->rows.processes, columns = c->columns.processes;
    const struct setting settings[] = {
        {"m", c->rows.n},
        {"n", c->columns.n},
        {"k", config->a_to.matrix.columns.n},
        {"block", c->rows.block},
        {"grid", PARAM_MESH_PACK(rows, columns)},
        {"algorithm", pdgemm_algorithm(values[PARAM_ALGORITHM])},
        {NULL, 0},
    };
    part->n_steps = INT64_MAX;
    part->first = config->c.first;
    return start_part(part, &app_pdgemm, settings, rows * columns, error);
}

static void dispose(void *data)
{
    struct config *config = data;
    for (int i = 0; i < N_PARTS; i++)
        program_dispose(&config->parts[i].program);
    free(config);
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    struct grid grids[3];
    int64_t m = product_extent(values, PARAM_M), n = product_extent(values, PARAM_N),
            k = product_extent(values, PARAM_K);
    int64_t block = values[PARAM_BLOCK];
    int n_ranks = placement->n_ranks;
    if (find_grids(grids, values, n_ranks, error) != 0)
        return -1;
    struct config *config = xcalloc(1, sizeof *config);
    config->a_from = deal(m, k, block, &grids[0]);
    config->b_from = deal(k, n, block, &grids[1]);
    config->a_to = deal(m, k, block, &grids[2]);
    config->b_to = deal(k, n, block, &grids[2]);
    config->c = deal(m, n, block, &grids[2]);
    struct part *parts = config->parts;
    parts[PART_B].scope = SCOPE_REDISTRIBUTION_B;
    parts[PART_A].scope = SCOPE_REDISTRIBUTION_A;
    parts[PART_PRODUCT].scope = SCOPE_PDGEMM;
    if (start_redistribution(&parts[PART_B], &config->b_from, &config->b_to, n_ranks, error) != 0 ||
        start_redistribution(&parts[PART_A], &config->a_from, &config->a_to, n_ranks, error) != 0 ||
        start_product(&parts[PART_PRODUCT], config, values, error) != 0) {
        dispose(config);
        return -1;
    }
    program->config = config;
    return 0;
}

/* --- steps --- */

/* The steps of the parts follow each other. A rank that takes no part in a redistribution has its steps all the same,
 * with nothing in them. */
static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    const struct part *part = config->parts;
    for (; step >= part->n_steps; part++)
        step -= part->n_steps;
    int count = list->count;
    bool is_step = rank >= part->first && part->program.app->emit(part->program.config, rank - part->first, step, list);
    for (struct op *op = &list->ops[count]; op < &list->ops[list->count]; op++) {
        op->scope = (uint8_t)(op->scope + part->scope - 1);
        if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_RECV)
            op->peer += part->first;
    }
    return is_step || part < &config->parts[PART_PRODUCT];
}

/* --- forecast and memory --- */

static struct forecast forecast(const void *data, const struct forecast_costs *costs)
{
    const struct config *config = data;
    struct forecast sum = {.computation_s = 0};
    for (int i = 0; i < N_PARTS; i++) {
        const struct program *program = &config->parts[i].program;
        struct forecast part = program->app->forecast(program->config, costs);
        sum.computation_s += part.computation_s;
        sum.communication_s += part.communication_s;
        sum.serial_s += part.serial_s;
        sum.of_another_algorithm |= part.of_another_algorithm;
    }
    return sum;
}

static int64_t bytes_on(const struct dealt *dealt, int rank)
{
    const struct block_cyclic *rows = &dealt->matrix.rows, *columns = &dealt->matrix.columns;
    int place = rank - dealt->first;
    if (place < 0 || place >= rows->processes * columns->processes)
        return 0;
    return DOUBLE_BYTES * block_cyclic_count(rows, place / columns->processes) *
           block_cyclic_count(columns, place % columns->processes);
}

static bool same_grid(const struct dealt *a, const struct dealt *b)
{
    return a->first == b->first && a->matrix.rows.processes == b->matrix.rows.processes &&
           a->matrix.columns.processes == b->matrix.columns.processes;
}

/* The most of: A and B where they were and B where it goes; A in both places and B where it went; A, B and C. */
static int64_t memory(const void *data, int rank)
{
    const struct config *config = data;
    int64_t a_from = bytes_on(&config->a_from, rank), a_to = bytes_on(&config->a_to, rank);
    int64_t b_from = bytes_on(&config->b_from, rank), b_to = bytes_on(&config->b_to, rank);
    int64_t moving_b = a_from + b_from + (same_grid(&config->b_from, &config->b_to) ? 0 : b_to);
    int64_t moving_a = b_to + a_from + (same_grid(&config->a_from, &config->a_to) ? 0 : a_to);
    return int64_max(int64_max(moving_b, moving_a), a_to + b_to + bytes_on(&config->c, rank));
}

const struct app_spec app_align = {
    .name = "align",
    .summary = "two matrices redistributed to one grid of processes and multiplied there",
    .source = "Caron02, section 5.2",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"size", "m", "n", "k", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"redistribution_b", SUBJECT_NONE, "redistribution"},
                                          {"redistribution_a", SUBJECT_NONE, "redistribution"},
                                          {"broadcast_a", SUBJECT_BROADCAST, "broadcast"},
                                          {"broadcast_b", SUBJECT_BROADCAST, "broadcast"},
                                          {0}},
    .kernels = kernels,
    .setup = setup,
    .dispose = dispose,
    .emit = emit,
    .forecast = forecast,
    .memory = memory,
};
