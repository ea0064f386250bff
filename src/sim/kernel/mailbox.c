/* A pool of messages, and a queue of them for each key. */
#include "sim/kernel/mailbox.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

void mailbox_init(struct mailbox *mailbox)
{
    *mailbox = (struct mailbox){.free = NO_MESSAGE, .free_receives = NO_MESSAGE};
}

void mailbox_dispose(struct mailbox *mailbox)
{
    free(mailbox->messages);
    map_dispose(&mailbox->queues);
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
    return new_item(mailbox, &mailbox->free_receives);
}

void mailbox_free_message(struct mailbox *mailbox, uint32_t index)
{
    uint32_t *free_list = mailbox->messages[index].is_posted_receive ? &mailbox->free_receives : &mailbox->free;
    mailbox->messages[index].next_same = *free_list;
    *free_list = index;
}

void mailbox_put(struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    message->next_same = NO_MESSAGE;
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

int64_t mailbox_count(const struct mailbox *mailbox, uint32_t *first)
{
    int64_t count = 0;
    *first = NO_MESSAGE;
    for (size_t i = 0; i < mailbox->queues.size; i++)
        for (uint32_t index = mailbox->queues.entries[i].index; index != NO_MESSAGE;
             index = mailbox->messages[index].next_same) {
            const struct message *message = &mailbox->messages[index];
            if (message->is_posted_receive)
                continue;
            if (count++ == 0 || is_before(message, &mailbox->messages[*first]))
                *first = index;
        }
    return count;
}

/* Take out the first of the key if it is one or the other. */
static inline uint32_t take(struct mailbox *mailbox, struct map_key key, bool posted)
{
    struct map_entry *entry = map_find(&mailbox->queues, key);
    if (entry == NULL || (mailbox->messages[entry->index].is_posted_receive != 0) != posted)
        return NO_MESSAGE;
    uint32_t index = entry->index;
    queue_drop_first(&mailbox->queues, entry, mailbox->messages[index].next_same);
    return index;
}

uint32_t mailbox_take(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return take(mailbox, map_key(receiver, sender, tag, context), false);
}

uint32_t mailbox_take_receive(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return take(mailbox, map_key(receiver, sender, tag, context), true);
}

bool mailbox_has_come(const struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag)
{
    const struct map_entry *entry = map_find(&mailbox->queues, map_key(receiver, sender, tag, 0));
    return entry != NULL && mailbox->messages[entry->index].arrived;
}
