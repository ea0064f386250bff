/* Every algorithm of every collective, written with MPI's sends and receives. Messages are posted as Open MPI's
 * coll/base and SMPI post them where the algorithm is theirs. The root is rank 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SMPI_LATE_H
#define TESTS_SMPI_LATE_H

#include <mpi.h>

enum { ENVELOPE = 16, MOST_RANKS = 64 };
#define WORLD MPI_COMM_WORLD

/* This rank; and of the present row the bytes, room for them of each rank, and the parameters of some algorithms. */
extern int rank, ranks, bytes, segment, radix;
extern char *given, *taken;

struct algorithm {
    const char *family, *name;
    void (*run)(void);
};

/* All of them; the last row of each table has no family. */
extern const struct algorithm broadcasts[], rooted[], symmetric[];

/* --- messages of n bytes, 16 bytes shorter than that, since SMPI adds an envelope --- */

int payload(int n);
void send_to(int to, int n);
void receive_from(int from, int n);
/* These two begin what wait_for_all() ends. */
void begin_send(int to, int n);
void post_receive(int from, int n);
void wait_for_all(void);
void exchange(int to, int n_given, int from, int n_taken);

/* --- numbers --- */

int is_power(int n);
int min(int a, int b);
int lowest_bit(int n);
int power_up_to(int n);
/* The rank at that distance, round and round. */
int ahead(int distance);
int behind(int distance);
/* Where the ranks are no power of two, the first 2 * folded of them are pairs that have one number each. */
int rank_of_number(int number, int folded, int keeps);

/* --- trees and chains, whole or in segments --- */

struct node {
    int parent; /* -1: none */
    int children[MOST_RANKS];
    int n_children;
};

void add_child(struct node *node, int child); /* if there is such a rank */
struct node chain_node(void);
struct node binary_node(void);
struct node level_node(void);
struct node doubling_node(void);
struct node digit_node(int k);

void pass_down(struct node node);
void pass_down_at_once(struct node node);
int count_of(int whole);
int length_of(int whole, int s);
void pass_segments(int from, const int *to, int n_to, int whole);
void deal(int number, int n, int part, int folded, int upward);

/* --- parts of others --- */

void broadcast_flat(void);
void broadcast_flattree(void);
void broadcast_binomial(void);
void gather_binomial(void);
void reduce_binomial(void);

#endif
