/* Which further threads of ranks communicate or work with others, and which streams they have.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/input.h"
#include "trace/otf2/threads.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDS(name, ...)                                                                                               \
    static OTF2_CallbackCode finds_##name(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *self, \
                                          OTF2_AttributeList *attributes, __VA_ARGS__)                                 \
    {                                                                                                                  \
        (void)location, (void)time, (void)number, (void)attributes;                                                    \
        *(bool *)self = true;                                                                                          \
        return OTF2_CALLBACK_INTERRUPT;                                                                                \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
FINDS(message, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
FINDS(begun_message, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
FINDS(request, uint64_t request)
FINDS(collective, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
FINDS(team, OTF2_CommRef team)
FINDS(life, OTF2_CommRef team, uint64_t life)
#pragma GCC diagnostic pop

/* True if the events of the location have one by which it communicates, begins, or takes part in a team. An event that
 * cannot be read ends it. */
static bool is_known(struct otf_input *input, const struct otf_location *location)
{
    enum { AT_ONCE = 1024 };
    bool found = false;
    uint64_t n_read, n_all = 0;
    otf_memory_from(OTF_MEMORY_ANY);
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(input->handle, location->id);
    otf_memory_from(OTF_MEMORY_FRESH);
    if (reader == NULL)
        return false;
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, finds_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, finds_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, finds_begun_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, finds_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, finds_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, finds_request);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, finds_team);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, finds_life);
    OTF2_EvtReader_SetCallbacks(reader, callbacks, &found);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    do {
        n_read = 0;
        OTF2_ErrorCode code = OTF2_EvtReader_ReadEvents(reader, AT_ONCE, &n_read);
        n_all += n_read;
        if (code != OTF2_SUCCESS)
            break;
    } while (!found && n_read == AT_ONCE && n_all < otf_most_events(&input->shared, location->id));
    OTF2_Reader_CloseEvtReader(input->handle, reader);
    return found;
}

/* How an archive of simrun's own calls a location within its rank: "rank 0 cpu 1"; NULL: it is another one's. */
static const char *own_name(const struct otf_defs *defs, const struct otf_location *location)
{
    const char *text = otf_defs_string(defs, location->name);
    char prefix[24];
    size_t length = (size_t)snprintf(prefix, sizeof prefix, "rank %d ", location->rank);
    return text != NULL && strncmp(text, prefix, length) == 0 && text[length] != '\0' ? text + length : NULL;
}

/* A stream in an archive of simrun's own says what it waits for, as threads do. */
static bool is_copied_stream(const struct otf_defs *defs, const struct otf_location *location)
{
    const char *name = own_name(defs, location);
    return name != NULL && strncmp(name, "stream ", sizeof "stream " - 1) == 0;
}

/* The number of a thread, or of a stream, as which it is read; 0: it is passed over. */
static int number_of(struct otf_input *input, const struct otf_location *location, int first_stream)
{
    struct otf_process *process = &input->shared.processes[location->rank];
    bool is_copied = is_copied_stream(&input->defs, location);
    if (!location->is_stream && !is_copied) {
        bool is_read = location->n_events > 0 && own_name(&input->defs, location) != NULL;
        is_read = process->n_threads < OTF_MOST_THREADS - 1 && (is_read || is_known(input, location));
        return is_read ? ++process->n_threads : 0;
    }
    if (is_copied)
        return location->n_events > 0 && first_stream + process->n_copied_streams < OTF_MOST_THREADS
                   ? first_stream + process->n_copied_streams++
                   : 0;
    if (process->offload == NULL) {
        process->offload = xcalloc(1, sizeof *process->offload);
        process->offload->first = first_stream;
    }
    return first_stream + process->offload->n_streams < OTF_MOST_THREADS ? first_stream + process->offload->n_streams++
                                                                         : 0;
}

