/* Messages of the present row, and the trees and chains along which they go.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

static MPI_Request requests[2 * MOST_RANKS];
static int n_requests;

int payload(int n)
{
    return n > ENVELOPE ? n - ENVELOPE : 0;
}

void send_to(int to, int n)
{
    MPI_Send(given, payload(n), MPI_CHAR, to, 1, WORLD);
}

void receive_from(int from, int n)
{
    MPI_Recv(taken, payload(n), MPI_CHAR, from, 1, WORLD, MPI_STATUS_IGNORE);
}

void begin_send(int to, int n)
{
    MPI_Isend(given, payload(n), MPI_CHAR, to, 1, WORLD, &requests[n_requests++]);
}

void post_receive(int from, int n)
{
    MPI_Irecv(taken, payload(n), MPI_CHAR, from, 1, WORLD, &requests[n_requests++]);
}

void wait_for_all(void)
{
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
    n_requests = 0;
}

void exchange(int to, int n_given, int from, int n_taken)
{
    MPI_Sendrecv(given, payload(n_given), MPI_CHAR, to, 1, taken, payload(n_taken), MPI_CHAR, from, 1, WORLD,
                 MPI_STATUS_IGNORE);
}

int is_power(int n)
{
    return (n & (n - 1)) == 0;
}

int min(int a, int b)
{
    return a < b ? a : b;
}

int lowest_bit(int n)
{
    return n & -n;
}

/* The largest power of two up to n. */
int power_up_to(int n)
{
    int power = 1;
    while (2 * power <= n)
        power *= 2;
    return power;
}

int ahead(int distance)
{
    return (rank + distance) % ranks;
}

int behind(int distance)
{
    return (rank + ranks - distance) % ranks;
}

/* --- trees and chains, whole or in segments --- */

void add_child(struct node *node, int child)
{
    if (child < ranks)
        node->children[node->n_children++] = child;
}

struct node chain_node(void)
{
    struct node node = {.parent = rank - 1};
    add_child(&node, rank + 1);
    return node;
}

/* The children are the two that follow twice the number. */
struct node binary_node(void)
{
    struct node node = {.parent = rank > 0 ? (rank - 1) / 2 : -1};
    add_child(&node, 2 * rank + 1);
    add_child(&node, 2 * rank + 2);
    return node;
}

/* Open MPI's: the levels are counted through one after another. */
struct node level_node(void)
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
struct node doubling_node(void)
{
    int top = rank > 0 ? power_up_to(rank) : 0;
    struct node node = {.parent = rank - (rank > 0 ? top : 1)};
    for (int bit = rank > 0 ? 2 * top : 1; rank + bit < ranks; bit *= 2)
        add_child(&node, rank + bit);
    return node;
}

/* The binomial tree that halves it; with digits to the base k. */
struct node digit_node(int k)
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

void pass_down(struct node node)
{
    if (node.parent >= 0)
        receive_from(node.parent, bytes);
    for (int i = 0; i < node.n_children; i++)
        send_to(node.children[i], bytes);
}

void pass_down_at_once(struct node node)
{
    if (node.parent >= 0)
        receive_from(node.parent, bytes);
    for (int i = 0; i < node.n_children; i++)
        begin_send(node.children[i], bytes);
    wait_for_all();
}

int count_of(int whole)
{
    return (whole + segment - 1) / segment;
}

int length_of(int whole, int s)
{
    return min(segment, whole - s * segment);
}

/* The receive of the next segment is posted before the rank waits for one; after each it sends that to some. */
void pass_segments(int from, const int *to, int n_to, int whole)
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

/* Where the ranks are no power of two, the first 2 * folded of them are pairs that have one number each. */
int rank_of_number(int number, int folded, int keeps)
{
    return number < folded ? 2 * number + keeps : number + folded;
}

/* Each of n numbers deals the parts of those behind it along the binomial tree, from far to near, or upward. */
void deal(int number, int n, int part, int folded, int upward)
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
