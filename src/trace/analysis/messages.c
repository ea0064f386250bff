/* Messages of a trace. Sends and receives of one source, destination, tag and communicator meet in their order;
 * whichever comes first waits in a list of that key. */
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
    analysis->messages[index] = (struct message){.next = MAP_NOTHING};
    return index;
}

void message_free(struct analysis *analysis, uint32_t index)
{
    analysis->messages[index].next = analysis->free_message;
    analysis->free_message = index;
}

/* One side needs it no more. */
static void release(struct analysis *analysis, uint32_t index, bool receiver)
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

static bool is_about(const struct location *location, uint32_t index, bool receiving)
{
    return location->status == LOCATION_STALLED && location->record.kind != RECORD_COLLECTIVE &&
           location->record.kind != RECORD_SLEEP && location->message == index && location->receiving == receiving;
}

static uint32_t begin_send(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    struct map_key key = key_of(rank, record->peer, record);
    uint32_t index = take_first(analysis, key, false);
    bool met = index != MAP_NOTHING;
    if (!met) {
        index = put_last(analysis, key);
        analysis->n_unreceived++;
    }
    struct message *message = &analysis->messages[index];
    message->bytes = record->bytes;
    message->sent_ps = message->origin_ps = record->start_ps;
    message->sender = rank;
    message->receiver = record->peer;
    message->tag = record->tag;
    message->group = record->group;
    message->sent = true;
    message->synchronous = record->synchronous && record->idle_ps < 0; /* else the trace says how long it waited */
    message->said = record->idle_ps > 0;
    account_checkpoint(analysis, rank, index, record->peer);
    if (met && is_about(&analysis->locations[record->peer], index, true))
        analysis_wake(analysis, record->peer);
    return index;
}

static uint32_t begin_receive(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    struct map_key key = key_of(record->peer, rank, record);
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
    message->receiver = rank;
    message->tag = record->tag;
    message->group = record->group;
    if (met && (message->synchronous || message->said) && message->posted_ps > message->sent_ps) {
        message->marked_by_receiver = true;
        message->origin_ps = message->posted_ps;
        account_checkpoint(analysis, rank, index, record->peer);
    }
    if (met && is_about(&analysis->locations[record->peer], index, false))
        analysis_wake(analysis, record->peer);
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
        release(analysis, old / 2, old % 2 == 1);
}

static int begin_wait(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    struct map_entry *entry = map_find(&analysis->requests, request_key(rank, location->record.request));
    if (entry == NULL)
        return analysis_fail(analysis, rank, "waits for request %u, which it has not begun", location->record.request);
    location->message = entry->index / 2;
    location->receiving = entry->index % 2 == 1;
    map_remove(&analysis->requests, entry);
    struct message *message = &analysis->messages[location->message];
    if (location->receiving)
        return message->sent;
    message->said |= location->record.idle_ps > 0;
    return message->posted || !(message->synchronous || message->said);
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
    location->receiving = kind == RECORD_RECV || kind == RECORD_IRECV;
    if (location->record.bytes < 0 && !location->receiving)
        return analysis_fail(analysis, rank, "has a message of %lld bytes", (long long)location->record.bytes);
    location->message = location->receiving ? begin_receive(analysis, rank) : begin_send(analysis, rank);
    if (kind == RECORD_ISEND || kind == RECORD_IRECV) {
        add_request(analysis, rank, location->message, location->receiving);
        return 1;
    }
    const struct message *message = &analysis->messages[location->message];
    return location->receiving ? message->sent : message->posted || !(message->synchronous || message->said);
}

/* Idle until the send has begun, or as long as the trace says; then receiving, because of the sender if the rank waited
 * for it. A message that had been sent before may have come before too, unless the trace says that the rank waited. */
static void finish_receive(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    int64_t start_ps = location->now_ps, end_ps = location->record.end_ps, said_ps = location->record.idle_ps;
    struct event event = {.bytes = message->bytes,
                          .peer = message->sender,
                          .tag = message->tag,
                          .message = location->message,
                          .state = STATE_RECEIVE,
                          .kind = EVENT_COMMUNICATE,
                          .is_receipt = message->sent};
    struct event idle = {.peer = message->sender, .state = STATE_IDLE, .kind = EVENT_COMMUNICATE};
    bool explained = message->sent && message->sent_ps <= end_ps && message->origin_ps <= end_ps;
    int64_t idle_end_ps = said_ps >= 0    ? start_ps + int64_clamp(said_ps, 0, end_ps - start_ps)
                          : message->sent ? int64_clamp(message->sent_ps, start_ps, end_ps)
                                          : end_ps;
    analysis->stats.clock_errors += message->sent && !explained;
    if (!explained)
        account_wait(analysis, rank, idle_end_ps, idle);
    else {
        account(analysis, rank, idle_end_ps, idle);
        if (said_ps >= 0 || idle_end_ps > start_ps || message->sent_ps >= start_ps) {
            event.cause = CAUSE_CHECKPOINT;
            event.origin_ps = message->origin_ps;
        }
    }
    account(analysis, rank, end_ps, event);
    release(analysis, location->message, true);
}

