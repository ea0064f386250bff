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
 * finds out. Messages are only between calls that both sides have.
 *
 * A lock that a rank gets in MPI_Win_lock, and that another one has given back meanwhile, stands for an empty message
 * from where that one began to.
 *
 * Memory: 8 bytes for each MPI_Win_post and member, 48 for each lock that is had.
 * SPDX-License-Identifier: BSD-3-Clause */
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

/* A lock of a window that a rank has had. */
struct otf_hold {
    int64_t asked_ps, had_ps, freed_ps; /* freed: when it began to give it back; INT64_MAX: never. Before shift_ps */
    int32_t rank;
    uint32_t before;      /* whom it has waited for, of the list; MAP_NOTHING: none */
    uint32_t first, next; /* who has waited for this one, and the next who has waited for the same */
    bool is_exclusive;
};

struct otf_lock {
    struct otf_hold *list; /* in order of had_ps after the first pass */
    size_t n, capacity;
    uint32_t number;
};

void otf_channels_dispose(struct otf_shared *shared)
{
    for (size_t i = 0; i < shared->channels.size; i++) {
        struct map_entry *entry = &shared->channels.entries[i];
        if (entry->index == MAP_NOTHING)
            continue;
        free(((struct otf_channel *)entry->pointer)->at_ps);
        free(entry->pointer);
    }
    for (size_t i = 0; i < shared->locks.size; i++) {
        struct map_entry *entry = &shared->locks.entries[i];
        if (entry->index == MAP_NOTHING)
            continue;
        free(((struct otf_lock *)entry->pointer)->list);
        free(entry->pointer);
    }
    map_dispose(&shared->channels);
    map_dispose(&shared->locks);
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

/* A part of the call that lasts up to a time, but from the end of the part before at least, and the last one up to the
 * call's. */
static int do_part(struct otf_cursor *cursor, uint8_t kind, int32_t tag, int peer, uint32_t request, int64_t end_ps)
{
    struct record part = otf_record(kind, cursor->now_ps, end_ps);
    part.peer = peer;
    part.tag = tag;
    part.request = request;
    return otf_calls_do(cursor, &part);
}

static int send_all(struct otf_cursor *cursor, uint32_t window, enum signal signal, const struct otf_members *group)
{
    for (int i = 0; i < group->n_members; i++) {
        int peer = group->members[i];
        size_t number = next_number(cursor, window, signal, false, peer, 1);
        if (number < channel_of(cursor->shared, window, signal, cursor->rank, peer)->n_taken &&
            do_part(cursor, RECORD_SEND, record_epoch_tag(window, signal == SIGNAL_ENDED), peer, 0, cursor->call_ps) <
                0)
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
    int32_t tag = record_epoch_tag(window, signal == SIGNAL_ENDED);
    int n = 0, status = 0;
    for (int i = 0; i < group->n_members && status == 0; i++) {
        int64_t at_ps = sent_ps(cursor, window, signal, group->members[i], 1);
        if (at_ps == INT64_MAX)
            continue;
        last_ps = int64_max(last_ps, at_ps);
        pending[n] = (struct pending){otf_slot_take(cursor), group->members[i]};
        status = do_part(cursor, RECORD_IRECV, tag, pending[n].peer, pending[n].slot + 1, cursor->call_ps);
        n++;
    }
    for (int i = 0; i < n && status == 0; i++)
        status =
            do_part(cursor, RECORD_WAIT, tag, pending[i].peer, pending[i].slot + 1, int64_min(last_ps, cursor->now_ps));
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
               : do_part(cursor, RECORD_PROBE, record_epoch_tag(window, false), last, 0, cursor->now_ps);
}

int otf_cursor_epoch(struct otf_cursor *cursor, uint32_t window, uint32_t group)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    if (cursor->n_calls == 0 || cursor->thread > 0 || cursor->called == NULL ||
        cursor->called->epoch == OTF_EPOCH_NONE || !map_get(&defs->members_map, map_key_64(group), &index))
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

/* ---- Locks ---- */

enum { MOST_BEFORE = 256 }; /* holds of a lock that are looked at for the one that was waited for */

static struct otf_lock *lock_of(struct otf_shared *shared, uint32_t window, uint32_t target)
{
    uint32_t number = (uint32_t)shared->locks.count;
    struct map_entry *entry = map_add(&shared->locks, map_key((int32_t)window, (int32_t)target, 0, 0));
    if (entry->index == MAP_NOTHING) {
        struct otf_lock *lock = xcalloc(1, sizeof *lock);
        lock->number = number;
        entry->pointer = lock;
    }
    return entry->pointer;
}

static int compare_holds(const void *a, const void *b)
{
    const struct otf_hold *x = a, *y = b;
    if (x->had_ps != y->had_ps)
        return x->had_ps < y->had_ps ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The latest of those before that excluded the hold and were given back while it was asked for. */
static uint32_t find_before(const struct otf_lock *lock, uint32_t i)
{
    const struct otf_hold *hold = &lock->list[i];
    uint32_t before = MAP_NOTHING;
    for (uint32_t j = i; j > 0 && i - j < MOST_BEFORE; j--) {
        const struct otf_hold *other = &lock->list[j - 1];
        if (other->rank != hold->rank && (other->is_exclusive || hold->is_exclusive) &&
            other->freed_ps > hold->asked_ps && other->freed_ps <= hold->had_ps &&
            (before == MAP_NOTHING || other->freed_ps > lock->list[before].freed_ps))
            before = j - 1;
    }
    return before;
}

static void order_lock(struct otf_lock *lock)
{
    if (lock->n > 1)
        qsort(lock->list, lock->n, sizeof *lock->list, compare_holds);
    for (uint32_t i = (uint32_t)lock->n; i-- > 0;) {
        uint32_t before = find_before(lock, i);
        lock->list[i].before = before;
        if (before == MAP_NOTHING)
            continue;
        lock->list[i].next = lock->list[before].first;
        lock->list[before].first = i;
    }
}

void otf_locks_order(struct otf_shared *shared)
{
    for (size_t i = 0; i < shared->locks.size; i++)
        if (shared->locks.entries[i].index != MAP_NOTHING)
            order_lock(shared->locks.entries[i].pointer);
}

/* The hold in which the rank stands, or the next one; MAP_NOTHING: there is none. */
static uint32_t find_hold(struct otf_cursor *cursor, const struct otf_lock *lock, bool next)
{
    struct map_entry *entry = map_add(&cursor->signals, map_key(-1, (int32_t)lock->number, 0, 0));
    uint32_t i = entry->index == MAP_NOTHING ? 0 : entry->index + next;
    while (i < lock->n && lock->list[i].rank != cursor->rank)
        i++;
    entry->index = i < lock->n ? i : (uint32_t)lock->n;
    return i < lock->n ? i : MAP_NOTHING;
}

static void survey_lock(struct otf_cursor *cursor, struct otf_lock *lock, bool is_exclusive)
{
    lock->list = xgrow(lock->list, lock->n, &lock->capacity, sizeof *lock->list);
    lock->list[lock->n++] = (struct otf_hold){.asked_ps = cursor->call_ps,
                                              .had_ps = cursor->now_ps,
                                              .freed_ps = INT64_MAX,
                                              .rank = cursor->rank,
                                              .before = MAP_NOTHING,
                                              .first = MAP_NOTHING,
                                              .next = MAP_NOTHING,
                                              .is_exclusive = is_exclusive};
}

int otf_cursor_lock(struct otf_cursor *cursor, uint32_t window, uint32_t target, bool is_exclusive)
{
    if (cursor->n_calls == 0 || cursor->thread > 0 || target == OTF2_UNDEFINED_UINT32)
        return 0;
    struct otf_lock *lock = lock_of(cursor->shared, window, target);
    cursor->is_told = true;
    if (cursor->first_pass) {
        survey_lock(cursor, lock, is_exclusive);
        return 0;
    }
    uint32_t i = find_hold(cursor, lock, true), before = i == MAP_NOTHING ? i : lock->list[i].before;
    if (before == MAP_NOTHING)
        return 0;
    return do_part(cursor, RECORD_RECV, record_lock_tag(lock->number), lock->list[before].rank, 0, cursor->now_ps);
}

int otf_cursor_unlock(struct otf_cursor *cursor, uint32_t window, uint32_t target)
{
    if (cursor->n_calls == 0 || cursor->thread > 0 || target == OTF2_UNDEFINED_UINT32)
        return 0;
    struct otf_lock *lock = lock_of(cursor->shared, window, target);
    cursor->is_told = true;
    if (cursor->first_pass) {
        if (lock->n > 0 && lock->list[lock->n - 1].rank == cursor->rank)
            lock->list[lock->n - 1].freed_ps = cursor->call_ps;
        return 0;
    }
    uint32_t i = find_hold(cursor, lock, false);
    for (uint32_t j = i == MAP_NOTHING ? i : lock->list[i].first; j != MAP_NOTHING; j = lock->list[j].next)
        if (do_part(cursor, RECORD_SEND, record_lock_tag(lock->number), lock->list[j].rank, 0, cursor->call_ps) < 0)
            return -1;
    return 0;
}
