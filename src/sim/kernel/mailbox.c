/* The hash table of unexpected messages and posted receives, and the pool that both come from. */
#include "sim/kernel/mailbox.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 256 };

void mailbox_init(struct mailbox *mailbox)
{
    *mailbox = (struct mailbox){.free = NO_MESSAGE, .free_slips = NO_MESSAGE, .n_buckets = FIRST_BUCKETS};
    mailbox->buckets = xmalloc(FIRST_BUCKETS * sizeof *mailbox->buckets);
    memset(mailbox->buckets, 0xff, FIRST_BUCKETS * sizeof *mailbox->buckets);
}

void mailbox_dispose(struct mailbox *mailbox)
{
    free(mailbox->messages);
    free(mailbox->buckets);
}

static uint32_t new_item(struct mailbox *mailbox, uint32_t *free_list)
{
    uint32_t index = *free_list;
    if (index != NO_MESSAGE) {
        *free_list = mailbox->messages[index].next_key;
        return index;
    }
    mailbox->messages = xgrow(mailbox->messages, mailbox->n_messages, &mailbox->capacity, sizeof *mailbox->messages);
    return (uint32_t)mailbox->n_messages++;
}

uint32_t mailbox_new_message(struct mailbox *mailbox)
{
    return new_item(mailbox, &mailbox->free);
}

uint32_t mailbox_new_slip(struct mailbox *mailbox)
{
    return new_item(mailbox, &mailbox->free_slips);
}

void mailbox_free_message(struct mailbox *mailbox, uint32_t index)
{
    uint32_t *free_list = mailbox->messages[index].is_slip ? &mailbox->free_slips : &mailbox->free;
    mailbox->messages[index].next_key = *free_list;
    *free_list = index;
}

static size_t bucket_of(const struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    uint64_t hash = (uint64_t)(uint32_t)receiver * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ (uint32_t)sender) * UINT64_C(0xC2B2AE3D27D4EB4F);
    hash = (hash ^ (uint32_t)tag ^ (uint64_t)(uint32_t)context << 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash >> 32) & (mailbox->n_buckets - 1);
}

static void grow_buckets(struct mailbox *mailbox)
{
    size_t old_count = mailbox->n_buckets;
    uint32_t *old = mailbox->buckets;
    mailbox->n_buckets *= 2;
    mailbox->buckets = xmalloc(mailbox->n_buckets * sizeof *mailbox->buckets);
    memset(mailbox->buckets, 0xff, mailbox->n_buckets * sizeof *mailbox->buckets);
    for (size_t i = 0; i < old_count; i++)
        for (uint32_t index = old[i], next; index != NO_MESSAGE; index = next) {
            struct message *message = &mailbox->messages[index];
            next = message->next_key;
            uint32_t *bucket =
                &mailbox
                     ->buckets[bucket_of(mailbox, message->receiver, message->sender, message->tag, message->context)];
            message->next_key = *bucket;
            *bucket = index;
        }
    free(old);
}

/* The place that holds the index of the first message of the key, or the NO_MESSAGE at the end of its bucket. */
static uint32_t *find_key(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    uint32_t *place = &mailbox->buckets[bucket_of(mailbox, receiver, sender, tag, context)];
    while (*place != NO_MESSAGE) {
        struct message *message = &mailbox->messages[*place];
        if (message->receiver == receiver && message->sender == sender && message->tag == tag &&
            message->context == context)
            break;
        place = &message->next_key;
    }
    return place;
}

void mailbox_put(struct mailbox *mailbox, uint32_t index)
{
    if (mailbox->n_keys >= mailbox->n_buckets)
        grow_buckets(mailbox);
    struct message *message = &mailbox->messages[index];
    uint32_t *place = find_key(mailbox, message->receiver, message->sender, message->tag, message->context);
    message->next_same = NO_MESSAGE;
    if (*place == NO_MESSAGE) {
        message->next_key = NO_MESSAGE;
        message->last_same = index;
        *place = index;
        mailbox->n_keys++;
    } else {
        struct message *first = &mailbox->messages[*place];
        mailbox->messages[first->last_same].next_same = index;
        first->last_same = index;
    }
}

int64_t mailbox_count(const struct mailbox *mailbox, uint32_t *first)
{
    int64_t count = 0;
    *first = NO_MESSAGE;
    for (size_t i = 0; i < mailbox->n_buckets; i++)
        for (uint32_t key = mailbox->buckets[i]; key != NO_MESSAGE; key = mailbox->messages[key].next_key)
            for (uint32_t index = key; index != NO_MESSAGE; index = mailbox->messages[index].next_same) {
                const struct message *message = &mailbox->messages[index];
                if (message->is_slip)
                    continue;
                const struct message *least = *first != NO_MESSAGE ? &mailbox->messages[*first] : message;
                if (count++ == 0 || message->start_ps < least->start_ps ||
                    (message->start_ps == least->start_ps && message->sender < least->sender))
                    *first = index;
            }
    return count;
}

/* Take out the first of the key if it is one or the other. */
static uint32_t take(struct mailbox *mailbox, uint32_t *place, bool slip)
{
    uint32_t index = *place;
    if (index == NO_MESSAGE || (mailbox->messages[index].is_slip != 0) != slip)
        return NO_MESSAGE;
    struct message *message = &mailbox->messages[index];
    if (message->next_same == NO_MESSAGE) {
        *place = message->next_key;
        mailbox->n_keys--;
    } else {
        struct message *second = &mailbox->messages[message->next_same];
        second->next_key = message->next_key;
        second->last_same = message->last_same;
        *place = message->next_same;
    }
    return index;
}

uint32_t mailbox_take(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    if (mailbox->n_keys == 0)
        return NO_MESSAGE;
    return take(mailbox, find_key(mailbox, receiver, sender, tag, context), false);
}

uint32_t mailbox_take_slip(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context)
{
    return take(mailbox, find_key(mailbox, receiver, sender, tag, context), true);
}
