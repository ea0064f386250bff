/* This process's communicators, and their descriptions in the spool.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/map.h"
#include "eppa/wrap/wrap.h"

#include <stdlib.h>

static struct map comms; /* by handle */
static uint32_t n_comms;
struct comm *last_comm;

static struct map_key key_of(MPI_Comm handle)
{
    return map_key_64(handle_of(handle));
}

/* The ranks in MPI_COMM_WORLD of a group's members; NULL if some are not in it. */
static int32_t *ranks_of_group(MPI_Group group, int *n)
{
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, n);
    int32_t *ranks = malloc(2 * (size_t)*n * sizeof *ranks + 1);
    bool is_known = ranks != NULL;
    if (is_known) {
        for (int i = 0; i < *n; i++)
            ranks[*n + i] = i;
        PMPI_Group_translate_ranks(group, *n, ranks + *n, world, ranks);
        for (int i = 0; i < *n; i++)
            is_known = is_known && ranks[i] != MPI_UNDEFINED;
    }
    PMPI_Group_free(&world);
    if (is_known)
        return ranks;
    free(ranks);
    return NULL;
}

/* World ranks of a communicator's members, local or remote. */
static int32_t *world_ranks(MPI_Comm handle, bool is_remote, int *n)
{
    MPI_Group group;
    if (is_remote)
        PMPI_Comm_remote_group(handle, &group);
    else
        PMPI_Comm_group(handle, &group);
    int32_t *ranks = ranks_of_group(group, n);
    PMPI_Group_free(&group);
    return ranks;
}

/* Describe it, which has the members of `like`, in the spool; false if it cannot be. */
static bool describe(struct comm *comm, MPI_Comm like, uint32_t kind)
{
    struct define_comm head = {comm->id, kind, 0, 0};
    int32_t *members = world_ranks(like, false, &head.n_members);
    int32_t *remote = comm->is_inter ? world_ranks(like, true, &head.n_remote) : NULL;
    bool is_known = members != NULL && (!comm->is_inter || remote != NULL);
    if (is_known)
        recorder_define(DEFINE_COMM,
                        (struct part[]){{&head, sizeof head},
                                        {members, (size_t)head.n_members * sizeof *members},
                                        {remote, (size_t)head.n_remote * sizeof *remote}},
                        3);
    comm->n_members = head.n_members;
    comm->n_peers = comm->is_inter ? head.n_remote : head.n_members;
    free(members);
    free(remote);
    return is_known;
}

static void dispose(struct comm *comm)
{
    if (last_comm == comm)
        last_comm = NULL;
    if (comm->topology != NULL) {
        free(comm->topology->in);
        free(comm->topology->out);
        free(comm->topology);
    }
    free(comm);
}

/* One with the members of `like`. */
static struct comm *add(struct map_key key, MPI_Comm handle, MPI_Comm like, uint32_t kind)
{
    if (!map_reserve(&comms))
        return NULL;
    struct comm *comm = calloc(1, sizeof *comm);
    if (comm == NULL)
        return NULL;
    int is_inter = 0;
    *comm = (struct comm){.handle = handle, .id = n_comms};
    PMPI_Comm_test_inter(like, &is_inter);
    PMPI_Comm_rank(like, &comm->rank);
    comm->is_inter = is_inter != 0;
    if (!describe(comm, like, kind)) {
        free(comm);
        return NULL;
    }
    n_comms++;
    struct map_entry *entry = map_add(&comms, key);
    if (entry->index != MAP_NOTHING) /* freed in a way that is not recorded */
        dispose(entry->pointer);
    entry->pointer = comm;
    return comm;
}

struct comm *comm_add_like(MPI_Comm handle, MPI_Comm like)
{
    if (handle == MPI_COMM_NULL)
        return NULL;
    return last_comm = add(key_of(handle), handle, like, handle == MPI_COMM_SELF ? COMM_SELF : COMM_PLAIN);
}

struct comm *comm_add(MPI_Comm handle)
{
    return comm_add_like(handle, handle);
}

/* The map has windows and files, too: no two handles are the same number. */
struct comm *comm_add_object(uintptr_t handle, MPI_Comm like, uint32_t kind)
{
    return add(map_key_64(handle), MPI_COMM_NULL, like, kind);
}

struct comm *comm_find_object(uintptr_t handle)
{
    const struct map_entry *entry = map_find(&comms, map_key_64(handle));
    return entry == NULL ? NULL : entry->pointer;
}

/* Groups that have been described, each once. */
static struct group {
    struct group *next;
    uint32_t id;
    int32_t n, *ranks;
} * groups;

