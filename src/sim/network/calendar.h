/* Numbered items by the moment at which they come up, taken out a day at a time: all of a day at once, in no order.
 *
 * A day is 2^shift ps. The next days are lists, with a bit for each that is not empty; what is further off lies in a
 * heap until its day is among them. So putting in and taking out take a few steps, however many there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_CALENDAR_H
#define SIM_NETWORK_CALENDAR_H

#include "base/heap.h"

#include <stddef.h>
#include <stdint.h>

enum { CALENDAR_DAYS = 4096, CALENDAR_WORDS = CALENDAR_DAYS / 64 };

struct calendar {
    int shift;
    int64_t today;   /* none is of a day before */
    int64_t first;   /* the first day of any; INT64_MAX: there is none */
    struct heap far; /* those CALENDAR_DAYS and more after today, by their moment */
    uint32_t *next;  /* of each item, 1 + the next one of its day; 0: none */
    uint64_t words;  /* whether there are bits in each of `bits` */
    uint64_t bits[CALENDAR_WORDS];
    uint32_t days[CALENDAR_DAYS]; /* 1 + the first item; 0: none */
};

/* Without any. Items are below the length of `next`, which the caller gives it, and which it frees. */
void calendar_init(struct calendar *calendar);
void calendar_dispose(struct calendar *calendar);

/* Not before today. Where there is none, the caller may set shift and today. */
void calendar_add(struct calendar *calendar, uint32_t item, int64_t at_ps);

/* Take out all of the first day, which becomes today: 1 + the first, and by `next` the others. There is one. */
uint32_t calendar_take(struct calendar *calendar);

/* When the first day is over; INT64_MAX: there is none. */
static inline int64_t calendar_end_ps(const struct calendar *calendar)
{
    return calendar->first == INT64_MAX ? INT64_MAX : (calendar->first + 1) << calendar->shift;
}

#endif
