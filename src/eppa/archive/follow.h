/* The state of a rank's recording after some of its records: what is open on each thread, and how many messages and
 * collectives there were on each channel. The two sides of a channel count alike, so that of records that only one side
 * still has, it is known which they are.
 *
 * Nothing is known beyond FOLLOW_MAX_OPEN open things, `most` channels and FOLLOW_MAX_PENDING pending collectives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_FOLLOW_H
#define EPPA_ARCHIVE_FOLLOW_H

#include "base/map.h"
#include "eppa/archive/spool.h"

enum { FOLLOW_MAX_OPEN = 272, FOLLOW_MAX_PENDING = 1024, FOLLOW_MAX_CHANNELS = 1 << 16 };

enum follow_kind { FOLLOW_SENT, FOLLOW_RECEIVED, FOLLOW_COLLECTIVES };

/* Messages of one tag to or from one peer, or the collectives of a communicator: how many have begun. */
struct follow_channel {
    uint32_t kind, comm; /* enum follow_kind */
    uint64_t peer_tag;   /* as in a record; of collectives 0 */
    int64_t n;
};

/* A call or a scope that has been entered, by its record. */
struct follow_open {
    uint8_t kind;
    uint16_t id;
    uint32_t a;
};
struct follow_thread {
    struct follow_open open[FOLLOW_MAX_OPEN];
    uint32_t n_open;
    uint8_t begun; /* SPOOL_COLL_BEGIN or SPOOL_WINDOW_BEGIN without its end; SPOOL_NOTHING */
};

/* A non-blocking collective that is not complete. */
struct follow_pending {
    uint32_t request, comm;
    int64_t number;
};

struct follow {
    bool is_valid, is_restoring; /* it is known; from a frame whose records come now */
    bool is_off;
    int64_t begun_ns, time_ns; /* the rank's time began; the latest record */
    uint32_t thread, last_request, lap, n_on;
    struct follow_thread *threads; /* SPOOL_MAX_THREADS */
    struct follow_channel *channels;
    uint32_t n_channels, most;
    struct map by_key;
    struct follow_pending pending[FOLLOW_MAX_PENDING];
    uint32_t n_pending;
};

/* An empty state, for `most` channels; false if there is no memory. */
bool follow_open(struct follow *follow, uint32_t most);
void follow_dispose(struct follow *follow);
/* The next record. After a gap, before which is_valid is set to false, it must be that of a window with a frame. */
void follow_take(struct follow *follow, const struct spool_record *record);
/* A copy of the channels, to be freed, in which collectives count only if they and all before them are complete; for
 * those who make archives. */
struct follow_channel *follow_completed(const struct follow *follow);
/* The channel; NULL: it has had nothing. */
struct follow_channel *follow_find(const struct follow *follow, enum follow_kind kind, uint32_t comm,
                                   uint64_t peer_tag);
/* The channel of a message or a collective that is about to be taken, with its number there, from 1; false if the
 * record is none, or is of a channel that is not followed. */
bool follow_number(const struct follow *follow, const struct spool_record *record, struct follow_channel *channel);

#endif
