/* Reads archives of the Open Trace Format 2, as Score-P, libeppa and simrun itself write them.
 *
 * The archive is read twice. The first pass, when it is opened, finds out what is wrong with it and what became of
 * non-blocking requests (trace/otf2/cursor.h); the second one gives the records. In memory are the definitions, and
 * of each rank that is being read one chunk of the OTF2 library (its size is the archive's, at least 256 KiB, of which
 * only what is read is touched), what trace/otf2/cursor.h says, and 48 bytes for each call that synchronizes a group.
 *
 * How events become records:
 *
 *     time outside calls                           COMPUTE; of regions with the attribute "eppa.role" that role:
 *                                                  control; idle is SLEEP, send and receive are CALL. What a Leave
 *                                                  has of "eppa.operations" and "eppa.quantums" is on the region's
 *                                                  last piece
 *     regions that are no calls, without a role    ENTER, LEAVE
 *     MpiSend, MpiRecv                             SEND, RECV; both in one call: ISEND, RECV, WAIT
 *     MpiIsend, MpiIrecvRequest                    ISEND, IRECV, the latter with the message that completed it
 *     MpiIsendComplete, MpiIrecv                   WAIT, in the order in which they stand in the call
 *     MpiCollectiveEnd, ..CollectiveComplete       COLLECTIVE (sizes: trace/otf2/sizes.h)
 *     calls without any of these                   CALL: probes, tests that fail, windows, communicators; of the region
 *                                                  role FILE_IO input or output, by IoOperationBegin or the name;
 *                                                  with the role control setting up links
 *
 * A call's records share its time: each ends at its event, the last one with the call. Requests that are cancelled or
 * never complete leave no record. A rank's time begins with its first event and ends with its last one.
 *
 *     streams of accelerators                      see trace/otf2/streams.h
 *     collectives that make or free handles, fences,
 *     operations of all on a file                  COLLECTIVE that only synchronizes (trace/otf2/synchronise.c)
 *
 * Lost: that a persistent send is synchronous; one-sided data; collectives on intercommunicators but for barriers (all
 * these are CALL); the blocks of the v-collectives (trace/otf2/sizes.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/record.h"

#include "base/memory.h"
#include "trace/otf2/counters.h"

#include <stdlib.h>

struct otf_place {
    struct otf_cursor cursor;
    struct otf_stream stream;
};

struct otf_trace {
    struct otf_input input;
    struct otf_place *places; /* of each location that is read */
    int *place_of;            /* of thread k of rank r, at k n_ranks + r; -1: there is none */
};

static void otf_start(struct otf_trace *trace)
{
    for (int i = 0; i < trace->input.defs.n_locations; i++) {
        trace->places[i].stream = (struct otf_stream){.archive = trace->input.handle};
        otf_cursor_init(&trace->places[i].cursor, &trace->input.shared, &trace->input.surveys[i], i, false);
    }
}

static void otf_stop(struct otf_trace *trace)
{
    for (int i = 0; trace->places != NULL && i < trace->input.defs.n_locations; i++) {
        otf_stream_close(&trace->places[i].stream);
        otf_cursor_dispose(&trace->places[i].cursor);
    }
}

static void otf_close(struct record_reader *reader)
{
    struct otf_trace *trace = reader->self;
    if (trace == NULL)
        return;
    otf_stop(trace);
    free(trace->places);
    free(trace->place_of);
    if (trace->input.file != NULL)
        otf_input_dispose(&trace->input);
    otf_info_dispose(&reader->info);
    free(trace);
    reader->self = NULL;
}

static int64_t latest_ps(const struct otf_input *input)
{
    int64_t end_ps = 0;
    for (int i = 0; i < input->defs.n_locations; i++) {
        const struct otf_survey *survey = &input->surveys[i];
        if (survey->has_events && survey->last_ps + input->shared.shift_ps > end_ps)
            end_ps = survey->last_ps + input->shared.shift_ps;
    }
    return end_ps;
}

