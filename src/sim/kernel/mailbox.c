/* A pool of messages, and a queue of them for each key.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/mailbox.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

void mailbox_init(struct mailbox *mailbox, int n_inboxes)
{
    *mailbox = (struct mailbox){
        .free = NO_MESSAGE, .free_receives = NO_MESSAGE, .n_inboxes = n_inboxes > 0 ? (uint32_t)n_inboxes : 0};
    mailbox->inboxes = xcalloc(mailbox->n_inboxes, sizeof *mailbox->inboxes);
}

void mailbox_dispose(struct mailbox *mailbox)
{
    free(mailbox->messages);
    map_dispose(&mailbox->queues);
    free(mailbox->inboxes);
}

uint32_t mailbox_grow(struct mailbox *mailbox)
{
    mailbox->messages = xgrow(mailbox->messages, mailbox->n_messages, &mailbox->capacity, sizeof *mailbox->messages);
    return (uint32_t)mailbox->n_messages++;
}

uint32_t mailbox_new_receive(struct mailbox *mailbox)
{
    uint32_t index = mailbox->free_receives;
    if (index == NO_MESSAGE) {
        mailbox->n_receives++;
        return mailbox_grow(mailbox);
    }
    mailbox->free_receives = mailbox->messages[index].next_same;
    return index;
}

static inline struct inbox *inbox_of(const struct mailbox *mailbox, int32_t receiver)
{
    return (uint32_t)receiver < mailbox->n_inboxes ? &mailbox->inboxes[receiver] : NULL;
}

void mailbox_put_in_queue(struct mailbox *mailbox, uint32_t index)
{
    const struct message *message = &mailbox->messages[index];
    struct inbox *inbox = inbox_of(mailbox, message->receiver);
    assert(message->next_same == NO_MESSAGE);
    if (inbox != NULL)
        inbox->n_queued++;
    mailbox->n_queued[message->is_posted_receive]++;
    uint32_t before = queue_append(
        map_add(&mailbox->queues, map_key(message->receiver, message->sender, message->tag, message->context)), index);
    if (before != NO_MESSAGE)
        mailbox->messages[before].next_same = index;
}

/* True if `a` comes first: sent earlier, or at the same time by a lower rank, then to a lower rank, then under a lower
 * tag. */
static bool is_before(const struct message *a, const struct message *b)
{
    if (a->start_ps != b->start_ps)
        return a->start_ps < b->start_ps;
    if (a->sender != b->sender)
        return a->sender < b->sender;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver;
    return a->tag != b->tag ? a->tag < b->tag : a->context < b->context;
}

/* Count a queue, whose messages may be before the first. */
static int64_t count_queue(const struct mailbox *mailbox, uint32_t index, uint32_t *first)
{
    int64_t count = 0;
    for (; index != NO_MESSAGE; index = mailbox->messages[index].next_same) {
        const struct message *message = &mailbox->messages[index];
        if (message->is_posted_receive)
            continue;
        count++;
        if (*first == NO_MESSAGE || is_before(message, &mailbox->messages[*first]))
            *first = index;
    }
    return count;
}

int64_t mailbox_count(const struct mailbox *mailbox, uint32_t *first)
{
    int64_t count = 0;
    *first = NO_MESSAGE;
    for (uint32_t i = 0; i < mailbox->n_inboxes; i++)
        if (mailbox->inboxes[i].n_listed > 0)
            count += count_queue(mailbox, mailbox->inboxes[i].first, first);
    for (size_t i = 0; i < mailbox->queues.size; i++)
        count += count_queue(mailbox, mailbox->queues.entries[i].index, first);
    return count;
}

#ifndef NDEBUG
/* The length of a list; more than there are messages where it is a ring. */
static size_t length_of(const struct mailbox *mailbox, uint32_t index)
{
    size_t length = 0;
    for (; index != NO_MESSAGE && length <= mailbox->n_messages; index = mailbox->messages[index].next_same)
        length++;
    return length;
}

