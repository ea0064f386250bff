/* A trace that was read, written as an OTF2 archive: what the reader of such archives gives for it is the same again,
 * record for record, with communicators, requests and parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_COPY_H
#define TRACE_OTF2_COPY_H

#include "trace/otf2/region_visits.h"
#include "trace/record/record.h"

/* All zero: nothing is copied. */
struct copy {
    const struct record_info *info; /* the reader's */
    struct copy_name {
        char *name;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
    } * names; /* of functions: regions from first_region on */
    size_t n_names, capacity;
    int first_region;
};

/* Write the records of all ranks and their further threads, from the beginning, as one location each. scope_regions:
 * the region of each of the trace's scopes, -1: none. 0, or -1 with the reader's error; what cannot be written is in
 * the output's status. */
int copy_records(struct copy *copy, struct visit_output *output, struct record_reader *reader, const int *scope_regions,
                 struct sim_error *error);

/* Further regions, communicators besides the world, and properties of the archive. */
void copy_define(const struct copy *copy, struct archive_output *archive);
void copy_dispose(struct copy *copy);

#endif
