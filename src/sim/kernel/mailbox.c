/* A pool of messages, and a queue of them for each key. */
#include "sim/kernel/mailbox.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

void mailbox_init(struct mailbox *mailbox, int n_inboxes)
{
    *mailbox = (struct mailbox){
        .free = NO_MESSAGE, .free_receives = NO_MESSAGE, .n_inboxes = n_inboxes > 0 ? (uint32_t)n_inboxes : 0};
    mailbox->inboxes = xmalloc(mailbox->n_inboxes * sizeof *mailbox->inboxes);
    for (uint32_t i = 0; i < mailbox->n_inboxes; i++)
        mailbox->inboxes[i] = (struct inbox){.first = NO_MESSAGE};
}

void mailbox_dispose(struct mailbox *mailbox)
{
    free(mailbox->messages);
    map_dispose(&mailbox->queues);
    free(mailbox->inboxes);
}

static uint32_t new_item(struct mailbox *mailbox, uint32_t *free_list)
{
    uint32_t index = *free_list;
    if (index != NO_MESSAGE) {
        *free_list = mailbox->messages[index].next_same;
        return index;
    }
    mailbox->messages = xgrow(mailbox->messages, mailbox->n_messages, &mailbox->capacity, sizeof *mailbox->messages);
    return (uint32_t)mailbox->n_messages++;
}

uint32_t mailbox_new_message(struct mailbox *mailbox)
{
    return new_item(mailbox, &mailbox->free);
}

uint32_t mailbox_new_receive(struct mailbox *mailbox)
{
    mailbox->n_receives += mailbox->free_receives == NO_MESSAGE;
    return new_item(mailbox, &mailbox->free_receives);
}

void mailbox_free_message(struct mailbox *mailbox, uint32_t index)
{
    uint32_t *free_list = mailbox->messages[index].is_posted_receive ? &mailbox->free_receives : &mailbox->free;
    mailbox->messages[index].next_same = *free_list;
    *free_list = index;
}

static inline struct inbox *inbox_of(const struct mailbox *mailbox, int32_t receiver)
{
    return (uint32_t)receiver < mailbox->n_inboxes ? &mailbox->inboxes[receiver] : NULL;
}

/* Whether the first in it has the key. */
static inline bool is_first(const struct mailbox *mailbox, const struct inbox *inbox, int32_t sender, int32_t tag,
                            int32_t context)
{
    if (inbox == NULL || inbox->first == NO_MESSAGE)
        return false;
    const struct message *message = &mailbox->messages[inbox->first];
    return message->sender == sender && message->tag == tag && message->context == context;
}

void mailbox_put(struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    struct inbox *inbox = inbox_of(mailbox, message->receiver);
    message->next_same = NO_MESSAGE;
    if (inbox != NULL && inbox->first == NO_MESSAGE && inbox->n_queued == 0) {
        inbox->first = index;
        return;
    }
    if (inbox != NULL)
        inbox->n_queued++;
    uint32_t before = queue_append(
        map_add(&mailbox->queues, map_key(message->receiver, message->sender, message->tag, message->context)), index);
    if (before != NO_MESSAGE)
        mailbox->messages[before].next_same = index;
}

/* Of two that were sent at once the one of the lower rank, then the one to it, then the lower tag. */
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
        count += count_queue(mailbox, mailbox->inboxes[i].first, first);
    for (size_t i = 0; i < mailbox->queues.size; i++)
        count += count_queue(mailbox, mailbox->queues.entries[i].index, first);
    return count;
}

/* Take out the first of the key if it is one or the other. */
static inline uint32_t take(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context,
                            bool posted)
{
    struct inbox *inbox = inbox_of(mailbox, receiver);
    struct map_entry *entry = NULL;
    uint32_t index = NO_MESSAGE;
    bool is_noted = is_first(mailbox, inbox, sender, tag, context);
    if (is_noted)
        index = inbox->first;
    else if (inbox == NULL || inbox->n_queued > 0)
        entry = map_find(&mailbox->queues, map_key(receiver, sender, tag, context));
    if (entry != NULL)
        index = entry->index;
    if (index == NO_MESSAGE || (mailbox->messages[index].is_posted_receive != 0) != posted)
        return NO_MESSAGE;
    if (is_noted)
        inbox->first = NO_MESSAGE;
    else
        queue_drop_first(&mailbox->queues, entry, mailbox->messages[index].next_same);
    if (!is_noted && inbox != NULL)
        inbox->n_queued--;
    return index;
}

uint32_t mailbox_take(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return take(mailbox, receiver, sender, tag, context, false);
}

uint32_t mailbox_take_receive(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return take(mailbox, receiver, sender, tag, context, true);
}

bool mailbox_has_come(const struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag)
{
    const struct inbox *inbox = inbox_of(mailbox, receiver);
    if (is_first(mailbox, inbox, sender, tag, 0))
        return mailbox->messages[inbox->first].arrived;
    const struct map_entry *entry = map_find(&mailbox->queues, map_key(receiver, sender, tag, 0));
    return entry != NULL && mailbox->messages[entry->index].arrived;
}
