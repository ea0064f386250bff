/* The state of writing records as an OTF2 archive, for the files that do: copy.c goes through the records,
 * copy_visits.c writes those that are visits of a region, copy_collectives.c collectives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_COPYING_H
#define TRACE_OTF2_COPYING_H

#include "trace/otf2/copy.h"

struct copying {
    struct copy *copy;
    struct visit_output *output;
    const struct record_info *info;
    const int *scope_regions;
    struct group_member **by_rank; /* of each group that has been asked for; else NULL */
    int rank;
    struct record next; /* it is written when it is known what follows; its blocks are copied */
    bool has_next;
    bool is_open, is_alone; /* the region of its call is entered; the call has one record */
};

/* The group rank of a rank, or -1. */
int copy_group_rank(struct copying *self, int group, int rank);

/* The role of each reason to sleep (enum record_sleep). */
extern const uint8_t copy_sleep_roles[N_RECORD_SLEEPS];

/* Write a record that is a region visit. With is_inside, the region is entered, and left by others. */
void copy_visit(struct copying *self, const struct record *record, bool is_inside);

/* Likewise a collective; and the request of one that goes on by itself, where it begins. */
void copy_collective(struct copying *self, const struct record *record, bool is_inside);
void copy_request(struct copying *self, const struct record *record);

#endif
