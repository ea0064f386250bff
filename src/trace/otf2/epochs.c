/* One-sided communication between some members of a window: a rank exposes its memory (MPI_Win_post), until
 * (MPI_Win_wait) those that access it (MPI_Win_start) have ended that (MPI_Win_complete).
 *
 * Each of these calls is about a group, and stands for an empty message from or to each of its members:
 *
 *     post                                         sends that memory is exposed
 *     start                                        a probe for the latest of that, if that is there at its end
 *     complete                                     receives that of all, and sends that it has ended
 *     wait                                         receives that of all
 *
 * MPI_Win_start may return before memory is exposed, and MPI_Win_complete then waits: which of them did, the first pass
 * finds out. Messages are only between calls that both sides have. Memory: 8 bytes for each MPI_Win_post and member. */
#include "trace/otf2/calls.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* Messages from a rank to another one: of one kind, about one window. */
struct otf_channel {
    int64_t *at_ps; /* of each: when it was sent; before shift_ps */
    size_t n, capacity, n_taken;
};

enum signal { SIGNAL_EXPOSED, SIGNAL_ENDED };

static struct otf_channel *channel_of(struct otf_shared *shared, uint32_t window, enum signal signal, int from, int to)
{
    struct map_entry *entry = map_add(&shared->channels, map_key((int32_t)window, (int32_t)signal, from, to));
    if (entry->index == MAP_NOTHING)
        entry->pointer = xcalloc(1, sizeof(struct otf_channel));
    return entry->pointer;
}

void otf_channels_dispose(struct otf_shared *shared)
{
    for (size_t i = 0; i < shared->channels.size; i++) {
        struct map_entry *entry = &shared->channels.entries[i];
        if (entry->index == MAP_NOTHING)
            continue;
        free(((struct otf_channel *)entry->pointer)->at_ps);
        free(entry->pointer);
    }
    map_dispose(&shared->channels);
}

/* The number of the next one that the rank sends to, or takes from, another one; `step` is what it goes on by. */
static size_t next_number(struct otf_cursor *cursor, uint32_t window, enum signal signal, bool takes, int peer,
                          uint32_t step)
{
    struct map_entry *entry = map_add(&cursor->signals, map_key((int32_t)window, (int32_t)signal, takes, peer));
    uint32_t number = entry->index == MAP_NOTHING ? 0 : entry->index;
    entry->index = number + step;
    return number;
}

/* ---- The first pass ---- */

static void survey_sent(struct otf_cursor *cursor, uint32_t window, enum signal signal, int peer)
{
    struct otf_channel *channel = channel_of(cursor->shared, window, signal, cursor->rank, peer);
    channel->at_ps = xgrow(channel->at_ps, channel->n, &channel->capacity, sizeof *channel->at_ps);
    channel->at_ps[channel->n++] = cursor->call_ps;
}

static void survey(struct otf_cursor *cursor, uint32_t window, enum otf_epoch epoch, int peer)
{
    if (epoch == OTF_EPOCH_POST)
        survey_sent(cursor, window, SIGNAL_EXPOSED, peer);
    if (epoch == OTF_EPOCH_COMPLETE)
        survey_sent(cursor, window, SIGNAL_ENDED, peer);
    if (epoch == OTF_EPOCH_COMPLETE || epoch == OTF_EPOCH_WAIT)
        channel_of(cursor->shared, window, epoch == OTF_EPOCH_WAIT ? SIGNAL_ENDED : SIGNAL_EXPOSED, peer, cursor->rank)
            ->n_taken++;
}

/* ---- The second one ---- */

/* When the next one that the rank takes is sent; INT64_MAX: never. */
static int64_t sent_ps(struct otf_cursor *cursor, uint32_t window, enum signal signal, int peer, uint32_t step)
{
    const struct otf_channel *channel = channel_of(cursor->shared, window, signal, peer, cursor->rank);
    size_t number = next_number(cursor, window, signal, true, peer, step);
    return number < channel->n ? channel->at_ps[number] + cursor->shared->shift_ps : INT64_MAX;
}

