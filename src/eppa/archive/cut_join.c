/* Gives each rank the counts of the other sides.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/cut.h"

#include "eppa/archive/follow.h"
#include "eppa/archive/memory.h"

#include <stdlib.h>

/* A count for a rank. */
struct told {
    int32_t rank;
    struct cut_count count;
};

/* The collectives of a communicator: the members that have counted any, and the extremes of what they have. */
struct common {
    int32_t n_members;
    int64_t first, last;
};

struct join {
    const struct plan *plan;
    const struct plan_comm **comms; /* by number */
    struct common *common;          /* likewise */
    struct cut_head *heads;         /* of each rank */
    struct told *told;
    uint32_t n_told;
};

static int32_t index_of(const int32_t *members, int32_t n, int32_t rank)
{
    if (rank < n && members[rank] == rank)
        return rank;
    int32_t i = 0;
    while (i < n && members[i] != rank)
        i++;
    return i < n ? i : -1;
}

/* The member of the communicator that `peer` of `rank` is, and as what that knows the rank; false if it is none. */
static bool other_side(const struct plan_comm *comm, int32_t rank, uint32_t peer, int32_t *other, uint32_t *number)
{
    const int32_t *own = comm->members, *remote = comm->members + comm->n_members;
    int32_t n_own = comm->n_members, n_remote = comm->n_remote, index = index_of(own, n_own, rank);
    if (comm->kind == COMM_SELF) {
        *other = rank;
        *number = peer;
        return true;
    }
    if (index < 0) {
        own = remote, n_own = n_remote;
        remote = comm->members, n_remote = comm->n_members;
        index = index_of(own, n_own, rank);
    } else if (n_remote == 0) {
        remote = own, n_remote = n_own;
    }
    if (index < 0 || peer >= (uint32_t)n_remote)
        return false;
    *other = remote[peer];
    *number = (uint32_t)index;
    return true;
}

static void tell(struct join *self, int32_t rank, struct cut_count count)
{
    self->told = memory_grow(self->told, self->n_told, sizeof *self->told);
    self->told[self->n_told++] = (struct told){rank, count};
}

/* Two sides that record since different times cannot be compared: then all counts as there. */
static void tell_message(struct join *self, int32_t rank, int32_t other, struct cut_count count)
{
    const struct cut_head *own = &self->heads[rank], *its = &self->heads[other];
    count.kind = count.kind == FOLLOW_SENT ? FOLLOW_RECEIVED : FOLLOW_SENT;
    if (own->first_on != its->first_on)
        count.first = INT64_MAX;
    if (own->last_on != its->last_on)
        count.last = 0;
    tell(self, other, count);
}

static void take_collectives(struct common *common, const struct cut_count *count)
{
    if (common->n_members++ == 0)
        *common = (struct common){1, count->first, count->last};
    common->first = count->first < common->first ? count->first : common->first;
    common->last = count->last > common->last ? count->last : common->last;
}

static void take(struct join *self, int32_t rank, struct cut_count count)
{
    const struct rank_map *map = &self->plan->ranks[rank].map;
    int32_t other;
    uint32_t number;
    if (count.comm >= map->n_comms)
        return;
    count.comm = map->comms[count.comm];
    const struct plan_comm *comm = self->comms[count.comm];
    if (comm == NULL)
        return;
    if (count.kind == FOLLOW_COLLECTIVES)
        take_collectives(&self->common[count.comm], &count);
    else if (other_side(comm, rank, (uint32_t)(count.peer_tag & UINT32_MAX), &other, &number)) {
        count.peer_tag = (count.peer_tag & ~(uint64_t)UINT32_MAX) | number;
        tell_message(self, rank, other, count);
    }
}

/* Those of MPI_COMM_SELF belong to a single rank. */
static void tell_collectives(struct join *self, uint32_t number)
{
    const struct plan_comm *comm = self->comms[number];
    const struct common *common = &self->common[number];
    if (comm == NULL || comm->kind == COMM_SELF || common->n_members == 0)
        return;
    int32_t n = comm->n_members + comm->n_remote;
    struct cut_count count = {FOLLOW_COLLECTIVES, number, 0, common->n_members < n ? 0 : common->first, common->last};
    for (int32_t i = 0; i < n; i++)
        tell(self, comm->members[i], count);
}

static int by_rank(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int write_all(struct join *self, int folder)
{
    uint32_t at = 0;
    int status = 0;
    qsort(self->told, self->n_told, sizeof *self->told, by_rank);
    struct cut_count *counts = memory_need(malloc((self->n_told + (size_t)1) * sizeof *counts));
    for (int32_t rank = 0; rank < self->plan->n_ranks && status == 0; rank++) {
        struct cut_head head = self->heads[rank];
        head.n = 0;
        while (at < self->n_told && self->told[at].rank == rank)
            counts[head.n++] = self->told[at++].count;
        status = cut_write(folder, rank, CUT_OTHERS, &head, counts);
    }
    free(counts);
    return status;
}

static int read_all(struct join *self, int folder)
{
    const struct plan *plan = self->plan;
    struct cut_count **counts = memory_need(calloc((size_t)plan->n_ranks, sizeof *counts));
    bool is_good = true;
    for (int32_t rank = 0; rank < plan->n_ranks; rank++)
        is_good = cut_read(folder, rank, CUT_OWN, &self->heads[rank], &counts[rank]) && is_good;
    for (int32_t rank = 0; rank < plan->n_ranks; rank++) {
        for (uint32_t i = 0; i < self->heads[rank].n && is_good; i++)
            take(self, rank, counts[rank][i]);
        free(counts[rank]);
    }
    free(counts);
    return is_good ? 0 : -1;
}

int cut_join(int folder, const struct plan *plan)
{
    struct join self = {.plan = plan};
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan->n_comms; i++)
        n = plan->comms[i]->number >= n ? plan->comms[i]->number + 1 : n;
    self.comms = memory_need(calloc((size_t)n + 1, sizeof *self.comms));
    self.common = memory_need(calloc((size_t)n + 1, sizeof *self.common));
    self.heads = memory_need(calloc((size_t)plan->n_ranks, sizeof *self.heads));
    for (uint32_t i = 0; i < plan->n_comms; i++)
        if (plan->comms[i]->kind != COMM_GROUP)
            self.comms[plan->comms[i]->number] = plan->comms[i];
    int status = read_all(&self, folder);
    for (uint32_t number = 0; number < n; number++)
        tell_collectives(&self, number);
    if (status == 0)
        status = write_all(&self, folder);
    free(self.comms);
    free(self.common);
    free(self.heads);
    free(self.told);
    return status;
}
