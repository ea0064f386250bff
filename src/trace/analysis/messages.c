/* Messages of a trace. Sends and receives of one source, destination, tag and communicator meet in their order;
 * whichever comes first waits in a list of that key.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* --- the pool --- */

uint32_t message_new(struct analysis *analysis)
{
    uint32_t index = analysis->free_message;
    if (index != MAP_NOTHING) {
        analysis->free_message = analysis->messages[index].next;
    } else {
        analysis->messages =
            xgrow(analysis->messages, analysis->n_messages, &analysis->messages_capacity, sizeof *analysis->messages);
        index = (uint32_t)analysis->n_messages++;
    }
    analysis->messages[index] =
        (struct message){.next = MAP_NOTHING, .next_unready = MAP_NOTHING, .serial = ++analysis->last_serial};
    return index;
}

void message_free(struct analysis *analysis, uint32_t index)
{
    analysis->messages[index].next = analysis->free_message;
    analysis->free_message = index;
}

void message_release(struct analysis *analysis, uint32_t index, bool receiver)
{
    struct message *message = &analysis->messages[index];
    *(receiver ? &message->receiver_done : &message->sender_done) = true;
    if (message->receiver_done && message->sender_done)
        message_free(analysis, index);
}

/* --- sends and receives meet --- */

static struct map_key key_of(int from, int to, const struct record *record)
{
    return map_key(from, to, record->tag, record->group);
}

/* The first in the list of the key that waits for the other side; MAP_NOTHING if there is none. */
static uint32_t take_first(struct analysis *analysis, struct map_key key, bool sends)
{
    struct map_entry *first = map_find(&analysis->matches, key);
    if (first == NULL || analysis->messages[first->index].sent != sends)
        return MAP_NOTHING;
    uint32_t index = first->index;
    queue_drop_first(&analysis->matches, first, analysis->messages[index].next);
    return index;
}

static uint32_t put_last(struct analysis *analysis, struct map_key key)
{
    uint32_t index = message_new(analysis), before = queue_append(map_add(&analysis->matches, key), index);
    if (before != MAP_NOTHING)
        analysis->messages[before].next = index;
    return index;
}

bool message_is_ready(const struct analysis *analysis, uint32_t index, bool receiving)
{
    const struct message *message = &analysis->messages[index];
    return receiving ? message->sent : message->posted || !(message->synchronous || message->waited);
}

static bool are_ready(const struct analysis *analysis, const struct location *location)
{
    for (size_t i = 0; i < location->n_parts; i++)
        if (!message_is_ready(analysis, location->parts[i].message, location->parts[i].receiving))
            return false;
    return true;
}

/* True if the rank's record is about that side of the message. */
static bool is_about(const struct location *location, uint32_t index, bool receiving)
{
    switch ((enum record_kind)location->record.kind) {
    case RECORD_WAIT:
        for (size_t i = 0; i < location->n_parts; i++)
            if (location->parts[i].message == index && location->parts[i].receiving == receiving)
                return true;
        return false;
    case RECORD_SEND:
    case RECORD_RECV:
        return location->begun && location->message == index && location->receiving == receiving;
    default:
        return false;
    }
}

/* The other side of a message is there: who is stalled by that alone goes on. */
static void wake(struct analysis *analysis, int rank, uint32_t index, bool receiving)
{
    const struct location *location = &analysis->locations[rank];
    if (location->status == LOCATION_STALLED && is_about(location, index, receiving) &&
        (location->record.kind != RECORD_WAIT || are_ready(analysis, location)))
        analysis_wake(analysis, rank);
}

/* --- the receiver is in the library, with the receive posted --- */

