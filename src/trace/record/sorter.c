/* Sorts records by time: full buffers are spooled to a nameless file and merged. Small items are sorted, digit by
 * digit, and the data for which they stand is copied once. Intervals come nearly in order, so that one run after the
 * other is read for a while: the heap has only the runs that wait for that one.
 * SPDX-License-Identifier: BSD-3-Clause */
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
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <unistd.h>

enum {
    MEMORY_BYTES = 6 << 20, /* of records that are sorted at once */
    MOST_ITEMS = 1 << 17,   /* of them */
    LARGE_PAGE = 2 << 20,   /* bytes; what is above takes some of them */
    BUFFER_BYTES = 1 << 16, /* of each spooled run while merging */
    WORD = 8,               /* bytes of the unit in which records are counted */
    LONGEST_ENTRY = SORTER_LONGEST + 2 * WORD,
    DIGIT_BITS = 11, /* of what is sorted by at once */
    BY_RANK = -1,    /* in place of the shift of a digit */
};

/* A record in memory. */
struct item {
    int64_t at_ps;
    uint32_t offset; /* in words */
    uint16_t words;
    uint8_t rank;
};

/* The word before each spooled record: from the top, the time since the record before it, the rank, the number of
 * words. If that time is LONG_AFTER, the time itself follows. */
enum { RANK_SHIFT = 8, AFTER_SHIFT = 16 };
static const uint64_t LONG_AFTER = UINT64_MAX >> AFTER_SHIFT;

/* One spooled sequence: where it goes on in the file, and what has been read of it. */
struct run {
    off_t at, end;
    char *buffer;
    size_t filled, used; /* up to its next record */
    int64_t at_ps;       /* of that */
    size_t words;
};

struct sorter {
    char *records;              /* being collected; in the end the last run */
    struct item *items, *other; /* of the records; room for as many */
    size_t count, n_words;      /* of the items, and what they stand for */
    size_t n_taken;             /* of the items, when merging */
    int file;                   /* -1: nothing spooled */
    char *folder;
    off_t file_bytes;
    struct run *runs;
    size_t n_runs, runs_capacity;
    struct heap waiting; /* runs by their next record, but for the current one; number n_runs is what is in memory */
    size_t current;
    int status;
    enum { COLLECTING, MERGING, ENDED } stage;
};

/* Memory of whole large pages, where the system has them: thousands of small ones would cost more than the sorting. */
static void *new_pages(size_t bytes)
{
    void *memory = aligned_alloc(LARGE_PAGE, bytes);
    if (memory == NULL)
        abort();
#ifdef __linux__
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

struct sorter *sorter_new(const char *file)
{
    struct sorter *sorter = xcalloc(1, sizeof *sorter);
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    sorter->records = new_pages(MEMORY_BYTES);
    sorter->items = new_pages(MOST_ITEMS * sizeof *sorter->items);
    sorter->other = new_pages(MOST_ITEMS * sizeof *sorter->other);
    sorter->file = -1;
    if (file == NULL)
        sorter->folder = xstrdup(P_tmpdir);
    else
        sorter->folder = slash != NULL ? xformat("%.*s/", (int)(slash - file), file) : xstrdup(".");
    return sorter;
}

/* --- sorting --- */

static size_t digit_of(const struct item *item, int64_t least_ps, int shift)
{
    uint64_t after_ps = (uint64_t)item->at_ps - (uint64_t)least_ps;
    return shift == BY_RANK ? item->rank : after_ps >> shift & ((1 << DIGIT_BITS) - 1);
}

/* Items of the same digit stay in their order. */
static void sort_by_digit(struct sorter *sorter, int64_t least_ps, int shift)
{
    size_t positions[1 << DIGIT_BITS] = {0}, before = 0;
    struct item *from = sorter->items, *to = sorter->other;
    for (size_t i = 0; i < sorter->count; i++)
        positions[digit_of(&from[i], least_ps, shift)]++;
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        size_t n = positions[i];
        positions[i] = before;
        before += n;
    }
    for (size_t i = 0; i < sorter->count; i++)
        to[positions[digit_of(&from[i], least_ps, shift)]++] = from[i];
    sorter->items = to;
    sorter->other = from;
}

