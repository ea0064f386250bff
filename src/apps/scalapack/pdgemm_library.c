/* pdgemm as PBLAS 2 does it: which matrices it moves, how it cuts them, and forms AC and BC, which are inner products.
 *
 * Form BC moves B and C and leaves A where it is; each process multiplies its part of A. A panel is some columns of B
 * and C, at most 32, that one column of the grid owns. Of B it is dealt by k to the rows of the grid and is transposed,
 * so that it is dealt to its columns as the columns of A are: it goes to the first row of the grid, which broadcasts
 * it. Everybody multiplies, and along each row the products are summed for the owner, which adds the sum to C. Where A
 * lies in one row or one column of the grid there is nothing to broadcast or to sum, and the product is sent to the
 * owner. Form AC is the mirror image, rows and columns exchanged.
 *
 * The library sends through the BLACS. Single messages are buffered, a sum is MPI_Reduce, and a broadcast for which no
 * ring is asked is MPI_Bcast. The MPI library chooses their messages; here they are binomial trees. Open MPI's are the
 * same in groups of two and three; in larger ones it depends on the length.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdgemm_internal.h"

#include "base/range.h"

#include <stddef.h>

enum { LIBRARY_PANEL = 32 }; /* pilaenv */

/* --- the choices --- */

/* The most indices that a process has, in whole blocks. */
static double estimate_share(int64_t n, int64_t block, int processes)
{
    int64_t blocks = (n + block - 1) / block;
    return (double)((blocks + processes - 1) / processes * block);
}

/* The library's estimates of the elements moved, in which a summed one counts as 1.3 broadcast ones. It prefers AB, and
 * takes another form where that is estimated to move less than 1 / 1.3 of it. */
enum pdgemm_form pdgemm_library_form(const struct pdgemm_config *config)
{
    const double sum_cost = 1.3, preference = 1.3;
    int p = config->rows.processes, q = config->columns.processes;
    int64_t block = config->block;
    double m_p = estimate_share(config->rows.n, block, p), n_q = estimate_share(config->columns.n, block, q);
    double k_p = estimate_share(config->k, block, p), k_q = estimate_share(config->k, block, q);
    double k_most = k_p > k_q ? k_p : k_q;
    double ab = (double)config->k * ((q == 1 ? 0 : m_p) + (p == 1 ? 0 : n_q));
    double ac = (double)config->rows.n * ((q == 1 ? 0 : k_p) + k_most + sum_cost * (p == 1 ? 0 : n_q));
    double bc = (double)config->columns.n * (sum_cost * (q == 1 ? 0 : m_p) + (p == 1 ? 0 : k_q) + k_most);
    if (ab <= preference * bc && ab <= preference * ac)
        return FORM_AB;
    return bc <= ac && preference * bc <= ab ? FORM_BC : FORM_AC;
}

bool pdgemm_library_rings(const struct pdgemm_config *config)
{
    return config->rows.n > LIBRARY_PANEL && config->columns.n > LIBRARY_PANEL && config->k > LIBRARY_PANEL;
}

/* --- cutting --- */

struct cutter {
    struct panel_part *parts; /* NULL: only count */
    int64_t count;
    int32_t filled; /* of the present panel */
};

static void put_part(struct cutter *cutter, struct panel_part part)
{
    if (cutter->parts != NULL)
        cutter->parts[cutter->count] = part;
    cutter->count++;
}

/* Form AB: cut the indices of one pair of owners, `left` of them. */
static void cut_pair(struct cutter *cutter, struct panel_part owners, int64_t left)
{
    while (left > 0) {
        owners.width = (int32_t)int64_min(left, LIBRARY_PANEL - cutter->filled);
        cutter->filled += owners.width;
        owners.multiplied = cutter->filled == LIBRARY_PANEL ? LIBRARY_PANEL : 0;
        cutter->filled %= LIBRARY_PANEL;
        left -= owners.width;
        put_part(cutter, owners);
    }
}

/* Form AB: where one column of the grid owns all of A and one row all of B, there is a single panel. Otherwise the
 * indices come sorted by their owners. */
static void cut_outer(struct cutter *cutter, const struct pdgemm_config *config)
{
    const struct block_cyclic a = {config->k, config->block, config->columns.processes, 0};
    const struct block_cyclic b = {config->k, config->block, config->rows.processes, 0};
    if (config->k <= config->block || (a.processes == 1 && b.processes == 1)) {
        put_part(cutter, (struct panel_part){.width = (int32_t)config->k, .multiplied = (int32_t)config->k});
        return;
    }
    for (int column = 0; column < a.processes; column++)
        for (int row = 0; row < b.processes; row++)
            cut_pair(cutter, (struct panel_part){.column = column, .row = row},
                     block_cyclic_overlap(&a, column, &b, row));
    if (cutter->filled > 0 && cutter->parts != NULL)
        cutter->parts[cutter->count - 1].multiplied = cutter->filled;
}

