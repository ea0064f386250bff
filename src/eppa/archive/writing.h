/* From records of a spool to events of OTF2, of one thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_WRITING_H
#define EPPA_ARCHIVE_WRITING_H

#include "eppa/archive/plan.h"
#include "eppa/archive/spool.h"

#include <otf2/otf2.h>

/* Requests after the first up to the last. */
struct request_range {
    uint32_t first, last;
};

/* A thread being written. */
struct writing {
    OTF2_EvtWriter *events; /* NULL: it has none yet */
    OTF2_AttributeList *attributes;
    const struct rank_map *map;
    int rank;
    OTF2_TimeStamp time;  /* of the record before */
    OTF2_RegionRef *open; /* regions, the innermost last */
    size_t n_open, room;
    bool is_to_begin;                /* its ProgramBegin is not written yet */
    struct request_range *begun_off; /* requests that were begun while recording was off, in order */
    size_t n_begun_off, room_off;
    struct spool_record awaited; /* SPOOL_AWAITS or SPOOL_FOUND of the innermost, if its kind is */
};

/* Take the thread's next record. */
void writing_take(struct writing *self, const struct spool_record *record);
/* Its time begins at `time`, if it has not yet. */
void writing_begin(struct writing *self, OTF2_TimeStamp time);
/* True if the thread is in a call. */
bool writing_is_in_call(const struct writing *self);
/* End, at the time of the last record, what the thread is in the middle of. */
void writing_finish(struct writing *self);

#endif
