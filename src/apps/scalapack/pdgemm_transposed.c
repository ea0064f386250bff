/* pdgemm with a transposed A or B, in the form "paper". Caron02 has C = A B only and says that the other cases are
 * similar. These are those of PUMMA (Choi, Dongarra, Walker 1994), with the panels and trees of the paper:
 *
 * C = A B': a panel is a block of rows of B, which are dealt by k as the columns of A are. The row of the grid that has
 * it broadcasts it along the columns; everybody multiplies its part of A by it, and along each row of the grid the
 * products are summed in a tree, for the column that has the panel of C. C = A' B is the mirror image. These are forms
 * BC and AC of the library (pdgemm_library.c) without what these have to transpose.
 *
 * C = A' B' = (B A)': B A is computed as if nothing were transposed, and then everybody sends what it has of that to
 * those that have it of C, pair by pair: in turn t ranks r and t - r, modulo their number, send to each other. Copying
 * costs nothing, adding does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/pdgemm_internal.h"

#include "base/range.h"

enum { STEP_TURNS = STEP_OPS / 2 };

/* The elements that a rank has of B A and another one of C. */
static int64_t count_elements(const struct pdgemm_config *config, int from, int to)
{
    const struct block_cyclic_matrix c = pdgemm_matrix_c(config);
    int q = config->columns.processes;
    return block_cyclic_overlap(&config->rows, from / q, &c.columns, to % q) *
           block_cyclic_overlap(&config->columns, from % q, &c.rows, to / q);
}

static void add_turn(const struct pdgemm_config *config, int rank, int turn, struct op_list *list)
{
    int n_ranks = config->rows.processes * config->columns.processes, peer = (turn - rank + n_ranks) % n_ranks;
    if (peer == rank)
        return;
    pdgemm_add_message(OP_ISEND, peer, count_elements(config, rank, peer) * DOUBLE_BYTES, SCOPE_TRANSPOSITION, TAG_OWN,
                       list);
    pdgemm_add_message(OP_RECV, peer, count_elements(config, peer, rank) * DOUBLE_BYTES, SCOPE_TRANSPOSITION, TAG_OWN,
                       list);
}

bool pdgemm_transposed_end(const struct pdgemm_config *config, int rank, int64_t step, struct op_list *list)
{
    const struct block_cyclic_matrix c = pdgemm_matrix_c(config);
    int q = config->columns.processes, n_ranks = config->rows.processes * q;
    int64_t turn_steps = config->vanishes ? 0 : ceil_div(n_ranks, STEP_TURNS), first = step * STEP_TURNS;
    if (step > turn_steps || (n_ranks == 1 && !config->vanishes)) /* a single process has dgemm transpose */
        return false;
    for (int64_t turn = first; step < turn_steps && turn < int64_min(first + STEP_TURNS, n_ranks); turn++)
        add_turn(config, rank, (int)turn, list);
    if (step == turn_steps) {
        op_list_add(list, OP_WAIT, SCOPE_TRANSPOSITION);
        if (config->adds_c)
            pdgemm_add_addition(block_cyclic_count(&c.rows, rank / q), block_cyclic_count(&c.columns, rank % q),
                                SCOPE_ACCUMULATION, list);
    }
    return true;
}
