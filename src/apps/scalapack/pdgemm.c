/* ScaLAPACK's pdgemm: C = alpha op(A) op(B) + beta C, op(A) of m x k, op(B) of k x n and C of m x n doubles, dealt
 * block-cyclically to a grid of P x Q processes (Caron02, section 4.1). Process (i, j) of the grid is rank i Q + j;
 * further ranks have nothing to do. On a single rank the grid is 1 x 1, whatever was asked for. Transposed operands are
 * in pdgemm_transposed.c.
 *
 * Multiplications by alpha and beta are done within the calls of dgemm, whose cost knows its dimensions only. With an
 * alpha of 0 there is no product, but C is multiplied by beta, unless that is 0 or 1.
 *
 * A product in which nothing is transposed is a sum of outer products. For a panel, some columns of A and the rows of B
 * of the same numbers, who owns the columns broadcasts its part of them along its row of the grid, who owns the rows
 * does so along its column, and everybody multiplies what it has got. In two forms:
 *
 * paper: a panel is a block of the distribution, broadcast in a tree.
 *
 * library: PBLAS 2 cuts panels of 32 (pilaenv) for itself and broadcasts them in rings. It takes the indices not as
 * they come but sorted by their owners, the column of the grid first, and within a panel it broadcasts what has the
 * same owners by itself, A before B. Copying it together costs nothing here. Where C lies in a single column or row of
 * the grid, the library sends there instead; where m, n or k is at most 32 it asks for no rings but leaves the
 * broadcasts to MPI. All this is its form AB. Where it estimates that this moves more than 1.3 times as much as forms
 * AC or BC, inner products that move C, it takes one of them (pdgemm_library.c). Number, lengths and order of what each
 * rank sends are those counted on ScaLAPACK 2.2.1.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/app.h"

#include "apps/scalapack/letters.h"
#include "apps/scalapack/pdgemm_internal.h"
#include "apps/scalapack/process_grid.h"
#include "apps/scalapack/product.h"
#include "base/memory.h"
#include "base/units.h"

#include <stddef.h>
#include <string.h>

enum {
    PARAM_GRID = N_PRODUCT_PARAMS,
    PARAM_ALGORITHM,
    PARAM_BROADCAST,
    PARAM_TRANSA,
    PARAM_TRANSB,
    PARAM_ALPHA,
    PARAM_BETA
};
enum { MOST_FACTOR = 1000 };
enum { ALGORITHM_PAPER, ALGORITHM_LIBRARY };

static const char *const algorithm_names[] = {"paper", "library", NULL};
static const char *const scopes[] = {
    "", "broadcast_a", "broadcast_b", "multiplication", "transposition", "accumulation", NULL};
static const char *const kernels[] = {"dgemm", "matadd", NULL};

/* The topologies by the names of the BLACS, in the order of the parameter's values from 1 on, and what they are. */
static const char *const topology_names[] = {"auto", "tree", "ring", "flat", NULL};
static const char *const topology_colls[] = {"binomial", "chain", "flat"};
enum { TOPOLOGY_AUTO = -1, TOPOLOGY_TREE, TOPOLOGY_RING };

static const struct param_spec params[] = {
    PRODUCT_PARAMS,
    [PARAM_GRID] = {"grid", PARAM_PROCESS_GRID, "auto", .summary = "process rows x process columns; auto: near-square"},
    [PARAM_ALGORITHM] =
        {"algorithm", PARAM_CHOICE, "paper", .choices = algorithm_names,
         .summary = "paper: panels are the blocks, as in Caron02; library: panels of 32 columns, as in PBLAS 2"},
    [PARAM_BROADCAST] = {"broadcast", PARAM_CHOICE, "auto", .choices = topology_names,
                         .summary =
                             "topology of the broadcasts; auto: tree for paper, the library's choice for library"},
    [PARAM_TRANSA] = {"transa", PARAM_CHOICE, "no", .choices = trans_names, .aliases = trans_letters,
                      .summary = "whether A, of k x m then, is transposed, with algorithm paper; N or T, too"},
    [PARAM_TRANSB] = {"transb", PARAM_CHOICE, "no", .choices = trans_names, .aliases = trans_letters,
                      .summary = "whether B, of n x k then, is transposed, with algorithm paper; N or T, too"},
    [PARAM_ALPHA] = {"alpha", PARAM_REAL, "1", .max = MOST_FACTOR * UNITS_REAL,
                     .summary = "factor of the product, without its sign; 0: it is not computed"},
    [PARAM_BETA] = {"beta", PARAM_REAL, "0", .max = MOST_FACTOR * UNITS_REAL,
                    .summary = "factor of the C to which the product is added, without its sign"},
};