/* A synchronous send: idle up to the posting of the receive, for as long as the trace says or else from the beginning;
 * what comes after it follows the receiver. The last interval is `event`. */
static void finish_waiting_send(struct analysis *analysis, int rank, struct event event)
{
    struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    int64_t start_ps = location->now_ps, end_ps = location->record.end_ps, said_ps = location->record.idle_ps;
    int64_t posted_ps = message->posted ? message->posted_ps : INT64_MAX;
    struct event idle = {.peer = message->receiver, .state = STATE_IDLE, .kind = EVENT_COMMUNICATE};
    int64_t until_ps = int64_clamp(posted_ps, start_ps, end_ps);
    if (said_ps > until_ps - start_ps) /* longer than until then: at the beginning */
        until_ps = start_ps + int64_clamp(said_ps, 0, end_ps - start_ps);
    int64_t from_ps = said_ps >= 0 ? until_ps - int64_clamp(said_ps, 0, until_ps - start_ps) : start_ps;
    analysis->stats.clock_errors += message->posted && posted_ps > end_ps && said_ps < 0;
    struct event before = event;
    before.is_message = 0;
    account(analysis, rank, from_ps, before);
    if (from_ps < until_ps && until_ps == posted_ps && message->marked_by_receiver) {
        account(analysis, rank, until_ps, idle);
        event.cause = CAUSE_CHECKPOINT;
        event.message = location->message;
        event.origin_ps = posted_ps;
    } else {
        account_wait(analysis, rank, until_ps, idle);
    }
    account(analysis, rank, end_ps, event);
}

static void finish_send(struct analysis *analysis, int rank, bool completes)
{
    struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    bool waits = location->record.kind != RECORD_ISEND && (message->synchronous || message->said);
    struct event event = {.bytes = message->bytes,
                          .peer = message->receiver,
                          .tag = message->tag,
                          .state = STATE_SEND,
                          .kind = EVENT_COMMUNICATE,
                          .is_message = completes};
    if (waits)
        finish_waiting_send(analysis, rank, event);
    else
        account(analysis, rank, location->record.end_ps, event);
}

void message_finish(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    uint8_t kind = location->record.kind;
    if (kind == RECORD_IRECV) {
        account(analysis, rank, location->record.end_ps,
                (struct event){.peer = location->record.peer, .state = STATE_RECEIVE, .kind = EVENT_COMMUNICATE});
    } else if (location->receiving) {
        finish_receive(analysis, rank);
    } else {
        finish_send(analysis, rank, kind != RECORD_WAIT);
        if (kind != RECORD_ISEND)
            release(analysis, location->message, false);
    }
}

/* --- what does not fit --- */

bool message_may_go_on(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    return location->record.kind != RECORD_COLLECTIVE && !location->receiving && !message->synchronous;
}

int message_awaited(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    return location->receiving ? message->sender : message->receiver;
}

int message_blame(struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[location->message];
    if (location->receiving)
        return analysis_fail(analysis, rank, "receives from rank %d under tag %d what that one does not send",
                             (int)message->sender, (int)message->tag);
    return analysis_fail(analysis, rank,
                         "sends %lld bytes to rank %d under tag %d and waits for the receive, which never comes",
                         (long long)message->bytes, (int)message->receiver, (int)message->tag);
}

/* Of two that were sent at once the one of the lower rank, then the one to it, then the lower tag. */
static bool is_sent_before(const struct message *a, const struct message *b)
{
    if (a->sent_ps != b->sent_ps)
        return a->sent_ps < b->sent_ps;
    if (a->sender != b->sender)
        return a->sender < b->sender;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver;
    return a->tag != b->tag ? a->tag < b->tag : a->group < b->group;
}

void messages_count_unreceived(struct analysis *analysis)
{
    const struct message *first = NULL;
    struct unreceived *found = &analysis->stats.unreceived;
    found->n_messages = analysis->n_unreceived;
    for (size_t i = 0; i < analysis->matches.size; i++) {
        uint32_t index = analysis->matches.entries[i].index;
        const struct message *message = index != MAP_NOTHING ? &analysis->messages[index] : NULL;
        if (message != NULL && message->sent && (first == NULL || is_sent_before(message, first)))
            first = message;
    }
    if (first != NULL)
        *found = (struct unreceived){.n_messages = found->n_messages,
                                     .from = first->sender,
                                     .to = first->receiver,
                                     .tag = first->tag,
                                     .at_ps = first->sent_ps,
                                     .bytes = first->bytes};
}