static int do_part(struct otf_cursor *cursor, uint8_t kind, uint32_t window, enum signal signal, int peer,
                   uint32_t request, int64_t end_ps)
{
    struct record part = otf_record(kind, cursor->now_ps, end_ps);
    part.peer = peer;
    part.tag = record_epoch_tag(window, signal == SIGNAL_ENDED);
    part.request = request;
    return otf_calls_do(cursor, &part);
}

static int send_all(struct otf_cursor *cursor, uint32_t window, enum signal signal, const struct otf_members *group)
{
    for (int i = 0; i < group->n_members; i++) {
        int peer = group->members[i];
        size_t number = next_number(cursor, window, signal, false, peer, 1);
        if (number < channel_of(cursor->shared, window, signal, cursor->rank, peer)->n_taken &&
            do_part(cursor, RECORD_SEND, window, signal, peer, 0, cursor->now_ps) < 0)
            return -1;
    }
    return 0;
}

/* Begin to receive from all that send it, and wait for them until the last one has. */
static int take_all(struct otf_cursor *cursor, uint32_t window, enum signal signal, const struct otf_members *group)
{
    struct pending {
        uint32_t slot;
        int peer;
    } *pending = xcalloc((size_t)group->n_members + 1, sizeof *pending);
    int64_t last_ps = cursor->call_ps;
    int n = 0, status = 0;
    for (int i = 0; i < group->n_members && status == 0; i++) {
        int64_t at_ps = sent_ps(cursor, window, signal, group->members[i], 1);
        if (at_ps == INT64_MAX)
            continue;
        last_ps = int64_max(last_ps, at_ps);
        pending[n] = (struct pending){otf_slot_take(cursor), group->members[i]};
        status = do_part(cursor, RECORD_IRECV, window, signal, pending[n].peer, pending[n].slot + 1, cursor->call_ps);
        n++;
    }
    for (int i = 0; i < n && status == 0; i++)
        status = do_part(cursor, RECORD_WAIT, window, signal, pending[i].peer, pending[i].slot + 1,
                         int64_min(last_ps, cursor->now_ps));
    for (int i = 0; i < n; i++)
        otf_slot_free(cursor, pending[i].slot);
    free(pending);
    return status;
}

/* The start waits for the latest of those that have exposed their memory by its end, if they all have. */
static int probe_latest(struct otf_cursor *cursor, uint32_t window, const struct otf_members *group)
{
    int64_t last_ps = INT64_MIN;
    int last = -1;
    for (int i = 0; i < group->n_members; i++) {
        int64_t at_ps = sent_ps(cursor, window, SIGNAL_EXPOSED, group->members[i], 0);
        if (at_ps >= last_ps) {
            last_ps = at_ps;
            last = group->members[i];
        }
    }
    return last_ps > cursor->now_ps || last < 0
               ? 0
               : do_part(cursor, RECORD_PROBE, window, SIGNAL_EXPOSED, last, 0, cursor->now_ps);
}

int otf_cursor_epoch(struct otf_cursor *cursor, uint32_t window, uint32_t group)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    if (cursor->n_calls == 0 || cursor->called == NULL || cursor->called->epoch == OTF_EPOCH_NONE ||
        !map_get(&defs->members_map, map_key_64(group), &index))
        return 0;
    const struct otf_members *members = &defs->members[index];
    enum otf_epoch epoch = (enum otf_epoch)cursor->called->epoch;
    cursor->is_told = true;
    for (int i = 0; i < members->n_members && cursor->first_pass; i++)
        survey(cursor, window, epoch, members->members[i]);
    if (cursor->first_pass)
        return 0;
    switch (epoch) {
    case OTF_EPOCH_POST:
        return send_all(cursor, window, SIGNAL_EXPOSED, members);
    case OTF_EPOCH_START:
        return probe_latest(cursor, window, members);
    case OTF_EPOCH_COMPLETE:
        return take_all(cursor, window, SIGNAL_EXPOSED, members) < 0 ? -1
                                                                     : send_all(cursor, window, SIGNAL_ENDED, members);
    default:
        return take_all(cursor, window, SIGNAL_ENDED, members);
    }
}
