/* The meaning of the numbers of a Paraver trace's events: its .pcf, as far as the reader needs it.
 *
 * MPI's functions are values of the types 50000001 to 50000005, and have the names that the .pcf gives them; so do the
 * program's functions, which are scopes. A name that the .pcf lacks is made of the numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PARAVER_NAMES_H
#define TRACE_PARAVER_NAMES_H

#include "base/error.h"
#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of events, as Extrae writes them. */
enum {
    PRV_MPI_FIRST = 50000001, /* messages, collectives, other calls, one-sided communication, files; 0: the call ends */
    PRV_MPI_LAST = 50000005,
    PRV_SENT_BYTES = 50100001, /* of a collective */
    PRV_RECEIVED_BYTES = 50100002,
    PRV_IS_ROOT = 50100003,
    PRV_COMMUNICATOR = 50100004,
    PRV_OUTLINED = 60000018,      /* the body of a parallel region of OpenMP */
    PRV_USER_FUNCTION = 60000019, /* as all scopes of simrun's own traces */
    PRV_TASK_FUNCTION = 60000023,
};

struct prv_names {
    struct map map;   /* type, value -> index into the names */
    char **functions; /* of MPI; the first is "" */
    char **scopes;    /* the program's own; the first is "" */
    int n_functions, n_scopes;
    size_t functions_capacity, scopes_capacity;
    bool has_flat_scopes; /* an event says in which scope the rank is from now on: simrun's own traces */
};

static inline bool prv_is_mpi(int64_t type)
{
    return type >= PRV_MPI_FIRST && type <= PRV_MPI_LAST;
}
static inline bool prv_is_scope(int64_t type)
{
    return type == PRV_OUTLINED || type == PRV_USER_FUNCTION || type == PRV_TASK_FUNCTION;
}

/* Read the .pcf beside a .prv; that there is none is no error. The caller disposes of the names, in any case. */
int prv_names_read(struct prv_names *names, const char *prv, struct sim_error *error);
/* The index of a function or scope, by the type and value of its event. */
uint16_t prv_names_find(struct prv_names *names, int64_t type, int64_t value);
void prv_names_dispose(struct prv_names *names);

#endif
