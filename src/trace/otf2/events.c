/* Callbacks of OTF2's event reader: each makes a record or notes what is wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/events.h"
#include "trace/otf2/streams.h"

#include "base/memory.h"
#include "base/range.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EVENTS_AT_ONCE = 64 };
#define MOST_POLLS (INT64_C(1) << 40) /* in a row: so many that sums over all events have room */

/* ---- Complaints of the library ---- */

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode note_complaint(void *self, const char *file, uint64_t line,
                                                                           const char *function, OTF2_ErrorCode code,
                                                                           const char *format, va_list arguments)
{
    struct otf_complaint *complaint = self;
    (void)file, (void)line, (void)function;
    if (complaint->text[0] == '\0') {
        snprintf(complaint->text, sizeof complaint->text, "%s", OTF2_Error_GetDescription(code));
        size_t length = strlen(complaint->text);
        if (format != NULL && format[0] != '\0' && length + 3 < sizeof complaint->text) {
            memcpy(complaint->text + length, ": ", 3);
            vsnprintf(complaint->text + length + 2, sizeof complaint->text - length - 2, format, arguments);
        }
    }
    return code;
}

void otf_complaint_listen(struct otf_complaint *complaint)
{
    complaint->text[0] = '\0';
    OTF2_Error_RegisterCallback(note_complaint, complaint);
}

/* ---- Memory of the library ---- */

enum { FRESH_BYTES = 128 << 10, ANY_BYTES = 32 << 20 }; /* FRESH: less than the library's smallest chunk */

void otf_memory_from(enum otf_memory memory)
{
    mallopt(M_MMAP_THRESHOLD, memory == OTF_MEMORY_FRESH ? FRESH_BYTES : ANY_BYTES);
    mallopt(M_TRIM_THRESHOLD, ANY_BYTES); /* so that the next reader's first chunk is this one's */
}

/* Free memory that a former reader has left would be given out again, whatever its size. */
void otf_memory_forget(void)
{
    malloc_trim(0);
}

/* ---- Callbacks ---- */

/* Name and further parameters of an event, and what the cursor is to do. `self` is the cursor. */
#define ON_EVENT(name, action, ...)                                                                                    \
    static OTF2_CallbackCode on_##name(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *self,    \
                                       OTF2_AttributeList *attributes, __VA_ARGS__)                                    \
    {                                                                                                                  \
        struct otf_cursor *cursor = self;                                                                              \
        (void)location, (void)attributes;                                                                              \
        bool ok = otf_cursor_at(cursor, number, time) == 0 && (action) == 0;                                           \
        return ok ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;                                                   \
    }

/* True if an event says nothing more, which is so for most. */
static bool is_plain(const OTF2_AttributeList *attributes)
{
    return attributes == NULL || OTF2_AttributeList_GetNumberOfElements(attributes) == 0;
}

/* The i-th thing that an event says: under a name that the archive has, for any other is OTF2_UNDEFINED_ATTRIBUTE. */
struct attribute {
    OTF2_AttributeRef name;
    OTF2_Type type;
    OTF2_AttributeValue value;
};

static bool take_attribute(struct attribute *attribute, const OTF2_AttributeList *attributes, uint32_t i)
{
    return OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute->name, &attribute->type,
                                                  &attribute->value) == OTF2_SUCCESS &&
           attribute->name != OTF2_UNDEFINED_ATTRIBUTE;
}

static bool is_number(const struct attribute *attribute)
{
    return attribute->type == OTF2_TYPE_UINT64 && attribute->value.uint64 <= INT64_MAX;
}

