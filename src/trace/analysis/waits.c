/* How a rank spent a send, a receive, a probe or a wait, once it is known since when what it waited for was there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/range.h"

static struct interval idle_for(uint8_t wait, int rank)
{
    return (struct interval){
        .peer = rank, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE, .wait = wait, .awaited = rank};
}

static struct interval receipt(const struct message *message, uint32_t index)
{
    return (struct interval){.bytes = message->bytes,
                             .origin_ps = message->sent_ps,
                             .peer = message->sender,
                             .tag = message->tag,
                             .message = index,
                             .state = STATE_RECEIVE,
                             .kind = INTERVAL_COMMUNICATE,
                             .is_receipt = message->sent && !record_is_epoch(message->tag),
                             .serial = message->serial};
}

static struct interval sending(const struct message *message)
{
    return (struct interval){.bytes = message->bytes,
                             .peer = message->receiver,
                             .tag = message->tag,
                             .state = STATE_SEND,
                             .kind = INTERVAL_COMMUNICATE,
                             .serial = message->serial};
}

/* Why a receive waits. */
static uint8_t late_side(int32_t tag)
{
    if (!record_is_epoch(tag))
        return WAIT_LATE_SENDER;
    return record_is_lock(tag) ? WAIT_LOCK : record_completes_epoch(tag) ? WAIT_EARLY_WAIT : WAIT_LATE_POST;
}

/* Idle until the send has begun, or as long as the trace says; then `interval`, because of the sender if the rank
 * waited for it. A message that had been sent before may have come before too, unless the trace says that the rank
 * waited. */
static void wait_for_sender(struct analysis *analysis, int rank, uint32_t index, struct interval interval)
{
    struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[index];
    int64_t start_ps = location->now_ps, end_ps = location->record.end_ps, idle_ps = location->record.idle_ps;
    struct interval idle = idle_for(late_side(message->tag), message->sender);
    bool explained = message->sent && message->sent_ps <= end_ps && message->origin_ps <= end_ps;
    int64_t idle_end_ps = idle_ps >= 0    ? start_ps + int64_clamp(idle_ps, 0, end_ps - start_ps)
                          : message->sent ? int64_clamp(message->sent_ps, start_ps, end_ps)
                                          : end_ps;
    analysis->stats.clock_errors += message->sent && !explained;
    if (!explained)
        account_wait(analysis, rank, idle_end_ps, idle);
    else {
        account(analysis, rank, idle_end_ps, idle);
        if (idle_ps >= 0 || idle_end_ps > start_ps || message->sent_ps >= start_ps) {
            interval.cause = CAUSE_CHECKPOINT;
            interval.origin_ps = message->origin_ps;
        }
    }
    account(analysis, rank, end_ps, interval);
}

void message_finish_receive(struct analysis *analysis, int rank, uint32_t index)
{
    wait_for_sender(analysis, rank, index, receipt(&analysis->messages[index], index));
    message_release(analysis, index, true);
}

void message_finish_probe(struct analysis *analysis, int rank)
{
    uint32_t index = message_probe(analysis, rank);
    const struct record *record = &analysis->locations[rank].record;
    if (index == MAP_NOTHING) {
        account_wait(analysis, rank, record->end_ps, idle_for(WAIT_LATE_SENDER, record->peer));
        return;
    }
    struct interval interval = receipt(&analysis->messages[index], index);
    interval.is_receipt = 0;
    interval.bytes = interval.tag = 0;
    wait_for_sender(analysis, rank, index, interval);
}

/* How much of the record was waiting; -1: unknown. A poll that finds nothing comes back at once, so all polls but the
 * last were. */
static int64_t idle_of(const struct record *record)
{
    int64_t length_ps = record->end_ps - record->start_ps;
    return record->idle_ps >= 0 || record->n_calls <= 1 ? record->idle_ps : length_ps - length_ps / record->n_calls;
}

/* A send that waits: idle up to the moment from which its receiver is ready, for as long as the trace says or else from
 * the beginning; what comes after it follows the receiver. The last interval is `interval`. */
