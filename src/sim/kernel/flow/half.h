/* What the two kernels of a run in halves share, and the packs that go from one to the other. */
#ifndef SIM_KERNEL_FLOW_HALF_H
#define SIM_KERNEL_FLOW_HALF_H

#include "sim/kernel/flow/halves.h"

#include <stdatomic.h>
#include <threads.h>

enum { PACK = 16 }; /* parcels of a pack at most */

/* A message for a rank of the other half. */
struct parcel {
    struct letter letter;
    int32_t receiver;
    uint32_t number; /* of the letter, in the half that it comes from */
};

/* What goes to the other half as one piece. */
struct pack {
    struct pack *next;
    int count;
    struct parcel parcels[PACK];
    int64_t departures[]; /* of each parcel, what each sink knows */
};

/* A cache line that one half changes all the time is not one that the other looks at. */
struct half {
    struct kernel kernel;
    struct kernel_run run;
    struct sim_error error;
    struct half *other;
    struct halves *both;
    _Alignas(CACHE_LINE_BYTES) atomic_long n_given; /* parcels for this half; changed by the other */
    _Alignas(CACHE_LINE_BYTES) atomic_long n_taken;
    struct pack *first, *last; /* given and not taken; under the lock, as what follows */
    bool sleeps;
    /* Its own. */
    struct pack *out, *in; /* being filled, for the other; what has come and is being taken apart */
    int n_gives;           /* since it has waited for the other half */
    int n_waits;           /* for the other half */
    int n_long_waits;
    int64_t n_awake; /* messages until the last LONG_WAITS of them */
    int64_t n_tried; /* messages until the last trial's end */
};

struct halves {
    struct half halves[2];
    mtx_t lock, machine;
    cnd_t changed;
    struct pack *free;      /* under the lock */
    size_t row;             /* numbers of a departure, of all sinks */
    int n_breaks;           /* how often both had nothing to do, but ranks that wait in meetings */
    bool is_over;           /* all that can be done has been */
    atomic_bool is_stopped; /* one has failed, or they wait for each other too often: */
    atomic_bool is_in_vain;
};

/* The numbers of a departure that a sink knows. */
size_t half_departure_numbers(const struct event_sink *sink);
/* To be freed. */
struct pack *half_new_pack(const struct halves *both);
/* Give the pack, as far as it is filled; take all that have come. */
void half_give(struct half *self);
void half_take(struct half *self);

static inline bool half_has_got(struct half *self)
{
    return atomic_load_explicit(&self->n_given, memory_order_relaxed) !=
           atomic_load_explicit(&self->n_taken, memory_order_relaxed);
}

#endif
