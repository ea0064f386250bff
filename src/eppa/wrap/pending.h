/* Requests that are pending, by their handles. Several may have the same handle: Open MPI and MPICH give out one for
 * all requests that are complete from the beginning. They are then found in the order in which they were added. Those
 * of the calling thread come first: a handle that another thread's call has given back may be given out again before
 * that is recorded.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_WRAP_PENDING_H
#define EPPA_WRAP_PENDING_H

#include <stdbool.h>
#include <stdint.h>

enum request_kind {
    REQUEST_SEND,
    REQUEST_RECV,
    REQUEST_COLLECTIVE,
    REQUEST_NEIGHBOURS,
    REQUEST_MESSAGE, /* no request, but what MPI_Mprobe found */
};

struct request {
    struct request *next;              /* with the same handle */
    uintptr_t handle;                  /* of the library: a pointer, or a number */
    const void *thread;                /* that has added it */
    struct neighbour_list *neighbours; /* of REQUEST_NEIGHBOURS; owned */
    int64_t bytes;                     /* of REQUEST_SEND */
    int64_t sent, received;            /* of REQUEST_COLLECTIVE */
    uint32_t comm_id, number;
    uint32_t root;
    int peer, tag; /* of REQUEST_SEND; of REQUEST_RECV as asked for, negative: any */
    uint16_t op;
    uint8_t kind; /* enum request_kind */
    bool is_persistent, is_active, is_cancelled;
};

/* Remember a copy. */
struct request *request_add(uintptr_t handle, const struct request *request);
/* The first with this handle that is active, or any; NULL if there is none. */
struct request *request_find(uintptr_t handle);
void request_remove(struct request *request);

#endif
