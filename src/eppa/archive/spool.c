/* Writes records into windows of a file that are mapped into memory, and reads them back with distrust.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/spool.h"

#include "eppa/archive/keep.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_WINDOW = 16 * 1024 };

static unsigned char nowhere[SPOOL_HEAD + 8 * SPOOL_MAX_WORDS] __attribute__((aligned(8)));

/* Map the window at a place of the file. posix_fallocate gives the blocks before they are written to: a full disk is an
 * error here and no SIGBUS later. */
static int map_window(struct spool *spool, int64_t place)
{
    off_t offset = (off_t)place * SPOOL_WINDOW_BYTES;
    int status = posix_fallocate(spool->fd, offset, SPOOL_WINDOW_BYTES);
    if (status != 0) {
        errno = status;
        return -1;
    }
    void *window = mmap(NULL, SPOOL_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, spool->fd, offset);
    if (window == MAP_FAILED)
        return -1;
    spool->window = window;
    spool->next = window;
    spool->limit = spool->next + SPOOL_WINDOW_BYTES;
    return 0;
}

/* The next window, after those before it or in the place of one that is not kept. That has no number while it is
 * emptied. */
static int map_next(struct spool *spool, const unsigned char *window, const unsigned char *end)
{
    if (spool->keep == NULL)
        return map_window(spool, spool->n_windows++);
    int64_t place = keep_turn(spool->keep, window, end);
    if (place < 0 || map_window(spool, place) != 0)
        return -1;
    if (*spool->window != SPOOL_NOTHING) {
        atomic_store_explicit((_Atomic uint64_t *)(void *)spool->window, 0, memory_order_release);
        memset(spool->window, 0, SPOOL_WINDOW_BYTES);
    }
    keep_begin_window(spool->keep, spool);
    return 0;
}

int spool_open(struct spool *spool, int folder, int rank)
{
    *spool = (struct spool){.fd = open_of_rank(folder, rank, "events", O_RDWR | O_CREAT | O_TRUNC)};
    if (spool->fd < 0)
        return -1;
    if (map_next(spool, NULL, NULL) == 0)
        return 0;
    int error = errno;
    close(spool->fd);
    errno = error;
    return -1;
}

bool spool_keep_part(struct spool *spool, const struct define_keep *part)
{
    spool->keep = keep_open(spool, part);
    return spool->keep != NULL;
}

void spool_open_memory(struct spool *spool, spool_take take)
{
    static unsigned char window[MEMORY_WINDOW] __attribute__((aligned(64)));
    *spool = (struct spool){.fd = -1, .next = window, .limit = window + sizeof window, .take = take};
}

/* Its window is the space between its beginning and its limit. */
void spool_flush(struct spool *spool)
{
    unsigned char *window = spool->limit - MEMORY_WINDOW;
    spool->take(window, spool->next);
    spool->next = window;
}

static void lead_nowhere(struct spool *spool)
{
    spool->next = nowhere;
    spool->limit = nowhere + sizeof nowhere;
}

void spool_pause(struct spool *spool)
{
    spool->paused_next = spool->next;
    spool->paused_limit = spool->limit;
    lead_nowhere(spool);
}

void spool_resume(struct spool *spool)
{
    spool->next = spool->paused_next;
    spool->limit = spool->paused_limit;
    spool->paused_next = spool->paused_limit = NULL;
}

void spool_advance(struct spool *spool)
{
    if (spool->paused_next != NULL) {
        lead_nowhere(spool);
        return;
    }
    if (spool->take != NULL) {
        spool_flush(spool);
        return;
    }
    if (!spool->is_broken) {
        unsigned char *window = spool->window;
        if (spool->next < spool->limit)
            *spool->next = SPOOL_PAD;
        spool->window = NULL;
        spool->is_broken = map_next(spool, window, spool->next) != 0;
        munmap(window, SPOOL_WINDOW_BYTES);
    }
    if (spool->is_broken)
        lead_nowhere(spool);
}

void spool_close(struct spool *spool)
{
    if (spool->window != NULL) {
        msync(spool->window, SPOOL_WINDOW_BYTES, MS_SYNC);
        munmap(spool->window, SPOOL_WINDOW_BYTES);
    }
    if (spool->fd >= 0)
        close(spool->fd);
    keep_close(spool->keep);
    *spool = (struct spool){.fd = -1, .next = nowhere, .limit = nowhere + sizeof nowhere, .is_broken = true};
}

bool spool_is_time(int64_t time_ns)
{
    return time_ns >= 0 && time_ns <= SPOOL_MAX_TIME_NS;
}

