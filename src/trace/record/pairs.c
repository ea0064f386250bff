/* Counts sends against receives, by sums of hashes: of each bucket of keys the sum over its sends less that over its
 * receives is 0 where all have met. Only where one is not are its keys counted, and their first lone record looked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/pairs.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

enum { BUCKETS = 1 << 16, MOST_KEYS = 1 << 20 };

struct sides {
    int64_t sends, receives;
};

struct pairs {
    struct record_reader *reader;
    uint64_t *sums; /* of each bucket */
    struct map keys;
    struct sides *counts; /* of each key */
    size_t capacity;
    struct pairs_lone *lone;
    int64_t *n_records;
    struct sim_error *error;
};

static bool is_send(const struct record *record)
{
    return record->kind == RECORD_SEND || record->kind == RECORD_ISEND;
}

static bool is_receive(const struct record *record)
{
    return record->kind == RECORD_RECV || record->kind == RECORD_IRECV;
}

/* Where receives are from any source, all that a rank receives is alike. */
static struct map_key key_of(const struct pairs *self, int rank, const struct record *record)
{
    bool sends = is_send(record);
    if (self->reader->info.has_any_source)
        return map_key(-1, sends ? record->peer : rank, 0, 0);
    return map_key(sends ? rank : record->peer, sends ? record->peer : rank, record->tag, record->group);
}

static uint64_t hash_of(struct map_key key)
{
    return pseudo_random(0, key.high ^ pseudo_random(1, key.low));
}

/* Takes a send or receive; true ends the pass. */
typedef bool take_record(struct pairs *self, int rank, const struct record *record);

static int take_location(struct pairs *self, int location, take_record *take)
{
    int rank = location % self->reader->info.n_ranks;
    for (;;) {
        struct record record = {.idle_ps = -1};
        int status = record_next(self->reader, location, &record, self->error);
        if (status <= 0)
            return status;
        ++*self->n_records;
        if ((is_send(&record) || is_receive(&record)) && take(self, rank, &record))
            return 1;
    }
}

/* One location after the other: 1 if it was ended, 0, or -1 with an error. */
static int take_all(struct pairs *self, take_record *take)
{
    int status = record_rewind(self->reader, self->error);
    *self->n_records = 0;
    for (int i = 0; status == 0 && i < record_locations(&self->reader->info); i++)
        status = take_location(self, i, take);
    return status;
}

static bool add_hash(struct pairs *self, int rank, const struct record *record)
{
    uint64_t hash = hash_of(key_of(self, rank, record));
    self->sums[hash % BUCKETS] += is_send(record) ? hash : -hash;
    return false;
}

static bool any(const struct pairs *self)
{
    size_t bucket = 0;
    while (bucket < BUCKETS && self->sums[bucket] == 0)
        bucket++;
    return bucket < BUCKETS;
}

/* Count a send or receive whose key is in a bucket with a sum other than 0. */
static bool count_key(struct pairs *self, int rank, const struct record *record)
{
    struct map_key key = key_of(self, rank, record);
    if (self->sums[hash_of(key) % BUCKETS] == 0 ||
        (self->keys.count == MOST_KEYS && map_find(&self->keys, key) == NULL))
        return false;
    struct map_entry *entry = map_add(&self->keys, key);
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->keys.count - 1;
        self->counts = xgrow(self->counts, entry->index, &self->capacity, sizeof *self->counts);
        self->counts[entry->index] = (struct sides){0, 0};
    }
    *(is_send(record) ? &self->counts[entry->index].sends : &self->counts[entry->index].receives) += 1;
    return false;
}

static void count_lone(struct pairs *self)
{
    for (size_t i = 0; i < self->keys.count; i++) {
        int64_t balance = self->counts[i].sends - self->counts[i].receives;
        *(balance > 0 ? &self->lone->n_sends : &self->lone->n_receives) += llabs(balance);
    }
}

/* The last of the side that has more are left over: those behind as many as the other side has. Receives before sends.
 */
static bool find_lone(struct pairs *self, int rank, const struct record *record)
{
    struct map_entry *entry = map_find(&self->keys, key_of(self, rank, record));
    bool receives = is_receive(record);
    if (entry == NULL || (!receives && self->lone->n_receives > 0))
        return false;
    struct sides *counts = &self->counts[entry->index];
    if ((*(receives ? &counts->sends : &counts->receives))-- > 0)
        return false;
    self->lone->receives = receives;
    self->lone->rank = rank;
    self->lone->peer = record->peer;
    self->lone->tag = record->tag;
    self->lone->position = record->position;
    self->lone->start_ps = record->start_ps;
    return true;
}

int pairs_check(struct pairs_lone *lone, int64_t *n_records, struct record_reader *reader, struct sim_error *error)
{
    int64_t ignored;
    struct pairs self = {.reader = reader, .lone = lone, .n_records = n_records, .error = error};
    *lone = (struct pairs_lone){0};
    self.sums = xcalloc(BUCKETS, sizeof *self.sums);
    int status = take_all(&self, add_hash);
    self.n_records = &ignored;
    if (status == 0 && any(&self))
        status = take_all(&self, count_key);
    count_lone(&self);
    if (status == 0 && lone->n_receives + lone->n_sends > 0)
        status = take_all(&self, find_lone);
    map_dispose(&self.keys);
    free(self.counts);
    free(self.sums);
    return status < 0 ? -1 : 0;
}
