/* Finds out what had the processor that a rank lacked: ranks with which it shares cores, or other programs.
 *
 * Where there are more ranks than cores, it goes by what the ranks had of these cores meanwhile: the first pass adds
 * that up, in up to SHARING_PIECES pieces of time. A rank that has a processor for d of a time [share], while all ranks
 * together have U of N cores, does not have one for 1 - d of it. All others then have N - d cores' worth, of which
 * ranks have U - d. That part of the missing time is theirs.
 *
 * Older archives do not tell lacking a processor from sleeping: they say only that there was no processor. There ranks
 * wait for each other only while they have (nearly) all cores, and no longer than if each got its share of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_SHARING_H
#define TRACE_RECORD_SHARING_H

#include "trace/record/record.h"

enum { SHARING_PIECES = 4096 };

struct record_sharing;

/* Begin for a run that lasts that long [s]. NULL where nothing is known of processors. */
struct record_sharing *record_sharing_new(const struct record_info *info, double length_s);
void record_sharing_free(struct record_sharing *sharing);

/* In the first pass: between two moments the rank had a processor for so long. NULL takes nothing. */
void record_sharing_add(struct record_sharing *sharing, int rank, int64_t from_ps, int64_t to_ps, int64_t used_ps);

/* The part of without_ps, in which the rank had no processor between two moments, that it waited for other ranks. In
 * the same time it had a processor for used_ps. All of it, if nothing is known of processors. */
int64_t record_sharing_by_ranks(const struct record_sharing *sharing, int rank, int64_t from_ps, int64_t to_ps,
                                int64_t used_ps, int64_t without_ps);
/* The kind of the rest: SLEEP_FOREIGN, or SLEEP_OFF where the archive does not tell. */
enum record_sleep record_sharing_rest(const struct record_sharing *sharing);

#endif
