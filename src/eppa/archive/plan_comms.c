/* The communicators of a plan.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/memory.h"
#include "eppa/archive/plan.h"

#include <stdlib.h>

/* Others may have the same key. */
static struct map_key key_of(const int32_t *members, int32_t n, int32_t n_remote)
{
    uint32_t hash = 2166136261u;
    for (int32_t i = 0; i < n + n_remote; i++)
        hash = (hash ^ (uint32_t)members[i]) * 16777619u;
    return map_key(n, n_remote, 0, (int32_t)hash);
}

static bool is_same(const struct plan_comm *comm, const struct define_comm *head, const int32_t *members)
{
    size_t n = (size_t)(head->n_members + head->n_remote);
    return comm->kind == head->kind && comm->n_members == head->n_members && comm->n_remote == head->n_remote &&
           memcmp(comm->members, members, n * sizeof *members) == 0;
}

static struct plan_comm *add_comm(struct plan *plan, const struct define_comm *head, const int32_t *members)
{
    struct plan_comm *comm = memory_need(calloc(1, sizeof *comm));
    *comm = (struct plan_comm){.kind = head->kind,
                               .n_members = head->n_members,
                               .n_remote = head->n_remote,
                               .members =
                                   memory_copy(members, (size_t)(head->n_members + head->n_remote) * sizeof *members),
                               .id = plan->n_comms};
    plan->comms = memory_grow(plan->comms, plan->n_comms, sizeof *plan->comms);
    plan->comms[plan->n_comms++] = comm;
    return comm;
}

/* The first with these members. */
static struct plan_comm *find_first(struct plan *plan, const struct define_comm *head, const int32_t *members)
{
    memory_need(map_reserve(&plan->firsts) ? plan : NULL);
    struct map_entry *entry = map_add(&plan->firsts, key_of(members, head->n_members, head->n_remote));
    struct plan_comm *others = entry->index != MAP_NOTHING ? entry->pointer : NULL, *comm = others;
    while (comm != NULL && !is_same(comm, head, members))
        comm = comm->next;
    if (comm == NULL) {
        comm = add_comm(plan, head, members);
        comm->next = others;
        entry->pointer = comm;
    }
    return comm;
}

/* The one after the rank's latest with these members. */
static uint32_t find_comm(struct plan *plan, const struct plan_rank *rank, const struct define_comm *head,
                          const int32_t *members)
{
    struct plan_comm *first = find_first(plan, head, members);
    if (first->latest_owner != rank || head->kind == COMM_SELF || head->kind == COMM_GROUP) {
        first->latest_owner = rank;
        first->latest = first;
        return first->id;
    }
    if (first->latest->alike == NULL)
        first->latest->alike = add_comm(plan, head, members);
    first->latest = first->latest->alike;
    return first->latest->id;
}

/* Both sides describe an intercommunicator; the group with the lowest rank is to come first. */
static void order_groups(struct define_comm *head, int32_t *members)
{
    int32_t lowest[2] = {INT32_MAX, INT32_MAX};
    for (int32_t i = 0; i < head->n_members + head->n_remote; i++)
        if (members[i] < lowest[i >= head->n_members])
            lowest[i >= head->n_members] = members[i];
    if (lowest[0] <= lowest[1])
        return;
    size_t n = (size_t)head->n_members, n_remote = (size_t)head->n_remote;
    int32_t *old = memory_copy(members, (n + n_remote) * sizeof *members);
    memcpy(members, old + n, n_remote * sizeof *members);
    memcpy(members + n_remote, old, n * sizeof *members);
    free(old);
    *head = (struct define_comm){head->id, head->kind, head->n_remote, head->n_members};
}

/* MPI_COMM_SELF has one member; the ranks of others are those of the world. */
static bool is_sound(const struct define_comm *head, const int32_t *members, int n_ranks)
{
    if (head->kind >= N_COMM_KINDS || (head->kind != COMM_PLAIN && head->n_remote != 0) ||
        (head->kind == COMM_SELF && head->n_members != 1))
        return false;
    for (int32_t i = 0; i < head->n_members + head->n_remote; i++)
        if (members[i] < 0 || members[i] >= n_ranks)
            return false;
    return true;
}

bool plan_take_comm(struct plan *plan, struct plan_rank *rank, char *data, size_t length)
{
    struct define_comm head;
    if (length < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    if (head.n_members < 0 || head.n_remote < 0 || head.id != rank->map.n_comms ||
        length != sizeof head + ((size_t)head.n_members + (size_t)head.n_remote) * sizeof(int32_t))
        return false;
    int32_t *members = memory_copy(data + sizeof head, length - sizeof head);
    if (!is_sound(&head, members, plan->n_ranks)) {
        free(members);
        return false;
    }
    plan->has_world = plan->has_world || (head.kind == COMM_PLAIN && head.n_members == plan->n_ranks);
    if (head.kind == COMM_SELF) /* one for all, with no rank of its own */
        head.n_members = 0;
    else
        order_groups(&head, members);
    uint32_t id = find_comm(plan, rank, &head, members);
    free(members);
    rank->map.comms = memory_grow(rank->map.comms, rank->map.n_comms, sizeof *rank->map.comms);
    rank->map.comms[rank->map.n_comms++] = id;
    return true;
}

void plan_number_comms(struct plan *plan)
{
    uint32_t n_comms = 0, n_windows = 0, n_groups = 1;
    for (uint32_t i = 0; i < plan->n_comms; i++) {
        struct plan_comm *comm = plan->comms[i];
        comm->number = comm->kind == COMM_GROUP ? n_groups : n_comms++;
        comm->window = comm->kind == COMM_WINDOW ? n_windows++ : UINT32_MAX;
        n_groups += comm->n_remote > 0 ? 2 : 1;
    }
    for (int r = 0; r < plan->n_ranks; r++) {
        struct rank_map *map = &plan->ranks[r].map;
        map->windows = memory_need(malloc(((size_t)map->n_comms + 1) * sizeof *map->windows));
        for (uint32_t i = 0; i < map->n_comms; i++) {
            const struct plan_comm *comm = plan->comms[map->comms[i]];
            map->comms[i] = comm->number;
            map->windows[i] = comm->window;
        }
    }
}
