/* ScaLAPACK's pdgemm: C = A B, A of m x k, B of k x n and C of m x n doubles, dealt block-cyclically to a grid of P x Q
 * processes (paper 003, section 4.1). Process (i, j) of the grid is rank i Q + j; further ranks have nothing to do. On a
 * single rank the grid is 1 x 1, whatever was asked for.
 *
 * The product is a sum of outer products. For a panel, some columns of A and the rows of B of the same numbers, who owns
 * the columns broadcasts its part of them along its row of the grid, who owns the rows does so along its column, and
 * everybody multiplies what it has got. In two forms:
 *
 * paper: a panel is a block of the distribution, broadcast in a tree.
 *
 * library: PBLAS 2 cuts panels of 32 (pilaenv) for itself and broadcasts them in rings. It takes the indices not as they
 * come but sorted by their owners, the column of the grid first, and within a panel it broadcasts what has the same
 * owners by itself, A before B. Copying it together costs nothing here. This is the library's form AB. It takes others,
 * which move C, where it estimates that AB moves more than 1.3 times as much as they do, as it does for m or n far below
 * k; and it insists on rings only where m, n and k are above 32. Where it does neither, number, lengths and order of what
 * each rank sends are those counted on ScaLAPACK 2.2.1. */
#include "sim/app.h"

#include "apps/block_cyclic.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

enum { PARAM_SIZE_OF_ALL, PARAM_M, PARAM_N, PARAM_K, PARAM_BLOCK, PARAM_GRID, PARAM_ALGORITHM, PARAM_BROADCAST };
enum { ALGORITHM_PAPER, ALGORITHM_LIBRARY };
enum { SCOPE_NONE, SCOPE_BROADCAST_A, SCOPE_BROADCAST_B, SCOPE_MULTIPLICATION };
enum { KERNEL_DGEMM };
enum { DOUBLE_BYTES = 8, LIBRARY_PANEL = 32, MAX_SIDE = 1048576 };
enum { STEP_OPS = 12 }; /* of a broadcast, listed at a time; less than OP_LIST_MAX */

static const char *const algorithm_names[] = {"paper", "library", NULL};
static const char *const scopes[] = {"", "broadcast_a", "broadcast_b", "multiplication", NULL};
static const char *const kernels[] = {"dgemm", NULL};

/* The topologies by the names of the BLACS, in the order of the parameter's values from 1 on, and what they are here. */
static const char *const topology_names[] = {"auto", "tree", "ring", "flat", NULL};
static const char *const topology_colls[] = {"binomial", "chain", "flat"};
enum { TOPOLOGY_TREE, TOPOLOGY_RING };

static const struct param_spec params[] = {
    [PARAM_SIZE_OF_ALL] = {"size", PARAM_COUNT, "1024", 1, MAX_SIDE, NULL, "of m, n and k where they are 0"},
    [PARAM_M] = {"m", PARAM_COUNT, "0", 0, MAX_SIDE, NULL, "rows of A and C; 0: size"},
    [PARAM_N] = {"n", PARAM_COUNT, "0", 0, MAX_SIDE, NULL, "columns of B and C; 0: size"},
    [PARAM_K] = {"k", PARAM_COUNT, "0", 0, MAX_SIDE, NULL, "columns of A and rows of B; 0: size"},
    [PARAM_BLOCK] = {"block", PARAM_COUNT, "64", 1, 65536, NULL, "rows and columns of a block"},
    [PARAM_GRID] = {"grid", PARAM_MESH, "auto", 0, 0, NULL, "process rows x process columns; auto: near-square"},
    [PARAM_ALGORITHM] = {"algorithm", PARAM_CHOICE, "paper", 0, 0, algorithm_names,
                         "panels: the blocks, as in paper 003, or 32 columns, as in PBLAS 2"},
    [PARAM_BROADCAST] = {"broadcast", PARAM_CHOICE, "auto", 0, 0, topology_names,
                         "topology of the broadcasts; auto: tree for paper, ring for library"},
};

/* Indices of a panel with the same owners. */
struct piece {
    int32_t width;
    int32_t column, row; /* of the grid: the owners in A and in B */
    int32_t multiplied;  /* width of the panel if it ends here, else 0 */
};

struct config {
    struct block_cyclic rows, columns; /* of C */
    int64_t k, block;
    struct coll_options options;
    int steps_a, steps_b; /* of a piece: emit lists at most STEP_OPS at a time */
    int64_t n_pieces;
    struct piece pieces[];
};

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int ceil_log2(int64_t x)
{
    int log = 0;
    while (INT64_C(1) << log < x)
        log++;
    return log;
}

