/* The events of one rank, its own and those of its further threads; its clock.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/archive.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/stream.h"
#include "eppa/archive/writing.h"

#include <errno.h>
#include <stdlib.h>

/* A rank being written: its threads, of which 0 is its own. */
struct rank_writing {
    OTF2_Archive *archive;
    const struct rank_map *map;
    struct archive_rank *result;
    int rank, n_ranks;
    struct writing threads[SPOOL_MAX_THREADS];
    uint32_t n_threads;
    bool has_begun;
};

static bool open_thread(struct rank_writing *self, uint32_t number)
{
    struct writing *thread = &self->threads[number];
    if (thread->events != NULL)
        return true;
    OTF2_LocationRef location = (OTF2_LocationRef)number * (OTF2_LocationRef)self->n_ranks;
    *thread = (struct writing){.events = OTF2_Archive_GetEvtWriter(self->archive, location + (uint32_t)self->rank),
                               .attributes = OTF2_AttributeList_New(),
                               .map = self->map,
                               .rank = self->rank};
    self->n_threads = number >= self->n_threads ? number + 1 : self->n_threads;
    return thread->events != NULL && thread->attributes != NULL;
}

/* End what a rank that did not finish was in the middle of. If the rank's lifetime is unknown, a call lasts as long as
 * the run: others may have waited as well; of a computation there is no more than the last record tells. */
static void finish(struct rank_writing *self, const struct archive_end *end)
{
    struct archive_rank *result = self->result;
    struct writing *own = &self->threads[0];
    if (!result->is_whole && (end->is_known || writing_is_in_call(own)) && end->time_ns > result->last_ns)
        result->last_ns = end->time_ns;
    own->time = (OTF2_TimeStamp)result->last_ns;
    for (uint32_t i = 1; i < self->n_threads; i++)
        if (self->threads[i].n_open > 0 && self->threads[i].time < own->time)
            self->threads[i].time = own->time;
    for (uint32_t i = 0; i < self->n_threads; i++)
        if (self->threads[i].events != NULL)
            writing_finish(&self->threads[i]);
    writing_begin(own, own->time);
    OTF2_EvtWriter_ProgramEnd(own->events, NULL, own->time, result->is_whole ? 0 : 1);
}

/* A record of a thread; one that cannot be its next is torn, and left out. */
static void write_next(struct rank_writing *self, struct writing *thread, const struct spool_record *record)
{
    struct archive_rank *result = self->result;
    bool is_first = record->kind == SPOOL_BEGIN && thread == self->threads && thread->time == 0;
    if (!is_first &&
        (record->kind == SPOOL_BEGIN || self->threads[0].time == 0 || (OTF2_TimeStamp)record->time_ns < thread->time))
        return;
    if (is_first)
        result->first_ns = result->last_ns = record->time_ns;
    if (thread->is_to_begin && record->kind == SPOOL_ON)
        result->first_ns = record->time_ns;
    self->has_begun = true;
    if (record->time_ns > result->last_ns)
        result->last_ns = record->time_ns;
    result->is_whole = record->kind == SPOOL_FINISH;
    writing_take(thread, record);
    thread->time = (OTF2_TimeStamp)record->time_ns;
}

/* All records of a rank; one that has none is no error. -1 if they cannot be read. */
static int write_records(struct rank_writing *self, int folder)
{
    struct stream stream;
    struct spool_record record;
    uint32_t current = 0;
    errno = 0;
    if (stream_open(&stream, folder, self->rank, self->map) != 0)
        return errno == ENOENT ? 0 : -1;
    bool is_good = stream_learn(&stream, folder, self->rank) == 0;
    while (is_good && !archive_has_no_room() && stream_next(&stream, &record)) {
        if (record.kind != SPOOL_THREAD) {
            write_next(self, &self->threads[current], &record);
            continue;
        }
        if (record.a >= SPOOL_MAX_THREADS)
            break; /* damaged */
        current = record.a;
        is_good = open_thread(self, current);
    }
    self->result->run_ns = self->result->last_ns - stream.follow.begun_ns;
    self->result->lost_ns = stream.lost_ns;
    self->result->n_alone_messages = stream.n_messages;
    self->result->n_alone_collectives = stream.n_collectives;
    stream_close(&stream);
    return is_good ? 0 : -1;
}

/* Close the threads' files, and note how many events they have. */
static bool close_threads(struct rank_writing *self)
{
    struct archive_rank *result = self->result;
    bool is_good = true;
    result->n_threads = self->n_threads - 1;
    if (result->n_threads > 0)
        result->thread_events = memory_need(calloc(result->n_threads, sizeof *result->thread_events));
    for (uint32_t i = 0; i < self->n_threads; i++) {
        struct writing *thread = &self->threads[i];
        if (thread->events != NULL) {
            OTF2_EvtWriter_GetNumberOfEvents(thread->events,
                                             i == 0 ? &result->n_events : &result->thread_events[i - 1]);
            is_good = OTF2_Archive_CloseEvtWriter(self->archive, thread->events) == OTF2_SUCCESS && is_good;
        }
        free(thread->open);
        free(thread->begun_off);
        OTF2_AttributeList_Delete(thread->attributes);
    }
    return is_good;
}

int archive_write_rank(OTF2_Archive *archive, int folder, int rank, int n_ranks, const struct rank_map *map,
                       struct archive_end end, struct archive_rank *result)
{
    struct rank_writing *self = memory_need(calloc(1, sizeof *self));
    *self = (struct rank_writing){.archive = archive, .map = map, .result = result, .rank = rank, .n_ranks = n_ranks};
    *result = (struct archive_rank){.first_ns = end.time_ns, .last_ns = end.time_ns};
    bool is_good = open_thread(self, 0) && write_records(self, folder) == 0;
    if (is_good)
        finish(self, &end);
    bool has_room = !archive_has_no_room();
    is_good = close_threads(self) && is_good && has_room;
    free(self);
    return is_good && !archive_has_no_room() ? 0 : -1;
}

int64_t archive_last_ns(int folder, int rank)
{
    struct spool_reader reader;
    struct spool_record record;
    int64_t last_ns = 0;
    if (spool_reader_open(&reader, folder, rank) == 0)
        while (spool_reader_next(&reader, &record))
            last_ns = record.time_ns;
    spool_reader_close(&reader);
    return last_ns;
}

int archive_write_clocks(OTF2_Archive *archive, int rank, int n_ranks, const struct plan_rank *self,
                         const struct archive_rank *result)
{
    for (uint32_t thread = 0; thread <= result->n_threads; thread++) {
        OTF2_LocationRef location = (OTF2_LocationRef)thread * (OTF2_LocationRef)n_ranks + (OTF2_LocationRef)rank;
        OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(archive, location);
        if (definitions == NULL)
            return -1;
        for (int i = 0; i < self->n_clocks; i++)
            OTF2_DefWriter_WriteClockOffset(definitions, (OTF2_TimeStamp)self->clocks[i].time_ns,
                                            self->clocks[i].offset_ns, 0);
        if (OTF2_Archive_CloseDefWriter(archive, definitions) != OTF2_SUCCESS)
            return -1;
    }
    return 0;
}
