/* The part of ranks in the archive that kept a part of their records (keep.h): the same on all of them.
 *
 * If they kept the last records, it begins where the last of them begins to have any. If they kept the first and last
 * occurrences of something, these are the ones that the rank which came farthest kept. Where the archive has a message
 * or a collective of one rank only, because the others' records of it are lost, it is left out: each rank counts what
 * it has on each channel up to the borders (RANK.cut), and then learns the counts of the other sides (RANK.others).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_CUT_H
#define EPPA_ARCHIVE_CUT_H

#include "eppa/archive/plan.h"

/* Extensions of the files. */
#define CUT_OWN "cut"
#define CUT_OTHERS "others"

/* For a channel of the rank, the number of messages or collectives up to the end of the first part and up to the
 * beginning of the last one. For messages the other side's, for collectives those that all members have completed, and
 * any has begun. */
struct cut_count {
    uint32_t kind, comm; /* enum follow_kind; in RANK.cut as the rank numbers it, else as the archive */
    uint64_t peer_tag;
    int64_t first, last;
};

/* A file of counts. Recording went on so often up to each border: counts are of the time since. */
struct cut_head {
    uint32_t n, first_on, last_on, unused;
};

/* Find the borders, for all ranks; the folder is the spool. */
void cut_find(struct plan *plan, int folder);
/* Write RANK.cut; 0, or -1. */
int cut_survey(int folder, int rank, const struct rank_map *map);
/* When all ranks have: write RANK.others of each. 0, or -1. */
int cut_join(int folder, const struct plan *plan);
/* Read a file of counts; the counts are the caller's to free. False if it is not as it should be. */
bool cut_read(int folder, int rank, const char *extension, struct cut_head *head, struct cut_count **counts);
/* Write one, of head->n counts, or none with NULL; 0, or -1. */
int cut_write(int folder, int rank, const char *extension, const struct cut_head *head, const struct cut_count *counts);

#endif
