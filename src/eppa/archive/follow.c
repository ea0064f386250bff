/* Goes through records one by one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/follow.h"

#include "eppa/archive/memory.h"

#include <stdlib.h>

static uint32_t low(int64_t word)
{
    return (uint32_t)((uint64_t)word & UINT32_MAX);
}

bool follow_open(struct follow *follow, uint32_t most)
{
    *follow = (struct follow){.most = most, .is_valid = true};
    follow->threads = calloc(SPOOL_MAX_THREADS, sizeof *follow->threads);
    follow->channels = calloc(most, sizeof *follow->channels);
    return follow->threads != NULL && follow->channels != NULL;
}

void follow_dispose(struct follow *follow)
{
    free(follow->threads);
    free(follow->channels);
    map_dispose(&follow->by_key);
    *follow = (struct follow){0};
}

static struct map_key key_of(enum follow_kind kind, uint32_t comm, uint64_t peer_tag)
{
    return (struct map_key){(uint64_t)kind << 32 | comm, peer_tag};
}

struct follow_channel *follow_find(const struct follow *follow, enum follow_kind kind, uint32_t comm, uint64_t peer_tag)
{
    uint32_t index;
    return map_get(&follow->by_key, key_of(kind, comm, peer_tag), &index) ? &follow->channels[index] : NULL;
}

/* The channel, new if need be; NULL if there is no room. */
static struct follow_channel *add(struct follow *follow, const struct follow_channel *channel)
{
    struct follow_channel *found = follow_find(follow, channel->kind, channel->comm, channel->peer_tag);
    if (found != NULL || follow->n_channels == follow->most || !map_reserve(&follow->by_key))
        return found;
    map_add(&follow->by_key, key_of(channel->kind, channel->comm, channel->peer_tag))->index = follow->n_channels;
    found = &follow->channels[follow->n_channels++];
    *found = *channel;
    found->n = 0;
    return found;
}

static void forget_channels(struct follow *follow)
{
    follow->n_channels = follow->n_pending = 0;
    map_clear(&follow->by_key);
}

/* --- what is open --- */

static struct follow_thread *current(struct follow *follow)
{
    return &follow->threads[follow->thread];
}

static void enter(struct follow_thread *thread, uint8_t kind, uint16_t id, uint32_t a)
{
    if (thread->n_open < FOLLOW_MAX_OPEN)
        thread->open[thread->n_open] = (struct follow_open){kind, id, a};
    thread->n_open++;
}

static void leave(struct follow_thread *thread)
{
    thread->n_open -= thread->n_open > 0;
    thread->begun = SPOOL_NOTHING;
}

/* As go_off() of an archive: what is open ends; scopes are entered again where recording goes on. */
static void close_all(struct follow *follow)
{
    for (uint32_t i = 0; i < SPOOL_MAX_THREADS; i++)
        if (follow->threads[i].n_open > 0)
            follow->threads[i].n_open = 0;
    current(follow)->begun = SPOOL_NOTHING;
}

static void restore(struct follow *follow, const struct spool_record *record)
{
    uint64_t word = (uint64_t)record->words[0];
    uint32_t thread = (uint32_t)(word & UINT32_MAX);
    uint8_t kind = (uint8_t)(word >> 32);
    if (thread >= SPOOL_MAX_THREADS)
        return;
    if (kind == SPOOL_COLL_BEGIN || kind == SPOOL_WINDOW_BEGIN)
        follow->threads[thread].begun = kind;
    else
        enter(&follow->threads[thread], kind, record->id, record->a);
}

static void begin_frame(struct follow *follow, const struct spool_record *record)
{
    if (follow->is_valid)
        return;
    for (uint32_t i = 0; i < SPOOL_MAX_THREADS; i++)
        follow->threads[i].n_open = follow->threads[i].begun = 0;
    forget_channels(follow);
    follow->is_restoring = true;
    follow->is_off = record->id == 1;
    follow->thread = record->a < SPOOL_MAX_THREADS ? record->a : 0;
    follow->begun_ns = record->words[0];
    follow->last_request = low(record->words[1]);
    follow->n_on = low(record->words[2]);
}

/* --- messages and collectives --- */

bool follow_number(const struct follow *follow, const struct spool_record *record, struct follow_channel *channel)
{
    *channel = (struct follow_channel){.comm = record->a};
    switch (record->kind) {
    case SPOOL_SEND:
    case SPOOL_ISEND:
    case SPOOL_RECV:
    case SPOOL_IRECV:
        channel->kind = record->kind == SPOOL_SEND || record->kind == SPOOL_ISEND ? FOLLOW_SENT : FOLLOW_RECEIVED;
        channel->peer_tag = (uint64_t)record->words[0];
        break;
    case SPOOL_COLL_END:
    case SPOOL_WINDOW_END:
    case SPOOL_FILE_END:
        channel->kind = FOLLOW_COLLECTIVES;
        break;
    case SPOOL_ICOLL_REQUEST:
        channel->kind = FOLLOW_COLLECTIVES;
        channel->comm = low(record->words[0]);
        break;
    case SPOOL_ICOLL_DONE:
        for (uint32_t i = 0; i < follow->n_pending; i++)
            if (follow->pending[i].request == low(record->words[3])) {
                channel->kind = FOLLOW_COLLECTIVES;
                channel->n = follow->pending[i].number;
                return true;
            }
        return false;
    default:
        return false;
    }
    const struct follow_channel *found = follow_find(follow, channel->kind, channel->comm, channel->peer_tag);
    channel->n = found == NULL ? 1 : found->n + 1;
    return found != NULL || follow->n_channels < follow->most;
}

