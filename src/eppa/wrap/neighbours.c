/* Asks MPI for the neighbors of a rank, and records the messages of neighbor collectives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/neighbours.h"

#include "eppa/wrap/wrap.h"

#include <limits.h>
#include <stdlib.h>

struct neighbour_list *neighbour_list_new(struct comm *comm)
{
    const struct topology *topology = comm == NULL ? NULL : comm_topology(comm);
    if (topology == NULL || topology->in == NULL || topology->out == NULL)
        return NULL;
    size_t n = (size_t)topology->n_in + (size_t)topology->n_out;
    struct neighbour_list *list = calloc(1, sizeof *list + n * sizeof *list->in);
    if (list == NULL)
        return NULL;
    *list = (struct neighbour_list){comm->id, topology->n_in, topology->n_out, (void *)(list + 1), NULL};
    list->out = list->in + list->n_in;
    /* On a grid with two members in a ring both neighbors are the same one: tags keep the directions apart. */
    for (int i = 0; i < list->n_in; i++)
        list->in[i] =
            (struct neighbour_message){.peer = topology->in[i], .tag = INT_MAX - (topology->is_grid ? i ^ 1 : 0)};
    for (int i = 0; i < list->n_out; i++)
        list->out[i] =
            (struct neighbour_message){.peer = topology->out[i], .tag = INT_MAX - (topology->is_grid ? i : 0)};
    return list;
}

void neighbour_list_free(struct neighbour_list *list)
{
    free(list);
}

void neighbours_same(struct neighbour_list *list, int n_from, MPI_Datatype from_type, int n_to, MPI_Datatype to_type)
{
    for (int i = 0; list != NULL && i < list->n_out; i++)
        list->out[i].bytes = bytes_of(n_from, from_type);
    for (int i = 0; list != NULL && i < list->n_in; i++)
        list->in[i].bytes = bytes_of(n_to, to_type);
}

void neighbours_gather(struct neighbour_list *list, int n_from, MPI_Datatype from_type, const int n_to[],
                       MPI_Datatype to_type)
{
    for (int i = 0; list != NULL && i < list->n_out; i++)
        list->out[i].bytes = bytes_of(n_from, from_type);
    for (int i = 0; list != NULL && i < list->n_in; i++)
        list->in[i].bytes = bytes_of(n_to[i], to_type);
}

void neighbours_each(struct neighbour_list *list, const int n_from[], MPI_Datatype from_type, const int n_to[],
                     MPI_Datatype to_type)
{
    for (int i = 0; list != NULL && i < list->n_out; i++)
        list->out[i].bytes = bytes_of(n_from[i], from_type);
    for (int i = 0; list != NULL && i < list->n_in; i++)
        list->in[i].bytes = bytes_of(n_to[i], to_type);
}

void neighbours_typed(struct neighbour_list *list, const int n_from[], const MPI_Datatype from_types[],
                      const int n_to[], const MPI_Datatype to_types[])
{
    for (int i = 0; list != NULL && i < list->n_out; i++)
        list->out[i].bytes = bytes_of(n_from[i], from_types[i]);
    for (int i = 0; list != NULL && i < list->n_in; i++)
        list->in[i].bytes = bytes_of(n_to[i], to_types[i]);
}

/* Empty messages need not be waited for, and Open MPI does not: it would be received before it is sent. */
static bool is_message(const struct neighbour_message *message)
{
    return message->peer >= 0 && message->bytes > 0;
}

void neighbours_begin(struct neighbour_list *list)
{
    if (list == NULL)
        return;
    for (int i = 0; i < list->n_in; i++) {
        if (!is_message(&list->in[i]))
            continue;
        list->in[i].request = ++recorder.last_request;
        put(SPOOL_IRECV_REQUEST, 0, list->in[i].request, thread_state.entered_ns, 0, NULL);
    }
    for (int i = 0; i < list->n_out; i++) {
        struct neighbour_message *message = &list->out[i];
        if (!is_message(message))
            continue;
        message->request = ++recorder.last_request;
        put(SPOOL_ISEND, 0, list->comm_id, thread_state.entered_ns, 3,
            (int64_t[]){packed_peer(message->peer, message->tag), message->bytes, message->request});
    }
}

void neighbours_complete(const struct neighbour_list *list, int64_t time_ns)
{
    if (list == NULL)
        return;
    for (int i = 0; i < list->n_in; i++) {
        const struct neighbour_message *message = &list->in[i];
        if (is_message(message))
            put(SPOOL_IRECV, 0, list->comm_id, time_ns, 3,
                (int64_t[]){packed_peer(message->peer, message->tag), message->bytes, message->request});
    }
    for (int i = 0; i < list->n_out; i++)
        if (is_message(&list->out[i]))
            put(SPOOL_ISEND_DONE, 0, list->out[i].request, time_ns, 0, NULL);
}