/* --- setup --- */

static const struct coll_spec *find_coll(const char *name)
{
    int i = 0;
    while (strcmp(coll_broadcasts[i]->name, name) != 0)
        i++;
    return coll_broadcasts[i];
}

/* The steps in which a process lists its ops of a broadcast among `count`: none has more ops than the root of a flat
 * one, a send for each other; in a tree it is one receive and a send a round, in a ring one receive and one send. */
static int step_count(int64_t topology, int count)
{
    int ops = topology == TOPOLOGY_TREE ? ceil_log2(count) + 1 : topology == TOPOLOGY_RING ? 2 : count - 1;
    return count == 1 ? 0 : (int)ceil_div(ops, STEP_OPS);
}

int pdgemm_tree_steps(int count)
{
    return step_count(TOPOLOGY_TREE, count);
}

/* A panel for each block of the dimension that the form cuts. */
static int64_t cut_blocks(const struct pdgemm_config *config, struct panel_part *parts)
{
    int64_t n = config->form == FORM_AB ? config->k : config->form == FORM_BC ? config->columns.n : config->rows.n;
    const struct block_cyclic a = {n, config->block, config->columns.processes, 0};
    const struct block_cyclic b = {n, config->block, config->rows.processes, 0};
    int64_t count = 0;
    for (int64_t from = 0; from < a.n; from += a.block, count++) {
        int32_t width = (int32_t)(a.n - from < a.block ? a.n - from : a.block);
        if (parts != NULL)
            parts[count] =
                (struct panel_part){width, block_cyclic_owner(&a, from), block_cyclic_owner(&b, from), width};
    }
    return count;
}

static int64_t cut(const struct pdgemm_config *config, struct panel_part *parts)
{
    return config->vanishes ? 0 : (config->library ? pdgemm_library_cut : cut_blocks)(config, parts);
}

/* True if C lies in a single one of several columns or rows of the grid. Form AB then has no process to broadcast to:
 * what that one lacks of A or B is sent to it. */
static bool has_one_owner(const struct pdgemm_config *config, const struct block_cyclic *d)
{
    return config->library && d->processes > 1 && d->n <= config->block;
}

/* How broadcasts are done, and how many steps that makes. */
static void set_topology(struct pdgemm_config *config, int64_t topology)
{
    int rows = config->rows.processes, columns = config->columns.processes;
    bool chooses = topology == TOPOLOGY_AUTO, rings = config->library && pdgemm_library_rings(config);
    if (chooses)
        topology = rings ? TOPOLOGY_RING : TOPOLOGY_TREE;
    config->broadcast = (struct coll_options){.broadcast = find_coll(topology_colls[topology])};
    config->broadcast_tag = chooses && config->library && !rings ? TAG_MPI : TAG_OWN;
    config->mpi_tree = (struct coll_options){.broadcast = find_coll(topology_colls[TOPOLOGY_TREE])};
    if (config->form != FORM_AB) {
        pdgemm_inner_steps(config, step_count(topology, config->form == FORM_BC ? rows : columns));
        return;
    }
    config->steps[PHASE_MOVE_A] = has_one_owner(config, &config->columns) ? 1 : step_count(topology, columns);
    config->steps[PHASE_MOVE_B] = has_one_owner(config, &config->rows) ? 1 : step_count(topology, rows);
    config->steps[PHASE_MULTIPLY] = 1;
}

