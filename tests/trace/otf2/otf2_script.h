/* Writes OTF2 archives from tables of events, with the OTF2 library's own writer, as measurement tools do.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_SCRIPT_H
#define OTF2_SCRIPT_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum script_action {
    S_ENTER,            /* a: region; b: role + 1 (index into script_roles), or 0 */
    S_LEAVE,            /* a: region; b: operations, c: quantums, d: idle_ps + 1, e: bytes; 0: no such attribute */
    S_LEAVE_IDLE,       /* a: region; b: simrun.peer */
    S_LEAVE_CUT,        /* a: region; b: eppa.peer + 1, c: eppa.communicator */
    S_SEND,             /* a: peer, b: communicator, c: tag, d: bytes */
    S_RECV,             /* and e: 1 if from any source */
    S_ISEND,            /* and e: request */
    S_ISEND_DONE,       /* e */
    S_IRECV,            /* e */
    S_IRECV_DONE,       /* like S_ISEND */
    S_TEST,             /* e */
    S_CANCELLED,        /* e */
    S_IO_BEGIN,         /* a: OTF2_IoOperationMode */
    S_IO_END,           /* d: bytes */
    S_COLLECTIVE,       /* a: op, b: communicator, c: root, d: sent, e: received */
    S_COLLECTIVE_BEGUN, /* non-blocking; e: request */
    S_COLLECTIVE_DONE,  /* non-blocking: like S_COLLECTIVE, its request is 7 */
    S_WINDOW,           /* a: op, b: window: all its members are in it */
    S_GROUP,            /* a: window, b: a communicator's group */
    S_LOCK,             /* a: window, b: target, c: OTF2_LockType */
    S_UNLOCK,           /* a: window, b: target */
    S_FILE,             /* a: file: all write it */
    S_FORK,             /* of threads */
    S_JOIN,             /* likewise */
    S_TEAM,             /* a thread takes part in the fork */
    S_TEAM_ENDS,        /* it does no longer */
    S_CREATE,           /* of threads: e: number; it begins, it ends, its end is waited for */
    S_LIFE,             /* e */
    S_LIFE_ENDS,        /* e */
    S_WAIT_LIFE,        /* e */
    S_GOT_LOCK,         /* a thread has a lock */
    S_TASK,             /* it goes on with another task */
    S_GET,              /* of a stream: a copy to its memory begins; d: bytes, 0: 8 */
    S_PUT,              /* the same, from it */
    S_COPIED,           /* it ends */
    S_CONTEXT_ENTER,    /* a: context, whose region is entered */
    S_CONTEXT_LEAVE,    /* a */
    S_SAMPLE,           /* a: the context in which a location is seen */
    S_METRIC,           /* a: class or instance of counters, b, c: values; see script_write_metrics() */
    S_BEGIN,            /* of the program */
    S_END,              /* a: status */
};

/* Tables of events leave out what an event does not have. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

struct script_event {
    int location;
    enum script_action action;
    uint64_t time, a, b, c, d, e;
};

struct script_region {
    const char *name;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
};

enum { SCRIPT_MAX_MEMBERS = 8 };

/* A communicator; `remote` of an intercommunicator. */
struct script_comm {
    int n_members;
    uint64_t members[SCRIPT_MAX_MEMBERS];
    int n_remote;
    uint64_t remote[SCRIPT_MAX_MEMBERS];
    bool is_self, has_global_ranks;
};

/* A calling context: its region, and one more than the number of the one around it, or 0. */
struct script_context {
    uint32_t region, outer;
};

struct script {
    int n_ranks;
    int n_others;        /* further threads, locations n_ranks ..., of one rank after the other */
    int n_streams;       /* after them, likewise, each of an accelerator of its own */
    uint64_t resolution; /* 0: 1e12 */
    uint64_t offset;
    const struct script_region *regions;
    int n_regions;
    const struct script_comm *comms; /* 0 is the world, made by itself; these are 1 ... */
    int n_comms;
    const struct script_context *contexts;
    int n_contexts;
    int n_windows, n_files; /* number i of either is of communicator i */
    const struct script_event *events;
    int n_events;
    int64_t clock_offset[2]; /* of location 1 at times 0 and 1000 ticks, if has_clock_offset */
    bool has_clock_offset;
    bool maps_regions; /* location 1 names region r by the identifier r + 100 */
    bool has_metrics;  /* and a location behind all others that only records */
    bool without_world, unknown_ends, zero_ends, no_clock;
    int miscount;              /* the definitions say so many events more than there are, of every location */
    const char *properties[4]; /* names and values */
};

