/* Looks at each record before it is given out; there may be several for one, or none.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/stream.h"

#include "eppa/archive/memory.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t low(int64_t word)
{
    return (uint32_t)((uint64_t)word & UINT32_MAX);
}

int stream_open(struct stream *stream, int folder, int rank, const struct rank_map *map)
{
    *stream = (struct stream){.cut = map->cut, .map = map};
    if (spool_reader_open(&stream->reader, folder, rank) != 0)
        return -1;
    if (stream->cut.is_cut)
        memory_need(follow_open(&stream->follow, FOLLOW_MAX_CHANNELS) ? stream : NULL);
    stream->phase = stream->cut.first_lap > 0 ? STREAM_FIRST : STREAM_LOST;
    return 0;
}

void stream_close(struct stream *stream)
{
    spool_reader_close(&stream->reader);
    follow_dispose(&stream->follow);
    map_dispose(&stream->others_by_key);
    free(stream->first);
    free(stream->others);
    free(stream->ready);
}

static struct map_key key_of(uint32_t kind, uint32_t comm, uint64_t peer_tag)
{
    return (struct map_key){(uint64_t)kind << 32 | comm, peer_tag};
}

int stream_learn(struct stream *stream, int folder, int rank)
{
    struct cut_head head;
    if (!stream->cut.is_cut)
        return 0;
    if (!cut_read(folder, rank, CUT_OTHERS, &head, &stream->others))
        return -1;
    for (uint32_t i = 0; i < head.n; i++) {
        const struct cut_count *count = &stream->others[i];
        memory_need(map_reserve(&stream->others_by_key) ? stream : NULL);
        map_add(&stream->others_by_key, key_of(count->kind, count->comm, count->peer_tag))->index = i;
    }
    stream->first_on = head.first_on;
    stream->last_on = head.last_on;
    return 0;
}

/* --- records that are given out --- */

static void give(struct stream *stream, const struct spool_record *record)
{
    if (stream->n_ready == stream->room_ready) {
        stream->room_ready = 2 * stream->room_ready + 64;
        stream->ready = memory_need(realloc(stream->ready, stream->room_ready * sizeof *stream->ready));
    }
    stream->ready[stream->n_ready++] = *record;
}

static void turn_to(struct stream *stream, uint32_t thread, int64_t time_ns)
{
    if (thread != stream->thread)
        give(stream, &(struct spool_record){.kind = SPOOL_THREAD, .a = thread, .time_ns = time_ns});
    stream->thread = thread;
}

/* The records that the thread has held back come before its next one. */
static void release(struct stream *stream, bool is_wanted)
{
    struct spool_record *held = &stream->held[stream->thread];
    if (held->kind != SPOOL_NOTHING && is_wanted)
        give(stream, held);
    held->kind = SPOOL_NOTHING;
}

/* --- borders --- */

static void end_first(struct stream *stream, int64_t now_ns)
{
    const struct follow *follow = &stream->follow;
    stream->first = follow_completed(follow);
    stream->n_first = follow->n_channels;
    stream->first_on = follow->n_on;
    stream->lost_request = follow->last_request;
    stream->lost_from_ns = now_ns;
    stream->phase = STREAM_LOST;
    for (uint32_t i = 1; i < SPOOL_MAX_THREADS; i++)
        for (uint32_t k = 0; k < follow->threads[i].n_open && k < FOLLOW_MAX_OPEN; k++) {
            turn_to(stream, i, now_ns);
            give(stream, &(struct spool_record){.kind = SPOOL_LEAVE, .time_ns = now_ns});
        }
    turn_to(stream, 0, now_ns);
    if (!follow->is_off)
        give(stream, &(struct spool_record){.kind = SPOOL_OFF, .time_ns = now_ns});
}

/* Enter again what is open. */
static void reopen(struct stream *stream, int64_t now_ns)
{
    const struct follow *follow = &stream->follow;
    for (uint32_t i = 0; i < SPOOL_MAX_THREADS; i++) {
        const struct follow_thread *thread = &follow->threads[i];
        for (uint32_t k = 0; k < thread->n_open && k < FOLLOW_MAX_OPEN; k++) {
            turn_to(stream, i, now_ns);
            give(stream, &(struct spool_record){.kind = thread->open[k].kind,
                                                .id = thread->open[k].id,
                                                .a = thread->open[k].a,
                                                .time_ns = now_ns});
        }
        stream->held[i] = (struct spool_record){.kind = thread->begun, .time_ns = now_ns};
    }
}

static void begin_last(struct stream *stream, int64_t now_ns)
{
    const struct follow *follow = &stream->follow;
    bool is_new = stream->lost_from_ns == 0; /* there is no first part */
    stream->last_on = follow->n_on;
    stream->lost_to_request = follow->last_request;
    stream->lost_ns = now_ns - (is_new ? follow->begun_ns : stream->lost_from_ns);
    stream->phase = STREAM_LAST;
    turn_to(stream, 0, now_ns);
    if (is_new)
        give(stream, &(struct spool_record){.kind = SPOOL_BEGIN, .time_ns = now_ns});
    if (!follow->is_off) {
        int64_t request = follow->last_request; /* none is begun while it is off */
        give(stream,
             &(struct spool_record){.kind = SPOOL_ON, .n_words = 2, .time_ns = now_ns, .words = {request, request}});
        reopen(stream, now_ns);
    }
    turn_to(stream, follow->thread, now_ns);
}

