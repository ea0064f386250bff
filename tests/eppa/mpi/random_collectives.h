/* A collective of a step of random.c: which it is, with how much, and who is the root all ranks draw alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_COLLECTIVES_H
#define RANDOM_COLLECTIVES_H

#include "random_messages.h"

enum { MOST_EACH = 400, MOST_RANKS = 16, MOST_PENDING = 3 };
static int from_there[MOST_PENDING][MOST_EACH * MOST_RANKS], to_there[MOST_PENDING][MOST_EACH * MOST_RANKS];

/* One that has been drawn. Of blocks, `counts` and `places` differ from rank to rank. */
struct drawn {
    const struct place *place;
    MPI_Comm comm;
    MPI_Request *request; /* NULL if it blocks */
    int *values, *others, n, root;
    int counts[MOST_RANKS], places[MOST_RANKS], alike[MOST_RANKS];
    bool in_place;
};

/* The blocking or the non-blocking form of a collective. */
#define CALL_OF(c, name, iname, ...)                                                                                   \
    ((c)->request == NULL ? MPI_##name(__VA_ARGS__, (c)->comm) : MPI_##iname(__VA_ARGS__, (c)->comm, (c)->request))
#define IS_ROOT(c) ((c)->place->rank == (c)->root)
#define FROM(c) ((c)->in_place ? MPI_IN_PLACE : (void *)(c)->values)
#define FROM_ROOT(c) ((c)->in_place && IS_ROOT(c) ? MPI_IN_PLACE : (void *)(c)->values)
#define TO_ROOT(c) ((c)->in_place && IS_ROOT(c) ? MPI_IN_PLACE : (void *)(c)->others)

static void barrier(struct drawn *c)
{
    if (c->request == NULL)
        MPI_Barrier(c->comm);
    else
        MPI_Ibarrier(c->comm, c->request);
}
static void bcast(struct drawn *c)
{
    CALL_OF(c, Bcast, Ibcast, c->values, c->n, MPI_INT, c->root);
}
static void reduce(struct drawn *c)
{
    CALL_OF(c, Reduce, Ireduce, FROM_ROOT(c), c->others, c->n, MPI_INT, MPI_SUM, c->root);
}
static void allreduce(struct drawn *c)
{
    CALL_OF(c, Allreduce, Iallreduce, FROM(c), c->others, c->n, MPI_INT, MPI_SUM);
}
static void gather(struct drawn *c)
{
    CALL_OF(c, Gather, Igather, FROM_ROOT(c), c->n, MPI_INT, c->others, c->n, MPI_INT, c->root);
}
static void gatherv(struct drawn *c)
{
    CALL_OF(c, Gatherv, Igatherv, FROM_ROOT(c), c->counts[c->place->rank], MPI_INT, c->others, c->counts, c->places,
            MPI_INT, c->root);
}
static void scatter(struct drawn *c)
{
    CALL_OF(c, Scatter, Iscatter, c->values, c->n, MPI_INT, TO_ROOT(c), c->n, MPI_INT, c->root);
}
static void scatterv(struct drawn *c)
{
    CALL_OF(c, Scatterv, Iscatterv, c->values, c->counts, c->places, MPI_INT, TO_ROOT(c), c->counts[c->place->rank],
            MPI_INT, c->root);
}
static void allgather(struct drawn *c)
{
    CALL_OF(c, Allgather, Iallgather, FROM(c), c->n, MPI_INT, c->others, c->n, MPI_INT);
}
static void allgatherv(struct drawn *c)
{
    CALL_OF(c, Allgatherv, Iallgatherv, FROM(c), c->counts[c->place->rank], MPI_INT, c->others, c->counts, c->places,
            MPI_INT);
}
static void alltoall(struct drawn *c)
{
    CALL_OF(c, Alltoall, Ialltoall, FROM(c), c->n, MPI_INT, c->others, c->n, MPI_INT);
}
static void alltoallv(struct drawn *c)
{
    CALL_OF(c, Alltoallv, Ialltoallv, c->values, c->counts, c->places, MPI_INT, c->others, c->alike, c->places,
            MPI_INT);
}
static void reduce_scatter(struct drawn *c)
{
    CALL_OF(c, Reduce_scatter, Ireduce_scatter, c->values, c->others, c->counts, MPI_INT, MPI_SUM);
}
static void scan(struct drawn *c)
{
    CALL_OF(c, Scan, Iscan, FROM(c), c->others, c->n, MPI_INT, MPI_SUM);
}
static void exscan(struct drawn *c)
{
    CALL_OF(c, Exscan, Iexscan, c->values, c->others, c->n, MPI_INT, MPI_SUM);
}

static const struct {
    void (*call)(struct drawn *);
    const char *operation;
    bool is_of_all; /* no root, and members of two groups may do it as well */
} collectives[] = {
    {barrier, "BARRIER", true},
    {bcast, "BCAST", false},
    {reduce, "REDUCE", false},
    {allreduce, "ALLREDUCE", true},
    {gather, "GATHER", false},
    {gatherv, "GATHERV", false},
    {scatter, "SCATTER", false},
    {scatterv, "SCATTERV", false},
    {allgather, "ALLGATHER", true},
    {allgatherv, "ALLGATHERV", false},
    {alltoall, "ALLTOALL", true},
    {alltoallv, "ALLTOALLV", false},
    {reduce_scatter, "REDUCE_SCATTER", false},
    {scan, "SCAN", false},
    {exscan, "EXSCAN", false},
};
enum { N_COLLECTIVES = sizeof collectives / sizeof collectives[0] };

/* `counts` has a length for each rank; in alltoallv that is what it gets from everyone. */
static struct drawn draw_collective(const struct place *place)
{
    struct drawn c = {.place = place, .comm = place->comm, .n = draw(MOST_EACH)};
    uint32_t root = draw_any(), step = draw_any();
    c.in_place = draw(3) == 0 && !place->is_inter;
    for (int i = 0; place->rank >= 0 && i < place->n[0] + place->n[1]; i++) {
        c.counts[i] = (int)((step + 37u * (uint32_t)(i % place->n[0])) % MOST_EACH);
        c.places[i] = i * MOST_EACH;
    }
    if (place->rank < 0)
        return c;
    c.root = (int)(root % (uint32_t)place->n[0]);
    for (int i = 0; i < place->n[0]; i++)
        c.alike[i] = c.counts[place->rank];
    return c;
}

/* One collective, with *request if that is not NULL; the i-th that is pending. */
static void step_collective(const struct place *place, MPI_Request *request, int i)
{
    int which = draw(N_COLLECTIVES);
    struct drawn c = draw_collective(place);
    c.request = request;
    c.values = from_there[i];
    c.others = to_there[i];
    if (place->rank < 0 || (place->is_inter && !collectives[which].is_of_all))
        return;
    collectives[which].call(&c);
    count_call(collectives[which].operation);
}

/* Several that are pending at a time. */
static void step_pending(const struct place *place)
{
    MPI_Request requests[MOST_PENDING];
    for (int i = 0; i < MOST_PENDING; i++)
        requests[i] = MPI_REQUEST_NULL;
    for (int n = 1 + draw(MOST_PENDING), i = 0; i < n; i++)
        step_collective(place, &requests[i], i);
    MPI_Waitall(MOST_PENDING, requests, MPI_STATUSES_IGNORE);
}

#endif
