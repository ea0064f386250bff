/* Declarations that sim/network/fifo.c and sim/network/fifo_days.c share; nothing else includes this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_FIFO_INTERNAL_H
#define SIM_NETWORK_FIFO_INTERNAL_H

#include "sim/network/calendar.h"
#include "sim/network/internal.h"

#include "base/debug.h"
#include "base/range.h"

#include <assert.h>

/* A transfer on its way: a cache line. */
struct flight {
    int64_t at_ps; /* when it comes to its next link, or ends; equal moments are in the order of the next two */
    uint64_t turn; /* order and item of the event in the engine's queue */
    union {
        struct passage passage; /* of every link */
        int64_t bytes;          /* where the links differ */
    };
    struct route_cursor cursor;
    uint32_t begun; /* how many have set out at this moment, itself counted; 0: it has a link behind it */
    uint32_t order; /* its own in the engine's queue */
};

struct fifo {
    struct network network;
    const struct machine *machine;
    bool alike;         /* all links take the same for a message */
    bool is_drawn;      /* the route of each message is drawn */
    bool adapts;        /* its links are chosen when its head comes to them */
    bool seeks_slowest; /* so that its slowest link is known when it has crossed all */
    int64_t least_ps;   /* that any head takes to its next link; 0: nothing, so that the engine keeps the order */
    struct calendar calendar;
    uint32_t lone;          /* 1 + the only one under way, which has no day; 0: there is none, or all have days */
    struct flight *flights; /* by number, `room` of them, as of what follows */
    int64_t *tails_ps;      /* what each is behind its head in the end */
    uint32_t *links;        /* that serve something on a day */
    uint32_t *queue;        /* at one of them */
    uint32_t *ended;        /* to be told of */
    size_t room, n_ended;
    uint32_t n_begun; /* at begun_ps */
    int64_t begun_ps;
    uint64_t n_drawn;   /* numbers for routes */
    struct flight late; /* the first to come behind the clock's end, as it stood before; begun UINT32_MAX: none */
    uint32_t late_number;
    int64_t *left_ps;  /* for ugal_l: of each link, when the last message that has crossed it on a minimal way, and on a
                        * detour, goes on from the switch behind it; else NULL */
    int64_t *came_ps;  /* at each link, the last that it has served; for asserts */
    uint32_t *waiting; /* at each link, 1 + the first of the day; 0: none */
    int64_t free_at[]; /* of each link */
};

static inline struct passage passage_at(const struct fifo *self, const struct flight *flight)
{
    return self->alike ? flight->passage : wire_passage(self->machine, flight->bytes, flight->cursor.link);
}

/* For debug output: its link serves it from then on. */
void fifo_say_service(const struct fifo *self, const struct flight *flight, uint32_t number,
                      int64_t start_ps) DEBUG_COLD;

#ifndef NDEBUG
/* True if nothing that came to the link before came later. */
static inline bool comes_in_order(const struct fifo *self, int32_t link, int64_t at_ps)
{
    bool in_order = at_ps >= self->came_ps[link] || at_ps > PS_MAX;
    self->came_ps[link] = at_ps;
    return in_order;
}
#endif

/* Cross the link that it has come to. False if that was the last, and at_ps is the end. Times behind the clock's end
 * stay there, however long they are. */
static inline bool serve(struct fifo *self, struct flight *flight, uint32_t number)
{
    struct passage passage = passage_at(self, flight);
    assert(flight->cursor.link >= 0 && flight->cursor.link < machine_link_count(self->machine));
    assert(passage.head_ps >= 0 && passage.busy_ps >= 0);
    int64_t *free_at = &self->free_at[flight->cursor.link], start = int64_max(flight->at_ps, *free_at);
    /* A link is busy with one message at a time, and serves them in the order in which they come. */
    assert(comes_in_order(self, flight->cursor.link, flight->at_ps));
    *free_at = int64_min(start + passage.busy_ps, 2 * PS_TOO_LONG);
    if (DEBUG_IS_ON(NETWORK))
        fifo_say_service(self, flight, number, start);
    flight->at_ps = start + passage.head_ps;
    if (self->seeks_slowest)
        self->tails_ps[number] = int64_max(self->tails_ps[number], passage.busy_ps);
    if (route_cursor_next(&flight->cursor, self->machine, self->adapts))
        return true;
    flight->at_ps += self->tails_ps[number];
    return false;
}

/* Draw the route of a transfer that begins; and choose its next link, the head having come to the node before it. */
void fifo_draw_route(struct fifo *self, const struct transfer *transfer, uint32_t number);
void fifo_choose_link(struct fifo *self, const struct transfer *transfer, uint32_t number, int64_t now);

/* The transfer of a number has set out at `now`, and its flight is filled in: it crosses its links on days to come. */
void fifo_days_join(struct fifo *self, uint32_t number, int64_t now);

/* Let all cross links that do by `until`, or until some have ended, which are in `ended` then. */
void fifo_days_pass(struct fifo *self, int64_t until);

/* The first moment for which that has something to do; INT64_MAX: there is none. */
int64_t fifo_days_next_ps(const struct fifo *self);

#endif