static int enter(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    const struct otf_defs *defs = cursor->shared->defs;
    const struct otf_context *context;
    struct otf_enter said = {.role = OTF_ROLE_NONE, .polls = 1};
    uint32_t index, n = is_plain(attributes) ? 0 : OTF2_AttributeList_GetNumberOfElements(attributes);
    struct attribute attribute;
    for (uint32_t i = 0; i < n; i++) {
        if (!take_attribute(&attribute, attributes, i))
            continue;
        if (attribute.name == defs->role && attribute.type == OTF2_TYPE_STRING)
            said.role = otf_role_of(otf_defs_string(defs, attribute.value.stringRef));
        else if (attribute.name == defs->polls && is_number(&attribute))
            said.polls = int64_clamp((int64_t)attribute.value.uint64, 1, MOST_POLLS);
        else if (attribute.name == defs->site && attribute.type == OTF2_TYPE_STRING &&
                 map_get(&defs->string_map, map_key_64(attribute.value.stringRef), &index))
            said.site = index + 1;
        else if (attribute.name == defs->path && attribute.type == OTF2_TYPE_CALLING_CONTEXT &&
                 (context = otf_defs_context(defs, attribute.value.callingContextRef)) != NULL)
            said.path = context->path;
    }
    return otf_cursor_enter(cursor, region, &said);
}

/* Events of Score-P where it unwinds: a region is entered by its context, or the rank is seen there. */
static int enter_context(struct otf_cursor *cursor, OTF2_CallingContextRef id)
{
    const struct otf_context *context = otf_defs_context(cursor->shared->defs, id);
    if (context == NULL)
        return OTF_CURSOR_FAIL(cursor, "enters calling context %u, which is not defined", (unsigned)id);
    return otf_cursor_enter(cursor, context->region, &(struct otf_enter){.polls = 1, .path = context->outer});
}

static int leave_context(struct otf_cursor *cursor, OTF2_CallingContextRef id)
{
    const struct otf_context *context = otf_defs_context(cursor->shared->defs, id);
    if (context == NULL)
        return OTF_CURSOR_FAIL(cursor, "leaves calling context %u, which is not defined", (unsigned)id);
    return otf_cursor_leave(cursor, context->region, &otf_leaves_plainly);
}

static void sample(struct otf_cursor *cursor, OTF2_CallingContextRef id)
{
    const struct otf_context *context = otf_defs_context(cursor->shared->defs, id);
    otf_cursor_sample(cursor, context == NULL ? 0 : context->path);
}

/* Where the number of that name goes; NULL: it is none that is known. */
static int64_t *number_of(struct otf_leave *leave, OTF2_AttributeRef name, const struct otf_defs *defs)
{
    return name == defs->idle         ? &leave->idle_ps
           : name == defs->operations ? &leave->operations
           : name == defs->quantums   ? &leave->quantums
           : name == defs->bytes      ? &leave->bytes
           : name == defs->peer       ? &leave->peer
           : name == defs->exchanges  ? &leave->exchanges
           : name == defs->combines   ? &leave->combines
           : name == defs->signal     ? &leave->mark
           : name == defs->await      ? &leave->mark
           : name == defs->needed     ? &leave->needed
           : name == defs->waited     ? &leave->waited
                                      : NULL;
}

/* The member of a communicator whose message the call was waiting for, as far as it is said. */
struct awaited {
    bool has_peer, has_comm;
    int32_t peer, tag;
    OTF2_CommRef comm;
};

static void note_awaited(struct awaited *awaited, const struct attribute *attribute, const struct otf_defs *defs)
{
    if (attribute->name == defs->awaited && attribute->type == OTF2_TYPE_INT32) {
        awaited->has_peer = true;
        awaited->peer = attribute->value.int32;
    } else if (attribute->name == defs->awaited_tag && attribute->type == OTF2_TYPE_INT32) {
        awaited->tag = attribute->value.int32;
    } else if (attribute->name == defs->awaited_comm && attribute->type == OTF2_TYPE_COMM) {
        awaited->has_comm = true;
        awaited->comm = attribute->value.commRef;
    }
}

static int leave(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    if (is_plain(attributes))
        return otf_cursor_leave(cursor, region, &otf_leaves_plainly);
    const struct otf_defs *defs = cursor->shared->defs;
    struct otf_leave leave = otf_leaves_plainly;
    struct awaited awaited = {.tag = -1};
    struct attribute attribute;
    uint32_t n = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t i = 0; i < n; i++) {
        if (!take_attribute(&attribute, attributes, i))
            continue;
        int64_t *number = number_of(&leave, attribute.name, defs);
        leave.awaits |= attribute.name == defs->await;
        if (number != NULL && is_number(&attribute))
            *number = (int64_t)attribute.value.uint64;
        else
            note_awaited(&awaited, &attribute, defs);
    }
    if (awaited.has_peer && awaited.has_comm) {
        leave.awaited = awaited.peer;
        leave.awaited_tag = (uint32_t)awaited.tag;
        leave.awaited_comm = awaited.comm;
    }
    return otf_cursor_leave(cursor, region, &leave);
}

