/* Gather: blocks of all come together at one rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool flat_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct coll_layout layout = {call->blocks, call->bytes, call->n_ranks, 0};
    if (rank != call->root)
        return i == 0 && coll_send_part(op, call->root, coll_parts(&layout, rank, rank + 1), SEND_STANDARD);
    int64_t other = i + (i >= call->root);
    return i < call->n_ranks - 1 && coll_recv(op, (int)other, coll_parts(&layout, other, other + 1).bytes);
}

/* The tree of the binomial reduction, with more and more blocks. */
bool coll_gather_binomial(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p;
    const struct coll_layout layout = {call->blocks, call->bytes, call->n_ranks, call->root};
    for (int64_t step = 1; step < p; step *= 2) {
        int64_t from = r + step, to = r + 2 * step < p ? r + 2 * step : p;
        if ((r & step) != 0)
            return i == 0 && coll_send_part(op, (int)((r - step + call->root) % p),
                                            coll_parts(&layout, r, from < p ? from : p), SEND_STANDARD);
        if (from < p && i-- == 0)
            return coll_recv(op, (int)((from + call->root) % p), coll_parts(&layout, from, to).bytes);
    }
    return false;
}

static const struct coll_spec spec_flat = {.name = "flat",
                                           .summary = "the root receives from one rank after another",
                                           .source = "Zemerly95, eq. 13",
                                           .next = flat_next};
static const struct coll_spec spec_binomial = {
    .name = "binomial",
    .summary = "binomial tree, the data of a subtree in one message",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_gather_binomial,
};

#define ROWS(ROW) ROW(flat) ROW(binomial)
COLL_TABLES(gather, ROWS, {"ompi_basic_linear", "flat"}, {"ompi_binomial", "binomial"});