bool mailbox_is_sound(const struct mailbox *mailbox, bool all)
{
    size_t n_free = length_of(mailbox, mailbox->free) + length_of(mailbox, mailbox->free_receives), n_queued = 0;
    size_t n_listed = 0, n_in_queues = 0, n_counted = mailbox->n_queued[0] + mailbox->n_queued[1];
    for (uint32_t i = 0; i < mailbox->n_inboxes; i++) {
        const struct inbox *inbox = &mailbox->inboxes[i];
        n_listed += inbox->n_listed;
        n_queued += inbox->n_queued;
        if (inbox->n_listed > 0 && length_of(mailbox, inbox->first) != inbox->n_listed)
            return false;
    }
    for (size_t i = 0; i < mailbox->queues.size; i++)
        n_in_queues += length_of(mailbox, mailbox->queues.entries[i].index);
    return n_in_queues == n_queued && n_queued == n_counted && n_listed + n_queued == mailbox->n_waiting &&
           (all ? n_free + mailbox->n_waiting == mailbox->n_messages
                : n_free + mailbox->n_waiting <= mailbox->n_messages);
}
#endif

/* The first of the key in the list, and the one before it there; NO_MESSAGE if there is none. */
static inline uint32_t find_listed(const struct mailbox *mailbox, const struct inbox *inbox, int32_t sender,
                                   int32_t tag, int32_t context, uint32_t *before)
{
    uint32_t index = inbox != NULL && inbox->n_listed > 0 ? inbox->first : NO_MESSAGE;
    *before = NO_MESSAGE;
    for (; index != NO_MESSAGE; index = mailbox->messages[index].next_same) {
        const struct message *message = &mailbox->messages[index];
        if (message->sender == sender && message->tag == tag && message->context == context)
            return index;
        *before = index;
    }
    return NO_MESSAGE;
}

static uint32_t take_queued(struct mailbox *mailbox, struct inbox *inbox, struct map_key key, bool posted)
{
    struct map_entry *entry = map_find(&mailbox->queues, key);
    uint32_t index = entry != NULL ? entry->index : NO_MESSAGE;
    if (index == NO_MESSAGE || (mailbox->messages[index].is_posted_receive != 0) != posted)
        return NO_MESSAGE;
    queue_drop_first(&mailbox->queues, entry, mailbox->messages[index].next_same);
    assert((inbox == NULL || inbox->n_queued > 0) && mailbox->n_queued[posted] > 0);
    if (inbox != NULL)
        inbox->n_queued--;
    mailbox->n_queued[posted]--;
    mailbox->n_waiting--;
    return index;
}

uint32_t mailbox_take_listed(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context,
                             bool posted)
{
    struct inbox *inbox = inbox_of(mailbox, receiver);
    uint32_t before = NO_MESSAGE, index = NO_MESSAGE;
    if (inbox != NULL && (posted ? inbox->n_listed_receives > 0 : inbox->n_listed > inbox->n_listed_receives))
        index = find_listed(mailbox, inbox, sender, tag, context, &before);
    if (index == NO_MESSAGE) {
        bool none = mailbox->n_queued[posted] == 0 || (inbox != NULL && inbox->n_queued == 0);
        return none ? NO_MESSAGE : take_queued(mailbox, inbox, map_key(receiver, sender, tag, context), posted);
    }
    if ((mailbox->messages[index].is_posted_receive != 0) != posted)
        return NO_MESSAGE;
    *(before == NO_MESSAGE ? &inbox->first : &mailbox->messages[before].next_same) = mailbox->messages[index].next_same;
    if (inbox->last == index)
        inbox->last = before;
    inbox->n_listed--;
    inbox->n_listed_receives -= posted;
    mailbox->n_waiting--;
    return index;
}

uint32_t mailbox_take_receive(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return mailbox_take_listed(mailbox, receiver, sender, tag, context, true);
}

bool mailbox_has_come(const struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag)
{
    const struct inbox *inbox = inbox_of(mailbox, receiver);
    uint32_t before, index = find_listed(mailbox, inbox, sender, tag, 0, &before);
    if (index != NO_MESSAGE)
        return mailbox->messages[index].arrived;
    const struct map_entry *entry = map_find(&mailbox->queues, map_key(receiver, sender, tag, 0));
    return entry != NULL && mailbox->messages[entry->index].arrived;
}