static void make_ready(struct analysis *analysis, uint32_t index, int64_t at_ps)
{
    struct message *message = &analysis->messages[index];
    const struct location *sender = &analysis->locations[message->sent_at];
    message->ready = true;
    message->ready_ps = at_ps;
    if (at_ps > message->sent_ps && !message->marked_by_receiver && sender->status == LOCATION_HELD &&
        is_about(sender, index, false) && analysis->locations[message->posted_at].now_ps == at_ps) {
        message->marked_by_receiver = true;
        message->origin_ps = at_ps;
        account_checkpoint(analysis, message->posted_at, index, message->sender);
    }
}

/* Both sides have begun, the later one now. */
static void meet(struct analysis *analysis, uint32_t index, int64_t now_ps)
{
    struct message *message = &analysis->messages[index];
    struct location *receiver = &analysis->locations[message->posted_at];
    bool is_inside = message->posted_ps == now_ps || receiver->status == LOCATION_STALLED ||
                     receiver->status == LOCATION_HELD || receiver->left_ps > now_ps;
    if (is_inside) {
        make_ready(analysis, index, now_ps);
    } else {
        message->next_unready = receiver->unready;
        receiver->unready = index;
    }
}

void messages_notice(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    while (location->unready != MAP_NOTHING) {
        uint32_t index = location->unready;
        location->unready = analysis->messages[index].next_unready;
        make_ready(analysis, index, location->record.start_ps);
    }
}

/* --- sends and receives begin --- */

/* A rank that probes for such a message can go on. */
static void wake_probe(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    for (int i = record->peer; i < analysis->n_locations; i += analysis->n_ranks) {
        const struct location *location = &analysis->locations[i];
        if (location->status == LOCATION_STALLED && location->record.kind == RECORD_PROBE &&
            location->record.peer == analysis_rank_of(analysis, rank) && location->record.tag == record->tag &&
            location->record.group == record->group)
            analysis_wake(analysis, i);
    }
}

uint32_t message_probe(const struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    const struct map_entry *first =
        map_find(&analysis->matches, key_of(record->peer, analysis_rank_of(analysis, rank), record));
    return first != NULL && analysis->messages[first->index].sent ? first->index : MAP_NOTHING;
}

static uint32_t begin_send(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    struct map_key key = key_of(analysis_rank_of(analysis, rank), record->peer, record);
    if (analysis->reader->info.n_off > 0)
        unrecorded_give_up(analysis, key, record->start_ps);
    uint32_t index = take_first(analysis, key, false);
    bool met = index != MAP_NOTHING;
    if (!met) {
        index = put_last(analysis, key);
        analysis->n_unreceived++;
    }
    struct message *message = &analysis->messages[index];
    message->bytes = record->bytes;
    message->sent_ps = message->origin_ps = record->start_ps;
    message->sender = analysis_rank_of(analysis, rank);
    message->receiver = record->peer;
    message->sent_at = rank;
    message->tag = record->tag;
    message->group = record->group;
    message->sent = true;
    message->synchronous = record->synchronous && record->idle_ps < 0; /* else the trace says how long it waited */
    message->waited = record->idle_ps > 0;
    account_checkpoint(analysis, rank, index, record->peer);
    if (met) {
        meet(analysis, index, record->start_ps);
        wake(analysis, message->posted_at, index, true);
    } else {
        wake_probe(analysis, rank);
    }
    return index;
}

static uint32_t begin_receive(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    struct map_key key = key_of(record->peer, analysis_rank_of(analysis, rank), record);
    uint32_t index = take_first(analysis, key, true);
    bool met = index != MAP_NOTHING;
    if (!met)
        index = put_last(analysis, key);
    else
        analysis->n_unreceived--;
    struct message *message = &analysis->messages[index];
    message->posted = true;
    message->posted_ps = record->start_ps;
    message->sender = record->peer;
    message->receiver = analysis_rank_of(analysis, rank);
    message->posted_at = rank;
    message->tag = record->tag;
    message->group = record->group;
    if (met && (message->synchronous || message->waited) && message->posted_ps > message->sent_ps) {
        message->marked_by_receiver = true;
        message->origin_ps = message->posted_ps;
        account_checkpoint(analysis, rank, index, record->peer);
    }
    if (met) {
        meet(analysis, index, record->start_ps);
        wake(analysis, analysis->messages[index].sent_at, index, false);
    }
    return index;
}

