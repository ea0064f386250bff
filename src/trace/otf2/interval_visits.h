/* Visits, sorted by location, that a simulation's intervals become in an OTF2 archive. Memory grows with the locations
 * and what they have begun.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_INTERVAL_VISITS_H
#define TRACE_OTF2_INTERVAL_VISITS_H

#include "interval/interval.h"
#include "trace/otf2/region_visits.h"
#include "trace/record/sorter.h"

struct interval_visits {
    const struct interval_setup *setup; /* NULL: none has begun */
    struct sorter *sorter;              /* of packed visits, by location; the failure of a write is its status */
    struct visit_maker *makers;         /* of each location */
    int *scope_regions;                 /* of each scope; -1: none, because it has no name */
};

/* Visits are spooled beside `file`. */
void interval_visits_init(struct interval_visits *self, const char *file);
void interval_visits_dispose(struct interval_visits *self);

/* Once, before the first interval; `setup` stays the caller's. */
void interval_visits_begin(struct interval_visits *self, const struct interval_setup *setup);
void interval_visits_add(struct interval_visits *self, const struct interval *interval);
/* No interval comes any more: what is open ends. */
void interval_visits_end(struct interval_visits *self);

/* The regions besides those of enum visit_region: of categories and of scopes. */
void interval_visits_define(const struct interval_visits *self, struct archive_output *archive);

#endif
