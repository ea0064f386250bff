/* A pool of ends, and a queue of them for each key: a serial comes again after 2^32 messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/matcher.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

/* Ends of one key that wait for the others: all sent, or all received. */
struct node {
    struct message_end end;
    bool sent;
    uint32_t next_same; /* of the same key; in the list of free nodes: the next */
};

struct matcher {
    struct node *nodes;
    size_t n_nodes, capacity;
    uint32_t free;
    struct map queues; /* of each sender, receiver, tag and serial */
};

struct matcher *matcher_new(void)
{
    struct matcher *matcher = xcalloc(1, sizeof *matcher);
    matcher->free = MAP_NOTHING;
    return matcher;
}

void matcher_free(struct matcher *matcher)
{
    if (matcher == NULL)
        return;
    map_dispose(&matcher->queues);
    free(matcher->nodes);
    free(matcher);
}

static uint32_t new_node(struct matcher *matcher)
{
    uint32_t index = matcher->free;
    if (index != MAP_NOTHING) {
        matcher->free = matcher->nodes[index].next_same;
        return index;
    }
    matcher->nodes = xgrow(matcher->nodes, matcher->n_nodes, &matcher->capacity, sizeof *matcher->nodes);
    return (uint32_t)matcher->n_nodes++;
}

/* The entry is that of the node's key. */
static void append(struct matcher *matcher, struct map_entry *entry, const struct node *node)
{
    uint32_t index = new_node(matcher), before = queue_append(entry, index);
    matcher->nodes[index] = *node;
    matcher->nodes[index].next_same = MAP_NOTHING;
    if (before != MAP_NOTHING)
        matcher->nodes[before].next_same = index;
}

/* Take the key's first node off. */
static struct message_end take(struct matcher *matcher, struct map_entry *entry)
{
    uint32_t index = entry->index;
    struct node *node = &matcher->nodes[index];
    queue_drop_first(&matcher->queues, entry, node->next_same);
    node->next_same = matcher->free;
    matcher->free = index;
    return node->end;
}

bool matcher_add(struct matcher *matcher, const struct interval_setup *setup, const struct interval *interval,
                 struct message_end end, struct message_ends *ends)
{
    bool sent = interval->is_message;
    const struct node node = {.end = end, .sent = sent};
    int party = interval_party(setup, interval->location);
    struct map_entry *entry =
        map_add(&matcher->queues, map_key(sent ? party : interval->peer, sent ? interval->peer : party, interval->tag,
                                          (int32_t)interval->serial));
    if (entry->index == MAP_NOTHING || matcher->nodes[entry->index].sent == sent) {
        append(matcher, entry, &node);
        return false;
    }
    struct message_end other = take(matcher, entry);
    *ends = sent ? (struct message_ends){end, other} : (struct message_ends){other, end};
    return true;
}
