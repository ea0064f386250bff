/* Scatter, gather and reduce.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

static void scatter_binomial(void)
{
    deal(rank, ranks, bytes, 0, 0);
}

static void scatter_ompi_binomial(void)
{
    deal(rank, ranks, bytes, 0, 1);
}

static void gather_flat(void)
{
    if (rank > 0)
        send_to(0, bytes);
    for (int from = 1; rank == 0 && from < ranks; from++)
        receive_from(from, bytes);
}

void gather_binomial(void)
{
    int reach = rank == 0 ? 2 * power_up_to(ranks) : lowest_bit(rank);
    for (int step = 1; step < reach && rank + step < ranks; step *= 2)
        receive_from(rank + step, min(step, ranks - rank - step) * bytes);
    if (rank > 0)
        send_to(rank - reach, min(reach, ranks - rank) * bytes);
}

/* Open MPI's linear_sync: the root asks one after another; what it asks for is followed by an empty message. */
static void gather_openmpi_asked(void)
{
    if (rank > 0) {
        receive_from(0, 0);
        send_to(0, bytes);
        send_to(0, 0);
    }
    for (int from = 1; rank == 0 && from < ranks; from++) {
        MPI_Request block;
        MPI_Irecv(taken, payload(bytes), MPI_CHAR, from, 1, WORLD, &block);
        send_to(from, 0);
        post_receive(from, 0);
        MPI_Wait(&block, MPI_STATUS_IGNORE);
    }
    wait_for_all();
}

static void reduce_flat(void)
{
    if (rank > 0)
        send_to(0, bytes);
    for (int from = ranks - 1; rank == 0 && from > 0; from--)
        receive_from(from, bytes);
}

void reduce_binomial(void)
{
    const struct node node = digit_node(2);
    for (int i = node.n_children - 1; i >= 0; i--)
        receive_from(node.children[i], bytes);
    if (node.parent >= 0)
        send_to(node.parent, bytes);
}

/* Each receive is posted before the rank waits for the one before. */
static void pass_up_one_ahead(struct node node)
{
    MPI_Request posted[2];
    for (int i = 0; i < node.n_children; i++) {
        for (int next = i > 0 ? i + 1 : 0; next <= i + 1 && next < node.n_children; next++)
            MPI_Irecv(taken, payload(bytes), MPI_CHAR, node.children[next], 1, WORLD, &posted[next % 2]);
        MPI_Wait(&posted[i % 2], MPI_STATUS_IGNORE);
    }
    if (node.parent >= 0)
        send_to(node.parent, bytes);
}

static void reduce_ompi_binomial(void)
{
    const struct node down = digit_node(2);
    struct node up = {.parent = down.parent};
    for (int i = down.n_children - 1; i >= 0; i--)
        add_child(&up, down.children[i]);
    pass_up_one_ahead(up);
}

static void reduce_openmpi_binary(void)
{
    pass_up_one_ahead(level_node());
}

static void reduce_chain(void)
{
    if (rank < ranks - 1)
        receive_from(rank + 1, bytes);
    if (rank > 0)
        send_to(rank - 1, bytes);
}

static void reduce_chain_segmented(void)
{
    const int to = rank - 1;
    pass_segments(rank < ranks - 1 ? rank + 1 : -1, &to, rank > 0, bytes);
}

const struct algorithm rooted[] = {
    {"scatter", "flat", broadcast_flat},
    {"scatter", "binomial", scatter_binomial},
    {"scatter", "ompi_linear_nb", broadcast_flattree},
    {"scatter", "ompi_binomial", scatter_ompi_binomial},
    {"gather", "flat", gather_flat},
    {"gather", "binomial", gather_binomial},
    {"gather", "openmpi-asked", gather_openmpi_asked},
    {"reduce", "binomial", reduce_binomial},
    {"reduce", "flat", reduce_flat},
    {"reduce", "chain", reduce_chain},
    {"reduce", "chain_segmented", reduce_chain_segmented},
    {"reduce", "ompi_binomial", reduce_ompi_binomial},
    {"reduce", "openmpi-binary", reduce_openmpi_binary},
    {NULL, NULL, NULL},
};
