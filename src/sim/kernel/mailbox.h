/* Unexpected messages, sent to a rank that has not asked for them yet, found by their key (receiver, sender, tag,
 * context) and taken in the order of their sending; and receives that have been posted before their message was sent,
 * taken in the order of their posting. A key has either messages or posted receives.
 *
 * Few wait for a receiver at a time, and mostly they are taken in the order in which they came. So each receiver has a
 * short list; when that is full, others are in queues, one for each key, until all of these are taken.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_MAILBOX_H
#define SIM_KERNEL_MAILBOX_H

#include "base/map.h"
#include "sim/network/network.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_MESSAGE MAP_NOTHING

/* So many messages may there be at once, and as many posted receives; and what a message takes with its event in the
 * queue and the checkpoint that a metric has of it, about. A fixed bound, so that what is simulated does not depend on
 * this computer. */
enum { MAILBOX_MOST = 1 << 24, MAILBOX_MESSAGE_BYTES = 224 };

enum message_phase {
    PHASE_DATA,            /* standard send: the data are under way or have come */
    PHASE_RTS,             /* synchronous send: the RTS is under way or has come */
    PHASE_MATCHED,         /* the receive is posted at posted_ps, then the CTS starts */
    PHASE_CTS,             /* the CTS is under way back to the sender */
    PHASE_RENDEZVOUS_DATA, /* the data are under way */
};

struct message {
    int64_t bytes;
    int64_t start_ps;   /* when its sender began to send */
    int64_t arrived_ps; /* when it, or its RTS, comes to the receiver, as far as that is known (`arrived`) */
    int64_t posted_ps;  /* when the receive was posted; also of a posted receive */
    int64_t receive_ps; /* what its receiver's processor does for it */
    int64_t origin_ps;  /* of a message whose sender has gone on: from when on the critical path runs through it */
    int32_t sender, receiver, tag;
    int32_t context; /* 0 of the program's own messages; of a collective, 1 + its group */
    uint32_t
        /* For a posted receive its request, for a message that of its send where that can be waited for; else
         * NO_PENDING. */
        pending;
    uint8_t phase; /* enum message_phase */
    uint8_t scope;
    uint8_t blocks;  /* its sender waits until it is delivered */
    uint8_t awaited; /* its receive is posted */
    uint8_t arrived; /* data, or RTS, have come, or it is known when they do: see sim/kernel/ahead.h */
    uint8_t tracked; /* its sender has gone on, but may come to wait for it */
    uint8_t is_posted_receive : 1;
    uint8_t has_come : 1;    /* of what is matched when it comes: see sim/kernel/arrivals.h */
    uint8_t synchronous : 1; /* because the program wants it so */
    uint8_t exchanges : 1;   /* its sender receives at the same time */
    uint8_t processor;       /* its sender's, of its rank */
    uint8_t n_keepers;       /* requests that refer to it, see struct pending: it is not free before they are gone */
    uint32_t begun;          /* where ranks have strands: of its send, the low bits of struct strand_place's */
    uint32_t next_same;      /* mailbox: the next message of the same key; free list: the next free message */
    uint32_t posted; /* of a message that is awaited: that of its receive; NO_MESSAGE: the receiver is blocked */
    uint32_t serial; /* see struct interval */
    struct transfer transfer; /* what is on the network now; where ranks run ahead of no value */
};

/* The unexpected messages and posted receives of a receiver. Those in its list are older than those of the same key in
 * a queue. */
enum { INBOX_LISTED = 7 };
struct inbox {
    uint32_t first, last;           /* of the list; no value where it is empty */
    uint32_t n_listed : 3;          /* INBOX_LISTED at most */
    uint32_t n_listed_receives : 3; /* so many of these have been posted */
    uint32_t n_queued : 26;
};
static_assert(2 * MAILBOX_MOST < 1 << 26, "an inbox counts all that is queued");

struct mailbox {
    struct message *messages;     /* the pool that indices refer to */
    size_t n_messages, capacity;  /* those in use and the free ones: so many there were at once */
    size_t n_receives;            /* how many of them are, or were, posted receives */
    size_t n_waiting;             /* how many wait to be taken, posted receives among them */
    uint32_t free, free_receives; /* first of the free ones */
    struct map queues;            /* of each key */
    size_t n_queued[2];           /* how many messages, and posted receives, are in queues */
    struct inbox *inboxes;        /* of receivers 0 to n_inboxes - 1; of others all are in queues */
    uint32_t n_inboxes;
};