static const char *const script_roles[] = {"useful", "control", "idle", "receive", "send"};

enum {
    ATTRIBUTE_ROLE,
    ATTRIBUTE_OPERATIONS,
    ATTRIBUTE_QUANTUMS,
    ATTRIBUTE_IDLE,
    ATTRIBUTE_BYTES,
    ATTRIBUTE_PEER,
    ATTRIBUTE_AWAITED,
    ATTRIBUTE_AWAITED_COMM,
    ATTRIBUTE_ANY_SOURCE,
    N_ATTRIBUTES
};
enum { STRING_NONE, STRING_ROLES, STRING_ATTRIBUTES = 10, STRING_STREAM = 19, STRING_REGIONS };
#define SCRIPT_CHUNK OTF2_CHUNK_SIZE_MIN

static OTF2_FlushType script_flush(void *self, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)self, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp script_flushed(void *self, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)self, (void)type, (void)location;
    return 0;
}

static OTF2_AttributeList *script_attributes(const struct script_event *event, OTF2_AttributeList *list)
{
    if (event->action == S_ENTER && event->b > 0)
        OTF2_AttributeList_AddStringRef(list, ATTRIBUTE_ROLE, (OTF2_StringRef)(STRING_ROLES + event->b - 1));
    if (event->action == S_LEAVE_IDLE)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_PEER, event->b);
    if (event->action == S_LEAVE_CUT) {
        OTF2_AttributeList_AddInt32(list, ATTRIBUTE_AWAITED, (int32_t)event->b - 1);
        OTF2_AttributeList_AddCommRef(list, ATTRIBUTE_AWAITED_COMM, (OTF2_CommRef)event->c);
    }
    if (event->action == S_RECV && event->e > 0)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_ANY_SOURCE, event->e);
    if (event->action != S_LEAVE)
        return list;
    if (event->b > 0)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_OPERATIONS, event->b);
    if (event->c > 0)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_QUANTUMS, event->c);
    if (event->d > 0)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_IDLE, event->d - 1);
    if (event->e > 0)
        OTF2_AttributeList_AddUint64(list, ATTRIBUTE_BYTES, event->e);
    return list;
}

