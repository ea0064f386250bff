/* Days in lists, with a bit each, and a heap of what is far off.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/calendar.h"

#include <assert.h>
#include <stdlib.h>

void calendar_init(struct calendar *calendar)
{
    *calendar = (struct calendar){.first = INT64_MAX};
}

void calendar_dispose(struct calendar *calendar)
{
    heap_dispose(&calendar->far);
    free(calendar->next);
}

static void add_near(struct calendar *calendar, uint32_t item, int64_t day)
{
    unsigned place = (unsigned)(day & (CALENDAR_DAYS - 1));
    assert(day >= calendar->today && day - calendar->today < CALENDAR_DAYS);
    assert((calendar->days[place] != 0) == ((calendar->bits[place / 64] >> place % 64 & 1) != 0));
    calendar->next[item] = calendar->days[place];
    calendar->days[place] = item + 1;
    calendar->bits[place / 64] |= UINT64_C(1) << place % 64;
    calendar->words |= UINT64_C(1) << place / 64;
}

void calendar_add(struct calendar *calendar, uint32_t item, int64_t at_ps)
{
    int64_t day = at_ps >> calendar->shift;
    assert(day >= calendar->today); /* what is over is over */
    if (day < calendar->first)
        calendar->first = day;
    if (day - calendar->today < CALENDAR_DAYS)
        add_near(calendar, item, day);
    else
        heap_push(&calendar->far, (struct heap_entry){.key = at_ps, .item = item});
}

/* The first bit at a place or, from there round, behind it; there is one. */
static unsigned find_bit(const struct calendar *calendar, unsigned from)
{
    uint64_t here = calendar->bits[from / 64] >> from % 64;
    if (here != 0)
        return from + (unsigned)__builtin_ctzll(here);
    uint64_t behind = from / 64 == CALENDAR_WORDS - 1 ? 0 : calendar->words & ~UINT64_C(0) << (from / 64 + 1);
    unsigned word = (unsigned)__builtin_ctzll(behind != 0 ? behind : calendar->words);
    return word * 64 + (unsigned)__builtin_ctzll(calendar->bits[word]);
}

static int64_t find_first(const struct calendar *calendar)
{
    unsigned from = (unsigned)(calendar->today & (CALENDAR_DAYS - 1));
    if (calendar->words != 0)
        return calendar->today + ((find_bit(calendar, from) - from) & (CALENDAR_DAYS - 1));
    return calendar->far.count > 0 ? calendar->far.entries[0].key >> calendar->shift : INT64_MAX;
}

#ifndef NDEBUG
/* True if bits and words say which days have items, and `first` is the first of them. Each day's item is of that day:
 * days are of a window behind today, so none is taken for another. */
static bool is_sound(const struct calendar *calendar)
{
    for (unsigned word = 0; word < CALENDAR_WORDS; word++)
        if ((calendar->bits[word] != 0) != ((calendar->words >> word & 1) != 0))
            return false;
    return calendar->first == find_first(calendar) && calendar->first >= calendar->today;
}
#endif

uint32_t calendar_take(struct calendar *calendar)
{
    assert(calendar->first != INT64_MAX && is_sound(calendar));
    int64_t day = calendar->today = calendar->first;
    while (calendar->far.count > 0 && (calendar->far.entries[0].key >> calendar->shift) - day < CALENDAR_DAYS) {
        struct heap_entry entry = heap_pop(&calendar->far);
        add_near(calendar, entry.item, entry.key >> calendar->shift);
    }
    unsigned place = (unsigned)(day & (CALENDAR_DAYS - 1));
    uint32_t item = calendar->days[place];
    assert(item != 0);
    calendar->days[place] = 0;
    calendar->bits[place / 64] &= ~(UINT64_C(1) << place % 64);
    if (calendar->bits[place / 64] == 0)
        calendar->words &= ~(UINT64_C(1) << place / 64);
    calendar->first = find_first(calendar);
    assert(calendar->first > day);
    return item;
}