void mailbox_init(struct mailbox *mailbox, int n_inboxes);
void mailbox_dispose(struct mailbox *mailbox);

/* A message from the pool; its index. Pointers into the pool are invalid afterwards. Posted receives are of the same
 * pool, but what was one becomes one again, so that the order of the messages' indices does not depend on posted
 * receives. The caller fills in all fields. */
uint32_t mailbox_grow(struct mailbox *mailbox);
static inline uint32_t mailbox_new_message(struct mailbox *mailbox)
{
    uint32_t index = mailbox->free;
    if (index == NO_MESSAGE)
        return mailbox_grow(mailbox);
    assert(index < mailbox->n_messages && !mailbox->messages[index].is_posted_receive);
    mailbox->free = mailbox->messages[index].next_same;
    return index;
}
uint32_t mailbox_new_receive(struct mailbox *mailbox);
static inline void mailbox_free_message(struct mailbox *mailbox, uint32_t index)
{
    assert(index < mailbox->n_messages && index != mailbox->free && index != mailbox->free_receives);
    uint32_t *free_list = mailbox->messages[index].is_posted_receive ? &mailbox->free_receives : &mailbox->free;
    mailbox->messages[index].next_same = *free_list;
    *free_list = index;
}

void mailbox_put_in_queue(struct mailbox *mailbox, uint32_t index);
static inline void mailbox_put(struct mailbox *mailbox, uint32_t index)
{
    struct message *message = &mailbox->messages[index];
    bool has_list = (uint32_t)message->receiver < mailbox->n_inboxes;
    struct inbox *inbox = has_list ? &mailbox->inboxes[message->receiver] : NULL;
    message->next_same = NO_MESSAGE;
    mailbox->n_waiting++;
    if (inbox == NULL || inbox->n_queued > 0 || inbox->n_listed == INBOX_LISTED) {
        mailbox_put_in_queue(mailbox, index);
        return;
    }
    if (inbox->n_listed++ == 0)
        inbox->first = index;
    else
        mailbox->messages[inbox->last].next_same = index;
    inbox->n_listed_receives += message->is_posted_receive;
    inbox->last = index;
}

/* Take out the oldest message, or posted receive, of the key; NO_MESSAGE if there is none. */
uint32_t mailbox_take_listed(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context,
                             bool posted);
static inline uint32_t mailbox_take(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag,
                                    int32_t context)
{
    struct inbox *inbox = &mailbox->inboxes[receiver];
    if ((uint32_t)receiver >= mailbox->n_inboxes || inbox->n_listed == inbox->n_listed_receives)
        return mailbox->n_queued[0] == 0 ? NO_MESSAGE
                                         : mailbox_take_listed(mailbox, receiver, sender, tag, context, false);
    uint32_t first = inbox->first;
    const struct message *message = &mailbox->messages[first];
    if (message->sender != sender || message->tag != tag || message->context != context || message->is_posted_receive)
        return mailbox_take_listed(mailbox, receiver, sender, tag, context, false);
    assert(message->receiver == receiver && mailbox->n_waiting > 0);
    inbox->first = message->next_same;
    inbox->n_listed--;
    mailbox->n_waiting--;
    return first;
}
uint32_t mailbox_take_receive(struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag, int32_t context);
/* True if the oldest message of the program's own from `sender` under `tag`, or its RTS, has come to `receiver`. */
bool mailbox_has_come(const struct mailbox *mailbox, int32_t receiver, int32_t sender, int32_t tag);
#ifndef NDEBUG
/* True if the lists of what is free and of what waits hold nothing twice, and, if `all`, together all that there is:
 * then no message is lost. */
bool mailbox_is_sound(const struct mailbox *mailbox, bool all);
#endif
/* How many messages wait in it, posted receives left out, and the one that was sent first; NO_MESSAGE if there are
 * none. */
int64_t mailbox_count(const struct mailbox *mailbox, uint32_t *first);

#endif
