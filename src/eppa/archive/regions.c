/* The table of recorded MPI calls with their OTF2 roles, made of the lists of calls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/regions.h"

#include <otf2/otf2.h>

#define SEND(name) CALL(name, POINT2POINT)
#define ISEND(name) CALL(name, POINT2POINT)
#define SEND_INIT(name) CALL(name, POINT2POINT)
#define CALL(name, role) {"MPI_" #name, OTF2_REGION_ROLE_##role},
#define CREATE(name, comm, parameters, arguments) CALL(name, COLL_OTHER)
#define COLLECTIVE(name, iname, role, op, root, parameters, arguments, sizes)                                          \
    CALL(name, role) CALL(iname, role) CALL(name##_init, role)
#define NEIGHBOUR(name, iname, parameters, arguments, list)                                                            \
    CALL(name, COLL_OTHER) CALL(iname, COLL_OTHER) CALL(name##_init, COLL_OTHER)
#define TIMED(name, role, parameters, arguments) CALL(name, role)
#define POLLED(name, role, parameters, arguments) CALL(name, role)
#define FILE_ALL(name, role, parameters, arguments, written, read) CALL(name, role)
#define LARGE(name, role, parameters, arguments) CALL(name, role)
#define NEWER(name, role, parameters, arguments) CALL(name, role)
#define NEWER_POLLED(name, role, parameters, arguments) CALL(name, role)

const struct region_info regions[N_REGIONS] = {
#include "eppa/archive/calls.def"
#include "eppa/archive/collectives.def"
#include "eppa/archive/newer.def"
#include "eppa/archive/timed.def"
    {"send", OTF2_REGION_ROLE_POINT2POINT},       {"receive", OTF2_REGION_ROLE_POINT2POINT},
    {"no processor", OTF2_REGION_ROLE_CODE},      {"asleep", OTF2_REGION_ROLE_CODE},
    {"off the processor", OTF2_REGION_ROLE_CODE}, {"pthread_join", OTF2_REGION_ROLE_THREAD_WAIT},
};