/* True if a location's number of events was not written, although it has some. */
static bool is_cut(const struct otf_input *input)
{
    for (int i = 0; i < input->defs.n_locations; i++)
        if (input->surveys[i].has_events && input->defs.locations[i].n_events == 0)
            return true;
    return false;
}

/* An archive that lacks calls of other threads says that it is not complete, although the run may have ended well. */
static bool has_ended(const struct otf_input *input)
{
    for (int rank = 0; rank < input->defs.n_ranks; rank++)
        if (!input->surveys[rank].has_ended)
            return false;
    return true;
}

static void find_places(struct otf_trace *trace, const struct record_info *info)
{
    const struct otf_defs *defs = &trace->input.defs;
    int n = record_locations(info);
    trace->places = xcalloc((size_t)defs->n_locations, sizeof *trace->places);
    trace->place_of = xcalloc((size_t)n, sizeof *trace->place_of);
    for (int i = 0; i < n; i++)
        trace->place_of[i] = -1;
    for (int i = 0; i < defs->n_locations; i++)
        trace->place_of[defs->locations[i].thread * defs->n_ranks + defs->locations[i].rank] = i;
}

static int otf_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    struct otf_trace *trace = xcalloc(1, sizeof *trace);
    reader->self = trace;
    if (otf_input_try(file, error) < 0 || otf_input_open(&trace->input, &reader->info, file, error) < 0 ||
        otf_input_survey(&trace->input, error) < 0) {
        otf_close(reader);
        return -1;
    }
    reader->info.end_ps = latest_ps(&trace->input);
    if (reader->info.n_unrecorded > 0 && has_ended(&trace->input))
        reader->info.is_cut = false;
    reader->info.is_cut |= is_cut(&trace->input);
    trace->input.shared.is_cut |= reader->info.is_cut;
    for (int i = 0; i < trace->input.defs.n_locations; i++) {
        reader->info.n_begun += trace->input.surveys[i].n_begun;
        reader->info.n_off += trace->input.surveys[i].n_off;
        reader->info.n_any_source += trace->input.surveys[i].n_any_source;
        reader->info.n_miscounted += trace->input.surveys[i].is_miscounted;
    }
    if (reader->info.n_off == 0 && (reader->info.off_percent > 0 || reader->info.keep != NULL))
        reader->info.n_off = 1; /* before its time begins */
    otf_meetings_check(&trace->input, &reader->info);
    otf_locks_order(&trace->input.shared);
    otf_gaps_collect(&trace->input, &reader->info);
    find_places(trace, &reader->info);
    otf_start(trace);
    return 0;
}

static int otf_next(struct record_reader *reader, int location, struct record *record, struct sim_error *error)
{
    struct otf_trace *trace = reader->self;
    int place = trace->place_of[location];
    if (place < 0)
        return 0;
    struct otf_place *state = &trace->places[place];
    if (otf_cursor_take(&state->cursor, record))
        return 1;
    if (otf_stream_fill(&state->stream, &state->cursor, &trace->input.complaint, error) < 0)
        return -1;
    return otf_cursor_take(&state->cursor, record);
}

static int otf_rewind(struct record_reader *reader, struct sim_error *error)
{
    struct otf_trace *trace = reader->self;
    (void)error;
    otf_stop(trace);
    otf_start(trace);
    return 0;
}

static int otf_count_all(struct record_reader *reader, struct counters *counters, struct sim_error *error)
{
    struct otf_trace *trace = reader->self;
    return otf_counters_read(counters, &trace->input, error);
}

static const char *const extensions[] = {".otf2", ".def", "", NULL};

const struct record_format read_otf2 = {
    .name = "otf2",
    .extension = ".otf2",
    .summary = "Open Trace Format 2, with communicators and requests",
    .extensions = extensions,
    .open = otf_open,
    .next = otf_next,
    .rewind = otf_rewind,
    .close = otf_close,
    .count = otf_count_all,
};