static void script_write_event(OTF2_EvtWriter *writer, const struct script *script, const struct script_event *event)
{
    OTF2_AttributeList *list = OTF2_AttributeList_New();
    uint32_t a = (uint32_t)event->a, b = (uint32_t)event->b, c = (uint32_t)event->c;
    uint32_t region = a + (script->maps_regions && event->location == 1 ? 100 : 0);
    uint64_t t = event->time;
    script_attributes(event, list);
    switch (event->action) {
    case S_ENTER:
        OTF2_EvtWriter_Enter(writer, list, t, region);
        break;
    case S_LEAVE:
    case S_LEAVE_IDLE:
    case S_LEAVE_CUT:
        OTF2_EvtWriter_Leave(writer, list, t, region);
        break;
    case S_SEND:
        OTF2_EvtWriter_MpiSend(writer, list, t, a, b, c, event->d);
        break;
    case S_RECV:
        OTF2_EvtWriter_MpiRecv(writer, list, t, a, b, c, event->d);
        break;
    case S_ISEND:
        OTF2_EvtWriter_MpiIsend(writer, list, t, a, b, c, event->d, event->e);
        break;
    case S_ISEND_DONE:
        OTF2_EvtWriter_MpiIsendComplete(writer, list, t, event->e);
        break;
    case S_IRECV:
        OTF2_EvtWriter_MpiIrecvRequest(writer, list, t, event->e);
        break;
    case S_IRECV_DONE:
        OTF2_EvtWriter_MpiIrecv(writer, list, t, a, b, c, event->d, event->e);
        break;
    case S_TEST:
        OTF2_EvtWriter_MpiRequestTest(writer, list, t, event->e);
        break;
    case S_CANCELLED:
        OTF2_EvtWriter_MpiRequestCancelled(writer, list, t, event->e);
        break;
    case S_IO_BEGIN:
        OTF2_EvtWriter_IoOperationBegin(writer, list, t, 0, (OTF2_IoOperationMode)a, 0, 0, 0);
        break;
    case S_IO_END:
        OTF2_EvtWriter_IoOperationComplete(writer, list, t, 0, event->d, 0);
        break;
    case S_COLLECTIVE:
        OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, t);
        OTF2_EvtWriter_MpiCollectiveEnd(writer, list, t, (OTF2_CollectiveOp)a, b, c, event->d, event->e);
        break;
    case S_COLLECTIVE_BEGUN:
        OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, list, t, event->e);
        break;
    case S_COLLECTIVE_DONE:
        OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, list, t, (OTF2_CollectiveOp)a, b, c, event->d, event->e,
                                                     7);
        break;
    case S_WINDOW:
        OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, t);
        OTF2_EvtWriter_RmaCollectiveEnd(writer, list, t, (OTF2_CollectiveOp)a, OTF2_RMA_SYNC_LEVEL_PROCESS, b,
                                        OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
        break;
    case S_GROUP:
        OTF2_EvtWriter_RmaGroupSync(writer, list, t, OTF2_RMA_SYNC_LEVEL_PROCESS, a, b == 0 ? 1 : 2 * b);
        break;
    case S_LOCK:
        OTF2_EvtWriter_RmaAcquireLock(writer, list, t, a, b, 0, (OTF2_LockType)c);
        break;
    case S_UNLOCK:
        OTF2_EvtWriter_RmaReleaseLock(writer, list, t, a, b, 0);
        break;
    case S_FILE:
        OTF2_EvtWriter_IoOperationBegin(writer, list, t, a, OTF2_IO_OPERATION_MODE_WRITE,
                                        OTF2_IO_OPERATION_FLAG_COLLECTIVE, 0, 0);
        OTF2_EvtWriter_IoOperationComplete(writer, list, t, a, 100, 0);
        break;
    case S_FORK:
        OTF2_EvtWriter_ThreadFork(writer, list, t, OTF2_PARADIGM_OPENMP, 2);
        break;
    case S_JOIN:
        OTF2_EvtWriter_ThreadJoin(writer, list, t, OTF2_PARADIGM_OPENMP);
        break;
    case S_TEAM:
        OTF2_EvtWriter_ThreadTeamBegin(writer, list, t, 0);
        break;
    case S_TEAM_ENDS:
        OTF2_EvtWriter_ThreadTeamEnd(writer, list, t, 0);
        break;
    case S_CREATE:
        OTF2_EvtWriter_ThreadCreate(writer, list, t, 0, event->e);
        break;
    case S_LIFE:
        OTF2_EvtWriter_ThreadBegin(writer, list, t, 0, event->e);
        break;
    case S_LIFE_ENDS:
        OTF2_EvtWriter_ThreadEnd(writer, list, t, 0, event->e);
        break;
    case S_WAIT_LIFE:
        OTF2_EvtWriter_ThreadWait(writer, list, t, 0, event->e);
        break;
    case S_GOT_LOCK:
        OTF2_EvtWriter_ThreadAcquireLock(writer, list, t, OTF2_PARADIGM_OPENMP, 1, 1);
        break;
    case S_TASK:
        OTF2_EvtWriter_ThreadTaskSwitch(writer, list, t, 0, 0, 1);
        break;
    case S_GET:
        OTF2_EvtWriter_RmaGet(writer, list, t, 0, 0, event->d > 0 ? event->d : 8, 42);
        break;
    case S_PUT:
        OTF2_EvtWriter_RmaPut(writer, list, t, 0, 0, event->d > 0 ? event->d : 8, 42);
        break;
    case S_COPIED:
        OTF2_EvtWriter_RmaOpCompleteBlocking(writer, list, t, 0, 42);
        break;
    case S_CONTEXT_ENTER:
        OTF2_EvtWriter_CallingContextEnter(writer, list, t, a, 1);
        break;
    case S_CONTEXT_LEAVE:
        OTF2_EvtWriter_CallingContextLeave(writer, list, t, a);
        break;
    case S_SAMPLE:
        OTF2_EvtWriter_CallingContextSample(writer, list, t, a, 1, 0);
        break;
    case S_METRIC: {
        OTF2_Type types[] = {a == 1 ? OTF2_TYPE_INT64 : OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
        OTF2_MetricValue values[] = {{.unsigned_int = event->b}, {.floating_point = (double)event->c / 10}};
        OTF2_EvtWriter_Metric(writer, list, t, a, 2, types, values);
        break;
    }
    case S_BEGIN:
        OTF2_EvtWriter_ProgramBegin(writer, list, t, STRING_NONE, 0, NULL);
        break;
    case S_END:
        OTF2_EvtWriter_ProgramEnd(writer, list, t, (int64_t)event->a);
        break;
    }
    OTF2_AttributeList_Delete(list);
}

