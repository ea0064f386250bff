/* Two queues for each rank: receives that have got nothing yet, and messages without a receive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/first_come.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>

#define NOTHING UINT32_MAX

/* A receive, or a message. */
struct entry {
    int64_t from_any; /* of a receive: see struct op */
    int64_t at_ps;    /* when it was posted, or came */
    int64_t number;   /* of a receive: among those of its rank, from 1 */
    int32_t sender, tag;
    uint32_t next;
};

struct queue {
    uint32_t first, last;
};

struct inbox {
    struct queue posted, come;
    int64_t n_posted;
    /* When another message than the traced one had come for the receive that was posted last; PS_MAX: none had. */
    int64_t other_ps;
};

struct first_come {
    struct inbox *inboxes; /* of each rank */
    struct entry *entries;
    size_t n_entries, capacity;
    uint32_t free;
};

struct first_come *first_come_new(int n_ranks)
{
    struct first_come *self = xcalloc(1, sizeof *self);
    const struct queue empty = {NOTHING, NOTHING};
    self->free = NOTHING;
    self->inboxes = xmalloc((size_t)n_ranks * sizeof *self->inboxes);
    for (int r = 0; r < n_ranks; r++)
        self->inboxes[r] = (struct inbox){empty, empty, 0, PS_MAX};
    return self;
}

void first_come_free(struct first_come *self)
{
    if (self == NULL)
        return;
    free(self->inboxes);
    free(self->entries);
    free(self);
}

static void append(struct first_come *self, struct queue *queue, const struct entry *entry)
{
    uint32_t index = self->free;
    if (index != NOTHING) {
        self->free = self->entries[index].next;
    } else {
        index = (uint32_t)self->n_entries++;
        self->entries = xgrow(self->entries, index, &self->capacity, sizeof *self->entries);
    }
    self->entries[index] = *entry;
    self->entries[index].next = NOTHING;
    *(queue->first != NOTHING ? &self->entries[queue->last].next : &queue->first) = index;
    queue->last = index;
}

static bool suits(const struct entry *receive, const struct entry *message)
{
    return receive->tag == message->tag && (receive->from_any != 0 || receive->sender == message->sender);
}

/* Take out the first entry that suits the other one: a message for a receive, or a receive for a message. */
static bool take(struct entry *taken, struct first_come *self, struct queue *queue, const struct entry *other,
                 bool is_receive)
{
    uint32_t before = NOTHING;
    for (uint32_t i = queue->first; i != NOTHING; before = i, i = self->entries[i].next) {
        const struct entry *entry = &self->entries[i];
        if (!(is_receive ? suits(other, entry) : suits(entry, other)))
            continue;
        *taken = *entry;
        *(before != NOTHING ? &self->entries[before].next : &queue->first) = entry->next;
        if (queue->last == i)
            queue->last = before;
        self->entries[i].next = self->free;
        self->free = i;
        return true;
    }
    return false;
}

/* Count the receive if it would get another message. */
static void compare(struct first_come_stats *stats, int rank, const struct entry *receive, const struct entry *message)
{
    if (receive->sender == message->sender)
        return;
    if (stats->n_others++ == 0 || receive->at_ps < stats->posted_ps) {
        stats->posted_ps = receive->at_ps;
        stats->rank = rank;
        stats->position = receive->from_any;
        stats->traced = receive->sender;
        stats->first = message->sender;
    }
}

void first_come_post(struct first_come *self, struct first_come_stats *stats, int rank, const struct op *op,
                     int64_t posted_ps)
{
    struct inbox *inbox = &self->inboxes[rank];
    const struct entry receive = {op->from_any, posted_ps, ++inbox->n_posted, op->peer, op->tag, NOTHING};
    struct entry message;
    stats->n_receives += receive.from_any != 0;
    inbox->other_ps = PS_MAX;
    if (!take(&message, self, &inbox->come, &receive, true)) {
        append(self, &inbox->posted, &receive);
        return;
    }
    compare(stats, rank, &receive, &message);
    if (receive.sender != message.sender)
        inbox->other_ps = message.at_ps;
}

void first_come_arrive(struct first_come *self, struct first_come_stats *stats, int receiver, int sender, int tag,
                       int64_t now_ps, int64_t since_ps)
{
    struct inbox *inbox = &self->inboxes[receiver];
    const struct entry message = {0, now_ps, 0, sender, tag, NOTHING};
    struct entry receive;
    if (since_ps >= 0)
        stats->waits_ps += int64_max(0, now_ps - int64_max(since_ps, inbox->other_ps));
    if (!take(&receive, self, &inbox->posted, &message, false)) {
        append(self, &inbox->come, &message);
        return;
    }
    compare(stats, receiver, &receive, &message);
    if (receive.sender != sender && receive.number == inbox->n_posted)
        inbox->other_ps = now_ps;
}