uint32_t comm_group(MPI_Group handle)
{
    struct define_comm head = {n_comms, COMM_GROUP, 0, 0};
    int32_t *ranks = ranks_of_group(handle, &head.n_members);
    size_t length = (size_t)head.n_members * sizeof *ranks;
    for (struct group *group = groups; group != NULL && ranks != NULL; group = group->next)
        if (group->n == head.n_members && memcmp(group->ranks, ranks, length) == 0) {
            free(ranks);
            return group->id;
        }
    struct group *added = ranks == NULL ? NULL : malloc(sizeof *added);
    if (added == NULL) {
        free(ranks);
        return UINT32_MAX;
    }
    recorder_define(DEFINE_COMM, (struct part[]){{&head, sizeof head}, {ranks, length}}, 2);
    *added = (struct group){groups, n_comms++, head.n_members, ranks};
    groups = added;
    return added->id;
}

struct comm *comm_look_up(MPI_Comm handle)
{
    const struct map_entry *entry = map_find(&comms, key_of(handle));
    if (entry == NULL)
        return comm_add(handle); /* made in a way that is not recorded */
    return last_comm = entry->pointer;
}

void comm_remove_object(uintptr_t handle)
{
    struct map_entry *entry = map_find(&comms, map_key_64(handle));
    if (entry != NULL) {
        dispose(entry->pointer);
        map_remove(&comms, entry);
    }
}

void comm_remove(MPI_Comm handle)
{
    comm_remove_object(handle_of(handle));
}

void comm_name(const struct comm *comm, const char *before, const char *name)
{
    if (comm != NULL)
        recorder_define(
            DEFINE_COMM_NAME,
            (struct part[]){{&comm->id, sizeof comm->id}, {before, strlen(before)}, {name, strlen(name) + 1}}, 3);
}

void comm_set_name(MPI_Comm handle, const char *name)
{
    comm_name(comm_find(handle), "", name);
}

static bool reserve(struct topology *topology, int n_in, int n_out)
{
    topology->n_in = n_in;
    topology->n_out = n_out;
    topology->in = calloc((size_t)n_in + 1, sizeof *topology->in);
    topology->out = calloc((size_t)n_out + 1, sizeof *topology->out);
    return topology->in != NULL && topology->out != NULL;
}

static void ask_grid(struct topology *topology, MPI_Comm comm)
{
    int n_dims = 0;
    PMPI_Cartdim_get(comm, &n_dims);
    if (!reserve(topology, 2 * n_dims, 2 * n_dims))
        return;
    topology->is_grid = true;
    for (int d = 0; d < n_dims; d++)
        PMPI_Cart_shift(comm, d, 1, &topology->in[2 * d], &topology->in[2 * d + 1]);
    memcpy(topology->out, topology->in, 2 * (size_t)n_dims * sizeof *topology->out);
}

static void ask_graph(struct topology *topology, MPI_Comm comm, int rank)
{
    int n = 0;
    PMPI_Graph_neighbors_count(comm, rank, &n);
    if (!reserve(topology, n, n))
        return;
    PMPI_Graph_neighbors(comm, rank, n, topology->in);
    memcpy(topology->out, topology->in, (size_t)n * sizeof *topology->out);
}

static void ask_dist_graph(struct topology *topology, MPI_Comm comm)
{
    int n_in = 0, n_out = 0, is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &n_in, &n_out, &is_weighted);
    int *weights = malloc(((size_t)n_in + (size_t)n_out + 1) * sizeof *weights);
    if (weights != NULL && reserve(topology, n_in, n_out))
        PMPI_Dist_graph_neighbors(comm, n_in, topology->in, weights, n_out, topology->out, weights + n_in);
    free(weights);
}

const struct topology *comm_topology(struct comm *comm)
{
    if (comm->topology != NULL)
        return comm->topology;
    struct topology *topology = calloc(1, sizeof *topology);
    if (topology == NULL)
        return NULL;
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm->handle, &kind);
    if (kind == MPI_CART)
        ask_grid(topology, comm->handle);
    else if (kind == MPI_GRAPH)
        ask_graph(topology, comm->handle, comm->rank);
    else if (kind == MPI_DIST_GRAPH)
        ask_dist_graph(topology, comm->handle);
    comm->topology = topology;
    return topology;
}

void comms_start(void)
{
    comm_add(MPI_COMM_WORLD);
    comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    comm_add(MPI_COMM_SELF);
    comm_set_name(MPI_COMM_SELF, "MPI_COMM_SELF");
}
