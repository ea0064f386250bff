/* The stream of a location's events: opened, read until the cursor has records, and ended where the file ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/events.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EVENTS_AT_ONCE = 64 };

void otf_stream_close(struct otf_stream *stream)
{
    if (stream->reader != NULL)
        OTF2_Reader_CloseEvtReader(stream->archive, stream->reader);
    stream->reader = NULL;
}

uint64_t otf_most_events(const struct otf_shared *shared, const struct otf_location *location)
{
    const char *file = shared->file, *dot = strrchr(file, '.');
    char *events = xformat("%.*s/%llu.evt", (int)(dot != NULL ? (size_t)(dot - file) : strlen(file)), file,
                           (unsigned long long)location->id);
    struct stat status = {0};
    uint64_t most = stat(events, &status) == 0 ? (uint64_t)status.st_size : UINT64_MAX;
    free(events);
    return location->n_events > 0 && location->n_events < most ? location->n_events : most;
}

/* A file of events that is not there is that of a rank without events, if the definitions say so. */
static int open_stream(struct otf_stream *stream, struct otf_cursor *cursor, struct otf_complaint *complaint)
{
    const struct otf_location *location = &cursor->shared->defs->locations[cursor->location];
    otf_memory_from(OTF_MEMORY_ANY);
    stream->reader = OTF2_Reader_GetEvtReader(stream->archive, location->id);
    otf_memory_from(OTF_MEMORY_FRESH);
    stream->is_done = stream->reader == NULL;
    stream->most = otf_most_events(cursor->shared, location);
    if (stream->reader != NULL)
        otf_event_callbacks(stream->reader, cursor);
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
    if (n_events > stream->n_read || (broken && n_events > 0))
        return OTF_CURSOR_FAIL(cursor, "its events end after %llu of %llu: %s", (unsigned long long)stream->n_read,
                               (unsigned long long)n_events, broken ? why : "the file is too short");
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