/* Forms AC and BC: the indices of each owner by themselves, in panels that are about equal. */
static void cut_inner(struct cutter *cutter, const struct block_cyclic *moved)
{
    for (int owner = 0; owner < moved->processes; owner++) {
        int64_t left = block_cyclic_count(moved, owner);
        int64_t width = left > 0 ? left / ((left - 1) / LIBRARY_PANEL + 1) : 0;
        for (; left > 0; left -= width) {
            width = int64_min(width, left);
            put_part(cutter, (struct panel_part){.width = (int32_t)width, .column = owner, .row = owner});
        }
    }
}

int64_t pdgemm_library_cut(const struct pdgemm_config *config, struct panel_part *parts)
{
    struct cutter cutter = {.parts = parts};
    if (config->form == FORM_AB)
        cut_outer(&cutter, config);
    else
        cut_inner(&cutter, config->form == FORM_BC ? &config->columns : &config->rows);
    return cutter.count;
}

/* --- forms AC and BC: the grid --- */

/* The grid in coordinates in which both forms are the same: C's dimension `fixed` is dealt along i, and a panel of its
 * other one belongs to one j. In BC i is the row and j the column, in AC it is the other way round. */
struct inner {
    struct block_cyclic fixed, k_i, k_j; /* k as the moved panel has it, and as the matrix that stays */
    int stride_i, stride_j;              /* rank = i stride_i + j stride_j */
    int i, j;                            /* of the rank in question */
    bool spread;                         /* the matrix that stays has more than one i, so that the panel is broadcast */
    bool summed;                         /* it has more than one j, so that the products are summed */
    bool gathered;                       /* see add_transposition() */
};

static struct inner inner_of(const struct pdgemm_config *config, int rank)
{
    bool bc = config->form == FORM_BC;
    int n_columns = config->columns.processes, row = rank / n_columns, column = rank % n_columns;
    struct inner inner = {.fixed = bc ? config->rows : config->columns,
                          .stride_i = bc ? n_columns : 1,
                          .stride_j = bc ? 1 : n_columns,
                          .i = bc ? row : column,
                          .j = bc ? column : row};
    int n_i = inner.fixed.processes, n_j = bc ? n_columns : config->rows.processes;
    inner.k_i = (struct block_cyclic){config->k, config->block, n_i, 0};
    inner.k_j = (struct block_cyclic){config->k, config->block, n_j, 0};
    inner.spread = n_i > 1 && (config->aligned || inner.fixed.n > config->block);
    inner.summed = n_j > 1 && (config->aligned || config->k > config->block);
    inner.gathered = !config->aligned && inner.spread && n_j == 1;
    return inner;
}

static int rank_at(const struct inner *inner, int i, int j)
{
    return i * inner->stride_i + j * inner->stride_j;
}

/* Pairs of an i and a j that can own the same index of k. */
static int count_pairs(const struct inner *inner)
{
    int n_i = inner->k_i.processes, n_j = inner->k_j.processes;
    return n_i == n_j ? n_i : n_i * n_j;
}

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* The steps of a sum, twice those of a tree: each lists half as many messages, since an addition follows each one
 * received. */
static int sum_steps(int count)
{
    return count == 1 ? 1 : 2 * pdgemm_tree_steps(count);
}

void pdgemm_inner_steps(struct pdgemm_config *config, int broadcast_steps)
{
    const struct inner inner = inner_of(config, 0);
    int n_i = inner.k_i.processes, *steps = config->steps;
    if (!config->aligned)
        steps[PHASE_TRANSPOSE] = inner.gathered ? sum_steps(n_i) : (int)ceil_div(count_pairs(&inner), STEP_OPS);
    steps[PHASE_SPREAD] = inner.gathered ? pdgemm_tree_steps(n_i) : inner.spread ? broadcast_steps : 0;
    steps[PHASE_WORK] = 1;
    steps[PHASE_ACCUMULATE] = inner.summed ? sum_steps(inner.k_j.processes) : 1;
}

/* --- forms AC and BC: the phases --- */

/* MPI_Reduce: the broadcast backwards. Receivers add m x n elements. */
static void add_sum(const struct pdgemm_config *config, const struct group_call *group, int64_t m, int64_t n, int step,
                    struct op_list *list)
{
    const struct coll_call call = {.options = &config->mpi_tree, .n_ranks = group->count, .root = group->root};
    struct op op = {.kind = OP_SEND};
    int64_t count = 0, first = (int64_t)step * STEP_OPS / 2;
    while (config->mpi_tree.broadcast->next(&call, group->me, count, &op))
        count++;
    for (int64_t i = first; i < int64_min(count, first + STEP_OPS / 2); i++) {
        config->mpi_tree.broadcast->next(&call, group->me, count - 1 - i, &op);
        bool receives = op.kind == OP_SEND;
        pdgemm_add_message(receives ? OP_RECV : OP_SEND, group->first + op.peer * group->stride, m * n * DOUBLE_BYTES,
                           group->scope, TAG_MPI, list);
        if (receives)
            pdgemm_add_addition(m, n, group->scope, list);
    }
}

/* The exchange of a panel: the process that has a part of it, (p, owner), sends it to the one that is to have it,
 * (0, q). The pairs come in the order of the library, along the diagonals of their table. */