static void complete(struct follow *follow, uint32_t request)
{
    for (uint32_t i = 0; i < follow->n_pending; i++)
        if (follow->pending[i].request == request) {
            follow->pending[i] = follow->pending[--follow->n_pending];
            return;
        }
}

static void count(struct follow *follow, const struct spool_record *record)
{
    struct follow_channel channel;
    if (record->kind == SPOOL_ICOLL_DONE) {
        complete(follow, low(record->words[3]));
        return;
    }
    struct follow_channel *found = follow_number(follow, record, &channel) ? add(follow, &channel) : NULL;
    if (found == NULL)
        return;
    found->n++;
    if (record->kind == SPOOL_ICOLL_REQUEST && follow->n_pending < FOLLOW_MAX_PENDING)
        follow->pending[follow->n_pending++] = (struct follow_pending){record->a, channel.comm, found->n};
}

static int64_t completed(const struct follow *follow, uint32_t comm, int64_t n)
{
    for (uint32_t i = 0; i < follow->n_pending; i++)
        if (follow->pending[i].comm == comm && follow->pending[i].number <= n)
            n = follow->pending[i].number - 1;
    return n;
}

struct follow_channel *follow_completed(const struct follow *follow)
{
    struct follow_channel *counts = memory_need(malloc((follow->n_channels + (size_t)1) * sizeof *counts));
    for (uint32_t i = 0; i < follow->n_channels; i++) {
        counts[i] = follow->channels[i];
        if (counts[i].kind == FOLLOW_COLLECTIVES)
            counts[i].n = completed(follow, counts[i].comm, counts[i].n);
    }
    return counts;
}

static void set_count(struct follow *follow, const struct spool_record *record)
{
    struct follow_channel channel = {.kind = record->id, .comm = record->a, .peer_tag = (uint64_t)record->words[0]};
    struct follow_channel *found = channel.kind <= FOLLOW_COLLECTIVES ? add(follow, &channel) : NULL;
    if (found != NULL)
        found->n = record->words[1];
}

static void note_request(struct follow *follow, uint32_t request)
{
    if (request > follow->last_request)
        follow->last_request = request;
}

/* --- a record --- */

static void take(struct follow *follow, const struct spool_record *record)
{
    switch (record->kind) {
    case SPOOL_BEGIN:
        follow->begun_ns = record->time_ns;
        break;
    case SPOOL_ENTER:
    case SPOOL_SCOPE_ENTER:
        enter(current(follow), record->kind, record->id, record->a);
        break;
    case SPOOL_LEAVE:
    case SPOOL_SCOPE_LEAVE:
        leave(current(follow));
        break;
    case SPOOL_COLL_BEGIN:
    case SPOOL_WINDOW_BEGIN:
        current(follow)->begun = record->kind;
        break;
    case SPOOL_IRECV_REQUEST:
        note_request(follow, record->a);
        break;
    case SPOOL_ISEND:
        note_request(follow, low(record->words[2]));
        count(follow, record);
        break;
    case SPOOL_ICOLL_REQUEST:
        note_request(follow, record->a);
        count(follow, record);
        break;
    case SPOOL_COLL_END:
    case SPOOL_WINDOW_END:
    case SPOOL_FILE_END:
        current(follow)->begun = SPOOL_NOTHING;
        count(follow, record);
        break;
    case SPOOL_SEND:
    case SPOOL_RECV:
    case SPOOL_IRECV:
    case SPOOL_ICOLL_DONE:
        count(follow, record);
        break;
    case SPOOL_THREAD:
        follow->thread = record->a < SPOOL_MAX_THREADS ? record->a : 0;
        break;
    case SPOOL_OFF:
        follow->is_off = true;
        close_all(follow);
        break;
    case SPOOL_ON: /* the sides of a channel count from where both are on again */
        follow->is_off = false;
        follow->n_on++;
        follow->last_request = low(record->words[1]);
        forget_channels(follow);
        break;
    case SPOOL_LAP:
        follow->lap = record->a;
        break;
    default:
        break;
    }
}

void follow_take(struct follow *follow, const struct spool_record *record)
{
    switch (record->kind) {
    case SPOOL_WINDOW:
        follow->lap = follow->is_valid ? follow->lap : record->a;
        break;
    case SPOOL_FRAME:
        begin_frame(follow, record);
        break;
    case SPOOL_OPEN:
        if (follow->is_restoring)
            restore(follow, record);
        break;
    case SPOOL_COUNT:
        if (follow->is_restoring)
            set_count(follow, record);
        break;
    default:
        follow->is_valid = follow->is_valid || follow->is_restoring;
        follow->is_restoring = false;
        if (follow->is_valid)
            take(follow, record);
        break;
    }
    follow->time_ns = record->time_ns;
}
