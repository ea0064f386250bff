/* Writes records into windows of a file that are mapped into memory, and reads them back with distrust.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/spool.h"

#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_WINDOW = 16 * 1024 };

static unsigned char nowhere[SPOOL_HEAD + 8 * SPOOL_MAX_WORDS] __attribute__((aligned(8)));

/* posix_fallocate gives the blocks before they are written to: a full disk is an error here and no SIGBUS later. */
static int map_next(struct spool *spool)
{
    off_t offset = (off_t)spool->n_windows * SPOOL_WINDOW;
    int status = posix_fallocate(spool->fd, offset, SPOOL_WINDOW);
    if (status != 0) {
        errno = status;
        return -1;
    }
    void *window = mmap(NULL, SPOOL_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, spool->fd, offset);
    if (window == MAP_FAILED)
        return -1;
    spool->window = window;
    spool->next = window;
    spool->limit = spool->next + SPOOL_WINDOW;
    spool->n_windows++;
    return 0;
}

int spool_open(struct spool *spool, int folder, int rank)
{
    *spool = (struct spool){.fd = open_of_rank(folder, rank, "events", O_RDWR | O_CREAT | O_TRUNC)};
    if (spool->fd < 0)
        return -1;
    if (map_next(spool) == 0)
        return 0;
    int error = errno;
    close(spool->fd);
    errno = error;
    return -1;
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
        if (spool->next < spool->limit)
            *spool->next = SPOOL_PAD;
        munmap(spool->window, SPOOL_WINDOW);
        spool->window = NULL;
        spool->is_broken = map_next(spool) != 0;
    }
    if (spool->is_broken)
        lead_nowhere(spool);
}

void spool_close(struct spool *spool)
{
    if (spool->window != NULL) {
        msync(spool->window, SPOOL_WINDOW, MS_SYNC);
        munmap(spool->window, SPOOL_WINDOW);
    }
    if (spool->fd >= 0)
        close(spool->fd);
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

int spool_reader_open(struct spool_reader *reader, int folder, int rank)
{
    *reader = (struct spool_reader){.fd = open_of_rank(folder, rank, "events", O_RDONLY), .window_index = -1};
    if (reader->fd < 0)
        return -1;
    reader->window = memory_need(malloc(SPOOL_WINDOW));
    return 0;
}

static bool read_window(struct spool_reader *reader)
{
    reader->window_index++;
    reader->at = reader->length = 0;
    while (reader->length < SPOOL_WINDOW) {
        off_t offset = (off_t)reader->window_index * SPOOL_WINDOW + (off_t)reader->length;
        ssize_t n = pread(reader->fd, reader->window + reader->length, SPOOL_WINDOW - reader->length, offset);
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
}