/* True if a receive says that it was from any source. */
static bool is_from_any(const struct otf_cursor *cursor, const OTF2_AttributeList *attributes)
{
    struct attribute attribute;
    uint32_t n = is_plain(attributes) ? 0 : OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t i = 0; i < n; i++)
        if (take_attribute(&attribute, attributes, i) && attribute.name == cursor->shared->defs->any_source)
            return true;
    return false;
}

static int io_begin(struct otf_cursor *cursor, OTF2_IoHandleRef file, OTF2_IoOperationMode mode,
                    OTF2_IoOperationFlag flags)
{
    if ((flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) && !(flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING) &&
        otf_cursor_file(cursor, file) < 0)
        return -1;
    if (mode != OTF2_IO_OPERATION_MODE_READ && mode != OTF2_IO_OPERATION_MODE_WRITE)
        return 0;
    return otf_cursor_io_begin(cursor, mode == OTF2_IO_OPERATION_MODE_WRITE);
}

ON_EVENT(program_begin, ((void)program, (void)n, (void)arguments, 0), OTF2_StringRef program, uint32_t n,
         const OTF2_StringRef *arguments)
ON_EVENT(program_end, (otf_cursor_program_end(cursor, status), 0), int64_t status)
ON_EVENT(switch, otf_cursor_switch(cursor, mode == OTF2_MEASUREMENT_ON), OTF2_MeasurementMode mode)
ON_EVENT(enter, enter(cursor, attributes, region), OTF2_RegionRef region)
ON_EVENT(leave, leave(cursor, attributes, region), OTF2_RegionRef region)
ON_EVENT(context_enter, ((void)distance, enter_context(cursor, context)), OTF2_CallingContextRef context,
         uint32_t distance)
ON_EVENT(context_leave, leave_context(cursor, context), OTF2_CallingContextRef context)
ON_EVENT(context_sample, ((void)distance, (void)generator, sample(cursor, context), 0), OTF2_CallingContextRef context,
         uint32_t distance, OTF2_InterruptGeneratorRef generator)