/* How many events the writer has for a location: a collective is two. */
static uint64_t script_write_events(OTF2_Archive *archive, const struct script *script, int location)
{
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)location);
    uint64_t count = 0;
    for (int i = 0; i < script->n_events; i++)
        if (script->events[i].location == location)
            script_write_event(writer, script, &script->events[i]);
    OTF2_EvtWriter_GetNumberOfEvents(writer, &count);
    OTF2_Archive_CloseEvtWriter(archive, writer);
    return count;
}

static void script_write_local(OTF2_Archive *archive, const struct script *script, int location)
{
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, (OTF2_LocationRef)location);
    if (script->has_clock_offset && location == 1) {
        OTF2_DefWriter_WriteClockOffset(writer, 0, script->clock_offset[0], 0);
        OTF2_DefWriter_WriteClockOffset(writer, 1000, script->clock_offset[1], 0);
    }
    if (script->maps_regions && location == 1) {
        OTF2_IdMap *map = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, 16);
        for (int i = 0; i < script->n_regions; i++)
            OTF2_IdMap_AddIdPair(map, (uint64_t)i + 100, (uint64_t)i);
        OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map);
        OTF2_IdMap_Free(map);
    }
    OTF2_Archive_CloseDefWriter(archive, writer);
}

static void script_write_strings(OTF2_GlobalDefWriter *writer, const struct script *script)
{
    static const char *const attributes[] = {"eppa.role",      "eppa.operations",   "eppa.quantums",
                                             "simrun.idle_ps", "simrun.bytes",      "simrun.peer",
                                             "eppa.peer",      "eppa.communicator", "eppa.any_source"};
    OTF2_GlobalDefWriter_WriteString(writer, STRING_NONE, "");
    OTF2_GlobalDefWriter_WriteString(writer, STRING_STREAM, "CUDA[0:7]"); /* as Score-P calls them: device and stream */
    for (uint32_t i = 0; i < sizeof script_roles / sizeof *script_roles; i++)
        OTF2_GlobalDefWriter_WriteString(writer, STRING_ROLES + i, script_roles[i]);
    for (uint32_t i = 0; i < N_ATTRIBUTES; i++) {
        OTF2_GlobalDefWriter_WriteString(writer, STRING_ATTRIBUTES + i, attributes[i]);
        OTF2_GlobalDefWriter_WriteAttribute(writer, i, STRING_ATTRIBUTES + i, STRING_NONE,
                                            i == ATTRIBUTE_ROLE           ? OTF2_TYPE_STRING
                                            : i == ATTRIBUTE_AWAITED      ? OTF2_TYPE_INT32
                                            : i == ATTRIBUTE_AWAITED_COMM ? OTF2_TYPE_COMM
                                                                          : OTF2_TYPE_UINT64);
    }
    for (uint32_t i = 0; i < (uint32_t)script->n_regions; i++) {
        OTF2_GlobalDefWriter_WriteString(writer, STRING_REGIONS + i, script->regions[i].name);
        OTF2_GlobalDefWriter_WriteRegion(writer, i, STRING_REGIONS + i, STRING_REGIONS + i, STRING_NONE,
                                         script->regions[i].role, script->regions[i].paradigm, 0, STRING_NONE, 0, 0);
    }
}

