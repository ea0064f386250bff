/* Windows in a queue, from the oldest that may be written anew.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/keep.h"

#include "eppa/archive/follow.h"

#include <stdlib.h>

enum {
    FRAME_SHARE = 8,  /* at most one in so many bytes is of frames */
    COUNT_BYTES = 32, /* of a channel in a frame */
    NONE = -1
};

/* A window of the file. */
struct kept {
    int64_t next; /* younger one in the queue */
    uint32_t lap; /* occurrences before it */
    bool has_frame;
};

struct keep {
    struct define_keep part;
    struct kept *windows;
    int64_t n_windows, room, most; /* of the file */
    int64_t current, oldest, youngest;
    int64_t number, n_since_frame; /* of the current window; windows since the latest frame */
    struct follow follow;
};

static void put_record(struct spool *spool, const struct keep *keep, enum spool_kind kind, uint16_t id, uint32_t a,
                       int n_words, const int64_t *words)
{
    spool_put(spool, kind, id, a, keep->follow.time_ns, n_words, words);
}

/* Channels for which frames are small against what is kept. */
static uint32_t most_channels(const struct define_keep *part)
{
    int64_t most = part->bytes / (2 * FRAME_SHARE * COUNT_BYTES);
    return part->bytes == 0 || most > FOLLOW_MAX_CHANNELS ? FOLLOW_MAX_CHANNELS : (uint32_t)most;
}

struct keep *keep_open(struct spool *spool, const struct define_keep *part)
{
    struct keep *keep = calloc(1, sizeof *keep);
    if (keep == NULL)
        return NULL;
    *keep = (struct keep){.part = *part, .most = part->bytes / SPOOL_WINDOW_BYTES, .oldest = NONE, .youngest = NONE};
    keep->n_windows = 1;
    keep->windows = calloc(1, sizeof *keep->windows);
    keep->room = 1;
    if (!follow_open(&keep->follow, most_channels(part)) || keep->windows == NULL) {
        keep_close(keep);
        return NULL;
    }
    keep_begin_window(keep, spool);
    return keep;
}

void keep_close(struct keep *keep)
{
    if (keep == NULL)
        return;
    follow_dispose(&keep->follow);
    free(keep->windows);
    free(keep);
}

static void follow_window(struct keep *keep, const unsigned char *window, const unsigned char *end)
{
    while (window < end) {
        struct spool_record record = {0};
        size_t length = SPOOL_HEAD + 8 * (size_t)window[1];
        memcpy(&record, window, length);
        follow_take(&keep->follow, &record);
        window += length;
    }
}

/* The windows of the first occurrences stay. */
static void put_into_queue(struct keep *keep, int64_t window)
{
    struct kept *kept = &keep->windows[window];
    kept->next = NONE;
    if (keep->part.bytes == 0 && kept->lap <= keep->part.n_laps)
        return;
    if (keep->oldest == NONE)
        keep->oldest = window;
    else
        keep->windows[keep->youngest].next = window;
    keep->youngest = window;
}

/* Is the oldest not needed? What is kept begins with the next frame. */
static bool is_free(const struct keep *keep)
{
    if (keep->oldest == NONE)
        return false;
    if (keep->part.bytes > 0)
        return keep->n_windows >= keep->most;
    int64_t next = keep->windows[keep->oldest].next;
    while (next != NONE && !keep->windows[next].has_frame)
        next = keep->windows[next].next;
    return next != NONE && (int64_t)keep->windows[next].lap <= (int64_t)keep->follow.lap - keep->part.n_laps;
}

static int64_t add_window(struct keep *keep)
{
    if (keep->n_windows == keep->room) {
        struct kept *more = realloc(keep->windows, 2 * (size_t)keep->room * sizeof *more);
        if (more == NULL)
            return NONE;
        keep->windows = more;
        keep->room *= 2;
    }
    return keep->n_windows++;
}

static int64_t take_oldest(struct keep *keep)
{
    int64_t window = keep->oldest;
    keep->oldest = keep->windows[window].next;
    return window;
}

int64_t keep_turn(struct keep *keep, const unsigned char *window, const unsigned char *end)
{
    follow_window(keep, window, end);
    put_into_queue(keep, keep->current);
    keep->current = is_free(keep) ? take_oldest(keep) : add_window(keep);
    return keep->current;
}

static void put_open(const struct keep *keep, struct spool *spool)
{
    for (int64_t i = 0; i < SPOOL_MAX_THREADS; i++) {
        const struct follow_thread *thread = &keep->follow.threads[i];
        for (uint32_t k = 0; k < thread->n_open && k < FOLLOW_MAX_OPEN; k++)
            put_record(spool, keep, SPOOL_OPEN, thread->open[k].id, thread->open[k].a, 1,
                       &(int64_t){i | (int64_t)thread->open[k].kind << 32});
        if (thread->begun != SPOOL_NOTHING)
            put_record(spool, keep, SPOOL_OPEN, 0, 0, 1, &(int64_t){i | (int64_t)thread->begun << 32});
    }
}

static void put_frame(const struct keep *keep, struct spool *spool)
{
    const struct follow *follow = &keep->follow;
    put_record(spool, keep, SPOOL_FRAME, follow->is_off, follow->thread, 3,
               (int64_t[]){follow->begun_ns, follow->last_request, follow->n_on});
    put_open(keep, spool);
    for (uint32_t i = 0; i < follow->n_channels; i++) {
        const struct follow_channel *channel = &follow->channels[i];
        put_record(spool, keep, SPOOL_COUNT, (uint16_t)channel->kind, channel->comm, 2,
                   (int64_t[]){(int64_t)channel->peer_tag, channel->n});
    }
}

/* A frame may be so long that it goes on in the next windows, each of which comes here, too. */
void keep_begin_window(struct keep *keep, struct spool *spool)
{
    bool has_frame = keep->number > 0 && keep->n_since_frame * SPOOL_WINDOW_BYTES >=
                                             (int64_t)keep->follow.n_channels * COUNT_BYTES * FRAME_SHARE;
    keep->windows[keep->current].lap = keep->follow.lap;
    keep->windows[keep->current].has_frame = has_frame;
    keep->n_since_frame = has_frame ? 1 : keep->n_since_frame + 1;
    put_record(spool, keep, SPOOL_WINDOW, has_frame, keep->follow.lap, 1, &(int64_t){++keep->number});
    if (has_frame)
        put_frame(keep, spool);
}
