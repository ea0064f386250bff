/* Borders and counts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/cut.h"

#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"
#include "eppa/archive/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* --- borders --- */

/* Where a rank's last part begins: when, on the clock of rank 0, if it lacks what was before, and its latest
 * occurrence. */
struct border {
    int64_t from_ns;
    uint32_t lap;
};

static uint32_t latest_lap(struct spool_reader *reader)
{
    struct spool_record record;
    uint32_t lap = 0;
    reader->window_index = reader->n_windows - 2;
    while (spool_reader_next(reader, &record))
        if (record.kind == SPOOL_LAP || record.kind == SPOOL_WINDOW)
            lap = record.a;
    return lap;
}

static struct border find_border(int folder, int rank, bool by_laps)
{
    struct spool_reader reader;
    struct border border = {INT64_MIN, 0};
    if (spool_reader_open(&reader, folder, rank) == 0 && reader.n_windows > 0) {
        int64_t first = by_laps ? reader.n_windows : reader.n_first;
        if (first < reader.n_windows)
            border.from_ns = reader.windows[first].time_ns;
        border.lap = by_laps ? latest_lap(&reader) : 0;
    }
    spool_reader_close(&reader);
    return border;
}

void cut_find(struct plan *plan, int folder)
{
    bool by_laps = plan->keep.bytes == 0;
    struct border all = {INT64_MIN, 0};
    if (by_laps && plan->keep.n_laps == 0)
        return;
    for (int i = 0; i < plan->n_ranks; i++) {
        struct border border = find_border(folder, i, by_laps);
        if (border.from_ns != INT64_MIN && border.from_ns + plan->ranks[i].clocks[0].offset_ns > all.from_ns)
            all.from_ns = border.from_ns + plan->ranks[i].clocks[0].offset_ns;
        all.lap = border.lap > all.lap ? border.lap : all.lap;
    }
    for (int i = 0; i < plan->n_ranks; i++) {
        struct plan_cut *cut = &plan->ranks[i].map.cut;
        if (by_laps)
            *cut = (struct plan_cut){.is_cut = all.lap > 2 * (int64_t)plan->keep.n_laps,
                                     .n_laps = plan->keep.n_laps,
                                     .first_lap = all.lap - plan->keep.n_laps + 1};
        else if (all.from_ns != INT64_MIN)
            *cut = (struct plan_cut){.is_cut = true, .from_ns = all.from_ns - plan->ranks[i].clocks[0].offset_ns};
    }
}

/* --- files --- */

int cut_write(int folder, int rank, const char *extension, const struct cut_head *head, const struct cut_count *counts)
{
    int file = open_of_rank(folder, rank, extension, O_WRONLY | O_CREAT | O_TRUNC);
    if (file < 0)
        return -1;
    size_t length = head->n * sizeof *counts;
    bool is_good = write(file, head, sizeof *head) == (ssize_t)sizeof *head &&
                   (counts == NULL || write(file, counts, length) == (ssize_t)length);
    return close(file) == 0 && is_good ? 0 : -1;
}

bool cut_read(int folder, int rank, const char *extension, struct cut_head *head, struct cut_count **counts)
{
    int file = open_of_rank(folder, rank, extension, O_RDONLY);
    bool is_good = file >= 0 && read(file, head, sizeof *head) == (ssize_t)sizeof *head;
    off_t length = is_good ? lseek(file, 0, SEEK_END) - (off_t)sizeof *head : 0;
    is_good = is_good && length == (off_t)(head->n * sizeof **counts);
    *counts = NULL;
    if (is_good) {
        *counts = memory_need(malloc((size_t)length + 1));
        is_good = pread(file, *counts, (size_t)length, sizeof *head) == length;
    }
    if (file >= 0)
        close(file);
    if (!is_good) {
        free(*counts);
        *counts = NULL;
    }
    return is_good;
}

/* --- a rank's counts --- */

static bool is_same(const struct follow_channel *a, const struct follow_channel *b)
{
    return a->kind == b->kind && a->comm == b->comm && a->peer_tag == b->peer_tag;
}

/* The counts of each channel at both borders; those of the first end behind, if they have none at the second. */
static struct cut_count *both_counts(const struct stream *stream, uint32_t *n)
{
    const struct follow *follow = &stream->follow;
    struct cut_count *counts = memory_need(calloc((size_t)follow->n_channels + stream->n_first + 1, sizeof *counts));
    for (uint32_t i = 0; i < follow->n_channels; i++) {
        const struct follow_channel *last = &follow->channels[i];
        bool was_there = i < stream->n_first && is_same(last, &stream->first[i]); /* their order stays */
        counts[(*n)++] =
            (struct cut_count){last->kind, last->comm, last->peer_tag, was_there ? stream->first[i].n : 0, last->n};
    }
    for (uint32_t i = 0; i < stream->n_first; i++) {
        const struct follow_channel *first = &stream->first[i];
        if (follow_find(follow, first->kind, first->comm, first->peer_tag) == NULL)
            counts[(*n)++] = (struct cut_count){first->kind, first->comm, first->peer_tag, first->n, 0};
    }
    return counts;
}

int cut_survey(int folder, int rank, const struct rank_map *map)
{
    struct stream stream;
    struct cut_head head = {0};
    if (stream_open(&stream, folder, rank, map) != 0)
        return cut_write(folder, rank, CUT_OWN, &head, NULL);
    stream_to_last(&stream);
    struct cut_count *counts = both_counts(&stream, &head.n);
    head.first_on = stream.first_on;
    head.last_on = stream.last_on;
    int status = cut_write(folder, rank, CUT_OWN, &head, counts);
    free(counts);
    stream_close(&stream);
    return status;
}
