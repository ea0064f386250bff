/* Every algorithm of every collective, written with MPI's sends and receives, and one rank that comes late.
 *
 *     late SPEED LATE-S SEGMENT RADIX ROWS
 *
 * Each line of the file ROWS is "FAMILY ALGORITHM BYTES LATE-RANK", and is run by itself: row k begins at second
 * k * PERIOD_S, until when all ranks compute; the late rank computes for LATE-S seconds more. Rank 0 prints each row
 * and the seconds from its beginning until the last rank is done, or "unknown". SPEED is that of the hosts in flop/s.
 *
 * Messages are posted as Open MPI's coll/base and SMPI post them where the algorithm is theirs. The root is rank 0;
 * BYTES are those of the message, of each vector or of each block, which the number of ranks and the powers of two
 * below it divide. Messages are 16 bytes shorter than that, since SMPI adds an envelope.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD_S = 10, ENVELOPE = 16, MOST_RANKS = 64, MOST_ROWS = 1000, NAME = 32 };
#define WORLD MPI_COMM_WORLD

static int rank, ranks, bytes, segment, radix;
static char *given, *taken;
static MPI_Request requests[2 * MOST_RANKS];
static int n_requests;

static int payload(int n)
{
    return n > ENVELOPE ? n - ENVELOPE : 0;
}

static void send_to(int to, int n)
{
    MPI_Send(given, payload(n), MPI_CHAR, to, 1, WORLD);
}

static void receive_from(int from, int n)
{
    MPI_Recv(taken, payload(n), MPI_CHAR, from, 1, WORLD, MPI_STATUS_IGNORE);
}

static void begin_send(int to, int n)
{
    MPI_Isend(given, payload(n), MPI_CHAR, to, 1, WORLD, &requests[n_requests++]);
}

static void post_receive(int from, int n)
{
    MPI_Irecv(taken, payload(n), MPI_CHAR, from, 1, WORLD, &requests[n_requests++]);
}

static void wait_for_all(void)
{
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
    n_requests = 0;
}

static void exchange(int to, int n_given, int from, int n_taken)
{
    MPI_Sendrecv(given, payload(n_given), MPI_CHAR, to, 1, taken, payload(n_taken), MPI_CHAR, from, 1, WORLD,
                 MPI_STATUS_IGNORE);
}

static int is_power(int n)
{
    return (n & (n - 1)) == 0;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int lowest_bit(int n)
{
    return n & -n;
}

/* The largest power of two up to n. */
static int power_up_to(int n)
{
    int power = 1;
    while (2 * power <= n)
        power *= 2;
    return power;
}

static int ahead(int distance)
{
    return (rank + distance) % ranks;
}

static int behind(int distance)
{
    return (rank + ranks - distance) % ranks;
}

/* ---- Trees and chains, whole or in segments ---- */

struct node {
    int parent; /* -1: none */
    int children[MOST_RANKS];
    int n_children;
};

static void add_child(struct node *node, int child)
{
    if (child < ranks)
        node->children[node->n_children++] = child;
}

static struct node chain_node(void)
{
    struct node node = {.parent = rank - 1};
    add_child(&node, rank + 1);
    return node;
}

/* The children are the two that follow twice the number. */
static struct node binary_node(void)
{
    struct node node = {.parent = rank > 0 ? (rank - 1) / 2 : -1};
    add_child(&node, 2 * rank + 1);
    add_child(&node, 2 * rank + 2);
    return node;
}

/* Open MPI's: the levels are counted through one after another. */
static struct node level_node(void)
{
    int width = 1, before = 0; /* ranks on the level, and above it */
    while (before + width <= rank) {
        before += width;
        width *= 2;
    }
    struct node node = {.parent = rank > 0 ? before - width / 2 + (rank - before) % (width / 2) : -1};
    add_child(&node, rank + width);
    add_child(&node, rank + 2 * width);
    return node;
}

/* The binomial tree that doubles the distance to the receivers: Open MPI's of broadcasts. */
static struct node doubling_node(void)
{
    int top = rank > 0 ? power_up_to(rank) : 0;
    struct node node = {.parent = rank - (rank > 0 ? top : 1)};
    for (int bit = rank > 0 ? 2 * top : 1; rank + bit < ranks; bit *= 2)
        add_child(&node, rank + bit);
    return node;
}

/* The binomial tree that halves it; with digits to the base k. */
static struct node digit_node(int k)
{
    int step = 1;
    struct node node = {.parent = -1};
    while (step < ranks && rank / step % k == 0)
        step *= k;
    if (rank > 0)
        node.parent = rank - rank / step % k * step;
    for (step /= k; step > 0; step /= k)
        for (int digit = 1; digit < k; digit++)
            add_child(&node, rank + digit * step);
    return node;
}

static void pass_down(struct node node)
{
    if (node.parent >= 0)
        receive_from(node.parent, bytes);
    for (int i = 0; i < node.n_children; i++)
        send_to(node.children[i], bytes);
}

static void pass_down_at_once(struct node node)
{
    if (node.parent >= 0)
        receive_from(node.parent, bytes);
    for (int i = 0; i < node.n_children; i++)
        begin_send(node.children[i], bytes);
    wait_for_all();
}

