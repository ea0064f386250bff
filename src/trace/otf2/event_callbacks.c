/* Callbacks of OTF2's event reader: each hands an event over to the cursor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/event_attributes.h"
#include "trace/otf2/events.h"
#include "trace/otf2/streams.h"

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

/* ---- Events of more than one step ---- */

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

/* ---- All events ---- */

ON_EVENT(program_begin, ((void)program, (void)n, (void)arguments, 0), OTF2_StringRef program, uint32_t n,
         const OTF2_StringRef *arguments)
ON_EVENT(program_end, (otf_cursor_program_end(cursor, status), 0), int64_t status)
ON_EVENT(switch, otf_cursor_switch(cursor, mode == OTF2_MEASUREMENT_ON), OTF2_MeasurementMode mode)
ON_EVENT(enter, otf_event_enter(cursor, attributes, region), OTF2_RegionRef region)
ON_EVENT(leave, otf_event_leave(cursor, attributes, region), OTF2_RegionRef region)
ON_EVENT(context_enter, ((void)distance, enter_context(cursor, context)), OTF2_CallingContextRef context,
         uint32_t distance)
ON_EVENT(context_leave, leave_context(cursor, context), OTF2_CallingContextRef context)
ON_EVENT(context_sample, ((void)distance, (void)generator, sample(cursor, context), 0), OTF2_CallingContextRef context,
         uint32_t distance, OTF2_InterruptGeneratorRef generator)
ON_EVENT(send, otf_cursor_send(cursor, &(struct otf_message){peer, comm, tag, bytes, .request = 0}), uint32_t peer,
         OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
ON_EVENT(recv,
         otf_cursor_recv(cursor, &(struct otf_message){peer, comm, tag, bytes,
                                                       .from_any = otf_event_is_from_any(cursor, attributes)}),
         uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
ON_EVENT(isend, otf_cursor_isend(cursor, &(struct otf_message){peer, comm, tag, bytes, .request = request}),
         uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
ON_EVENT(isend_complete, otf_cursor_isend_complete(cursor, request), uint64_t request)
ON_EVENT(irecv, otf_cursor_irecv(cursor, request, otf_event_is_from_any(cursor, attributes)), uint64_t request)
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

void otf_event_callbacks(OTF2_EvtReader *reader, struct otf_cursor *cursor)
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
