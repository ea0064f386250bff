/* The hash table of messages of which one end has come. */
#include "trace/record/matcher.h"

#include "base/memory.h"

#include <stdlib.h>

#define NOTHING UINT32_MAX

/* Ends of one key that wait for the others: all sent, or all received. */
struct node {
    struct message_end end;
    int32_t sender, receiver, tag;
    bool sent;
    uint32_t next_key;  /* of the same bucket; in the list of free nodes: the next */
    uint32_t next_same; /* of the same key */
    uint32_t last_same; /* of a key's first node */
};

struct matcher {
    struct node *nodes;
    size_t n_nodes, capacity;
    uint32_t free;
    uint32_t *buckets;
    size_t n_buckets; /* a power of two */
    size_t n_keys;
};

struct matcher *matcher_new(void)
{
    struct matcher *matcher = xcalloc(1, sizeof *matcher);
    matcher->free = NOTHING;
    matcher->n_buckets = 256;
    matcher->buckets = xmalloc(matcher->n_buckets * sizeof *matcher->buckets);
    for (size_t i = 0; i < matcher->n_buckets; i++)
        matcher->buckets[i] = NOTHING;
    return matcher;
}

void matcher_free(struct matcher *matcher)
{
    if (matcher == NULL)
        return;
    free(matcher->buckets);
    free(matcher->nodes);
    free(matcher);
}

static size_t bucket_of(const struct matcher *matcher, int32_t sender, int32_t receiver, int32_t tag)
{
    uint64_t hash = ((uint64_t)(uint32_t)sender << 32 | (uint32_t)receiver) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint32_t)tag) * UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(hash >> 32) & (matcher->n_buckets - 1);
}

static void grow(struct matcher *matcher)
{
    size_t former = matcher->n_buckets;
    uint32_t *heads = matcher->buckets;
    matcher->n_buckets = 2 * former;
    matcher->buckets = xmalloc(matcher->n_buckets * sizeof *matcher->buckets);
    for (size_t i = 0; i < matcher->n_buckets; i++)
        matcher->buckets[i] = NOTHING;
    for (size_t i = 0; i < former; i++)
        for (uint32_t index = heads[i], next; index != NOTHING; index = next) {
            struct node *node = &matcher->nodes[index];
            size_t bucket = bucket_of(matcher, node->sender, node->receiver, node->tag);
            next = node->next_key;
            node->next_key = matcher->buckets[bucket];
            matcher->buckets[bucket] = index;
        }
    free(heads);
}

static uint32_t new_node(struct matcher *matcher)
{
    uint32_t index = matcher->free;
    if (index != NOTHING) {
        matcher->free = matcher->nodes[index].next_key;
        return index;
    }
    matcher->nodes = xgrow(matcher->nodes, matcher->n_nodes, &matcher->capacity, sizeof *matcher->nodes);
    return (uint32_t)matcher->n_nodes++;
}

/* Where the index of the key's first node is, or would be. */
static uint32_t *find(struct matcher *matcher, const struct node *key)
{
    uint32_t *link = &matcher->buckets[bucket_of(matcher, key->sender, key->receiver, key->tag)];
    for (; *link != NOTHING; link = &matcher->nodes[*link].next_key) {
        const struct node *node = &matcher->nodes[*link];
        if (node->sender == key->sender && node->receiver == key->receiver && node->tag == key->tag)
            break;
    }
    return link;
}

static void append(struct matcher *matcher, const struct node *node)
{
    uint32_t index = new_node(matcher), *link = find(matcher, node), first = *link;
    matcher->nodes[index] = *node;
    matcher->nodes[index].next_same = matcher->nodes[index].next_key = NOTHING;
    matcher->nodes[index].last_same = index;
    if (first != NOTHING) {
        matcher->nodes[matcher->nodes[first].last_same].next_same = index;
        matcher->nodes[first].last_same = index;
        return;
    }
    *link = index;
    if (++matcher->n_keys > matcher->n_buckets)
        grow(matcher);
}

/* Take the key's first node off. */
static struct message_end take(struct matcher *matcher, uint32_t *link)
{
    uint32_t index = *link;
    struct node *node = &matcher->nodes[index];
    if (node->next_same != NOTHING) {
        struct node *next = &matcher->nodes[node->next_same];
        next->next_key = node->next_key;
        next->last_same = node->last_same;
        *link = node->next_same;
    } else {
        *link = node->next_key;
        matcher->n_keys--;
    }
    node->next_key = matcher->free;
    matcher->free = index;
    return node->end;
}

bool matcher_add(struct matcher *matcher, const struct event *event, struct message_end end, struct message_ends *ends)
{
    bool sent = event->is_message;
    const struct node node = {.end = end,
                              .sender = sent ? event->lane : event->peer,
                              .receiver = sent ? event->peer : event->lane,
                              .tag = event->tag,
                              .sent = sent};
    uint32_t *link = find(matcher, &node);
    if (*link == NOTHING || matcher->nodes[*link].sent == sent) {
        append(matcher, &node);
        return false;
    }
    struct message_end other = take(matcher, link);
    *ends = sent ? (struct message_ends){end, other} : (struct message_ends){other, end};
    return true;
}