static void script_write_contexts(OTF2_GlobalDefWriter *writer, const struct script *script)
{
    for (uint32_t i = 0; i < (uint32_t)script->n_contexts; i++)
        OTF2_GlobalDefWriter_WriteCallingContext(
            writer, i, script->contexts[i].region, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
            script->contexts[i].outer == 0 ? OTF2_UNDEFINED_CALLING_CONTEXT : script->contexts[i].outer - 1);
}

static void script_write_comms(OTF2_GlobalDefWriter *writer, const struct script *script)
{
    uint64_t ids[64];
    uint32_t next = 2;
    for (int i = 0; i < script->n_ranks; i++)
        ids[i] = (uint64_t)i;
    if (!script->without_world)
        OTF2_GlobalDefWriter_WriteGroup(writer, 0, STRING_NONE, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0,
                                        (uint32_t)script->n_ranks, ids);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, STRING_NONE, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0,
                                    (uint32_t)script->n_ranks, ids);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, STRING_NONE, 1, OTF2_UNDEFINED_COMM, 0);
    for (int i = 0; i < script->n_comms; i++) {
        const struct script_comm *comm = &script->comms[i];
        OTF2_GroupType type = comm->is_self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP;
        OTF2_GlobalDefWriter_WriteGroup(writer, next, STRING_NONE, type, OTF2_PARADIGM_MPI,
                                        comm->has_global_ranks ? OTF2_GROUP_FLAG_GLOBAL_MEMBERS : 0,
                                        (uint32_t)comm->n_members, comm->members);
        if (comm->n_remote > 0) {
            OTF2_GlobalDefWriter_WriteGroup(writer, next + 1, STRING_NONE, type, OTF2_PARADIGM_MPI, 0,
                                            (uint32_t)comm->n_remote, comm->remote);
            OTF2_GlobalDefWriter_WriteInterComm(writer, (OTF2_CommRef)i + 1, STRING_NONE, next, next + 1, 0, 0);
        } else {
            OTF2_GlobalDefWriter_WriteComm(writer, (OTF2_CommRef)i + 1, STRING_NONE, next, 0, 0);
        }
        next += 2;
    }
}

static void script_write_objects(OTF2_GlobalDefWriter *writer, const struct script *script)
{
    for (int i = 0; i < script->n_windows; i++)
        OTF2_GlobalDefWriter_WriteRmaWin(writer, (OTF2_RmaWinRef)i, STRING_NONE, (OTF2_CommRef)i, 0);
    for (int i = 0; i < script->n_files; i++)
        OTF2_GlobalDefWriter_WriteIoHandle(writer, (OTF2_IoHandleRef)i, STRING_NONE, 0, 0, 0, (OTF2_CommRef)i,
                                           OTF2_UNDEFINED_IO_HANDLE);
}

/* Class 0: what counts, and a level in tenths; class 1: what counts from then to then, in thousands, and a counter that
 * is not defined. Instance 2 is of class 0, of rank 0's process; instance 3 of class 0, of a host. */
