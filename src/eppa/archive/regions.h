/* The MPI calls that are recorded, numbered in the order of the lists. Needs no mpi.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_REGIONS_H
#define EPPA_ARCHIVE_REGIONS_H

#define SEND(name) REGION_##name,
#define ISEND(name) REGION_##name,
#define SEND_INIT(name) REGION_##name,
#define CALL(name, role) REGION_##name,
#define CREATE(name, comm, parameters, arguments) REGION_##name,
#define COLLECTIVE(name, iname, role, op, root, parameters, arguments, sizes)                                          \
    REGION_##name, REGION_##iname, REGION_##name##_init,
#define NEIGHBOUR(name, iname, parameters, arguments, list) REGION_##name, REGION_##iname, REGION_##name##_init,
#define TIMED(name, role, parameters, arguments) REGION_##name,
#define POLLED(name, role, parameters, arguments) REGION_##name,
#define FILE_ALL(name, role, parameters, arguments, written, read) REGION_##name,
#define LARGE(name, role, parameters, arguments) REGION_##name,
#define NEWER(name, role, parameters, arguments) REGION_##name,
#define NEWER_POLLED(name, role, parameters, arguments) REGION_##name,
enum region {
#include "eppa/archive/calls.def"
#include "eppa/archive/collectives.def"
#include "eppa/archive/newer.def"
#include "eppa/archive/timed.def"
    /* Calls of programs without MPI, which say themselves what they send and receive: */
    REGION_MESSAGE_SEND,
    REGION_MESSAGE_RECEIVE,
    /* No calls, but time of the program's own in which it is not computing: */
    REGION_WITHOUT, /* it lacks a processor */
    REGION_ASLEEP,  /* it sleeps, or is blocked */
    REGION_OFF,     /* one of these: the system does not say which */
    REGION_JOIN,    /* it waits for the end of a thread */
    N_REGIONS
};
#undef SEND
#undef ISEND
#undef SEND_INIT
#undef CALL
#undef CREATE
#undef COLLECTIVE
#undef NEIGHBOUR
#undef TIMED
#undef POLLED
#undef FILE_ALL
#undef LARGE
#undef NEWER
#undef NEWER_POLLED

struct region_info {
    const char *name; /* "MPI_Send" */
    int role;         /* OTF2_RegionRole */
};
extern const struct region_info regions[N_REGIONS];

#endif