static void add_exchange(const struct inner *inner, const struct panel_part *part, int owner, int step,
                         struct op_list *list)
{
    int n_i = inner->k_i.processes, n_j = inner->k_j.processes, diagonal = n_i / gcd(n_i, n_j) * n_j;
    int end = (int)int64_min(count_pairs(inner), (int64_t)(step + 1) * STEP_OPS);
    bool sends = inner->j == owner, receives = inner->i == 0;
    for (int pair = step * STEP_OPS; (sends || receives) && pair < end; pair++) {
        int p = pair % diagonal % n_i, q = (pair / diagonal + pair % diagonal) % n_j;
        bool from_me = sends && p == inner->i, to_me = receives && q == inner->j;
        if (from_me == to_me) /* not mine, or I have it already */
            continue;
        int64_t elements = part->width * block_cyclic_overlap(&inner->k_i, p, &inner->k_j, q);
        pdgemm_add_message(from_me ? OP_ISEND : OP_RECV, from_me ? rank_at(inner, 0, q) : rank_at(inner, p, owner),
                           elements * DOUBLE_BYTES, SCOPE_TRANSPOSITION, TAG_OWN, list);
    }
}

/* If there is a single j, the matrix that stays wants whole panels, everywhere. The library lets everybody put its part
 * of the panel among zeros and sums them for all: MPI_Allreduce, here a sum for i = 0 and a broadcast. */
static void add_transposition(const struct pdgemm_config *config, const struct inner *inner,
                              const struct panel_part *part, int owner, int step, struct op_list *list)
{
    const struct group_call group = {
        .count = inner->k_i.processes, .stride = inner->stride_i, .me = inner->i, .scope = SCOPE_TRANSPOSITION};
    if (inner->gathered)
        add_sum(config, &group, part->width, config->k, step, list);
    else
        add_exchange(inner, part, owner, step, list);
}

static void add_spreading(const struct pdgemm_config *config, const struct inner *inner, const struct panel_part *part,
                          int step, struct op_list *list)
{
    bool bc = config->form == FORM_BC;
    const struct group_call group = {.count = inner->k_i.processes,
                                     .first = rank_at(inner, 0, inner->j),
                                     .stride = inner->stride_i,
                                     .me = inner->i,
                                     .root = !config->aligned ? 0
                                             : bc             ? part->row
                                                              : part->column,
                                     .bytes = part->width * block_cyclic_count(&inner->k_j, inner->j) * DOUBLE_BYTES,
                                     .scope = bc ? SCOPE_BROADCAST_B : SCOPE_BROADCAST_A,
                                     .tag = inner->gathered ? TAG_MPI : config->broadcast_tag};
    pdgemm_add_broadcast(&group, inner->gathered ? &config->mpi_tree : &config->broadcast, step, list);
}

/* Sum the products for the owner, or send it the only one; it adds them to C. In the paper's form it has computed its
 * own product in C. */
static void add_accumulation(const struct pdgemm_config *config, const struct inner *inner,
                             const struct panel_part *part, int owner, int step, struct op_list *list)
{
    int64_t m = block_cyclic_count(&inner->fixed, inner->i), n = part->width, bytes = m * n * DOUBLE_BYTES;
    const struct group_call group = {.count = inner->k_j.processes,
                                     .first = rank_at(inner, inner->i, 0),
                                     .stride = inner->stride_j,
                                     .me = inner->j,
                                     .root = owner,
                                     .scope = SCOPE_ACCUMULATION};
    if (inner->summed)
        add_sum(config, &group, m, n, step, list);
    else if (owner != 0 && inner->j == 0)
        pdgemm_add_message(OP_ISEND, rank_at(inner, inner->i, owner), bytes, SCOPE_ACCUMULATION, TAG_OWN, list);
    else if (owner != 0 && inner->j == owner)
        pdgemm_add_message(OP_RECV, rank_at(inner, inner->i, 0), bytes, SCOPE_ACCUMULATION, TAG_OWN, list);
    if (!config->aligned && inner->j == owner && step == config->steps[PHASE_ACCUMULATE] - 1)
        pdgemm_add_addition(m, n, SCOPE_ACCUMULATION, list);
}

void pdgemm_inner_emit(const struct pdgemm_config *config, int rank, const struct panel_part *part, int phase, int step,
                       struct op_list *list)
{
    const struct inner inner = inner_of(config, rank);
    bool bc = config->form == FORM_BC;
    int owner = bc ? part->column : part->row;
    int64_t fixed = block_cyclic_count(&inner.fixed, inner.i);
    if (phase == PHASE_TRANSPOSE)
        add_transposition(config, &inner, part, owner, step, list);
    else if (phase == PHASE_SPREAD)
        add_spreading(config, &inner, part, step, list);
    else if (phase == PHASE_WORK)
        pdgemm_add_multiplication(bc ? fixed : part->width, bc ? part->width : fixed,
                                  block_cyclic_count(&inner.k_j, inner.j), list);
    else
        add_accumulation(config, &inner, part, owner, step, list);
}
