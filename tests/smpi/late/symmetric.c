/* Collectives without a root: allreduce, allgather, all-to-all, barriers.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

/* ---- Allreduce ---- */

/* The even one of a pair of ranks hands its vector to the odd one, which takes part for both. */
static void allreduce_by_pairs(void (*rounds)(int number, int n, int folded))
{
    int n = power_up_to(ranks), folded = ranks - n, paired = rank < 2 * folded;
    if (paired && rank % 2 == 0) {
        send_to(rank + 1, bytes);
        receive_from(rank + 1, bytes);
        return;
    }
    if (paired)
        receive_from(rank - 1, bytes);
    rounds(paired ? rank / 2 : rank - folded, n, folded);
    if (paired)
        send_to(rank - 1, bytes);
}

static void double_whole(int number, int n, int folded)
{
    for (int bit = 1; bit < n; bit *= 2) {
        int peer = rank_of_number(number ^ bit, folded, 1);
        exchange(peer, bytes, peer, bytes);
    }
}

static void halve_and_double(int number, int n, int folded)
{
    for (int bit = 1; bit < n; bit *= 2) {
        int peer = rank_of_number(number ^ bit, folded, 1), half = bytes / (2 * bit);
        exchange(peer, half, peer, half);
    }
    for (int bit = n / 2; bit > 0; bit /= 2) {
        int peer = rank_of_number(number ^ bit, folded, 1), half = bytes / (2 * bit);
        exchange(peer, half, peer, half);
    }
}

static void allreduce_recursive_doubling(void)
{
    allreduce_by_pairs(double_whole);
}

static void allreduce_rabenseifner(void)
{
    allreduce_by_pairs(halve_and_double);
}

static void allreduce_ring(void)
{
    for (int round = 0; round < 2 * (ranks - 1); round++)
        exchange(ahead(1), bytes / ranks, behind(1), bytes / ranks);
}

static void allreduce_reduce_broadcast(void)
{
    reduce_binomial();
    broadcast_binomial();
}

/* ---- Allgather and all-to-all ---- */

static void allgather_ring(void)
{
    for (int round = 1; round < ranks; round++)
        exchange(ahead(1), bytes, behind(1), bytes);
}

/* The ranks that numbers from ... to - 1 stand for. */
static int blocks_of(int from, int to, int folded)
{
    return to - from + (min(to, folded) - min(from, folded));
}

static void allgather_recursive_doubling(void)
{
    int n = power_up_to(ranks), folded = ranks - n, paired = rank < 2 * folded;
    int number = paired ? rank / 2 : rank - folded;
    if (paired && rank % 2 == 0) {
        send_to(rank + 1, bytes);
        receive_from(rank + 1, ranks * bytes);
        return;
    }
    if (paired)
        receive_from(rank - 1, bytes);
    for (int size = 1; size < n; size *= 2) {
        int peer = rank_of_number(number ^ size, folded, 1), own = number / size * size, other = own ^ size;
        exchange(peer, blocks_of(own, own + size, folded) * bytes, peer,
                 blocks_of(other, other + size, folded) * bytes);
    }
    if (paired)
        send_to(rank - 1, ranks * bytes);
}

static void allgather_bruck(void)
{
    for (int distance = 1; distance < ranks; distance *= 2) {
        int n = min(distance, ranks - distance) * bytes;
        exchange(behind(distance), n, ahead(distance), n);
    }
}

static void allgather_neighbour_exchange(void)
{
    if (ranks % 2 != 0) {
        allgather_ring();
        return;
    }
    for (int round = 0; round < ranks / 2; round++) {
        int peer = (rank + round) % 2 == 0 ? ahead(1) : behind(1), n = round == 0 ? bytes : 2 * bytes;
        exchange(peer, n, peer, n);
    }
}

static void alltoall_pairwise(void)
{
    for (int round = 1; round < ranks; round++)
        exchange(ahead(round), bytes, behind(round), bytes);
}

static void alltoall_exchange(void)
{
    if (!is_power(ranks))
        alltoall_pairwise();
    for (int round = 1; is_power(ranks) && round < ranks; round++)
        exchange(rank ^ round, bytes, rank ^ round, bytes);
}

/* SMPI's spreading_simple. */
static void allgather_linear(void)
{
    for (int round = 1; round < ranks; round++)
        post_receive(ahead(round), bytes);
    for (int round = 1; round < ranks; round++)
        begin_send(ahead(round), bytes);
    wait_for_all();
}

/* Open MPI's and SMPI's basic_linear. */
static void alltoall_linear(void)
{
    for (int round = 1; round < ranks; round++)
        post_receive(ahead(round), bytes);
    for (int round = 1; round < ranks; round++)
        begin_send(behind(round), bytes);
    wait_for_all();
}

static void alltoall_bruck(void)
{
    for (int bit = 1; bit < ranks; bit *= 2) {
        int n = 0;
        for (int distance = 1; distance < ranks; distance++)
            n += (distance & bit) != 0;
        exchange(ahead(bit), n * bytes, behind(bit), n * bytes);
    }
}

static void allgather_gather_broadcast(void)
{
    int block = bytes;
    gather_binomial();
    bytes = block * ranks;
    broadcast_binomial();
    bytes = block;
}

/* ---- Barriers ---- */

static void barrier_dissemination(void)
{
    for (int distance = 1; distance < ranks; distance *= 2)
        exchange(ahead(distance), bytes, behind(distance), bytes);
}

/* Open MPI's and SMPI's basic_linear. */
static void barrier_flat(void)
{
    if (rank > 0)
        send_to(0, bytes);
    for (int from = 1; rank == 0 && from < ranks; from++)
        post_receive(from, bytes);
    wait_for_all();
    broadcast_flat();
}

const struct algorithm symmetric[] = {
    {"allreduce", "recursive_doubling", allreduce_recursive_doubling},
    {"allreduce", "ring", allreduce_ring},
    {"allreduce", "rabenseifner", allreduce_rabenseifner},
    {"allreduce", "reduce_broadcast", allreduce_reduce_broadcast},
    {"allgather", "ring", allgather_ring},
    {"allgather", "recursive_doubling", allgather_recursive_doubling},
    {"allgather", "bruck", allgather_bruck},
    {"allgather", "neighbour_exchange", allgather_neighbour_exchange},
    {"allgather", "exchange", alltoall_exchange},
    {"allgather", "linear", allgather_linear},
    {"allgather", "gather_broadcast", allgather_gather_broadcast},
    {"alltoall", "pairwise", alltoall_pairwise},
    {"alltoall", "exchange", alltoall_exchange},
    {"alltoall", "linear", alltoall_linear},
    {"alltoall", "bruck", alltoall_bruck},
    {"barrier", "dissemination", barrier_dissemination},
    {"barrier", "flat", barrier_flat},
    {"barrier", "tree", allreduce_reduce_broadcast},
    {"barrier", "recursive_doubling", allreduce_recursive_doubling},
    {NULL, NULL, NULL},
};
