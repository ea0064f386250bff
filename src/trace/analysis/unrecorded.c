/* Messages of which one side was not recorded, because recording was off there. By their order alone, later ones would
 * be taken for them: so receives that were over before the send, and sends from before the receiver's recording went
 * on, are not matched.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

/* Take the first of the key's queue out. */
static uint32_t drop_first(struct analysis *analysis, struct map_entry *entry)
{
    uint32_t index = entry->index;
    queue_drop_first(&analysis->matches, entry, analysis->messages[index].next);
    return index;
}

/* True if the location is stalled in the receive, or in a wait for it. */
static bool waits_for(const struct location *location, uint32_t index)
{
    bool is_wait = location->record.kind == RECORD_WAIT;
    if (location->status != LOCATION_STALLED || !location->begun)
        return false;
    for (size_t i = 0; is_wait && i < location->n_parts; i++)
        if (location->parts[i].receiving && location->parts[i].message == index)
            return true;
    return location->record.kind == RECORD_RECV && location->message == index;
}

void unrecorded_give_up(struct analysis *analysis, struct map_key key, int64_t start_ps)
{
    struct map_entry *entry;
    while ((entry = map_find(&analysis->matches, key)) != NULL) {
        const struct message *message = &analysis->messages[entry->index];
        struct location *receiver = &analysis->locations[message->posted_at];
        if (message->sent || receiver->record.end_ps > start_ps || !waits_for(receiver, entry->index))
            return;
        drop_first(analysis, entry);
        receiver->forced = true;
        analysis_wake(analysis, message->posted_at);
    }
}

void unrecorded_forget(struct analysis *analysis, int rank, int64_t until_ps)
{
    for (size_t i = 0; i < analysis->matches.size;) {
        struct map_entry *entry = &analysis->matches.entries[i];
        const struct message *message = entry->index != MAP_NOTHING ? &analysis->messages[entry->index] : NULL;
        if (message == NULL || !message->sent || message->receiver != analysis_rank_of(analysis, rank) ||
            message->sent_ps >= until_ps || !message->sender_done) {
            i++;
            continue;
        }
        message_release(analysis, drop_first(analysis, entry), true); /* its place may have another entry now */
    }
}