ON_EVENT(send, otf_cursor_send(cursor, &(struct otf_message){peer, comm, tag, bytes, .request = 0}), uint32_t peer,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
ON_EVENT(recv,
         otf_cursor_recv(cursor,
                         &(struct otf_message){peer, comm, tag, bytes, .from_any = is_from_any(cursor, attributes)}),
         uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
ON_EVENT(isend, otf_cursor_isend(cursor, &(struct otf_message){peer, comm, tag, bytes, .request = request}),
         uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
ON_EVENT(isend_complete, otf_cursor_isend_complete(cursor, request), uint64_t request)
ON_EVENT(irecv, otf_cursor_irecv(cursor, request, is_from_any(cursor, attributes)), uint64_t request)
ON_EVENT(irecv_complete,
         otf_cursor_irecv_complete(cursor, &(struct otf_message){peer, comm, tag, bytes, .request = request}),
         uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
ON_EVENT(cancelled, otf_cursor_cancelled(cursor, request), uint64_t request)
ON_EVENT(collective, otf_cursor_collective(cursor, op, comm, root, sent, received, false, 0), OTF2_CollectiveOp op,
         OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
ON_EVENT(collective_complete,
         otf_cursor_collective(cursor, op, comm, root, sent, received, true,
                               otf_cursor_collective_done(cursor, request)),
         OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received, uint64_t request)

ON_EVENT(collective_request, (otf_cursor_collective_begun(cursor, request), 0), uint64_t request)

ON_EVENT(io_begin, ((void)bytes, (void)match, io_begin(cursor, file, mode, flags)), OTF2_IoHandleRef file,
         OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t match)
ON_EVENT(io_end, ((void)file, (void)match, otf_cursor_io_end(cursor, bytes)), OTF2_IoHandleRef file, uint64_t bytes,
         uint64_t match)

ON_EVENT(io_create, ((void)mode, (void)flags, (void)status, otf_cursor_file(cursor, file)), OTF2_IoHandleRef file,
         OTF2_IoAccessMode mode, OTF2_IoCreationFlag flags, OTF2_IoStatusFlag status)
ON_EVENT(io_destroy, otf_cursor_file(cursor, file), OTF2_IoHandleRef file)
ON_EVENT(rma_collective, ((void)level, (void)root, (void)sent, (void)received, otf_cursor_window(cursor, op, window)),
         OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root, uint64_t sent,
         uint64_t received)

ON_EVENT(rma_group, ((void)level, otf_cursor_epoch(cursor, window, group)), OTF2_RmaSyncLevel level,
         OTF2_RmaWinRef window, OTF2_GroupRef group)

ON_EVENT(rma_lock, ((void)id, otf_cursor_lock(cursor, window, target, type == OTF2_LOCK_EXCLUSIVE)),
         OTF2_RmaWinRef window, uint32_t target, uint64_t id, OTF2_LockType type)
ON_EVENT(rma_unlock, ((void)id, otf_cursor_unlock(cursor, window, target)), OTF2_RmaWinRef window, uint32_t target,
         uint64_t id)

ON_EVENT(fork, ((void)model, (void)n, otf_cursor_fork(cursor), 0), OTF2_Paradigm model, uint32_t n)
ON_EVENT(join, ((void)model, otf_cursor_join(cursor), 0), OTF2_Paradigm model)
ON_EVENT(team, ((void)team, otf_cursor_team(cursor), 0), OTF2_CommRef team)
ON_EVENT(team_ends, ((void)team, otf_cursor_team_ends(cursor), 0), OTF2_CommRef team)
ON_EVENT(got_lock, ((void)model, (void)id, (void)order, otf_cursor_got_lock(cursor), 0), OTF2_Paradigm model,
         uint32_t id, uint32_t order)
ON_EVENT(switch_task, ((void)team, (void)thread, (void)task, otf_cursor_switch_task(cursor), 0), OTF2_CommRef team,
         uint32_t thread, uint32_t task)
ON_EVENT(create, (otf_cursor_create(cursor, team, life), 0), OTF2_CommRef team, uint64_t life)
ON_EVENT(life_begins, (otf_cursor_life_begins(cursor, team, life), 0), OTF2_CommRef team, uint64_t life)
ON_EVENT(life_ends, (otf_cursor_life_ends(cursor, team, life), 0), OTF2_CommRef team, uint64_t life)
ON_EVENT(wait_life, (otf_cursor_wait_life(cursor, team, life), 0), OTF2_CommRef team, uint64_t life)

ON_EVENT(get, ((void)window, (void)target, (void)match, otf_transfer_begin(cursor, bytes, true), 0),
         OTF2_RmaWinRef window, uint32_t target, uint64_t bytes, uint64_t match)
ON_EVENT(put, ((void)window, (void)target, (void)match, otf_transfer_begin(cursor, bytes, false), 0),
         OTF2_RmaWinRef window, uint32_t target, uint64_t bytes, uint64_t match)
ON_EVENT(copied, ((void)window, (void)match, otf_transfer_end(cursor), 0), OTF2_RmaWinRef window, uint64_t match)

/* Copies of streams. */
static void set_stream_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_copied);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_copied);
}

/* Threads that begin, end and wait for each other. */
static void set_thread_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_ends);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_got_lock);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_switch_task);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(callbacks, on_create);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_life_begins);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(callbacks, on_life_ends);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(callbacks, on_wait_life);
}

static void set_callbacks(OTF2_EvtReader *reader, struct otf_cursor *cursor)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv_complete);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_switch);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_io_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_io_end);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_io_create);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_io_destroy);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_collective);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_rma_group);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_rma_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_rma_unlock);
    if (cursor->shared->defs->n_contexts > 0) {
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
        OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_context_sample);
    }
    if (cursor->shared->processes != NULL)
        set_thread_callbacks(callbacks);
    if (cursor->stream != NULL)
        set_stream_callbacks(callbacks);
    OTF2_EvtReader_SetCallbacks(reader, callbacks, cursor);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
}

