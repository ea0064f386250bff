/* Sorts any number of records by time in memory that does not grow with them: what is full is sorted and spooled to a
 * file without a name, and what has been spooled is merged. Records of equal time come in the order of their `rank`,
 * then in that of their adding. */
#ifndef TRACE_RECORD_SORTER_H
#define TRACE_RECORD_SORTER_H

#include <stddef.h>
#include <stdint.h>

struct sorter;

/* Records of `bytes` bytes each, a multiple of 8, spooled beside `file` (NULL: where temporary files go). */
struct sorter *sorter_new(size_t bytes, const char *file);

/* Copies the record. rank: 0 ... 127. A failure (a full disk) is kept for sorter_status(). */
void sorter_add(struct sorter *sorter, int64_t at_ps, int rank, const void *record);

/* After the last sorter_add(): the records one after the other, NULL after the last; valid until the next call. */
const void *sorter_next(struct sorter *sorter, int64_t *at_ps);

/* 0, or the errno of what has failed, after which records are lost. */
int sorter_status(const struct sorter *sorter);

void sorter_free(struct sorter *sorter);

#endif
