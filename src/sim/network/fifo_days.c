/* Links that serve messages first come, first served, ahead of the engine.
 *
 * Moments of all links need not be in order: those of each have to be. No head takes less than a day (calendar.h) to
 * its next link. So what comes to links on one day is known when the days before are over, and the engine has begun
 * what it begins on that day. Then each link serves what has come to it in the order in which the engine's queue would
 * have had it: by moment, then by rank. A message that sets out comes as the event of the engine that it is from.
 *
 * One that is under way alone needs no days: it goes from link to link up to the engine's next event.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/fifo_internal.h"

#include "base/sort.h"

#include <assert.h>

static inline bool is_before(const struct flight *a, const struct flight *b)
{
    if (a->at_ps != b->at_ps)
        return a->at_ps < b->at_ps;
    return a->turn != b->turn ? a->turn < b->turn : a->begun < b->begun;
}

static int compare(const void *left, const void *right, void *context)
{
    const struct flight *flights = context;
    return is_before(&flights[*(const uint32_t *)right], &flights[*(const uint32_t *)left]) ? 1 : -1;
}

/* One that came at a moment is behind the clock's end. The engine must hear first of that of which it would have heard
 * first: its run fails. */
static __attribute__((noinline)) void note_late(struct fifo *self, uint32_t number, int64_t came_ps)
{
    struct flight late = self->flights[number];
    late.at_ps = came_ps;
    if (self->late.begun != UINT32_MAX && is_before(&self->late, &late))
        return;
    self->late = late;
    self->late_number = number;
}

static void report_late(struct fifo *self)
{
    if (self->late.begun != UINT32_MAX)
        self->ended[self->n_ended++] = self->late_number;
    self->late.begun = UINT32_MAX;
}

/* To the next link, false where there is none. */
static inline bool pass_on(struct fifo *self, uint32_t number)
{
    struct flight *flight = &self->flights[number];
    int64_t came_ps = flight->at_ps;
    bool goes_on = serve(self, flight, number);
    assert(flight->at_ps >= came_ps + (goes_on ? self->least_ps : 0));
    if (flight->at_ps > PS_MAX) {
        note_late(self, number, came_ps);
        return false;
    }
    if (!goes_on) {
        self->ended[self->n_ended++] = number;
        assert(self->n_ended <= self->room);
        return false;
    }
    flight->turn = (uint64_t)flight->order << 32 | number;
    flight->begun = 0;
    self->network.n_moves++;
    return true;
}

static inline void pass_day(struct fifo *self, uint32_t number)
{
    if (pass_on(self, number))
        calendar_add(&self->calendar, number, self->flights[number].at_ps);
}

/* Several come to a link, the first of them being 1 + `first`. */
static void pass_several(struct fifo *self, uint32_t first)
{
    enum { FEW = 16 };
    uint32_t n = 0, *queue = self->queue;
    for (uint32_t item = first; item != 0; item = self->calendar.next[item - 1])
        queue[n++] = item - 1;
    if (n > FEW)
        sort_rows(queue, n, sizeof *queue, compare, self->flights);
    for (uint32_t i = 1; n <= FEW && i < n; i++) {
        uint32_t number = queue[i], hole = i;
        for (; hole > 0 && is_before(&self->flights[number], &self->flights[queue[hole - 1]]); hole--)
            queue[hole] = queue[hole - 1];
        queue[hole] = number;
    }
    for (uint32_t i = 1; i < n; i++)
        assert(is_before(&self->flights[queue[i - 1]], &self->flights[queue[i]]));
    for (uint32_t i = 0; i < n; i++)
        pass_day(self, queue[i]);
}

static void serve_day(struct fifo *self)
{
    uint32_t n_links = 0, *next = self->calendar.next;
    for (uint32_t item = calendar_take(&self->calendar), after; item != 0; item = after) {
        uint32_t link = (uint32_t)self->flights[item - 1].cursor.link;
        after = next[item - 1];
        assert(self->flights[item - 1].at_ps >> self->calendar.shift == self->calendar.today);
        if (self->waiting[link] == 0)
            self->links[n_links++] = link;
        next[item - 1] = self->waiting[link];
        self->waiting[link] = item;
    }
    for (uint32_t i = 0; i < n_links; i++) {
        uint32_t first = self->waiting[self->links[i]];
        self->waiting[self->links[i]] = 0;
        if (next[first - 1] == 0)
            pass_day(self, first - 1);
        else
            pass_several(self, first);
    }
    report_late(self);
}

static void fly_alone(struct fifo *self, int64_t until)
{
    uint32_t number = self->lone - 1;
    bool goes_on = true;
    while (goes_on && self->flights[number].at_ps < until)
        goes_on = pass_on(self, number);
    if (!goes_on)
        self->lone = 0;
    report_late(self);
}

/* A day must not be longer than a hop of what is under way. */
static void fit_days(struct fifo *self, int64_t hop_ps, int64_t now)
{
    struct calendar *calendar = &self->calendar;
    int shift = 63 - __builtin_clzll((unsigned long long)hop_ps);
    bool is_empty = calendar->first == INT64_MAX;
    if (!is_empty && shift >= calendar->shift)
        return;
    uint32_t n = 0;
    int64_t first_ps = now;
    while (calendar->first != INT64_MAX)
        for (uint32_t item = calendar_take(calendar); item != 0; item = calendar->next[item - 1]) {
            self->queue[n++] = item - 1;
            first_ps = int64_min(first_ps, self->flights[item - 1].at_ps);
        }
    assert(n == 0 || shift < calendar->shift);
    calendar->shift = shift;
    calendar->today = first_ps >> shift;
    for (uint32_t i = 0; i < n; i++)
        calendar_add(calendar, self->queue[i], self->flights[self->queue[i]].at_ps);
}

static void give_day(struct fifo *self, uint32_t number, int64_t now)
{
    const struct flight *flight = &self->flights[number];
    assert(flight->at_ps >= now || self->lone == number + 1);
    fit_days(self, self->alike ? flight->passage.head_ps : self->least_ps, now);
    calendar_add(&self->calendar, number, flight->at_ps);
}

void fifo_days_join(struct fifo *self, uint32_t number, int64_t now)
{
    if (self->lone == 0 && self->calendar.first == INT64_MAX) {
        self->lone = number + 1;
        return;
    }
    give_day(self, number, now);
    if (self->lone != 0)
        give_day(self, self->lone - 1, now);
    self->lone = 0;
}

void fifo_days_pass(struct fifo *self, int64_t until)
{
    if (self->lone != 0)
        fly_alone(self, until);
    while (self->n_ended == 0 && self->calendar.first != INT64_MAX && calendar_end_ps(&self->calendar) <= until)
        serve_day(self);
}

int64_t fifo_days_next_ps(const struct fifo *self)
{
    return self->lone != 0 ? self->flights[self->lone - 1].at_ps + 1 : calendar_end_ps(&self->calendar);
}
