/* Sorts records by time: full buffers are spooled to a nameless file and merged. */
#include "trace/record/sorter.h"

#include "base/heap.h"
#include "base/memory.h"
#include "base/range.h"
#include "os/temporary.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MEMORY_BYTES = 8 << 20, /* of records that are sorted at once */
    BUFFER_BYTES = 1 << 16, /* of each spooled run while merging */
    RANK_SHIFT = 56,        /* order: rank above the number of the record */
};

struct key {
    int64_t at_ps;
    uint64_t order; /* of no two records the same */
};

/* One spooled sequence: where it goes on in the file, and what has been read of it. */
struct run {
    off_t at, end;
    char *buffer;
    size_t filled, used;
};

struct sorter {
    size_t bytes, room;    /* of an entry, key included; entries that the memory holds */
    char *entries;         /* being collected; in the end the last run */
    struct key **order;    /* of the entries, sorted */
    size_t count, n_taken; /* of the entries; of those already given back */
    uint64_t n_added;
    int file; /* -1: nothing spooled */
    char *folder;
    off_t file_bytes;
    struct run *runs;
    size_t n_runs, runs_capacity;
    struct heap next; /* runs by their next record; number n_runs is what is in memory */
    int status;
    int merging;
};

struct sorter *sorter_new(size_t bytes, const char *file)
{
    struct sorter *sorter = xcalloc(1, sizeof *sorter);
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    assert(bytes % _Alignof(struct key) == 0);
    sorter->bytes = sizeof(struct key) + bytes;
    sorter->room = MEMORY_BYTES / sorter->bytes;
    sorter->entries = xmalloc(sorter->room * sorter->bytes);
    sorter->order = xmalloc(sorter->room * sizeof *sorter->order);
    sorter->file = -1;
    if (file == NULL)
        sorter->folder = xstrdup(P_tmpdir);
    else
        sorter->folder = slash != NULL ? xformat("%.*s/", (int)(slash - file), file) : xstrdup(".");
    return sorter;
}

static int compare(const void *a, const void *b)
{
    const struct key *first = *(const struct key *const *)a, *second = *(const struct key *const *)b;
    bool before = first->at_ps != second->at_ps ? first->at_ps < second->at_ps : first->order < second->order;
    return before ? -1 : 1;
}

static void sort(struct sorter *sorter)
{
    for (size_t i = 0; i < sorter->count; i++)
        sorter->order[i] = (void *)(sorter->entries + i * sorter->bytes);
    qsort(sorter->order, sorter->count, sizeof *sorter->order, compare);
}

static void write_whole(struct sorter *sorter, const char *bytes, size_t length)
{
    while (length > 0 && sorter->status == 0) {
        ssize_t written = write(sorter->file, bytes, length);
        if (written < 0 && errno != EINTR)
            sorter->status = errno;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
            sorter->file_bytes += written;
        }
    }
}

static void spool(struct sorter *sorter)
{
    char buffer[BUFFER_BYTES];
    size_t filled = 0;
    if (sorter->file < 0 && (sorter->file = temporary_open(sorter->folder)) < 0)
        sorter->status = errno;
    sort(sorter);
    sorter->runs = xgrow(sorter->runs, sorter->n_runs, &sorter->runs_capacity, sizeof *sorter->runs);
    sorter->runs[sorter->n_runs] = (struct run){.at = sorter->file_bytes};
    for (size_t i = 0; i < sorter->count; i++) {
        if (filled + sorter->bytes > sizeof buffer) {
            write_whole(sorter, buffer, filled);
            filled = 0;
        }
        memcpy(buffer + filled, sorter->order[i], sorter->bytes);
        filled += sorter->bytes;
    }
    write_whole(sorter, buffer, filled);
    sorter->runs[sorter->n_runs++].end = sorter->file_bytes;
    sorter->count = 0;
}

void sorter_add(struct sorter *sorter, int64_t at_ps, int rank, const void *record)
{
    assert(!sorter->merging && rank >= 0 && rank < 128);
    if (sorter->status != 0)
        return;
    if (sorter->count == sorter->room)
        spool(sorter);
    char *entry = sorter->entries + sorter->count++ * sorter->bytes;
    const struct key key = {at_ps, (uint64_t)rank << RANK_SHIFT | sorter->n_added++};
    memcpy(entry, &key, sizeof key);
    memcpy(entry + sizeof key, record, sorter->bytes - sizeof key);
}

/* --- merging --- */

/* The next record of a run, or NULL after its last. */
static struct key *head(const struct sorter *sorter, size_t number)
{
    if (number == sorter->n_runs)
        return sorter->n_taken < sorter->count ? sorter->order[sorter->n_taken] : NULL;
    const struct run *run = &sorter->runs[number];
    return run->used < run->filled ? (void *)(run->buffer + run->used) : NULL;
}

static void refill(struct sorter *sorter, struct run *run)
{
    size_t most = BUFFER_BYTES / sorter->bytes * sorter->bytes, wanted = size_min((size_t)(run->end - run->at), most);
    run->used = run->filled = 0;
    while (run->filled < wanted) {
        ssize_t length = pread(sorter->file, run->buffer + run->filled, wanted - run->filled, run->at);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0) {
            sorter->status = length < 0 ? errno : EIO;
            run->filled = 0;
            return;
        }
        run->filled += (size_t)length;
        run->at += length;
    }
}

/* Records of equal time and rank come in the order of the runs, which is that of their adding. */
static void push_next(struct sorter *sorter, size_t number)
{
    const struct key *key = head(sorter, number);
    if (key != NULL)
        heap_push(&sorter->next,
                  (struct heap_entry){key->at_ps, (uint32_t)(key->order >> RANK_SHIFT), (uint32_t)number});
}

static void begin_merging(struct sorter *sorter)
{
    sorter->merging = 1;
    sort(sorter);
    for (size_t i = 0; i <= sorter->n_runs; i++) {
        if (i < sorter->n_runs) {
            sorter->runs[i].buffer = xmalloc(BUFFER_BYTES);
            refill(sorter, &sorter->runs[i]);
        }
        push_next(sorter, i);
    }
}

/* The first of all has been given back: go on in its run. */
static void advance(struct sorter *sorter)
{
    size_t number = heap_pop(&sorter->next).item;
    if (number == sorter->n_runs) {
        sorter->n_taken++;
    } else {
        struct run *run = &sorter->runs[number];
        run->used += sorter->bytes;
        if (run->used >= run->filled)
            refill(sorter, run);
    }
    push_next(sorter, number);
}

const void *sorter_next(struct sorter *sorter, int64_t *at_ps)
{
    if (!sorter->merging)
        begin_merging(sorter);
    else if (sorter->next.count > 0)
        advance(sorter);
    if (sorter->status != 0 || sorter->next.count == 0)
        return NULL;
    const struct key *key = head(sorter, sorter->next.entries[0].item);
    *at_ps = key->at_ps;
    return key + 1;
}

int sorter_status(const struct sorter *sorter)
{
    return sorter->status;
}

void sorter_free(struct sorter *sorter)
{
    if (sorter == NULL)
        return;
    for (size_t i = 0; i < sorter->n_runs; i++)
        free(sorter->runs[i].buffer);
    if (sorter->file >= 0)
        close(sorter->file);
    free(sorter->runs);
    heap_dispose(&sorter->next);
    free(sorter->order);
    free(sorter->entries);
    free(sorter->folder);
    free(sorter);
}