/* From the least digit to the largest, the rank being below them all. */
static void sort(struct sorter *sorter)
{
    int64_t least_ps = INT64_MAX, most_ps = INT64_MIN;
    int ranks = 0;
    for (size_t i = 0; i < sorter->count; i++) {
        int64_t at_ps = sorter->items[i].at_ps;
        least_ps = at_ps < least_ps ? at_ps : least_ps;
        most_ps = at_ps > most_ps ? at_ps : most_ps;
        ranks |= sorter->items[i].rank ^ sorter->items[0].rank;
    }
    if (ranks != 0)
        sort_by_digit(sorter, least_ps, BY_RANK);
    uint64_t span_ps = sorter->count > 0 ? (uint64_t)most_ps - (uint64_t)least_ps : 0;
    for (int shift = 0; shift < 64 && span_ps >> shift > 0; shift += DIGIT_BITS)
        sort_by_digit(sorter, least_ps, shift);
}

/* --- collecting --- */

static const void *record_of(const struct sorter *sorter, const struct item *item)
{
    return sorter->records + (size_t)item->offset * WORD;
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

static size_t put_head(char *to, const struct item *item, int64_t last_ps)
{
    uint64_t after_ps = (uint64_t)item->at_ps - (uint64_t)last_ps;
    bool is_long = after_ps >= LONG_AFTER;
    uint64_t head[2] = {(is_long ? LONG_AFTER : after_ps) << AFTER_SHIFT | (uint64_t)item->rank << RANK_SHIFT |
                            item->words,
                        (uint64_t)item->at_ps};
    memcpy(to, head, sizeof head);
    return is_long ? 2 * WORD : WORD;
}

static void spool(struct sorter *sorter)
{
    char buffer[BUFFER_BYTES];
    size_t filled = 0;
    int64_t last_ps = 0;
    if (sorter->file < 0 && (sorter->file = temporary_open(sorter->folder)) < 0)
        sorter->status = errno;
    sort(sorter);
    sorter->runs = xgrow(sorter->runs, sorter->n_runs, &sorter->runs_capacity, sizeof *sorter->runs);
    sorter->runs[sorter->n_runs] = (struct run){.at = sorter->file_bytes};
    for (size_t i = 0; i < sorter->count; i++) {
        const struct item *item = &sorter->items[i];
        if (filled > sizeof buffer - LONGEST_ENTRY) {
            write_whole(sorter, buffer, filled);
            filled = 0;
        }
        filled += put_head(buffer + filled, item, last_ps);
        memcpy(buffer + filled, record_of(sorter, item), (size_t)item->words * WORD);
        filled += (size_t)item->words * WORD;
        last_ps = item->at_ps;
    }
    write_whole(sorter, buffer, filled);
    sorter->runs[sorter->n_runs++].end = sorter->file_bytes;
    sorter->count = sorter->n_words = 0;
}

void sorter_add(struct sorter *sorter, int64_t at_ps, int rank, const void *record, size_t bytes)
{
    assert(sorter->stage == COLLECTING && rank >= 0 && rank < 128 && bytes % WORD == 0 && bytes <= SORTER_LONGEST);
    if (sorter->status != 0)
        return;
    if (sorter->count == MOST_ITEMS || sorter->n_words * WORD + bytes > MEMORY_BYTES)
        spool(sorter);
    struct item *item = &sorter->items[sorter->count++];
    *item = (struct item){at_ps, (uint32_t)sorter->n_words, (uint16_t)(bytes / WORD), (uint8_t)rank};
    memcpy(sorter->records + sorter->n_words * WORD, record, bytes);
    sorter->n_words += item->words;
}

/* --- merging --- */

/* Read on, behind what is left of the buffer. */
static void refill(struct sorter *sorter, struct run *run)
{
    size_t left = run->filled - run->used, room = BUFFER_BYTES - left;
    size_t wanted = left + size_min((size_t)(run->end - run->at), room);
    memmove(run->buffer, run->buffer + run->used, left);
    run->used = 0;
    run->filled = left;
    while (run->filled < wanted) {
        ssize_t length = pread(sorter->file, run->buffer + run->filled, wanted - run->filled, run->at);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0) {
            sorter->status = length < 0 ? errno : EIO;
            return;
        }
        run->filled += (size_t)length;
        run->at += length;
    }
}

