/* A copy of the lines of a file, gathered rank by rank in a temporary file. Each rank writes into the present one of
 * its parts; when that is full it goes to its offset in the file, with the offset of the next one, which is then taken,
 * in its head.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/index.h"

#include "base/memory.h"
#include "os/temporary.h"
#include "os/write_at.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct spool_rank {
    char *bytes; /* TI_SPOOL_PART of them, or more if a line needs it */
    size_t capacity, used;
    int64_t offset;
};

struct spool {
    struct ti_index *index;
    int descriptor;
    int64_t end; /* where the next part goes */
    struct spool_rank *ranks;
    size_t ranks_capacity;
};

/* Put a rank's part at its offset. */
static int flush_part(struct spool *spool, struct spool_rank *rank, int64_t next, struct sim_error *error)
{
    struct ti_spool_head head = {next, (int64_t)(rank->used - sizeof head)};
    memcpy(rank->bytes, &head, sizeof head);
    int status = write_at(spool->descriptor, rank->bytes, rank->used, rank->offset,
                          "the temporary file for an interleaved trace", error);
    rank->used = sizeof head;
    rank->offset = next;
    return status;
}

static void add_ranks(struct spool *spool, int rank)
{
    struct ti_index *index = spool->index;
    while (index->n_ranks <= rank) {
        size_t n = (size_t)index->n_ranks, capacity = spool->ranks_capacity;
        index->first = xgrow(index->first, n, &capacity, sizeof *index->first);
        spool->ranks = xgrow(spool->ranks, n, &spool->ranks_capacity, sizeof *spool->ranks);
        spool->ranks[n] = (struct spool_rank){0};
        index->first[index->n_ranks++] = -1;
    }
}

/* Have room for a line in the rank's part. */
static int make_room(struct spool *spool, int r, size_t size, struct sim_error *error)
{
    struct spool_rank *rank = &spool->ranks[r];
    size_t needed = sizeof(struct ti_spool_head) + size, capacity = needed > TI_SPOOL_PART ? needed : TI_SPOOL_PART;
    if (rank->used > 0 && rank->used + size <= rank->capacity)
        return 0;
    int64_t offset = spool->end;
    spool->end += (int64_t)capacity;
    if (rank->used > 0 && flush_part(spool, rank, offset, error) != 0)
        return -1;
    if (rank->bytes == NULL) {
        spool->index->first[r] = offset;
        rank->offset = offset;
        rank->used = sizeof(struct ti_spool_head);
    }
    if (capacity != rank->capacity) {
        free(rank->bytes);
        rank->bytes = xmalloc(capacity);
        rank->capacity = capacity;
    }
    return 0;
}

/* A number and a blank, so that they end before `end`; where they begin. */
static char *write_number(char *end, int64_t number)
{
    *--end = ' ';
    do
        *--end = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return end;
}

static int copy_line(struct spool *spool, int r, int64_t number, const char *rest, const char *end,
                     struct sim_error *error)
{
    char digits[20], *first = write_number(digits + sizeof digits, number);
    size_t n_digits = (size_t)(digits + sizeof digits - first);
    size_t length = rest < end ? (size_t)(end - rest) : 0;
    if (r >= spool->index->n_ranks)
        add_ranks(spool, r);
    if (make_room(spool, r, n_digits + length + 1, error) != 0)
        return -1;
    struct spool_rank *rank = &spool->ranks[r];
    memcpy(rank->bytes + rank->used, first, n_digits);
    memcpy(rank->bytes + rank->used + n_digits, rest, length);
    rank->used += n_digits + length + 1;
    rank->bytes[rank->used - 1] = '\n';
    return 0;
}

static int copy_lines(struct spool *spool, struct lines *lines, struct sim_error *error)
{
    const char *begin, *end, *rest;
    bool is_known = false;
    int status, rank;
    while ((status = lines_next(lines, &begin, &end, error)) == 1) {
        if (ti_index_rank(&rank, &rest, begin, lines->file, lines->line, &is_known, error) != 0)
            return -1;
        if (rank >= 0 && copy_line(spool, rank, lines->line, rest, end, error) != 0)
            return -1;
    }
    for (int r = 0; status == 0 && r < spool->index->n_ranks; r++)
        if (spool->ranks[r].used > 0)
            status = flush_part(spool, &spool->ranks[r], -1, error);
    return status;
}

int ti_spool_make(struct ti_index *index, int descriptor, int64_t size, const char *file, struct sim_error *error)
{
    struct spool spool = {.index = index};
    struct lines lines;
    spool.descriptor = temporary_open(NULL);
    if (spool.descriptor < 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0,
                             "the temporary file for an interleaved trace (in $TMPDIR or /tmp) cannot be made: %s",
                             strerror(errno));
    index->spool = spool.descriptor;
    lines_init(&lines, file, descriptor, 256 * 1024);
    lines_begin(&lines, &(struct lines_part){0, size, 1});
    int status = copy_lines(&spool, &lines, error);
    lines_dispose(&lines);
    for (int r = 0; r < index->n_ranks; r++)
        free(spool.ranks[r].bytes);
    free(spool.ranks);
    return status;
}
