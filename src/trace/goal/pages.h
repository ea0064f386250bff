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
    int64_t last_number;            /* of the page that has been asked for last; -1: none, or it has failed */
    uint32_t last_place;
    int descriptor;
    int64_t size;     /* of the file */
    const char *name; /* borrowed, for messages */
};

struct goal_pages *goal_pages_new(int descriptor, int64_t size, const char *name);
void goal_pages_free(struct goal_pages *pages);
/* Make a page the last one: 0, or -1 with an error. */
int goal_pages_find(struct goal_pages *pages, int64_t number, struct sim_error *error);

/* Make the page the last one if it is where another was before, at `*place`, which becomes its place. */
static inline int goal_pages_look(struct goal_pages *pages, int64_t number, uint32_t *place, struct sim_error *error)
{
    struct goal_page *page = &pages->places[*place];
    if (page->number != number) {
        int status = goal_pages_find(pages, number, error);
        *place = pages->last_place;
        return status;
    }
    page->asked_for = true;
    pages->last_number = number;
    pages->last_place = *place;
    return 0;
}

/* GOAL_PAGE_OVERLAP bytes at least, zero behind the end of the file; good until the next call. NULL with an error.
 * `*place` is where the page was of what the caller asked for before, likely the same; 0 at first. */
static inline const unsigned char *goal_pages_at(struct goal_pages *pages, int64_t offset, uint32_t *place,
                                                 struct sim_error *error)
{
    int64_t number = offset / GOAL_PAGE;
    if (number != pages->last_number && goal_pages_look(pages, number, place, error) != 0)
        return NULL;
    const unsigned char *bytes =
        pages->bytes + (size_t)pages->last_place * (GOAL_PAGE + GOAL_PAGE_OVERLAP) + offset % GOAL_PAGE;
    __builtin_prefetch(bytes + GOAL_PAGE_OVERLAP); /* what follows is likely to be asked for next, but much later */
    return bytes;
}

#endif
