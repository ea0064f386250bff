/* Two batches for each rank: one is being taken, and the helper fills the other one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/ahead.h"

#include "base/memory.h"
#include "trace/ti/helper.h"

#include <stdlib.h>

/* Records in all batches of one kind, and in each. They stay in the cache of one processor. */
enum { ALL_RECORDS = 4096, MIN_RECORDS = 8, MAX_RECORDS = 512 };

struct ahead_rank {
    struct ti_batch batches[2];
    int front;     /* of the two; -1: none has been read yet */
    bool is_asked; /* the helper has been given the other one */
};

struct ti_ahead {
    struct ti_decoder *decoder;
    struct ti_helper *helper; /* NULL: there is no second processor */
    struct ahead_rank *ranks;
    int n_ranks, capacity;
};

struct ti_ahead *ti_ahead_new(struct ti_decoder *decoder)
{
    struct ti_ahead *ahead = xmalloc(sizeof *ahead);
    int n_ranks = ti_decoder_ranks(decoder), capacity = ALL_RECORDS / n_ranks;
    capacity = capacity < MIN_RECORDS ? MIN_RECORDS : capacity > MAX_RECORDS ? MAX_RECORDS : capacity;
    *ahead = (struct ti_ahead){.decoder = decoder,
                               .helper = ti_helper_new(decoder, capacity),
                               .ranks = xcalloc((size_t)n_ranks, sizeof *ahead->ranks),
                               .n_ranks = n_ranks,
                               .capacity = capacity};
    for (int r = 0; r < n_ranks; r++)
        ahead->ranks[r].front = -1;
    return ahead;
}

void ti_ahead_free(struct ti_ahead *ahead)
{
    ti_helper_free(ahead->helper);
    for (int r = 0; r < ahead->n_ranks; r++)
        for (int i = 0; i < 2; i++) {
            free(ahead->ranks[r].batches[i].records);
            free(ahead->ranks[r].batches[i].error);
        }
    free(ahead->ranks);
    free(ahead);
}

struct ti_batch *ti_ahead_batch(struct ti_ahead *ahead, int rank)
{
    struct ahead_rank *self = &ahead->ranks[rank];
    return self->front < 0 ? NULL : &self->batches[self->front];
}

static void make_room(const struct ti_ahead *ahead, struct ti_batch *batch)
{
    if (batch->records == NULL)
        batch->records = xmalloc((size_t)ahead->capacity * sizeof *batch->records);
}

/* Have the helper fill the batch that is not being taken. */
static void ask(struct ti_ahead *ahead, int rank)
{
    struct ahead_rank *self = &ahead->ranks[rank];
    struct ti_batch *other = &self->batches[1 - self->front];
    make_room(ahead, other);
    ti_helper_ask(ahead->helper, rank, other);
    self->is_asked = true;
}

struct ti_batch *ti_ahead_next(struct ti_ahead *ahead, int rank)
{
    struct ahead_rank *self = &ahead->ranks[rank];
    if (self->is_asked) {
        ti_helper_take(ahead->helper, rank);
        self->is_asked = false;
        self->front = 1 - self->front;
    } else {
        self->front = self->front < 0 ? 0 : self->front;
        make_room(ahead, &self->batches[self->front]);
        ti_decoder_fill(ahead->decoder, rank, &self->batches[self->front], ahead->capacity);
    }
    if (ahead->helper != NULL && self->batches[self->front].end == TI_MORE)
        ask(ahead, rank);
    return &self->batches[self->front];
}

void ti_ahead_rewind(struct ti_ahead *ahead)
{
    for (int r = 0; r < ahead->n_ranks; r++) {
        struct ahead_rank *self = &ahead->ranks[r];
        if (self->is_asked)
            ti_helper_drop(ahead->helper, r);
        self->is_asked = false;
        self->front = -1;
        ti_decoder_rewind(ahead->decoder, r);
    }
}

bool ti_ahead_is_still(const struct ti_ahead *ahead)
{
    return ahead->helper == NULL || !ti_helper_runs(ahead->helper);
}
