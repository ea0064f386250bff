/* From the spool to the OTF2 archive DIRECTORY/archive/trace, which archive_publish() moves to its place. Several
 * processes may write it together, each its ranks, or one process all.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_ARCHIVE_H
#define EPPA_ARCHIVE_ARCHIVE_H

#include "eppa/archive/ends.h"
#include "eppa/archive/plan.h"

#include <otf2/otf2.h>

/* The outcome of a rank. */
struct archive_rank {
    uint64_t n_events;
    int64_t first_ns, last_ns; /* of its own clock */
    /* The events of each further thread; on the heap, the caller's to free; NULL: there is none. Thread k is location
     * k n_ranks + rank. */
    uint64_t *thread_events;
    uint32_t n_threads;
    uint8_t is_whole;
    /* For a rank that kept a part: its whole time, and what of it is lost; records left out because the other side's
     * are. */
    int64_t run_ns, lost_ns;
    uint64_t n_alone_messages, n_alone_collectives;
};

/* Up to when a rank that did not finish lived; if that is not known, the end of the run. */
struct archive_end {
    int64_t time_ns; /* of its own clock */
    bool is_known;
};

/* An archive named trace in a directory; NULL if it cannot be made. The caller sets the collective callbacks and opens
 * and closes the files of events. Messages of OTF2 are not printed from then on: archive_error() has it. */
OTF2_Archive *archive_create(const char *path);
/* Close it: 0, or -1 if OTF2 or the disk has failed. Others may use OTF2, too: they hear from it again. */
int archive_finish(OTF2_Archive *archive);
/* The first that OTF2 had to say since archive_create(); "" if nothing. */
const char *archive_error(void);
/* OTF2 does not look at what fclose() says: a disk that is full by then is seen in errno only, set to 0 before. */
bool archive_has_no_room(void);
/* `folder` is the spool, an open directory.
 *
 * When the rank's last record was made; 0 without any. */
int64_t archive_last_ns(int folder, int rank);
/* Write the events of one of n_ranks ranks. 0, or -1. */
int archive_write_rank(OTF2_Archive *archive, int folder, int rank, int n_ranks, const struct rank_map *map,
                       struct archive_end end, struct archive_rank *result);
/* Write the offsets of its clock, which is also that of its threads. */
int archive_write_clocks(OTF2_Archive *archive, int rank, int n_ranks, const struct plan_rank *self,
                         const struct archive_rank *result);
/* Write what is common, by one process. */
int archive_write_definitions(OTF2_Archive *archive, const struct plan *plan, const struct archive_rank *results);

/* Make an archive of a spool and put it into its place, by one process, and remove the spool. Waits while another
 * process does so. `ends` says when ranks that did not finish ended; NULL: not known of any. 0, also if the spool is
 * gone; or -1 with the reason in `message`. */
int archive_recover(const char *directory, const struct ends *ends, char *message, int n_message);

#endif
