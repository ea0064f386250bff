/* Communicators: their groups of ranks, and who is meant by a rank in one of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

enum { MAX_UNION_MEMBERS = 1 << 24 }; /* of all intercommunicators together */

/* Every member is a rank of the world, and none is there twice. `seen` has an element a rank, which holds the number of
 * the last group that had it. */
static int check_members(const struct otf_defs *defs, size_t index, size_t *seen, const char *file,
                         struct sim_error *error)
{
    const struct otf_members *group = &defs->members[index];
    for (int i = 0; i < group->n_members; i++) {
        int rank = group->members[i];
        if (rank < 0 || rank >= defs->n_ranks)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                                 "a communicator's group has the member %d; ranks of the world are 0 to %d", rank,
                                 defs->n_ranks - 1);
        if (seen[rank] == index + 1)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0, "a communicator's group has the member %d twice", rank);
        seen[rank] = index + 1;
    }
    return 0;
}

static int check_groups(const struct otf_defs *defs, const char *file, struct sim_error *error)
{
    size_t *seen = xcalloc((size_t)defs->n_ranks, sizeof *seen);
    int status = 0;
    for (size_t i = 0; i < defs->n_members && status == 0; i++)
        if (defs->members[i].type != OTF2_GROUP_TYPE_COMM_SELF)
            status = check_members(defs, i, seen, file, error);
    free(seen);
    return status;
}

static bool is_world(const struct otf_defs *defs, const struct otf_comm *comm)
{
    const struct otf_members *group = &defs->members[comm->members];
    if (comm->kind != OTF_COMM_NORMAL || group->n_members != defs->n_ranks)
        return false;
    for (int i = 0; i < group->n_members; i++)
        if (group->members[i] != i)
            return false;
    return true;
}

static void sort_members(struct otf_members *group)
{
    if (group->sorted != NULL)
        return;
    group->sorted = xcalloc((size_t)group->n_members, sizeof *group->sorted);
    memcpy(group->sorted, group->members, (size_t)group->n_members * sizeof *group->sorted);
    qsort(group->sorted, (size_t)group->n_members, sizeof *group->sorted, compare_ints);
}

static bool has_member(const struct otf_members *group, int rank)
{
    return bsearch(&rank, group->sorted, (size_t)group->n_members, sizeof rank, compare_ints) != NULL;
}

static bool are_disjoint(const struct otf_members *a, const struct otf_members *b)
{
    for (int i = 0; i < a->n_members; i++)
        if (has_member(b, a->members[i]))
            return false;
    return true;
}

/* The group of an intercommunicator is both its sides. */
static int make_union(struct otf_defs *defs, struct record_group *group, const struct otf_comm *comm, size_t *n_members,
                      const char *file, struct sim_error *error)
{
    struct otf_members *a = &defs->members[comm->members], *b = &defs->members[comm->remote];
    *n_members += (size_t)a->n_members + (size_t)b->n_members;
    if (*n_members > MAX_UNION_MEMBERS)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "its intercommunicators have more than %d members together",
                             MAX_UNION_MEMBERS);
    sort_members(a);
    sort_members(b);
    if (!are_disjoint(a, b))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "the two groups of an intercommunicator have a rank in common");
    int *both = xcalloc((size_t)(a->n_members + b->n_members), sizeof *both);
    memcpy(both, a->members, (size_t)a->n_members * sizeof *both);
    memcpy(both + a->n_members, b->members, (size_t)b->n_members * sizeof *both);
    defs->unions[defs->n_unions++] = both;
    *group = (struct record_group){a->n_members + b->n_members, both};
    return 0;
}

/* All MPI_COMM_SELFs are the same groups, one for each rank. */
static void make_selves(const struct otf_defs *defs, struct record_info *info)
{
    for (int rank = 0; rank < defs->n_ranks; rank++)
        info->groups[info->n_groups++] = (struct record_group){1, &defs->world[rank]};
}

static int make_world(struct otf_defs *defs, struct record_info *info, const char *file, struct sim_error *error)
{
    if (defs->n_comms > (size_t)(INT32_MAX - 1 - defs->n_ranks))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has %zu communicators", defs->n_comms);
    info->groups = xcalloc(2 + defs->n_comms + (size_t)defs->n_ranks, sizeof *info->groups);
    defs->unions = xcalloc(defs->n_comms, sizeof(int *));
    defs->world = xcalloc((size_t)defs->n_ranks, sizeof *defs->world);
    for (int rank = 0; rank < defs->n_ranks; rank++)
        defs->world[rank] = rank;
    info->groups[info->n_groups++] = (struct record_group){defs->n_ranks, defs->world};
    return 0;
}

/* Every communicator has a group of its own, so that equal ones are told apart; the first that is the world is 0. */
int otf_defs_make_groups(struct otf_defs *defs, struct record_info *info, const char *file, struct sim_error *error)
{
    int selves = -1;
    bool has_world = false;
    size_t n_union_members = 0;
    if (check_groups(defs, file, error) < 0 || make_world(defs, info, file, error) < 0)
        return -1;
    for (size_t i = 0; i < defs->n_comms; i++) {
        struct otf_comm *comm = &defs->comms[i];
        const struct otf_members *members = &defs->members[comm->members];
        comm->group = info->n_groups;
        if (comm->kind == OTF_COMM_SELF) {
            comm->group = selves = selves < 0 ? info->n_groups : selves;
            if (selves == info->n_groups)
                make_selves(defs, info);
        } else if (comm->kind == OTF_COMM_INTER) {
            if (make_union(defs, &info->groups[info->n_groups++], comm, &n_union_members, file, error) < 0)
                return -1;
        } else if (!has_world && is_world(defs, comm)) {
            has_world = true;
            comm->group = 0;
        } else {
            info->groups[info->n_groups++] = (struct record_group){members->n_members, members->members};
        }
    }
    return 0;
}

/* The side of a communicator that the rank is on (own), or the other one. */
static const struct otf_members *side(const struct otf_defs *defs, const struct otf_comm *comm, int rank, bool own)
{
    bool is_remote = comm->kind == OTF_COMM_INTER && !has_member(&defs->members[comm->members], rank);
    return &defs->members[is_remote == own ? comm->remote : comm->members];
}

int otf_comm_rank(const struct otf_defs *defs, const struct otf_comm *comm, int rank)
{
    if (comm->kind == OTF_COMM_SELF)
        return 0;
    const struct otf_members *group = side(defs, comm, rank, true);
    for (int i = 0; i < group->n_members; i++)
        if (group->members[i] == rank)
            return i;
    return -1;
}

int otf_comm_peer(const struct otf_defs *defs, const struct otf_comm *comm, int rank, uint32_t peer)
{
    if (comm->kind == OTF_COMM_SELF)
        return peer == 0 ? rank : -1;
    const struct otf_members *group = side(defs, comm, rank, comm->kind == OTF_COMM_NORMAL);
    if (group->global_ranks)
        return peer < (uint32_t)defs->n_ranks ? (int)peer : -1;
    return peer < (uint32_t)group->n_members ? group->members[peer] : -1;
}

int otf_comm_group(const struct otf_comm *comm, int rank)
{
    return comm->kind == OTF_COMM_SELF ? comm->group + rank : comm->group;
}
