/* Packs: what one half of a run sends to the other, with what the sinks know of it. */
#ifndef __wasm__

#include "sim/kernel/flow/half.h"

#include "sim/kernel/flow/flow.h"
#include "sim/kernel/flow/meeting.h"

#include "base/memory.h"

#include <string.h>

size_t half_departure_numbers(const struct event_sink *sink)
{
    return sink->share->departure_bytes != NULL ? sink->share->departure_bytes(sink->self) / sizeof(int64_t) : 0;
}

struct pack *half_new_pack(const struct halves *both)
{
    struct pack *pack = xmalloc(sizeof *pack + PACK * both->row * sizeof pack->departures[0]);
    pack->count = 0;
    return pack;
}

/* As one piece, which a processor does faster than it fetches line by line what another has had. */
static void copy_pack(const struct halves *both, struct pack *to, const struct pack *from)
{
    size_t count = (size_t)from->count;
    to->count = from->count;
    memcpy(to->parcels, from->parcels, count * sizeof from->parcels[0]);
    memcpy(to->departures, from->departures, count * both->row * sizeof from->departures[0]);
}

/* Write down what the sinks know of the departures; the numbers may then have others. */
static void tell(struct half *self, struct pack *pack)
{
    int64_t *departure = pack->departures;
    kernel_flush(&self->kernel);
    for (int i = 0; i < pack->count; i++) {
        for (int s = 0; s < self->run.n_sinks; s++) {
            const struct event_sink *sink = &self->run.sinks[s];
            if (sink->share->tell != NULL)
                sink->share->tell(sink->self, pack->parcels[i].number, departure);
            departure += half_departure_numbers(sink);
        }
        letters_release(&self->kernel.flow->letters, pack->parcels[i].number);
    }
}

bool half_is_full(const struct kernel *kernel)
{
    return kernel->half->out->count == PACK;
}

void half_give(struct half *self)
{
    struct half *other = self->other;
    struct halves *both = self->both;
    if (self->out->count == 0)
        return;
    tell(self, self->out);
    mtx_lock(&both->lock);
    struct pack *pack = both->free;
    if (pack != NULL)
        both->free = pack->next;
    mtx_unlock(&both->lock);
    if (pack == NULL)
        pack = half_new_pack(both);
    copy_pack(both, pack, self->out);
    pack->next = NULL;
    self->out->count = 0;
    self->n_gives++;
    mtx_lock(&both->lock);
    *(other->first == NULL ? &other->first : &other->last->next) = pack;
    other->last = pack;
    atomic_fetch_add(&other->n_given, pack->count);
    if (other->sleeps)
        cnd_broadcast(&both->changed);
    mtx_unlock(&both->lock);
}

struct letter *half_send(struct kernel *kernel, int receiver, uint32_t *number)
{
    struct half *self = kernel->half;
    if (half_is_full(kernel))
        half_give(self);
    struct parcel *parcel = &self->out->parcels[self->out->count++];
    parcel->receiver = receiver;
    parcel->number = *number = letters_reserve(&kernel->flow->letters);
    return &parcel->letter;
}

/* Let the receiver of a letter go on, where it waits for that one: by itself, or in a meeting. */
static void wake(struct kernel *kernel, int receiver, const struct letter *letter)
{
    struct rank *self = &kernel->ranks[receiver];
    if (self->peer != letter->sender || self->tag != letter->tag || self->context != letter->context)
        return;
    if (self->status == RANK_RECEIVING)
        flow_receive_lying(kernel, receiver);
    else if (self->status == RANK_MEETING)
        meeting_go_on(kernel, letter->context - 1);
}

/* First all letters lie, so that none of their numbers has been given away when the sinks hear of it. */
static void unpack(struct half *self, const struct pack *pack)
{
    struct kernel *kernel = &self->kernel;
    const int64_t *departure = pack->departures;
    kernel_flush(kernel);
    for (int i = 0; i < pack->count; i++) {
        const struct parcel *parcel = &pack->parcels[i];
        int receiver = parcel->receiver;
        uint32_t number = letters_put(&kernel->flow->letters, &kernel->ranks[receiver], receiver, &parcel->letter);
        for (int s = 0; s < self->run.n_sinks; s++) {
            const struct event_sink *sink = &self->run.sinks[s];
            if (sink->share->hear != NULL)
                sink->share->hear(sink->self, number, departure);
            departure += half_departure_numbers(sink);
        }
    }
    for (int i = 0; i < pack->count && !kernel->failed; i++)
        wake(kernel, pack->parcels[i].receiver, &pack->parcels[i].letter);
    if (kernel->flow->letters.n_lying > kernel->most_messages)
        flow_give_up(kernel);
}

void half_take(struct half *self)
{
    struct halves *both = self->both;
    mtx_lock(&both->lock);
    struct pack *first = self->first, *last = self->last;
    self->first = self->last = NULL;
    mtx_unlock(&both->lock);
    long count = 0;
    for (struct pack *pack = first; pack != NULL; pack = pack->next) {
        count += pack->count;
        copy_pack(both, self->in, pack);
        if (!self->kernel.failed)
            unpack(self, self->in);
    }
    if (first == NULL)
        return;
    mtx_lock(&both->lock);
    last->next = both->free;
    both->free = first;
    mtx_unlock(&both->lock);
    atomic_fetch_add(&self->n_taken, count);
}

#endif
