/* Keeps a part of a spool: its last windows, or those of the first and the last occurrences of something.
 *
 * A window that is not needed any more is written anew. Every window begins with a record of its number. From time to
 * time a frame follows, which has the state (follow.h) up to there: from the oldest frame on, what is left can be
 * understood, also when the process is killed. The records of a full window are looked at again to follow the state, so
 * that recording itself takes no longer.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_KEEP_H
#define EPPA_ARCHIVE_KEEP_H

#include "eppa/archive/spool.h"

/* Least bytes of which the last are kept. */
#define KEEP_LEAST_BYTES INT64_C(1 << 20)

struct keep;

/* The first window is mapped and empty. NULL if there is no memory. */
struct keep *keep_open(struct spool *spool, const struct define_keep *part);
/* The window is full, up to `end`: the place in the file for the next one, in windows. */
int64_t keep_turn(struct keep *keep, const unsigned char *window, const unsigned char *end);
/* The window is mapped now. Write its first records. */
void keep_begin_window(struct keep *keep, struct spool *spool);
void keep_close(struct keep *keep);

#endif