/* --- requests --- */

static struct map_key request_key(int rank, uint32_t request)
{
    return map_key(rank, (int32_t)request, 0, 0);
}

/* A number that comes again is that of a request which was given up. */
static void add_request(struct analysis *analysis, int rank, uint32_t index, bool receive)
{
    struct map_entry *entry = map_add(&analysis->requests, request_key(rank, analysis->locations[rank].record.request));
    uint32_t old = entry->index;
    entry->index = 2 * index + receive;
    if (old != MAP_NOTHING)
        message_release(analysis, old / 2, old % 2 == 1);
}

static int begin_wait(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    for (size_t i = 0; i < location->n_parts; i++) {
        struct wait_part *part = &location->parts[i];
        struct map_entry *entry = map_find(&analysis->requests, request_key(rank, part->record.request));
        if (entry == NULL)
            return analysis_fail(analysis, rank, "waits for request %u, which it has not begun", part->record.request);
        part->message = entry->index / 2;
        part->receiving = entry->index % 2 == 1;
        map_remove(&analysis->requests, entry);
        analysis->messages[part->message].waited |= !part->receiving && part->record.idle_ps > 0;
    }
    return are_ready(analysis, location);
}

/* --- records --- */

int message_begin(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    uint8_t kind = location->record.kind;
    if (kind == RECORD_WAIT)
        return begin_wait(analysis, rank);
    if (location->record.peer < 0 || location->record.peer >= analysis->n_ranks)
        return analysis_fail(analysis, rank, "has a message with rank %d, and there are %d", (int)location->record.peer,
                             analysis->n_ranks);
    if (kind == RECORD_PROBE)
        return message_probe(analysis, rank) != MAP_NOTHING;
    location->receiving = kind == RECORD_RECV || kind == RECORD_IRECV;
    if (location->record.bytes < 0 && !location->receiving)
        return analysis_fail(analysis, rank, "has a message of %lld bytes", (long long)location->record.bytes);
    location->message = location->receiving ? begin_receive(analysis, rank) : begin_send(analysis, rank);
    if (kind == RECORD_ISEND || kind == RECORD_IRECV) {
        add_request(analysis, rank, location->message, location->receiving);
        return 1;
    }
    return message_is_ready(analysis, location->message, location->receiving);
}

/* True if nothing says how long the send waited. */
static bool may_wait(const struct analysis *analysis, uint32_t index, const struct record *record)
{
    const struct message *message = &analysis->messages[index];
    return !message->ready && !message->synchronous && record->idle_ps < 0 && !record_is_epoch(message->tag);
}

bool message_is_held(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    if (location->record.end_ps == location->record.start_ps || analysis->reader->info.says_waits)
        return false;
    if (location->record.kind == RECORD_SEND)
        return may_wait(analysis, location->message, &location->record);
    for (size_t i = 0; location->record.kind == RECORD_WAIT && i < location->n_parts; i++)
        if (!location->parts[i].receiving && may_wait(analysis, location->parts[i].message, &location->parts[i].record))
            return true;
    return false;
}

void message_finish(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    switch ((enum record_kind)location->record.kind) {
    case RECORD_IRECV:
        account(analysis, rank, location->record.end_ps,
                (struct interval){.peer = location->record.peer, .state = STATE_RECEIVE, .kind = INTERVAL_COMMUNICATE});
        break;
    case RECORD_PROBE:
        message_finish_probe(analysis, rank);
        break;
    case RECORD_WAIT:
        message_finish_waits(analysis, rank);
        break;
    case RECORD_RECV:
        message_finish_receive(analysis, rank, location->message);
        break;
    default:
        message_finish_send(analysis, rank, location->message, true);
        if (location->record.kind == RECORD_SEND)
            message_release(analysis, location->message, false);
        break;
    }
}
