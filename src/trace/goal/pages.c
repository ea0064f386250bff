/* Places for pages, and whose is taken.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/pages.h"

#include "base/memory.h"
#include "base/range.h"
#include "trace/record/lines.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PAGES = 2048, MOST_PAGES = 32768, SHARE = 16 };

/* For a sixteenth of the file, 4 MiB at least and 64 at most. */
struct goal_pages *goal_pages_new(int descriptor, int64_t size, const char *name)
{
    struct goal_pages *pages = xmalloc(sizeof *pages);
    size_t n = LEAST_PAGES;
    while (n < MOST_PAGES && (int64_t)n * GOAL_PAGE < size / SHARE)
        n *= 2;
    *pages = (struct goal_pages){.descriptor = descriptor,
                                 .size = size,
                                 .name = name,
                                 .capacity = (uint32_t)n,
                                 .last_number = -1,
                                 .first = xmalloc(n * sizeof *pages->first),
                                 .places = xmalloc(n * sizeof *pages->places),
                                 .bytes = xmalloc(n * (GOAL_PAGE + GOAL_PAGE_OVERLAP))};
    memset(pages->first, 0xff, n * sizeof *pages->first);
    pages->places[0].number = -1;
    return pages;
}

void goal_pages_free(struct goal_pages *pages)
{
    if (pages == NULL)
        return;
    free(pages->first);
    free(pages->places);
    free(pages->bytes);
    free(pages);
}

static inline uint32_t *chain_of(const struct goal_pages *pages, int64_t number)
{
    return &pages->first[(uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (pages->capacity - 1)];
}

/* A place for another page, which no page has any more. */
static uint32_t take_place(struct goal_pages *pages)
{
    if (pages->count < pages->capacity)
        return pages->count++;
    while (pages->places[pages->hand].asked_for) {
        pages->places[pages->hand].asked_for = false;
        pages->hand = (pages->hand + 1) & (pages->capacity - 1);
    }
    uint32_t place = pages->hand, *link = chain_of(pages, pages->places[place].number);
    pages->hand = (pages->hand + 1) & (pages->capacity - 1);
    while (*link != place)
        link = &pages->places[*link].next;
    *link = pages->places[place].next;
    return place;
}

/* Its place; NO_PAGE with an error, after which it is all zero. */
static uint32_t read_page(struct goal_pages *pages, int64_t number, struct sim_error *error)
{
    uint32_t place = take_place(pages), *chain = chain_of(pages, number);
    unsigned char *bytes = pages->bytes + (size_t)place * (GOAL_PAGE + GOAL_PAGE_OVERLAP);
    size_t size = (size_t)int64_min(GOAL_PAGE + GOAL_PAGE_OVERLAP, pages->size - number * GOAL_PAGE);
    pages->places[place] = (struct goal_page){.number = number, .next = *chain};
    *chain = place;
    memset(bytes + size, 0, GOAL_PAGE + GOAL_PAGE_OVERLAP - size);
    if (lines_read_at(pages->descriptor, bytes, size, number * GOAL_PAGE, pages->name, error) == 0)
        return place;
    memset(bytes, 0, size);
    return NO_PAGE;
}

int goal_pages_find(struct goal_pages *pages, int64_t number, struct sim_error *error)
{
    uint32_t place = *chain_of(pages, number);
    while (place != NO_PAGE && pages->places[place].number != number)
        place = pages->places[place].next;
    pages->last_number = -1;
    if (place == NO_PAGE && (place = read_page(pages, number, error)) == NO_PAGE)
        return -1;
    pages->places[place].asked_for = true;
    pages->last_number = number;
    pages->last_place = place;
    return 0;
}
