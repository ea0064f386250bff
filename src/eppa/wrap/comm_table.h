/* The communicators of this process. Each is described in the spool when it is made; the conversion finds out which
 * descriptions of several ranks are of the same communicator (plan.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_WRAP_COMM_TABLE_H
#define EPPA_WRAP_COMM_TABLE_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ranks that the neighbor collectives of a communicator reach; MPI_PROC_NULL is possible. */
struct topology {
    int n_in, n_out;
    int *in, *out;
    bool is_grid; /* Cartesian: what goes out at i comes in at i ^ 1 */
};

struct comm {
    MPI_Comm handle; /* MPI_COMM_NULL of a window or a file */
    uint32_t id;     /* this rank's number for it */
    int rank;        /* of this process */
    int n_members;   /* of the local group */
    int n_peers;     /* of the group that messages go to: the remote one if there is one */
    bool is_inter;
    struct topology *topology;  /* NULL until asked for */
    uint32_t exposed, accessed; /* of a window: the groups of the latest MPI_Win_post and MPI_Win_start */
};

extern struct comm *last_comm;
struct comm *comm_look_up(MPI_Comm handle);

/* NULL for MPI_COMM_NULL and for communicators with processes outside MPI_COMM_WORLD. */
static inline struct comm *comm_find(MPI_Comm handle)
{
    return last_comm != NULL && last_comm->handle == handle ? last_comm : comm_look_up(handle);
}

/* A communicator has been made. */
struct comm *comm_add(MPI_Comm handle);
/* One is being made with the members of `like`, and MPI does not answer questions about it yet. */
struct comm *comm_add_like(MPI_Comm handle, MPI_Comm like);
/* A window or a file (enum comm_kind) has been made by the members of a communicator; by its handle: NULL if it is not
 * known. */
struct comm *comm_add_object(uintptr_t handle, MPI_Comm like, uint32_t kind);
struct comm *comm_find_object(uintptr_t handle);
void comm_remove_object(uintptr_t handle);
/* The number of a group of ranks that synchronize in a window; UINT32_MAX: some are not in MPI_COMM_WORLD. */
uint32_t comm_group(MPI_Group group);
/* It is about to be freed. */
void comm_remove(MPI_Comm handle);
/* Its name; NULL has none. */
void comm_name(const struct comm *comm, const char *before, const char *name);
void comm_set_name(MPI_Comm handle, const char *name);
const struct topology *comm_topology(struct comm *comm);
/* Describe MPI_COMM_WORLD (0) and MPI_COMM_SELF (1). */
void comms_start(void);

#endif