/* --- setup --- */

static void find_grid(int *rows, int *columns, int64_t value, int n_ranks)
{
    *rows = PARAM_MESH_WIDTH(value);
    *columns = PARAM_MESH_HEIGHT(value);
    if (n_ranks == 1)
        *rows = *columns = 1;
    if (*rows > 0)
        return;
    for (int divisor = 1; divisor <= n_ranks / divisor; divisor++)
        if (n_ranks % divisor == 0)
            *columns = divisor;
    *rows = n_ranks / *columns;
}

static int check_grid(int rows, int columns, int n_ranks, struct sim_error *error)
{
    if ((int64_t)rows * columns <= n_ranks)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "parameter 'grid': %dx%d processes need %lld ranks, there are %d", rows, columns,
                         (long long)rows * columns, n_ranks);
}

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

static int64_t cut_blocks(struct piece *pieces, const struct block_cyclic *a, const struct block_cyclic *b)
{
    int64_t count = 0;
    for (int64_t from = 0; from < a->n; from += a->block, count++) {
        int32_t width = (int32_t)(a->n - from < a->block ? a->n - from : a->block);
        pieces[count] = (struct piece){width, block_cyclic_owner(a, from), block_cyclic_owner(b, from), width};
    }
    return count;
}

/* Cut the indices of one pair of owners, `left` of them, into pieces; *filled is what the present panel has. */
static int64_t cut_pair(struct piece *pieces, struct piece owners, int64_t left, int32_t *filled)
{
    int64_t count = 0;
    while (left > 0) {
        int32_t room = LIBRARY_PANEL - *filled;
        owners.width = left < room ? (int32_t)left : room;
        *filled += owners.width;
        owners.multiplied = *filled == LIBRARY_PANEL ? LIBRARY_PANEL : 0;
        *filled %= LIBRARY_PANEL;
        left -= owners.width;
        pieces[count++] = owners;
    }
    return count;
}

static int64_t cut_panels(struct piece *pieces, const struct block_cyclic *a, const struct block_cyclic *b)
{
    int64_t count = 0;
    int32_t filled = 0;
    for (int column = 0; column < a->processes; column++)
        for (int row = 0; row < b->processes; row++)
            count += cut_pair(&pieces[count], (struct piece){.column = column, .row = row},
                              block_cyclic_overlap(a, column, b, row), &filled);
    if (filled > 0)
        pieces[count - 1].multiplied = filled;
    return count;
}

/* The most pieces that can come out: one for each panel and, in the library, one more for each pair of owners. */
static int64_t piece_bound(int64_t algorithm, int64_t k, int64_t block, int64_t n_pairs)
{
    int64_t blocks = ceil_div(k, block);
    if (algorithm == ALGORITHM_PAPER)
        return blocks;
    return k / LIBRARY_PANEL + 1 + (blocks < n_pairs ? blocks : n_pairs);
}

static int64_t extent_of(const int64_t *values, int param)
{
    return values[param] != 0 ? values[param] : values[PARAM_SIZE_OF_ALL];
}

static int setup(struct program *program, const int64_t *values, const struct placement *placement,
                 struct sim_error *error)
{
    int rows, columns;
    find_grid(&rows, &columns, values[PARAM_GRID], placement->n_ranks);
    if (check_grid(rows, columns, placement->n_ranks, error) != 0)
        return -1;
    int64_t algorithm = values[PARAM_ALGORITHM], block = values[PARAM_BLOCK], k = extent_of(values, PARAM_K);
    int64_t topology = values[PARAM_BROADCAST] - 1; /* what auto stands for has the algorithm's number */
    if (topology < 0)
        topology = algorithm == ALGORITHM_PAPER ? TOPOLOGY_TREE : TOPOLOGY_RING;
    const struct block_cyclic a = {k, block, columns, 0}, b = {k, block, rows, 0};
    size_t bound = (size_t)piece_bound(algorithm, k, block, (int64_t)rows * columns);
    struct config *config = xcalloc(1, sizeof *config + bound * sizeof config->pieces[0]);
    config->rows = (struct block_cyclic){extent_of(values, PARAM_M), block, rows, 0};
    config->columns = (struct block_cyclic){extent_of(values, PARAM_N), block, columns, 0};
    config->k = k;
    config->block = block;
    config->options = (struct coll_options){.broadcast = find_coll(topology_colls[topology])};
    config->steps_a = step_count(topology, columns);
    config->steps_b = step_count(topology, rows);
    config->n_pieces = (algorithm == ALGORITHM_PAPER ? cut_blocks : cut_panels)(config->pieces, &a, &b);
    program->config = config;
    return 0;
}