/* ---- The stream ---- */

void otf_stream_close(struct otf_stream *stream)
{
    if (stream->reader != NULL)
        OTF2_Reader_CloseEvtReader(stream->archive, stream->reader);
    stream->reader = NULL;
}

uint64_t otf_most_events(const struct otf_shared *shared, uint64_t location)
{
    const char *file = shared->file, *dot = strrchr(file, '.');
    char *events = xformat("%.*s/%llu.evt", (int)(dot != NULL ? (size_t)(dot - file) : strlen(file)), file,
                           (unsigned long long)location);
    struct stat status = {0};
    uint64_t most = stat(events, &status) == 0 ? (uint64_t)status.st_size : UINT64_MAX;
    free(events);
    return most;
}

/* A file of events that is not there is that of a rank without events, if the definitions say so. */
static int open_stream(struct otf_stream *stream, struct otf_cursor *cursor, struct otf_complaint *complaint)
{
    const struct otf_location *location = &cursor->shared->defs->locations[cursor->location];
    otf_memory_from(OTF_MEMORY_ANY);
    stream->reader = OTF2_Reader_GetEvtReader(stream->archive, location->id);
    otf_memory_from(OTF_MEMORY_FRESH);
    stream->is_done = stream->reader == NULL;
    stream->most = otf_most_events(cursor->shared, location->id);
    if (stream->reader != NULL)
        set_callbacks(stream->reader, cursor);
    else if (location->n_events > 0)
        return OTF_CURSOR_FAIL(cursor, "the file of its events cannot be read: %s", complaint->text);
    return 0;
}

/* True if the writer got as far as saying how many events there are. If not, the file may end anywhere, and what cannot
 * be read is its end. */
static bool is_complete(const struct otf_cursor *cursor)
{
    return cursor->shared->defs->locations[cursor->location].n_events > 0;
}

static int finish(struct otf_stream *stream, struct otf_cursor *cursor, bool broken, const char *why)
{
    uint64_t n_events = cursor->shared->defs->locations[cursor->location].n_events;
    stream->is_done = true;
    otf_stream_close(stream);
    if (broken && n_events > 0)
        return OTF_CURSOR_FAIL(cursor, "its events end after %llu of %llu: %s", (unsigned long long)stream->n_read,
                               (unsigned long long)n_events, why);
    if (cursor->first_pass && n_events > 0)
        cursor->survey->is_miscounted = n_events != stream->n_read;
    return otf_cursor_end(cursor, n_events > 0 && !cursor->shared->is_cut);
}

/* The library can lose its way in a file, and find events without end in what its memory held before. */
static int finish_endless(struct otf_stream *stream, struct otf_cursor *cursor)
{
    if (is_complete(cursor))
        return OTF_CURSOR_FAIL(cursor, "there is more after it, but there can be only %llu events",
                               (unsigned long long)stream->most);
    return finish(stream, cursor, true, "");
}

int otf_stream_fill(struct otf_stream *stream, struct otf_cursor *cursor, struct otf_complaint *complaint,
                    struct sim_error *error)
{
    otf_complaint_listen(complaint);
    cursor->error = error;
    error->status = SIM_DONE;
    if (stream->reader == NULL && !stream->is_done && open_stream(stream, cursor, complaint) < 0)
        return -1;
    while (!otf_cursor_has_record(cursor) && !stream->is_done) {
        uint64_t n_read = 0;
        OTF2_ErrorCode code = OTF2_EvtReader_ReadEvents(stream->reader, EVENTS_AT_ONCE, &n_read);
        stream->n_read += n_read;
        if (error->status == SIM_UNFINISHED || (error->status != SIM_DONE && is_complete(cursor)))
            return -1;
        if (stream->n_read > stream->most && finish_endless(stream, cursor) < 0)
            return -1;
        if (!stream->is_done && (code != OTF2_SUCCESS || n_read < EVENTS_AT_ONCE) &&
            finish(stream, cursor, code != OTF2_SUCCESS, complaint->text) < 0)
            return -1;
    }
    return 0;
}
