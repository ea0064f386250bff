/* Sorts any number of records by time in memory that does not grow with them: what is full is sorted and spooled to a
 * file without a name, and what has been spooled is merged. Records of equal time come in the order of their `rank`,
 * then in that of their adding.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_SORTER_H
#define TRACE_RECORD_SORTER_H

#include <stddef.h>
#include <stdint.h>

struct sorter;

/* Spooled beside `file` (NULL: where temporary files go). */
struct sorter *sorter_new(const char *file);

/* Copies the record: so many bytes, a multiple of 8, at most SORTER_LONGEST. rank: 0 ... 127. A failure (a full
 * disk) is kept for sorter_status(). */
enum { SORTER_LONGEST = 1024 };
void sorter_add(struct sorter *sorter, int64_t at_ps, int rank, const void *record, size_t bytes);

/* After the last sorter_add(): the records one after the other, NULL after the last; valid until the next call. */
const void *sorter_next(struct sorter *sorter, int64_t *at_ps);

/* 0, or the errno of what has failed, after which records are lost. */
int sorter_status(const struct sorter *sorter);

void sorter_free(struct sorter *sorter);

#endif
