/* From the spool to the OTF2 archive DIRECTORY/archive/trace, which archive_publish() moves to its place. Several
 * processes may write it together, each its ranks, or one process all. */
#ifndef EPPA_ARCHIVE_H
#define EPPA_ARCHIVE_H

#include "eppa/plan.h"

#include <otf2/otf2.h>

/* What became of a rank. */
struct archive_rank {
    uint64_t n_events;
    int64_t first_ns, last_ns; /* of its own clock */
    uint8_t is_whole;
};

/* NULL if it cannot be made. The caller sets the collective callbacks and opens and closes the files of events. */
OTF2_Archive *archive_open(const char *directory);
/* When the rank's last record was made; 0 without any. */
int64_t archive_last_ns(const char *directory, int rank);
/* Write a rank's events. Those of a rank that did not finish end at end_ns or later. 0, or -1. */
int archive_write_rank(OTF2_Archive *archive, const char *directory, int rank, const struct rank_map *map,
                       int64_t end_ns, struct archive_rank *result);
/* Write the offsets of its clock. */
int archive_write_clocks(OTF2_Archive *archive, int rank, const struct define_clock *clocks, int n_clocks);
/* Write what is common, by one process. */
int archive_write_definitions(OTF2_Archive *archive, const struct plan *plan, const struct archive_rank *results);

/* Make an archive of a spool and put it into its place, by one process, and remove the spool. Waits while another
 * process does so. Ranks that did not finish were killed at end_ns (on this machine's clock, which is that of rank 0);
 * 0: with the last record. 0, also if the spool is gone; or -1 with the reason in `message`. */
int archive_recover(const char *directory, int64_t end_ns, char *message, int n_message);

#endif
