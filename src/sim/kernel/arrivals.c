/* Two lists for each rank, and a queue of what is under way between two ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/arrivals.h"

#include "base/memory.h"

#include <stdlib.h>

/* Messages in a chain, by next_same. */
struct chain {
    uint32_t first, last;
};

struct arrivals {
    int n_ranks;
    struct chain *posted,
        *come;            /* of each rank: receives, by posting; messages that were not received yet, by coming */
    struct map under_way; /* receiver and sender: a queue of messages, by sending */
};

struct arrivals *arrivals_new(int n_ranks)
{
    struct arrivals *arrivals = xcalloc(1, sizeof *arrivals);
    arrivals->n_ranks = n_ranks;
    arrivals->posted = xmalloc((size_t)n_ranks * sizeof *arrivals->posted);
    arrivals->come = xmalloc((size_t)n_ranks * sizeof *arrivals->come);
    for (int r = 0; r < n_ranks; r++)
        arrivals->posted[r] = arrivals->come[r] = (struct chain){NO_MESSAGE, NO_MESSAGE};
    return arrivals;
}

void arrivals_free(struct arrivals *arrivals)
{
    if (arrivals == NULL)
        return;
    map_dispose(&arrivals->under_way);
    free(arrivals->posted);
    free(arrivals->come);
    free(arrivals);
}

static void append(struct chain *chain, struct mailbox *mailbox, uint32_t index)
{
    mailbox->messages[index].next_same = NO_MESSAGE;
    *(chain->first != NO_MESSAGE ? &mailbox->messages[chain->last].next_same : &chain->first) = index;
    chain->last = index;
}

/* Take out what comes after `before`; NO_MESSAGE: the first. */
static uint32_t take_out(struct chain *chain, struct mailbox *mailbox, uint32_t before)
{
    uint32_t *place = before != NO_MESSAGE ? &mailbox->messages[before].next_same : &chain->first, index = *place;
    *place = mailbox->messages[index].next_same;
    if (chain->last == index)
        chain->last = before;
    mailbox->messages[index].next_same = NO_MESSAGE;
    return index;
}

static bool suits(const struct message *message, int sender, int tag, bool any_tag, int context)
{
    return message->context == context && (sender < 0 || message->sender == sender) && (any_tag || message->tag == tag);
}

void arrivals_post(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t receive)
{
    append(&arrivals->posted[mailbox->messages[receive].receiver], mailbox, receive);
}

uint32_t arrivals_take(struct arrivals *arrivals, struct mailbox *mailbox, int receiver, int sender, int tag,
                       bool any_tag, int context)
{
    struct chain *come = &arrivals->come[receiver];
    uint32_t before = NO_MESSAGE;
    for (uint32_t i = come->first; i != NO_MESSAGE; i = mailbox->messages[i].next_same) {
        if (suits(&mailbox->messages[i], sender, tag, any_tag, context))
            return take_out(come, mailbox, before);
        before = i;
    }
    return NO_MESSAGE;
}

uint32_t arrivals_come(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t index)
{
    const struct message *message = &mailbox->messages[index];
    struct chain *posted = &arrivals->posted[message->receiver];
    uint32_t before = NO_MESSAGE;
    for (uint32_t i = posted->first; i != NO_MESSAGE; i = mailbox->messages[i].next_same) {
        const struct message *receive = &mailbox->messages[i];
        if (suits(message, receive->sender, receive->tag, receive->exchanges, receive->context))
            return take_out(posted, mailbox, before);
        before = i;
    }
    append(&arrivals->come[message->receiver], mailbox, index);
    return NO_MESSAGE;
}

int64_t arrivals_count(const struct arrivals *arrivals, const struct mailbox *mailbox, uint32_t *first)
{
    int64_t count = 0;
    *first = NO_MESSAGE;
    for (int r = 0; r < arrivals->n_ranks; r++)
        for (uint32_t i = arrivals->come[r].first; i != NO_MESSAGE; i = mailbox->messages[i].next_same) {
            if (*first == NO_MESSAGE || mailbox->messages[i].start_ps < mailbox->messages[*first].start_ps)
                *first = i;
            count++;
        }
    return count;
}

/* --- the order between two ranks --- */

static struct map_key key_of(const struct message *message)
{
    return map_key(message->receiver, message->sender, 0, 0);
}

void arrivals_send(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    message->next_same = NO_MESSAGE;
    uint32_t before = queue_append(map_add(&arrivals->under_way, key_of(message)), index);
    if (before != NO_MESSAGE)
        mailbox->messages[before].next_same = index;
}

bool arrivals_is_next(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    message->has_come = 1;
    return map_find(&arrivals->under_way, key_of(message))->index == index;
}

uint32_t arrivals_next(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    struct map_entry *entry = map_find(&arrivals->under_way, key_of(message));
    uint32_t next = message->next_same;
    message->next_same = NO_MESSAGE;
    queue_drop_first(&arrivals->under_way, entry, next);
    return next != NO_MESSAGE && mailbox->messages[next].has_come ? next : NO_MESSAGE;
}