static int count_of(int whole)
{
    return (whole + segment - 1) / segment;
}

static int length_of(int whole, int s)
{
    return min(segment, whole - s * segment);
}

/* The receive of the next segment is posted before the rank waits for one; after each it sends that to some. */
static void pass_segments(int from, const int *to, int n_to, int whole)
{
    MPI_Request posted[2];
    int n = count_of(whole);
    for (int s = 0; s < n; s++) {
        for (int next = s > 0 ? s + 1 : 0; from >= 0 && next <= s + 1 && next < n; next++)
            MPI_Irecv(taken, payload(length_of(whole, next)), MPI_CHAR, from, 1, WORLD, &posted[next % 2]);
        if (from >= 0)
            MPI_Wait(&posted[s % 2], MPI_STATUS_IGNORE);
        for (int i = 0; i < n_to; i++)
            send_to(to[i], length_of(whole, s));
    }
}

static void broadcast_flat(void)
{
    for (int to = 1; rank == 0 && to < ranks; to++)
        send_to(to, bytes);
    if (rank > 0)
        receive_from(0, bytes);
}

static void broadcast_flattree(void)
{
    for (int to = 1; rank == 0 && to < ranks; to++)
        begin_send(to, bytes);
    wait_for_all();
    if (rank > 0)
        receive_from(0, bytes);
}

static void broadcast_binomial(void)
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

/* Where the ranks are no power of two, the first 2 * folded of them are pairs that have one number each. */
static int rank_of_number(int number, int folded, int keeps)
{
    return number < folded ? 2 * number + keeps : number + folded;
}

/* Each of n numbers deals the parts of those behind it along the binomial tree, from far to near, or upward. */
static void deal(int number, int n, int part, int folded, int upward)
{
    int reach = number == 0 ? 2 * power_up_to(n) : lowest_bit(number);
    if (number > 0)
        receive_from(rank_of_number(number - reach, folded, 0), min(reach, n - number) * part);
    if (upward)
        for (int step = 1; step < reach; step *= 2) {
            if (number + step < n)
                send_to(rank_of_number(number + step, folded, 0), min(step, n - number - step) * part);
        }
    else
        for (int step = reach / 2; step > 0; step /= 2)
            if (number + step < n)
                send_to(rank_of_number(number + step, folded, 0), min(step, n - number - step) * part);
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

/* ---- Scatter, gather, reduce ---- */

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

static void gather_binomial(void)
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

static void reduce_binomial(void)
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

/* ---- Allreduce ---- */

/* Of a pair of ranks the even one hands its vector to the odd one, which takes part for both. */
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

static const struct {
    const char *family, *algorithm;
    void (*run)(void);
} algorithms[] = {
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

/* The place of an algorithm in the table, or that of the end. */
static int place_of(const char *family, const char *algorithm)
{
    int place = 0;
    while (algorithms[place].family != NULL &&
           (strcmp(algorithms[place].family, family) != 0 || strcmp(algorithms[place].algorithm, algorithm) != 0))
        place++;
    return place;
}

/* The seconds that a row takes this rank, from where all begin. */
static double run_row(double start, double speed, double late_s, int place)
{
    given = calloc((size_t)ranks, (size_t)bytes + 1);
    taken = calloc((size_t)ranks, (size_t)bytes + 1);
    smpi_execute_flops((start - MPI_Wtime()) * speed);
    if (late_s > 0)
        smpi_execute_flops(late_s * speed);
    if (algorithms[place].family != NULL)
        algorithms[place].run();
    free(given);
    free(taken);
    return MPI_Wtime() - start;
}

int main(int argc, char **argv)
{
    static double ends[MOST_ROWS], last[MOST_ROWS];
    char line[128], family[NAME], algorithm[NAME];
    int late, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    double speed = atof(argv[1]), late_s = atof(argv[2]);
    segment = atoi(argv[3]);
    radix = atoi(argv[4]);
    FILE *rows = fopen(argv[5], "r");
    for (; n < MOST_ROWS && fgets(line, sizeof line, rows) != NULL; n++)
        if (sscanf(line, "%31s %31s %d %d", family, algorithm, &bytes, &late) == 4)
            ends[n] = run_row((n + 1.0) * PERIOD_S, speed, rank == late ? late_s : 0, place_of(family, algorithm));
    smpi_execute_flops(((n + 1.0) * PERIOD_S - MPI_Wtime()) * speed); /* what follows are messages, too */
    MPI_Reduce(ends, last, n, MPI_DOUBLE, MPI_MAX, 0, WORLD);
    rewind(rows);
    for (int i = 0; rank == 0 && i < n && fgets(line, sizeof line, rows) != NULL; i++) {
        sscanf(line, "%31s %31s", family, algorithm);
        line[strcspn(line, "\n")] = 0;
        if (algorithms[place_of(family, algorithm)].family != NULL)
            printf("%s %.12f\n", line, last[i]);
        else
            printf("%s unknown\n", line);
    }
    fclose(rows);
    MPI_Finalize();
    return 0;
}