static void script_write_metrics(OTF2_GlobalDefWriter *writer, const struct script *script)
{
    static const char *const texts[] = {"PAPI_TOT_INS", "temperature", "moved", "#", "C", "bytes"};
    const OTF2_MetricMemberRef members[][2] = {{0, 1}, {2, 99}};
    OTF2_StringRef first = STRING_REGIONS + (OTF2_StringRef)script->n_regions;
    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        OTF2_GlobalDefWriter_WriteString(writer, first + i, texts[i]);
    OTF2_GlobalDefWriter_WriteMetricMember(writer, 0, first, STRING_NONE, OTF2_METRIC_TYPE_PAPI,
                                           OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
                                           first + 3);
    OTF2_GlobalDefWriter_WriteMetricMember(writer, 1, first + 1, STRING_NONE, OTF2_METRIC_TYPE_OTHER,
                                           OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_DOUBLE, OTF2_BASE_DECIMAL, 0,
                                           first + 4);
    OTF2_GlobalDefWriter_WriteMetricMember(writer, 2, first + 2, STRING_NONE, OTF2_METRIC_TYPE_OTHER,
                                           OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 3, first + 5);
    for (uint32_t i = 0; i < 2; i++)
        OTF2_GlobalDefWriter_WriteMetricClass(writer, i, 2, members[i], OTF2_METRIC_SYNCHRONOUS_STRICT,
                                              OTF2_RECORDER_KIND_CPU);
    OTF2_LocationRef recorder = (OTF2_LocationRef)(script->n_ranks + script->n_others + script->n_streams);
    OTF2_GlobalDefWriter_WriteMetricInstance(writer, 2, 0, recorder, OTF2_SCOPE_LOCATION_GROUP, 0);
    OTF2_GlobalDefWriter_WriteMetricInstance(writer, 3, 0, recorder, OTF2_SCOPE_SYSTEM_TREE_NODE, 0);
}

/* A location, and its group if that is not there yet. */
static void script_write_location(OTF2_GlobalDefWriter *writer, const struct script *script, int i, uint64_t count)
{
    bool records = i >= script->n_ranks + script->n_others + script->n_streams;
    bool is_stream = i >= script->n_ranks + script->n_others && !records;
    uint32_t process = (uint32_t)(i % script->n_ranks), group = is_stream ? (uint32_t)i : process;
    if (is_stream)
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, group, STRING_NONE, OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0,
                                                process);
    else if (i < script->n_ranks)
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, group, STRING_NONE, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(writer, (OTF2_LocationRef)i, is_stream ? STRING_STREAM : STRING_NONE,
                                       records     ? OTF2_LOCATION_TYPE_METRIC
                                       : is_stream ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
                                                   : OTF2_LOCATION_TYPE_CPU_THREAD,
                                       script->unknown_ends ? OTF2_UNDEFINED_UINT64
                                       : script->zero_ends  ? 0
                                                            : count + (uint64_t)script->miscount,
                                       group);
}

static void script_write_global(OTF2_Archive *archive, const struct script *script, const uint64_t *counts)
{
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    if (!script->no_clock)
        OTF2_GlobalDefWriter_WriteClockProperties(
            writer, script->resolution > 0 ? script->resolution : UINT64_C(1000000000000), script->offset, 0, 0);
    script_write_strings(writer, script);
    script_write_contexts(writer, script);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, STRING_NONE, STRING_NONE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int i = 0; i < script->n_ranks + script->n_others + script->n_streams + script->has_metrics; i++)
        script_write_location(writer, script, i, counts[i]);
    if (script->has_metrics)
        script_write_metrics(writer, script);
    script_write_comms(writer, script);
    script_write_objects(writer, script);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

/* Make the archive folder/trace.otf2. */
static void script_write(const struct script *script, const char *folder)
{
    static const OTF2_FlushCallbacks flush = {script_flush, script_flushed};
    uint64_t counts[64] = {0};
    int n_locations = script->n_ranks + script->n_others + script->n_streams + script->has_metrics;
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "trace", OTF2_FILEMODE_WRITE, SCRIPT_CHUNK, SCRIPT_CHUNK,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    for (int i = 0; i < 4 && script->properties[i] != NULL; i += 2)
        OTF2_Archive_SetProperty(archive, script->properties[i], script->properties[i + 1], true);
    OTF2_Archive_OpenEvtFiles(archive);
    for (int i = 0; i < n_locations; i++)
        counts[i] = script_write_events(archive, script, i);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (int i = 0; i < n_locations; i++)
        script_write_local(archive, script, i);
    OTF2_Archive_CloseDefFiles(archive);
    script_write_global(archive, script, counts);
    OTF2_Archive_Close(archive);
}

#endif
