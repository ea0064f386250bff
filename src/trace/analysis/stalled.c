/* When no rank can go on: the ranks that are let go, those whose wait ends without what it was for, and those to
 * blame.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

/* --- messages --- */

/* The side of a message at which a stalled rank's record cannot go on; of several, a receive first. */
static struct wait_part blocking_part(const struct analysis *analysis, const struct location *location)
{
    struct wait_part found = {.message = location->message, .receiving = location->receiving};
    if (location->record.kind != RECORD_WAIT)
        return found;
    for (int receiving = 1; receiving >= 0; receiving--)
        for (size_t i = 0; i < location->n_parts; i++) {
            found = location->parts[i];
            if (found.receiving == receiving && !message_is_ready(analysis, found.message, found.receiving))
                return found;
        }
    return found;
}

/* True if the rank is stalled only because its trace says that it waited in a send, or in a collective that only
 * synchronizes: a non-blocking collective that stands where it is waited for can be out of order with that. */
static bool may_go_on(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    if (location->record.kind == RECORD_PROBE || location->record.kind == RECORD_AWAIT)
        return true;
    if (location->record.kind == RECORD_COLLECTIVE)
        return record_synchronises(location->record.collective);
    const struct wait_part what = blocking_part(analysis, location);
    return !what.receiving && !analysis->messages[what.message].synchronous;
}

/* The rank that a stalled one waits for. */
static int awaited_by_message(const struct analysis *analysis, int rank)
{
    const struct location *location = &analysis->locations[rank];
    if (location->record.kind == RECORD_PROBE)
        return location->record.peer;
    const struct wait_part what = blocking_part(analysis, location);
    const struct message *message = &analysis->messages[what.message];
    return what.receiving ? message->sender : message->receiver;
}

static int blame_message(struct analysis *analysis, int rank)
{
    const struct wait_part what = blocking_part(analysis, &analysis->locations[rank]);
    const struct message *message = &analysis->messages[what.message];
    if (what.receiving)
        return analysis_fail(analysis, rank, "receives from rank %d with tag %d what that rank does not send",
                             (int)message->sender, (int)message->tag);
    return analysis_fail(analysis, rank,
                         "sends %lld bytes to rank %d with tag %d and waits for the receive, which never comes",
                         (long long)message->bytes, (int)message->receiver, (int)message->tag);
}

/* True if `a` was sent first; of two sent at once, the one from the lower rank, then the one to it, then the lower
 * tag. */
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

/* Sends without a receive, into the statistics. */
static void count_unreceived(struct analysis *analysis)
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

/* --- ranks --- */

static int first_stalled(const struct analysis *analysis)
{
    int first = -1;
    for (int rank = 0; rank < analysis->n_locations; rank++) {
        const struct location *location = &analysis->locations[rank];
        if (location->status == LOCATION_STALLED &&
            (first < 0 || location->record.start_ps < analysis->locations[first].record.start_ps))
            first = rank;
    }
    return first;
}

static int awaited(const struct analysis *analysis, int rank)
{
    bool collective = analysis->locations[rank].record.kind == RECORD_COLLECTIVE;
    return collective ? collective_awaited(analysis, rank) : awaited_by_message(analysis, rank);
}

/* The rank at whose end all the waiting begins: follow from one to the one it waits for. */
static int blame(struct analysis *analysis, int rank)
{
    for (int steps = 0; steps < analysis->n_ranks; steps++) {
        int next = awaited(analysis, rank);
        if (analysis->locations[next].status != LOCATION_STALLED)
            break;
        rank = next;
    }
    return analysis->locations[rank].record.kind == RECORD_COLLECTIVE ? collective_blame(analysis, rank)
                                                                      : blame_message(analysis, rank);
}

/* Let those go on whose waiting only the trace says; whether there are any. */
static bool let_go(struct analysis *analysis)
{
    bool any = false;
    for (int rank = 0; rank < analysis->n_locations; rank++) {
        struct location *location = &analysis->locations[rank];
        location->first_waiter = -1; /* they all are let go */
        if (location->status == LOCATION_STALLED &&
            (location->record.kind == RECORD_SLEEP || may_go_on(analysis, rank))) {
            analysis_wake(analysis, rank);
            any = true;
        }
    }
    return any;
}

/* The function of the library that the record is a call of; NULL: the trace does not say. */
static const char *name_of(const struct analysis *analysis, const struct record *record)
{
    const struct record_info *info = &analysis->reader->info;
    return record->function > 0 && record->function < info->n_functions ? info->functions[record->function] : NULL;
}

void analysis_count_unfinished(struct analysis *analysis, int rank, int peer, const char *what)
{
    struct analysis_stats *stats = &analysis->stats;
    int64_t from_ps = analysis->locations[rank].record.start_ps;
    if (stats->n_unfinished++ == 0 || from_ps < stats->first_unfinished.from_ps)
        stats->first_unfinished = (struct analysis_wait){analysis_rank_of(analysis, rank), from_ps, peer, what};
    const struct record *record = &analysis->locations[rank].record;
    bool is_met = record->kind == RECORD_COLLECTIVE;
    analysis->locations[rank].stand = (struct analysis_stand){.what = is_met         ? collective_name(record)
                                                                      : what != NULL ? what
                                                                                     : name_of(analysis, record),
                                                              .from_ps = from_ps,
                                                              .number = is_met ? analysis->locations[rank].number : 0,
                                                              .rank = analysis_rank_of(analysis, rank),
                                                              .peer = peer,
                                                              .group = is_met ? record->group : -1,
                                                              .waits = true,
                                                              .is_collective = is_met || record->of_all};
}

int analysis_resolve(struct analysis *analysis)
{
    const struct record_info *info = &analysis->reader->info;
    bool lenient = info->is_cut || info->n_unrecorded > 0 || info->n_off > 0;
    int rank = first_stalled(analysis);
    if (rank >= 0 && let_go(analysis))
        return 0;
    if (rank >= 0 && !lenient)
        return blame(analysis, rank);
    if (rank >= 0) {
        analysis->locations[rank].forced = true;
        analysis_count_unfinished(analysis, rank, awaited(analysis, rank), NULL);
        analysis_wake(analysis, rank);
        return 0;
    }
    count_unreceived(analysis);
    return lenient ? 0 : collectives_check_end(analysis);
}
