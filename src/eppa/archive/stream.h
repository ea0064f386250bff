/* The records of a rank that go into the archive: all, or those of the parts that are kept, with what makes the parts
 * whole. Regions that are open at a border are left before it and entered after it; requests whose beginning is lost
 * are left out; messages and collectives are left out of which the other side is lost.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_STREAM_H
#define EPPA_ARCHIVE_STREAM_H

#include "eppa/archive/cut.h"
#include "eppa/archive/follow.h"

/* Before and in the first part; between the parts; in the last part. */
enum stream_phase { STREAM_FIRST, STREAM_LOST, STREAM_LAST };

struct stream {
    struct spool_reader reader;
    struct plan_cut cut;
    const struct rank_map *map;
    struct follow follow;
    enum stream_phase phase;
    int64_t window; /* number of the latest */
    /* Counts where the first part ends, and how often recording went on up to there and to the last part. */
    struct follow_channel *first;
    uint32_t n_first, first_on, last_on;
    int64_t lost_from_ns;                   /* when the first part ended; 0: there is none */
    uint32_t lost_request, lost_to_request; /* those after the first, up to the second, were begun in between */
    struct cut_count *others;
    struct map others_by_key;
    struct spool_record held[SPOOL_MAX_THREADS]; /* the beginning of a collective, whose end may be lost */
    struct spool_record *ready;                  /* records to be given out */
    uint32_t n_ready, room_ready, at_ready;
    uint32_t thread; /* whose records are given out */
    bool has_ended, is_survey;
    int64_t lost_ns;                    /* between the parts, or before the only one */
    uint64_t n_messages, n_collectives; /* left out up to now because the other side is lost */
};

/* Open the rank's records; 0, or -1 with errno. */
int stream_open(struct stream *stream, int folder, int rank, const struct rank_map *map);
/* Learn the other sides' counts; 0, or -1. Without them everything counts. */
int stream_learn(struct stream *stream, int folder, int rank);
bool stream_next(struct stream *stream, struct spool_record *record);
/* Go on to where the last part begins, or to the end; the records are not given out. */
void stream_to_last(struct stream *stream);
void stream_close(struct stream *stream);

#endif