/* --- steps --- */

/* A broadcast among `count` ranks, `first` and every `stride`-th after it. */
struct group {
    int count, first, stride;
};

/* The ops of a rank, the `me`-th of its group, in the `step`-th step of a broadcast. */
static void add_broadcast(const struct config *config, const struct group *group, int me, int root, int64_t bytes,
                          int step, int scope, struct op_list *list)
{
    const struct coll_call call = {
        .options = &config->options, .n_ranks = group->count, .root = root, .bytes = bytes, .times = 1};
    struct op message = {.kind = OP_SEND};
    int64_t first = (int64_t)step * STEP_OPS;
    for (int64_t i = first; bytes > 0 && i < first + STEP_OPS; i++) {
        if (!config->options.broadcast->next(&call, me, i, &message))
            return;
        struct op *op = op_list_add(list, (enum op_kind)message.kind, scope);
        op->peer = group->first + message.peer * group->stride;
        op->bytes = message.bytes;
        op->mode = message.mode;
    }
}

static void add_multiplication(int64_t m, int64_t n, int64_t k, struct op_list *list)
{
    if (m == 0 || n == 0 || k == 0)
        return;
    struct op *op = op_list_add(list, OP_COMPUTE, SCOPE_MULTIPLICATION);
    op->kernel = KERNEL_DGEMM;
    op->times = 1;
    op->m = (int32_t)m;
    op->n = (int32_t)n;
    op->k = (int32_t)k;
}

static bool emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const struct config *config = data;
    int n_rows = config->rows.processes, n_columns = config->columns.processes;
    int per_piece = config->steps_a + config->steps_b + 1, phase = (int)(step % per_piece);
    if (rank >= n_rows * n_columns || step / per_piece >= config->n_pieces)
        return false;
    const struct piece *piece = &config->pieces[step / per_piece];
    int row = rank / n_columns, column = rank % n_columns;
    int64_t m = block_cyclic_count(&config->rows, row), n = block_cyclic_count(&config->columns, column);
    const struct group along_row = {n_columns, row * n_columns, 1}, along_column = {n_rows, column, n_columns};
    if (phase < config->steps_a)
        add_broadcast(config, &along_row, column, piece->column, m * piece->width * DOUBLE_BYTES, phase,
                      SCOPE_BROADCAST_A, list);
    else if (phase < config->steps_a + config->steps_b)
        add_broadcast(config, &along_column, row, piece->row, n * piece->width * DOUBLE_BYTES, phase - config->steps_a,
                      SCOPE_BROADCAST_B, list);
    else
        add_multiplication(m, n, piece->multiplied, list);
    return true;
}

/* --- forecast --- */

/* Paper 003, eqs. 1 and 3: trees, blocks as panels and rounded-up local sizes, whichever form is simulated. */
static struct forecast forecast(const void *data, const struct forecast_costs *costs)
{
    const struct config *config = data;
    int64_t p = config->rows.processes, q = config->columns.processes, panels = ceil_div(config->k, config->block);
    int64_t work_ps[N_WORK_COMPONENTS];
    int64_t dgemm_ps = machine_kernel_ps(&costs->kernels[KERNEL_DGEMM], 1, (int)ceil_div(config->rows.n, p),
                                         (int)ceil_div(config->columns.n, q), (int)config->block, work_ps);
    double elements_a = (double)config->rows.n * (double)config->k / (double)p;
    double elements_b = (double)config->k * (double)config->columns.n / (double)q;
    int rounds_a = ceil_log2(q), rounds_b = ceil_log2(p);
    return (struct forecast){
        .computation_s = (double)panels * (double)dgemm_ps / 1e12,
        .communication_s = (rounds_a * elements_a + rounds_b * elements_b) * DOUBLE_BYTES * costs->byte_s +
                           (rounds_a + rounds_b) * (double)panels * costs->latency_s};
}

const struct app_spec app_pdgemm = {
    .name = "pdgemm",
    .summary = "ScaLAPACK's matrix product on a grid of processes, as a sum of outer products",
    .source = "Caron, Suter 2002 (paper 003), section 4.1; library: PBLAS 2, counted",
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .scopes = scopes,
    .kernels = kernels,
    .setup = setup,
    .emit = emit,
    .forecast = forecast,
};
