/* Scatter: blocks of one rank are dealt to all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool flat_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct coll_layout layout = {call->blocks, call->bytes, call->n_ranks, 0};
    if (rank != call->root)
        return i == 0 && coll_recv(op, call->root, coll_parts(&layout, rank, rank + 1).bytes);
    int64_t other = i + (i >= call->root);
    return i < call->n_ranks - 1 &&
           coll_send_part(op, (int)other, coll_parts(&layout, other, other + 1), SEND_STANDARD);
}

static bool binomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p;
    const struct coll_layout layout = {call->blocks, call->bytes, call->n_ranks, call->root};
    if (!coll_scatter_tree(op, &i, p, r, &layout, SEND_STANDARD))
        return false;
    op->peer = (int)((op->peer + call->root) % p);
    return true;
}

static bool ompi_linear_nb_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_at_once(call, rank, i, op, flat_next);
}

static bool ompi_binomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_backwards(call, rank, i, op, binomial_next);
}

static const struct coll_spec spec_flat = {.name = "flat",
                                           .summary = "the root sends to one rank after another",
                                           .source = "Zemerly95, eq. 12",
                                           .next = flat_next};
static const struct coll_spec spec_binomial = {
    .name = "binomial",
    .summary = "binomial tree, the data for a subtree in one message",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = binomial_next,
};

static const struct coll_spec spec_ompi_linear_nb = {
    .name = "ompi_linear_nb",
    .summary = "like flat, but the root does not wait between its sends",
    .source = "Open MPI's",
    .imitates = true,
    .next = ompi_linear_nb_next,
};
static const struct coll_spec spec_ompi_binomial = {
    .name = "ompi_binomial",
    .summary = "like binomial, but the smallest subtree first",
    .source = "Open MPI's",
    .imitates = true,
    .next = ompi_binomial_next,
};

#define ROWS(ROW) ROW(flat) ROW(binomial) ROW(ompi_linear_nb) ROW(ompi_binomial)
COLL_TABLES(scatter, ROWS, {"ompi_basic_linear", "flat"});