/* Does the record, or what is next, belong to another part? */
static void cross(struct stream *stream, const struct spool_record *record)
{
    const struct plan_cut *cut = &stream->cut;
    bool is_lap = record->kind == SPOOL_LAP;
    if (stream->phase == STREAM_FIRST && is_lap && record->a == cut->n_laps + 1)
        end_first(stream, record->time_ns);
    if (stream->phase != STREAM_LOST)
        return;
    if (cut->first_lap == 0 && record->kind == SPOOL_BEGIN && record->time_ns >= cut->from_ns)
        stream->phase = STREAM_LAST; /* nothing is lost */
    else if (cut->first_lap == 0 && (record->time_ns >= cut->from_ns || record->kind == SPOOL_FINISH))
        begin_last(stream, cut->from_ns);
    else if ((is_lap && record->a == cut->first_lap) || record->kind == SPOOL_FINISH)
        begin_last(stream, record->time_ns);
}

/* --- what is left out --- */

/* Has no other side a record of it? */
static bool is_alone(const struct stream *stream, const struct follow_channel *channel)
{
    uint32_t index;
    bool is_first = stream->phase == STREAM_FIRST, is_alike = stream->first_on == stream->last_on;
    if (stream->others == NULL || channel->comm >= stream->map->n_comms ||
        stream->follow.n_on != (is_first ? stream->first_on : stream->last_on))
        return false;
    uint32_t comm = stream->map->comms[channel->comm];
    bool is_known = map_get(&stream->others_by_key, key_of(channel->kind, comm, channel->peer_tag), &index);
    int64_t first = is_known ? stream->others[index].first : 0, last = is_known ? stream->others[index].last : 0;
    if (is_first)
        return channel->n > first && !(is_alike && channel->n > last);
    return channel->n <= last && !(is_alike && channel->n <= first);
}

static bool is_lost_request(const struct stream *stream, uint32_t request)
{
    return request > stream->lost_request && request <= stream->lost_to_request;
}

/* False if the record is left out; else it may become another. */
static bool adapt(struct stream *stream, struct spool_record *record)
{
    switch (record->kind) {
    case SPOOL_ISEND_DONE:
    case SPOOL_CANCELLED:
        return !is_lost_request(stream, record->a);
    case SPOOL_ICOLL_DONE:
        return !is_lost_request(stream, low(record->words[3]));
    case SPOOL_IRECV: /* as if it were posted where it is complete */
        if (is_lost_request(stream, low(record->words[2])))
            record->kind = SPOOL_RECV;
        return true;
    default:
        return true;
    }
}

/* The record is of a part that is kept. */
static void take_kept(struct stream *stream, struct spool_record *record)
{
    struct follow_channel channel;
    bool is_lost = follow_number(&stream->follow, record, &channel) && is_alone(stream, &channel);
    bool begins = record->kind == SPOOL_COLL_BEGIN || record->kind == SPOOL_WINDOW_BEGIN;
    follow_take(&stream->follow, record);
    if (record->kind == SPOOL_THREAD) {
        turn_to(stream, record->a < SPOOL_MAX_THREADS ? record->a : 0, record->time_ns);
        return;
    }
    if (begins) {
        stream->held[stream->thread] = *record;
        return;
    }
    release(stream, !is_lost);
    stream->n_messages += is_lost && channel.kind != FOLLOW_COLLECTIVES;
    stream->n_collectives += is_lost && channel.kind == FOLLOW_COLLECTIVES && record->kind != SPOOL_ICOLL_DONE;
    if (!is_lost && record->kind != SPOOL_LAP && adapt(stream, record))
        give(stream, record);
}

static void take(struct stream *stream, struct spool_record *record)
{
    if (record->kind == SPOOL_WINDOW) {
        bool is_next = record->words[0] == stream->window + 1;
        stream->follow.is_valid = stream->follow.is_valid && is_next;
        stream->window = record->words[0];
    } else if (record->kind != SPOOL_FRAME && record->kind != SPOOL_OPEN && record->kind != SPOOL_COUNT) {
        stream->follow.is_valid = stream->follow.is_valid || stream->follow.is_restoring;
        cross(stream, record);
        if (stream->phase == STREAM_LAST && stream->is_survey)
            return;
        if (stream->phase != STREAM_LOST) {
            take_kept(stream, record);
            return;
        }
    }
    follow_take(&stream->follow, record);
}

/* All that there is has been read; what is open lasts. */
static void end(struct stream *stream)
{
    stream->has_ended = true;
    if (stream->phase == STREAM_LOST && stream->follow.is_valid)
        begin_last(stream, stream->cut.first_lap == 0 ? stream->cut.from_ns : stream->follow.time_ns);
    for (uint32_t i = 0; i < SPOOL_MAX_THREADS; i++)
        if (stream->held[i].kind != SPOOL_NOTHING) {
            turn_to(stream, i, stream->held[i].time_ns);
            release(stream, true);
        }
}

/* Read on until something is to be given out; false at the end. */
static bool read_on(struct stream *stream)
{
    struct spool_record record;
    if (stream->has_ended)
        return false;
    if (spool_reader_next(&stream->reader, &record))
        take(stream, &record);
    else
        end(stream);
    return true;
}

static bool is_of_keeping(const struct spool_record *record)
{
    return record->kind >= SPOOL_LAP && record->kind <= SPOOL_COUNT;
}

bool stream_next(struct stream *stream, struct spool_record *record)
{
    if (!stream->cut.is_cut) {
        do {
            if (!spool_reader_next(&stream->reader, record))
                return false;
        } while (is_of_keeping(record));
        return true;
    }
    if (stream->at_ready == stream->n_ready)
        stream->at_ready = stream->n_ready = 0;
    while (stream->n_ready == 0)
        if (!read_on(stream))
            return false;
    *record = stream->ready[stream->at_ready++];
    return true;
}

void stream_to_last(struct stream *stream)
{
    stream->is_survey = true;
    while (stream->phase != STREAM_LAST && read_on(stream))
        stream->n_ready = 0;
}
