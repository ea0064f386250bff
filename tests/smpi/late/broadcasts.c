/* Broadcasts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

void broadcast_flat(void)
{
    for (int to = 1; rank == 0 && to < ranks; to++)
        send_to(to, bytes);
    if (rank > 0)
        receive_from(0, bytes);
}

void broadcast_flattree(void)
{
    for (int to = 1; rank == 0 && to < ranks; to++)
        begin_send(to, bytes);
    wait_for_all();
    if (rank > 0)
        receive_from(0, bytes);
}

void broadcast_binomial(void)
{
    pass_down(digit_node(2));
}

static void broadcast_knomial(void)
{
    pass_down(digit_node(radix));
}

static void broadcast_chain(void)
{
    pass_down(chain_node());
}

static void broadcast_chain_segmented(void)
{
    const struct node node = chain_node();
    pass_segments(node.parent, node.children, node.n_children, bytes);
}

static void broadcast_chain_down(void)
{
    if (rank > 0)
        receive_from(ahead(1), bytes);
    if (rank != 1)
        send_to(behind(1), bytes);
}

static void broadcast_split_ring(void)
{
    if (rank > 0)
        receive_from(rank <= ranks / 2 ? rank - 1 : ahead(1), bytes);
    if (rank < ranks / 2)
        send_to(rank + 1, bytes);
    if (rank == 0 || rank > ranks / 2 + 1)
        send_to(behind(1), bytes);
}

/* The ranks but the root are divided among paths, of which the first have one more. */
static void broadcast_multipath(void)
{
    int n = min(radix, ranks - 1), first = 1;
    for (int path = 0; path < n; path++) {
        int length = (ranks - 1) / n + (path < (ranks - 1) % n);
        if (rank == 0)
            send_to(first, bytes);
        else if (rank >= first && rank < first + length) {
            receive_from(rank == first ? 0 : rank - 1, bytes);
            if (rank < first + length - 1)
                send_to(rank + 1, bytes);
        }
        first += length;
    }
}

static void broadcast_hypercube(void)
{
    pass_down(is_power(ranks) ? doubling_node() : digit_node(2));
}

static void broadcast_binary(void)
{
    pass_down(binary_node());
}

static void broadcast_binary_segmented(void)
{
    const struct node node = binary_node();
    pass_segments(node.parent, node.children, node.n_children, bytes);
}

/* The odd ranks are the tree of the first half, the even ones that of the second; then neighbors exchange halves. */
static void broadcast_split_binary(void)
{
    int halves[2] = {bytes - bytes / 2, bytes / 2};
    if (rank == 0) {
        for (int s = 0; s < count_of(halves[0]); s++)
            for (int side = 0; side < 2 && side < ranks - 1; side++)
                if (s < count_of(halves[side]))
                    send_to(1 + side, length_of(halves[side], s));
        if (ranks % 2 == 0)
            send_to(ranks - 1, halves[1]);
        return;
    }
    int side = (rank - 1) % 2, place = (rank - 1) / 2, children[2], n_children = 0;
    for (int child = 2 * place + 1; child <= 2 * place + 2; child++)
        if (2 * child + 1 + side < ranks)
            children[n_children++] = 2 * child + 1 + side;
    pass_segments(place == 0 ? 0 : 2 * ((place - 1) / 2) + 1 + side, children, n_children, halves[side]);
    int partner = side == 0 ? rank + 1 : rank - 1;
    if (partner < ranks)
        exchange(partner, halves[side], partner, halves[1 - side]);
    else
        receive_from(0, halves[1]);
}

static void broadcast_scatter_ring(void)
{
    deal(rank, ranks, bytes / ranks, 0, 0);
    for (int round = 1; round < ranks; round++)
        exchange(ahead(1), bytes / ranks, behind(1), bytes / ranks);
}

static void broadcast_scatter_doubling(void)
{
    int n = power_up_to(ranks), folded = ranks - n, paired = rank < 2 * folded;
    int number = paired ? rank / 2 : rank - folded;
    if (paired && rank % 2 == 1) {
        receive_from(rank - 1, bytes);
        return;
    }
    deal(number, n, bytes / n, folded, 0);
    for (int size = 1; size < n; size *= 2) {
        int peer = rank_of_number(number ^ size, folded, 0);
        exchange(peer, size * (bytes / n), peer, size * (bytes / n));
    }
    if (paired)
        send_to(rank + 1, bytes);
}

static void broadcast_openmpi_binomial(void)
{
    pass_down_at_once(doubling_node());
}

static void broadcast_openmpi_binary(void)
{
    pass_down_at_once(level_node());
}

static void broadcast_openmpi_knomial(void)
{
    pass_down_at_once(digit_node(radix));
}

const struct algorithm broadcasts[] = {
    {"broadcast", "flat", broadcast_flat},
    {"broadcast", "neighbour", broadcast_flat}, /* on a star */
    {"broadcast", "flattree", broadcast_flattree},
    {"broadcast", "binomial", broadcast_binomial},
    {"broadcast", "knomial", broadcast_knomial},
    {"broadcast", "chain", broadcast_chain},
    {"broadcast", "chain_segmented", broadcast_chain_segmented},
    {"broadcast", "chain_down", broadcast_chain_down},
    {"broadcast", "split_ring", broadcast_split_ring},
    {"broadcast", "multipath", broadcast_multipath},
    {"broadcast", "hypercube", broadcast_hypercube},
    {"broadcast", "binary", broadcast_binary},
    {"broadcast", "binary_segmented", broadcast_binary_segmented},
    {"broadcast", "split_binary", broadcast_split_binary},
    {"broadcast", "scatter_ring", broadcast_scatter_ring},
    {"broadcast", "scatter_doubling", broadcast_scatter_doubling},
    {"broadcast", "openmpi-binomial", broadcast_openmpi_binomial},
    {"broadcast", "openmpi-binary", broadcast_openmpi_binary},
    {"broadcast", "openmpi-knomial", broadcast_openmpi_knomial},
    {NULL, NULL, NULL},
};