/* The matrices on the grid, and the paper's form for what is transposed of them. */
static struct pdgemm_config describe(const int64_t *values, int rows, int columns)
{
    int64_t block = values[PARAM_BLOCK], beta = values[PARAM_BETA];
    bool a = values[PARAM_TRANSA] == TRANS_YES, b = values[PARAM_TRANSB] == TRANS_YES,
         vanishes = values[PARAM_ALPHA] == 0;
    int64_t m = product_extent(values, PARAM_M), n = product_extent(values, PARAM_N);
    return (struct pdgemm_config){.rows = {a && b ? n : m, block, rows, 0},
                                  .columns = {a && b ? m : n, block, columns, 0},
                                  .k = product_extent(values, PARAM_K),
                                  .block = block,
                                  .form = a == b ? FORM_AB
                                          : a    ? FORM_AC
                                                 : FORM_BC,
                                  .aligned = a != b,
                                  .swapped = a && b,
                                  .vanishes = vanishes,
                                  .adds_c = beta != 0 && !(vanishes && beta == UNITS_REAL),
                                  .library = values[PARAM_ALGORITHM] == ALGORITHM_LIBRARY};
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int rows, columns;
    if (process_grid_choose(&rows, &columns, values[PARAM_GRID], placement->n_ranks, error) != 0)
        return -1;
    struct pdgemm_config draft = describe(values, rows, columns);
    if (draft.library && (draft.aligned || draft.swapped))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter '%s': what the library does with a transposed matrix is not simulated; "
                             "allowed with algorithm=library: no",
                             values[PARAM_TRANSA] == TRANS_YES ? "transa" : "transb");
    if (draft.library)
        draft.form = pdgemm_library_form(&draft);
    set_topology(&draft, values[PARAM_BROADCAST] - 1);
    for (int i = 0; i < N_PHASES; i++)
        draft.steps_of_part += draft.steps[i];
    draft.n_parts = cut(&draft, NULL);
    struct pdgemm_config *config = xcalloc(1, sizeof *config + (size_t)draft.n_parts * sizeof config->parts[0]);
    *config = draft;
    cut(config, config->parts);
    program->config = config;
    return 0;
}

/* --- steps --- */

void pdgemm_add_broadcast(const struct group_call *group, const struct coll_options *options, int step,
                          struct op_list *list)
{
    const struct coll_call call = {
        .options = options, .n_ranks = group->count, .root = group->root, .bytes = group->bytes, .blocks = 1};
    struct op message = {.kind = OP_SEND};
    int64_t first = (int64_t)step * STEP_OPS;
    for (int64_t i = first; i < first + STEP_OPS && options->broadcast->next(&call, group->me, i, &message); i++)
        pdgemm_add_message((enum op_kind)message.kind, group->first + message.peer * group->stride, message.bytes,
                           group->scope, group->tag, list);
}

void pdgemm_add_message(enum op_kind kind, int peer, int64_t bytes, int scope, int tag, struct op_list *list)
{
    if (bytes == 0)
        return;
    struct op *op = op_list_add(list, kind, scope);
    op->peer = peer;
    op->bytes = bytes;
    op->tag = tag;
}

static void add_call(int kernel, int64_t m, int64_t n, int scope, struct op_list *list)
{
    struct op *op = op_list_add(list, OP_COMPUTE, scope);
    op->kernel = (int16_t)kernel;
    op->times = 1;
    op->m = (int32_t)m;
    op->n = (int32_t)n;
}

void pdgemm_add_multiplication(int64_t m, int64_t n, int64_t k, struct op_list *list)
{
    if (m == 0 || n == 0 || k == 0)
        return;
    add_call(KERNEL_DGEMM, m, n, SCOPE_MULTIPLICATION, list);
    list->ops[list->count - 1].k = (int32_t)k;
}

void pdgemm_add_addition(int64_t m, int64_t n, int scope, struct op_list *list)
{
    if (m == 0 || n == 0)
        return;
    add_call(KERNEL_MATADD, m, n, scope, list);
    list->ops[list->count - 1].role = ROLE_CONTROL;
}