static void wait_for_receiver(struct analysis *analysis, int rank, uint32_t index, struct interval interval)
{
    struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[index];
    int64_t start_ps = location->now_ps, end_ps = location->record.end_ps, idle_ps = idle_of(&location->record);
    bool by_posting = message->synchronous || message->waited;
    bool is_known = by_posting ? message->posted : message->ready;
    int64_t ready_ps = !is_known ? INT64_MAX : by_posting ? message->posted_ps : message->ready_ps;
    struct interval idle = idle_for(WAIT_LATE_RECEIVER, message->receiver);
    int64_t until_ps = int64_clamp(ready_ps, start_ps, end_ps);
    if (idle_ps > until_ps - start_ps) /* longer than until then: at the beginning */
        until_ps = start_ps + int64_clamp(idle_ps, 0, end_ps - start_ps);
    int64_t from_ps = idle_ps >= 0 ? until_ps - int64_clamp(idle_ps, 0, until_ps - start_ps) : start_ps;
    analysis->stats.clock_errors += message->posted && ready_ps > end_ps && idle_ps < 0;
    struct interval before = interval;
    before.is_message = 0;
    account(analysis, rank, from_ps, before);
    if (from_ps < until_ps && until_ps == ready_ps && message->marked_by_receiver && message->origin_ps == ready_ps) {
        account(analysis, rank, until_ps, idle);
        interval.cause = CAUSE_CHECKPOINT;
        interval.message = index;
        interval.origin_ps = ready_ps;
    } else {
        account_wait(analysis, rank, until_ps, idle);
    }
    account(analysis, rank, end_ps, interval);
}

void message_finish_send(struct analysis *analysis, int rank, uint32_t index, bool completes)
{
    const struct location *location = &analysis->locations[rank];
    const struct message *message = &analysis->messages[index];
    bool was_seen = message->ready && !analysis->reader->info.says_waits && message->ready_ps < location->record.end_ps;
    bool polls = location->record.kind == RECORD_WAIT && location->record.n_calls > 1;
    bool waits = location->record.kind != RECORD_ISEND && !record_is_epoch(message->tag) &&
                 (message->synchronous || message->waited || was_seen || polls);
    struct interval interval = sending(message);
    interval.is_message = completes && !record_is_epoch(message->tag);
    if (waits)
        wait_for_receiver(analysis, rank, index, interval);
    else
        account(analysis, rank, location->record.end_ps, interval);
}

static void finish_part(struct analysis *analysis, int rank, const struct wait_part *part)
{
    if (part->receiving) {
        message_finish_receive(analysis, rank, part->message);
    } else {
        message_finish_send(analysis, rank, part->message, false);
        message_release(analysis, part->message, false);
    }
}

/* Since when the part could go on; of a send without a wait, never. */
static int64_t moment_of(const struct analysis *analysis, const struct wait_part *part, int64_t end_ps)
{
    const struct message *message = &analysis->messages[part->message];
    if (part->receiving)
        return message->sent ? message->sent_ps : INT64_MIN;
    if (message->synchronous)
        return message->posted ? message->posted_ps : INT64_MIN;
    return message->ready && message->ready_ps < end_ps ? message->ready_ps : INT64_MIN;
}

/* The part for which the call waits longest; of those for which it does not, the longest receive. */
static size_t find_last(const struct analysis *analysis, const struct location *location)
{
    size_t last = 0;
    int64_t last_ps = INT64_MIN, bytes = INT64_MIN;
    for (size_t i = 0; i < location->n_parts; i++) {
        const struct wait_part *part = &location->parts[i];
        int64_t at_ps =
            int64_clamp(moment_of(analysis, part, location->record.end_ps), location->now_ps, location->record.end_ps);
        int64_t length = part->receiving ? analysis->messages[part->message].bytes : -1;
        if (at_ps < last_ps || (at_ps == last_ps && length <= bytes))
            continue;
        last = i;
        last_ps = at_ps;
        bytes = length;
    }
    return last;
}

/* Where the trace says how long each part took, that is how long. Else all wait for the one that can go on last. */
void message_finish_waits(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    bool says = location->n_parts == 1 || analysis->reader->info.says_waits;
    for (size_t i = 0; i < location->n_parts; i++)
        says |= location->parts[i].record.idle_ps >= 0;
    if (!says) {
        size_t last = find_last(analysis, location);
        finish_part(analysis, rank, &location->parts[last]);
        location->parts[last] = location->parts[--location->n_parts];
        location->record.start_ps = location->record.end_ps;
    }
    int64_t end_ps = location->record.end_ps;
    for (size_t i = 0; i < location->n_parts; i++) {
        const struct record *record = &location->parts[i].record;
        location->record.end_ps = says ? record->end_ps : end_ps;
        location->record.idle_ps = record->idle_ps;
        finish_part(analysis, rank, &location->parts[i]);
    }
    location->record.end_ps = end_ps;
}
