/* The history of each location, from one wait to the next, and where the pasts of two of them have parted.
 *
 * A location's row (critical_path.h) is its own time so far, by place, and how long it has waited; all together they
 * are its present. Where it waits for a departure, a leg of it begins. The leg keeps the row that it followed and its
 * own row at the wait's end. The row also has the number of its last leg, as its departures do. So each leg follows
 * another, back to the beginning; where the ways of two rows back meet, their locations were last synchronized, through
 * any other rank.
 *
 * Legs are numbered in the order in which they begin, and only the last of them are kept: as many as `most`. A leg is
 * its number times the locations plus its location, so that of those that are not kept the location is still known.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_LEGS_H
#define METRICS_LEGS_H

#include "metrics/critical_path.h"

#include <stdbool.h>
#include <stdint.h>

struct leg {
    int64_t origin_ps;              /* when that departed which it follows */
    int64_t waits_ps, waited_ps;    /* when the wait before it began, and ended */
    int64_t previous;               /* of the same location */
    uint64_t first_share, n_shares; /* for whoever divides the wait */
};

struct legs {
    struct critical_path path; /* its parts: the places and the waiting; behind them the leg */
    int64_t last, most;        /* the number of the last leg; how many are kept */
    int width;                 /* of the rows that are kept */
    struct leg *legs;          /* `most` */
    int64_t *followed, *own;   /* `most` rows each */
    int64_t *waiting_ps;       /* of each location: how long it has been waiting */
};

void legs_init(struct legs *legs, int n_locations, int n_places);
void legs_dispose(struct legs *legs);

/* The numbers of a row that are no place. */
static inline int legs_number_of_waiting(const struct legs *legs)
{
    return legs->path.n_parts - 1;
}

static inline int64_t legs_of(const struct legs *legs, const int64_t *row)
{
    return critical_path_number(&legs->path, row, legs->path.n_parts);
}

static inline int legs_location(const struct legs *legs, int64_t leg)
{
    return (int)(leg % legs->path.n_ranks);
}

/* NULL if it is not kept any more. */
struct leg *legs_find(const struct legs *legs, int64_t leg);

/* Rows of a leg that is kept: the one that it followed, and its location's own at the end of the wait. */
static inline int64_t *legs_row_followed(const struct legs *legs, int64_t leg)
{
    return &legs->followed[leg / legs->path.n_ranks % legs->most * legs->width];
}

static inline int64_t *legs_row_own(const struct legs *legs, int64_t leg)
{
    return &legs->own[leg / legs->path.n_ranks % legs->most * legs->width];
}

/* The row that the interval's end followed; NULL: its own location's. */
const int64_t *legs_followed(const struct legs *legs, const struct interval *interval);
/* Take the next interval, which is in that place. Rows and legs are elsewhere afterwards. Returns the leg that has
 * begun, or NULL. */
struct leg *legs_take(struct legs *legs, const struct interval *interval, int place);

/* The last moment of which two rows of different locations both know. */
struct parting {
    int64_t at_ps;
    int location;       /* over which both knew it, */
    const int64_t *row; /* and its row then */
};
/* Rows as of these times. Returns false if that is before what is kept. */
bool legs_part(const struct legs *legs, const int64_t *row, int64_t row_ps, const int64_t *other, int64_t other_ps,
               struct parting *parting);
/* The row of the location whose row this is, as of an earlier moment: exact while it waited then, in proportion between
 * waits. Returns false if it is not kept. past: a row. */
bool legs_row_at(const struct legs *legs, const int64_t *row, int64_t row_ps, int64_t at_ps, int64_t *past);

#endif
