/* When the processes of a run ended. Those of this machine are watched, of others nothing is known. Times are of this
 * process' CLOCK_MONOTONIC [ns].
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_ENDS_H
#define EPPA_ARCHIVE_ENDS_H

#include <stdbool.h>
#include <stdint.h>

struct rank_end {
    int process;      /* file that tells its end; -1 without */
    bool is_gone;     /* had ended before it was watched */
    int64_t ended_ns; /* or still lived; 0: not known */
};

struct ends {
    int n_ranks;
    int observer; /* the rank whose clock the times are of */
    struct rank_end *ranks;
};

/* Find the processes of the ranks that have described themselves in the spool, an open directory. */
void ends_open(struct ends *ends, int folder, int observer);
/* Wait until all that are watched have ended. */
void ends_wait(struct ends *ends);
/* Note that those that are there still live; so, presumably, does a process on another machine. */
void ends_look(struct ends *ends);
void ends_close(struct ends *ends);

#endif