/* Number the threads, or the streams, of all ranks; those of the others remain, as they are. */
static void number_all(struct otf_input *input, struct record_info *info, bool streams)
{
    struct otf_defs *defs = &input->defs;
    int n = defs->n_ranks, first = int_max(info->n_processors, 1);
    for (int i = n; i < defs->n_locations; i++) {
        struct otf_location location = defs->locations[i];
        if ((location.is_stream || is_copied_stream(defs, &location)) == streams) {
            location.thread = number_of(input, &location, first);
            location.of_stream = streams;
            if (location.thread == 0) {
                otf_info_pass_over(info, streams ? &info->n_accelerators : &info->n_threads, location.n_events);
                continue;
            }
            info->n_processors = int_max(info->n_processors, location.thread + 1);
        }
        defs->locations[n++] = location;
    }
    info->first_stream = streams && info->n_processors > first ? first : 0;
    defs->n_locations = n;
}

/* How a further thread or a stream is called within its rank, by its number there. */
static char *name_by_number(int thread, int first_stream)
{
    bool is_stream = first_stream > 0 && thread >= first_stream;
    return xformat(is_stream ? "stream %d" : "thread %d", is_stream ? thread - first_stream : thread);
}

/* The same as the archive says: one that simrun wrote, "rank 0 cpu 1", or Score-P, "CUDA[0:7]" (device and stream).
 * NULL: it does not. */
static char *name_said(const struct otf_defs *defs, const struct otf_location *location)
{
    const char *text = otf_defs_string(defs, location->name), *brackets = text != NULL ? strchr(text, '[') : NULL;
    const char *own = own_name(defs, location);
    unsigned device, stream;
    int end = 0;
    if (own != NULL)
        return xstrdup(own);
    if (location->is_stream && brackets != NULL && sscanf(brackets, "[%9u:%9u]%n", &device, &stream, &end) == 2 &&
        brackets[end] == '\0')
        return xformat("stream %u (gpu %u)", stream, device);
    return NULL;
}

static void name_all(const struct otf_defs *defs, struct record_info *info)
{
    if (info->n_processors <= 1)
        return;
    info->processor_names = xcalloc((size_t)record_locations(info), sizeof *info->processor_names);
    for (int i = defs->n_ranks; i < defs->n_locations; i++) {
        const struct otf_location *location = &defs->locations[i];
        info->processor_names[location->thread * defs->n_ranks + location->rank] = name_said(defs, location);
    }
    for (int i = defs->n_ranks; i < record_locations(info); i++)
        if (info->processor_names[i] == NULL)
            info->processor_names[i] = name_by_number(i / defs->n_ranks, info->first_stream);
}

void otf_threads_find(struct otf_input *input, struct record_info *info)
{
    struct otf_defs *defs = &input->defs;
    if (defs->n_locations == defs->n_ranks)
        return;
    struct otf_process *processes = xcalloc((size_t)defs->n_ranks, sizeof *processes);
    input->shared.processes = processes;
    otf_complaint_listen(&input->complaint);
    number_all(input, info, false);
    number_all(input, info, true);
    name_all(defs, info);
    for (int rank = 0; rank < defs->n_ranks; rank++) {
        struct otf_offload *offload = processes[rank].offload;
        processes[rank].parts = xcalloc((size_t)processes[rank].n_threads, sizeof *processes[rank].parts);
        if (offload != NULL)
            offload->streams = xcalloc((size_t)offload->n_streams, sizeof *offload->streams);
    }
    otf_complaint_listen(&input->complaint);
    if (defs->n_locations == defs->n_ranks)
        otf_threads_dispose(&input->shared);
}

void otf_threads_dispose(struct otf_shared *shared)
{
    for (int rank = 0; shared->processes != NULL && rank < shared->defs->n_ranks; rank++) {
        struct otf_process *process = &shared->processes[rank];
        for (int i = 0; i < process->n_threads; i++)
            free(process->parts[i].forks);
        free(process->parts);
        free(process->forks);
        free(process->barriers);
        free(process->starts);
        otf_offload_free(process->offload);
    }
    free(shared->processes);
    map_dispose(&shared->lives);
    shared->processes = NULL;
}