/* Move a panel of A or B in form AB: `c` is how C is dealt in the direction in which it moves. */
static void add_move(const struct pdgemm_config *config, const struct group_call *group, const struct block_cyclic *c,
                     int step, struct op_list *list)
{
    if (!has_one_owner(config, c))
        pdgemm_add_broadcast(group, &config->broadcast, step, list);
    else if (group->root != 0 && group->me == group->root)
        pdgemm_add_message(OP_ISEND, group->first, group->bytes, group->scope, TAG_OWN, list);
    else if (group->root != 0 && group->me == 0)
        pdgemm_add_message(OP_RECV, group->first + group->root * group->stride, group->bytes, group->scope, TAG_OWN,
                           list);
}

static void outer_emit(const struct pdgemm_config *config, int rank, const struct panel_part *part, int phase, int step,
                       struct op_list *list)
{
    int n_rows = config->rows.processes, n_columns = config->columns.processes;
    int row = rank / n_columns, column = rank % n_columns;
    int64_t m = block_cyclic_count(&config->rows, row), n = block_cyclic_count(&config->columns, column);
    const struct group_call along_row = {.count = n_columns,
                                         .first = row * n_columns,
                                         .stride = 1,
                                         .me = column,
                                         .root = part->column,
                                         .bytes = m * part->width * DOUBLE_BYTES,
                                         .scope = config->swapped ? SCOPE_BROADCAST_B : SCOPE_BROADCAST_A,
                                         .tag = config->broadcast_tag};
    const struct group_call along_column = {.count = n_rows,
                                            .first = column,
                                            .stride = n_columns,
                                            .me = row,
                                            .root = part->row,
                                            .bytes = n * part->width * DOUBLE_BYTES,
                                            .scope = config->swapped ? SCOPE_BROADCAST_A : SCOPE_BROADCAST_B,
                                            .tag = config->broadcast_tag};
    if (phase == PHASE_MOVE_A)
        add_move(config, &along_row, &config->columns, step, list);
    else if (phase == PHASE_MOVE_B)
        add_move(config, &along_column, &config->rows, step, list);
    else
        pdgemm_add_multiplication(m, n, part->multiplied, list);
}

/* True if a rank may send single messages. The library does not wait for them; a rank's last step is to do so. */
static bool sends_single_messages(const struct pdgemm_config *config)
{
    return (config->form != FORM_AB && !config->aligned) || has_one_owner(config, &config->rows) ||
           has_one_owner(config, &config->columns);
}

/* A step after those of the panels. */
static bool emit_ending(const struct pdgemm_config *config, int rank, int64_t step, struct op_list *list)
{
    if (config->vanishes || config->swapped)
        return pdgemm_transposed_end(config, rank, step, list);
    if (step > 0 || !sends_single_messages(config))
        return false;
    op_list_add(list, OP_WAIT, config->form == FORM_AB ? SCOPE_BROADCAST_A : SCOPE_ACCUMULATION);
    return true;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct pdgemm_config *config = data;
    int64_t number = step / config->steps_of_part, end = config->n_parts * config->steps_of_part;
    if (rank >= config->rows.processes * config->columns.processes)
        return false;
    if (step >= end)
        return emit_ending(config, rank, step - end, list);
    int phase = 0, within = (int)(step % config->steps_of_part);
    while (within >= config->steps[phase])
        within -= config->steps[phase++];
    (config->form == FORM_AB ? outer_emit : pdgemm_inner_emit)(config, rank, &config->parts[number], phase, within,
                                                               list);
    return true;
}

const struct app_spec app_pdgemm = {
    .name = "pdgemm",
    .summary = "ScaLAPACK's matrix product on a grid of processes, as a sum of outer products",
    .source = "Caron02, section 4.1; library: PBLAS 2, counted",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .problem = (const char *const[]){"size", "m", "n", "k", NULL},
    .scopes = scopes,
    .phases = (const struct phase_spec[]){{"broadcast_a", SUBJECT_BROADCAST, "broadcast"},
                                          {"broadcast_b", SUBJECT_BROADCAST, "broadcast"},
                                          {0}},
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
    .forecast = pdgemm_forecast,
    .memory = pdgemm_memory,
};