bool spool_read_rank(int folder, int rank, struct define_rank *self)
{
    struct {
        struct definition_head head;
        struct define_rank self;
    } first;
    int file = open_of_rank(folder, rank, "defs", O_RDONLY);
    if (file < 0)
        return false;
    ssize_t n = read(file, &first, sizeof first);
    close(file);
    *self = first.self;
    return n == (ssize_t)sizeof first && first.head.kind == DEFINE_RANK && first.self.n_ranks > rank;
}

/* The window's first record; false if it has no number. */
static bool read_head(int fd, int64_t place, struct spool_window *window)
{
    struct spool_record record = {0};
    ssize_t n = pread(fd, &record, SPOOL_HEAD + 8, (off_t)place * SPOOL_WINDOW_BYTES);
    if (n != SPOOL_HEAD + 8 || record.kind != SPOOL_WINDOW || record.n_words != 1 || record.words[0] < 1)
        return false;
    *window = (struct spool_window){record.words[0], place, record.time_ns, record.a, record.id == 1};
    return true;
}

static int by_number(const void *a, const void *b)
{
    const struct spool_window *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Leave out what is between those before the first gap and the oldest frame after which there is none. */
static void leave_gap(struct spool_reader *reader)
{
    struct spool_window *windows = reader->windows;
    int64_t n = reader->n_windows, first = 0, last = n - 1;
    while (first < n && windows[first].number == first + 1)
        first++;
    reader->n_first = first;
    if (first == n)
        return;
    while (last > first && windows[last - 1].number == windows[last].number - 1)
        last--;
    while (last < n && !windows[last].has_frame)
        last++;
    memmove(windows + first, windows + last, (size_t)(n - last) * sizeof *windows);
    reader->n_windows = first + n - last;
}

/* Put the windows in order. */
static void find_windows(struct spool_reader *reader)
{
    struct spool_window window;
    if (!read_head(reader->fd, 0, &window) && !read_head(reader->fd, 1, &window)) /* one may just be being emptied */
        return;
    off_t length = lseek(reader->fd, 0, SEEK_END);
    int64_t n = length / SPOOL_WINDOW_BYTES;
    reader->windows = memory_need(calloc((size_t)n + 1, sizeof *reader->windows));
    for (int64_t place = 0; place < n; place++)
        reader->n_windows += read_head(reader->fd, place, &reader->windows[reader->n_windows]);
    qsort(reader->windows, (size_t)reader->n_windows, sizeof *reader->windows, by_number);
    leave_gap(reader);
}

int spool_reader_open(struct spool_reader *reader, int folder, int rank)
{
    *reader = (struct spool_reader){.fd = open_of_rank(folder, rank, "events", O_RDONLY), .window_index = -1};
    if (reader->fd < 0)
        return -1;
    reader->window = memory_need(malloc(SPOOL_WINDOW_BYTES));
    find_windows(reader);
    return 0;
}

static bool read_window(struct spool_reader *reader)
{
    int64_t place = ++reader->window_index;
    reader->at = reader->length = 0;
    if (reader->windows != NULL && place >= reader->n_windows)
        return false;
    if (reader->windows != NULL)
        place = reader->windows[place].place;
    while (reader->length < SPOOL_WINDOW_BYTES) {
        off_t offset = (off_t)place * SPOOL_WINDOW_BYTES + (off_t)reader->length;
        ssize_t n = pread(reader->fd, reader->window + reader->length, SPOOL_WINDOW_BYTES - reader->length, offset);
        if (n <= 0)
            break;
        reader->length += (size_t)n;
    }
    return reader->length >= SPOOL_HEAD;
}

bool spool_reader_next(struct spool_reader *reader, struct spool_record *record)
{
    for (;;) {
        size_t left = reader->length - reader->at;
        if (left == 0 || reader->window[reader->at] == SPOOL_PAD) {
            if (!read_window(reader))
                return false;
            continue;
        }
        const unsigned char *place = reader->window + reader->at;
        if (left < SPOOL_HEAD || place[0] == SPOOL_NOTHING || place[0] >= N_SPOOL_KINDS || place[1] > SPOOL_MAX_WORDS)
            return false;
        size_t length = SPOOL_HEAD + 8 * (size_t)place[1];
        if (left < length)
            return false;
        memset(record, 0, sizeof *record);
        memcpy(record, place, length);
        reader->at += length;
        return spool_is_time(record->time_ns);
    }
}

void spool_reader_close(struct spool_reader *reader)
{
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader->window);
    free(reader->windows);
}
