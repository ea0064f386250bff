/* A file read where it is asked: pages of it lie in a memory of a fixed size.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_PAGES_H
#define TRACE_GOAL_PAGES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A page is followed by the beginning of the next one, so that what is shorter than that is whole in one of them. */
enum { GOAL_PAGE = 2048, GOAL_PAGE_OVERLAP = 64 };
#define NO_PAGE UINT32_MAX

/* A place for a page. */
struct goal_page {
    int64_t number; /* of the page that is there */
    uint32_t next;  /* the place of another page of the same hash, or NO_PAGE */
    bool asked_for; /* since the hand came by */
};

/* When all places are taken, a page gets that of one which has not been asked for since the hand came by last. */
struct goal_pages {
    uint32_t *first; /* of the pages of a hash, of which there are as many as places: the place of one; or NO_PAGE */
    struct goal_page *places;
    unsigned char *bytes;
    uint32_t count, capacity, hand; /* the capacity is a power of 2 */
    int descriptor;
    int64_t size;     /* of the file */
    const char *name; /* borrowed, for messages */
};

struct goal_pages *goal_pages_new(int descriptor, int64_t size, const char *name);
void goal_pages_free(struct goal_pages *pages);
/* The place of a page that is read; NO_PAGE with an error, after which it is all zero. */
uint32_t goal_pages_read(struct goal_pages *pages, int64_t number, struct sim_error *error);

static inline uint32_t *goal_pages_chain(const struct goal_pages *pages, int64_t number)
{
    return &pages->first[(uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (pages->capacity - 1)];
}

/* GOAL_PAGE_OVERLAP bytes at least, zero behind the end of the file; good until the next call. NULL with an error. */
static inline const unsigned char *goal_pages_at(struct goal_pages *pages, int64_t offset, struct sim_error *error)
{
    int64_t number = offset / GOAL_PAGE;
    uint32_t place = *goal_pages_chain(pages, number);
    while (place != NO_PAGE && pages->places[place].number != number)
        place = pages->places[place].next;
    if (place == NO_PAGE && (place = goal_pages_read(pages, number, error)) == NO_PAGE)
        return NULL;
    pages->places[place].asked_for = true;
    const unsigned char *bytes = pages->bytes + (size_t)place * (GOAL_PAGE + GOAL_PAGE_OVERLAP) + offset % GOAL_PAGE;
    __builtin_prefetch(bytes + GOAL_PAGE_OVERLAP); /* what follows is likely to be asked for next, but much later */
    return bytes;
}

#endif
