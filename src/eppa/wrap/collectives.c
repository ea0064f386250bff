/* Collectives, blocking and non-blocking, and those of neighbors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/neighbours.h"
#include "eppa/wrap/pending.h"
#include "eppa/wrap/sizes.h"
#include "eppa/wrap/wrap.h"

#include <otf2/OTF2_Events.h>

#define NO_ROOT MPI_UNDEFINED

static uint32_t root_of(int root)
{
    if (root == NO_ROOT)
        return OTF2_COLLECTIVE_ROOT_NONE;
    if (root == MPI_ROOT)
        return OTF2_COLLECTIVE_ROOT_SELF;
    return root == MPI_PROC_NULL ? OTF2_COLLECTIVE_ROOT_THIS_GROUP : (uint32_t)root;
}

static void coll_begin(const struct collective *coll)
{
    if (coll->comm != NULL)
        put(SPOOL_COLL_BEGIN, 0, coll->comm->id, thread_state.entered_ns, 0, NULL);
}

static void coll_end(const struct collective *coll, uint16_t op, int root, int64_t time_ns)
{
    if (coll->comm != NULL)
        put(SPOOL_COLL_END, op, coll->comm->id, time_ns, 3, (int64_t[]){root_of(root), coll->sent, coll->received});
}

static void icoll_begin(const struct collective *coll, uint16_t op, int root, MPI_Request handle)
{
    struct request request = {.kind = REQUEST_COLLECTIVE,
                              .comm_id = coll->comm->id,
                              .number = ++recorder.last_request,
                              .op = op,
                              .root = root_of(root),
                              .sent = coll->sent,
                              .received = coll->received,
                              .is_active = true};
    put(SPOOL_ICOLL_REQUEST, 0, request.number, thread_state.entered_ns, 1, &(int64_t){request.comm_id});
    request_add(handle_of(handle), &request);
}

/* Nothing is known of the sizes in communicators with processes outside MPI_COMM_WORLD. */
#define SIZES(sizes)                                                                                                   \
    if (coll->comm != NULL)                                                                                            \
    sizes

/* A persistent collective, which is begun later, as often as one likes. */
#if HAS_PERSISTENT
#define PERSISTENT_WRAPPER(name, parameters, arguments, ...)                                                           \
    EXPORTED __typeof__(PPERSISTENT(name)) PERSISTENT(name) __attribute__((alias(PPERSISTENT_TEXT #name)));            \
    EXPORTED int PPERSISTENT(name)(PLAIN parameters, MPI_Info info, MPI_Request * request)                             \
    {                                                                                                                  \
        __typeof__(&PPERSISTENT(name)) real = (__typeof__(&PPERSISTENT(name)))real_of(REGION_##name);                  \
        if (!call_begin(REGION_##name))                                                                                \
            return real(PLAIN arguments, info, request);                                                               \
        int status = real(PLAIN arguments, info, request);                                                             \
        if (status == MPI_SUCCESS) {                                                                                   \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return status;                                                                                                 \
    }
#else
#define PERSISTENT_WRAPPER(name, parameters, arguments, ...)
#endif

/* Persistent ones have no number until they are started. */
static void add_collective(const struct collective *coll, uint16_t op, int root, MPI_Request handle)
{
    if (coll->comm != NULL)
        request_add(handle_of(handle), &(struct request){.kind = REQUEST_COLLECTIVE,
                                                         .comm_id = coll->comm->id,
                                                         .op = op,
                                                         .root = root_of(root),
                                                         .sent = coll->sent,
                                                         .received = coll->received,
                                                         .is_persistent = true});
}

static void add_neighbours(struct neighbour_list *list, MPI_Request handle)
{
    if (list != NULL)
        request_add(handle_of(handle),
                    &(struct request){.kind = REQUEST_NEIGHBOURS, .neighbours = list, .is_persistent = true});
}

#define COLLECTIVE(name, iname, role, op, root, parameters, arguments, sizes)                                          \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        struct collective collective = {.comm = comm_find(comm)}, *coll = &collective;                                 \
        coll_begin(coll);                                                                                              \
        SIZES(sizes);                                                                                                  \
        int status = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        coll_end(coll, OTF2_COLLECTIVE_OP_##op, root, now_ns);                                                         \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }                                                                                                                  \
    WRAPPER(iname, (PLAIN parameters, MPI_Request * request))                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##iname))                                                                               \
            return REAL(iname)(PLAIN arguments, request);                                                              \
        struct collective collective = {.comm = comm_find(comm)}, *coll = &collective;                                 \
        SIZES(sizes);                                                                                                  \
        int status = DO(iname, (PLAIN arguments, request));                                                            \
        if (status == MPI_SUCCESS && coll->comm != NULL)                                                               \
            icoll_begin(coll, OTF2_COLLECTIVE_OP_##op, root, *request);                                                \
        call_end(REGION_##iname, clock_now_ns());                                                                      \
        return status;                                                                                                 \
    }                                                                                                                  \
    PERSISTENT_WRAPPER(name##_init, parameters, arguments, struct collective collective = {.comm = comm_find(comm)},   \
                       *coll = &collective;                                                                            \
                       SIZES(sizes); add_collective(coll, OTF2_COLLECTIVE_OP_##op, root, *request))

#define NEIGHBOUR(name, iname, parameters, arguments, lengths)                                                         \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        struct neighbour_list *list = neighbour_list_new(comm_find(comm));                                             \
        lengths;                                                                                                       \
        neighbours_begin(list);                                                                                        \
        int status = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        neighbours_complete(list, now_ns);                                                                             \
        neighbour_list_free(list);                                                                                     \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }                                                                                                                  \
    WRAPPER(iname, (PLAIN parameters, MPI_Request * request))                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##iname))                                                                               \
            return REAL(iname)(PLAIN arguments, request);                                                              \
        struct neighbour_list *list = neighbour_list_new(comm_find(comm));                                             \
        lengths;                                                                                                       \
        neighbours_begin(list);                                                                                        \
        int status = DO(iname, (PLAIN arguments, request));                                                            \
        if (list != NULL)                                                                                              \
            request_add(handle_of(*request),                                                                           \
                        &(struct request){.kind = REQUEST_NEIGHBOURS, .neighbours = list, .is_active = true});         \
        call_end(REGION_##iname, clock_now_ns());                                                                      \
        return status;                                                                                                 \
    }                                                                                                                  \
    PERSISTENT_WRAPPER(name##_init, parameters, arguments,                                                             \
                       struct neighbour_list *list = neighbour_list_new(comm_find(comm));                              \
                       lengths; add_neighbours(list, *request))

#include "eppa/archive/collectives.def"