static int take_head(struct run *run)
{
    const uint64_t *head = (const void *)(run->buffer + run->used);
    bool is_long = head[0] >> AFTER_SHIFT == LONG_AFTER;
    run->at_ps = is_long ? (int64_t)head[1] : run->at_ps + (int64_t)(head[0] >> AFTER_SHIFT);
    run->words = head[0] & UINT8_MAX;
    run->used += is_long ? 2 * WORD : WORD;
    return (int)(head[0] >> RANK_SHIFT & UINT8_MAX);
}

/* The next record of a run, as the heap has it: false after its last. */
static bool next_of(struct heap_entry *entry, struct sorter *sorter, size_t number)
{
    struct run *run = number < sorter->n_runs ? &sorter->runs[number] : NULL;
    if (run == NULL) {
        const struct item *item = &sorter->items[sorter->n_taken];
        *entry = (struct heap_entry){.key = item->at_ps, .order = item->rank, .item = (uint32_t)number};
        return sorter->n_taken < sorter->count;
    }
    if (run->filled - run->used < LONGEST_ENTRY && run->at < run->end)
        refill(sorter, run);
    if (run->used == run->filled || sorter->status != 0)
        return false;
    int rank = take_head(run);
    *entry = (struct heap_entry){.key = run->at_ps, .order = (uint32_t)rank, .item = (uint32_t)number};
    return true;
}

static void begin_merging(struct sorter *sorter)
{
    struct heap_entry entry;
    sort(sorter);
    for (size_t i = 0; i <= sorter->n_runs; i++) {
        if (i < sorter->n_runs)
            sorter->runs[i].buffer = xmalloc(BUFFER_BYTES);
        if (next_of(&entry, sorter, i))
            heap_push(&sorter->waiting, entry);
    }
}

/* Go on with the run whose next record is first. Records of equal time and rank come in the order of the runs, which is
 * that of their adding. */
static void choose(struct sorter *sorter, const struct heap_entry *entry)
{
    if (entry != NULL && (sorter->waiting.count == 0 || heap_is_before(*entry, sorter->waiting.entries[0])))
        return;
    if (entry != NULL)
        heap_push(&sorter->waiting, *entry);
    if (sorter->waiting.count > 0)
        sorter->current = heap_pop(&sorter->waiting).item;
    else
        sorter->stage = ENDED;
}

/* The record that was given back last is done with. */
static void advance(struct sorter *sorter)
{
    struct heap_entry entry;
    if (sorter->current == sorter->n_runs) {
        sorter->n_taken++;
    } else {
        struct run *run = &sorter->runs[sorter->current];
        run->used += run->words * WORD;
    }
    choose(sorter, next_of(&entry, sorter, sorter->current) ? &entry : NULL);
}

const void *sorter_next(struct sorter *sorter, int64_t *at_ps)
{
    if (sorter->stage == MERGING) {
        advance(sorter);
    } else if (sorter->stage == COLLECTING) {
        begin_merging(sorter);
        sorter->stage = MERGING;
        choose(sorter, NULL);
    }
    if (sorter->stage == ENDED || sorter->status != 0)
        return NULL;
    if (sorter->current == sorter->n_runs) {
        const struct item *item = &sorter->items[sorter->n_taken];
        *at_ps = item->at_ps;
        return record_of(sorter, item);
    }
    const struct run *run = &sorter->runs[sorter->current];
    *at_ps = run->at_ps;
    return run->buffer + run->used;
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
    heap_dispose(&sorter->waiting);
    free(sorter->items);
    free(sorter->other);
    free(sorter->records);
    free(sorter->folder);
    free(sorter);
}
