/* Finds the pieces of a file that belong to each rank, or sees that they are interleaved.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/index.h"

#include "base/memory.h"
#include "base/range.h"
#include "trace/ti/actions.h"
#include "trace/ti/source.h"
#include "trace/ti/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More parts than this are remembered only where they are large. */
enum { FEW_PARTS = 8192, MAX_PARTS = 262144, LARGE_PART = 8192, SCAN_BUFFER = 256 * 1024 };

struct index_builder {
    struct ti_index *index;
    size_t ranks_capacity, parts_capacity;
    int64_t *last; /* part of each rank */
    int rank;      /* whose part is at the end */
};

static int fail_rank(const char *word, const char *file, int64_t number, bool is_known, struct sim_error *error)
{
    const char *rest = word;
    int64_t value;
    if (!is_known && !(ti_parse_integer(&value, &rest) && ti_is_action(ti_skip_blanks(rest))))
        return sim_error_set(error, SIM_BAD_INPUT, file, (long)number,
                             "lacks what a line of a TI trace begins with, its rank, 0 ... %d", TI_MAX_RANKS - 1);
    ptrdiff_t length = ti_skip_word(word) - word;
    return sim_error_set(error, SIM_BAD_INPUT, file, (long)number,
                         "'%.*s' found where a line of a TI trace has its rank, 0 ... %d",
                         length < 40 ? (int)length : 40, word, TI_MAX_RANKS - 1);
}

int ti_index_rank(int *rank, const char **rest, const char *line, const char *file, int64_t number, bool *is_known,
                  struct sim_error *error)
{
    int64_t value;
    const char *p = ti_plain_number(&value, line);
    if (p != NULL && *p == ' ' && p[1] >= 'a' && value < TI_MAX_RANKS && *is_known) {
        *rank = (int)value;
        *rest = p + 1;
        return 0;
    }
    const char *word = ti_skip_blanks(line);
    p = word;
    *rank = -1;
    if (*p == '\n' || *p == '#')
        return 0;
    if (!ti_parse_integer(&value, &p) || value < 0 || value >= TI_MAX_RANKS)
        return fail_rank(word, file, number, *is_known, error);
    *rank = (int)value;
    *rest = ti_skip_blanks(p);
    *is_known = *is_known || ti_is_action(*rest);
    return 0;
}

static void add_rank(struct index_builder *builder, int rank)
{
    struct ti_index *index = builder->index;
    while (index->n_ranks <= rank) {
        size_t n = (size_t)index->n_ranks, capacity = builder->ranks_capacity;
        index->first = xgrow(index->first, n, &capacity, sizeof *index->first);
        builder->last = xgrow(builder->last, n, &builder->ranks_capacity, sizeof *builder->last);
        index->first[index->n_ranks++] = -1;
    }
}

static void add_part(struct index_builder *builder, int rank, int64_t offset, int64_t line)
{
    struct ti_index *index = builder->index;
    if (rank >= index->n_ranks)
        add_rank(builder, rank);
    index->parts = xgrow(index->parts, (size_t)index->n_parts, &builder->parts_capacity, sizeof *index->parts);
    index->parts[index->n_parts] = (struct ti_rank_part){.part = {.offset = offset, .line = line}, .next = -1};
    if (index->first[rank] < 0)
        index->first[rank] = index->n_parts;
    else
        index->parts[builder->last[rank]].next = index->n_parts;
    builder->last[rank] = index->n_parts++;
    builder->rank = rank;
}

/* True if there are so many parts, so small, that reading them one by one is slower than copying them first. */
static bool is_interleaved(const struct ti_index *index, int64_t offset)
{
    return index->n_parts > MAX_PARTS || (index->n_parts > FEW_PARTS && offset / index->n_parts < LARGE_PART);
}

/* The first bytes of lines with the rank of the one before: as many as the mask has. */
struct beginning {
    uint64_t bytes, mask;
    int length;
};

static uint64_t first_bytes(const char *p)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/* The beginning of a line, up to the blank behind its rank; where no blank follows the rank at once, lines are compared
 * with none. */
static struct beginning beginning_of(const char *line)
{
    struct beginning beginning = {.bytes = 0};
    int length = 0;
    while (length < (int)sizeof beginning.mask - 1 && ti_is_digit(line[length]))
        length++;
    if (length == 0 || line[length] != ' ')
        return beginning;
    beginning.length = length + 1;
    memset(&beginning.mask, 0xff, (size_t)beginning.length);
    beginning.bytes = first_bytes(line) & beginning.mask;
    return beginning;
}

/* The next '\n'; LINES_PADDING of it are behind the buffer. */
static const char *find_end(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), newlines = ones * '\n';
    for (;; p += sizeof ones) {
        uint64_t zeros = first_bytes(p) ^ newlines; /* its bytes are 0 where there is a '\n' */
        if (((zeros - ones) & ~zeros & ones << 7) != 0)
            break;
    }
    while (*p != '\n')
        p++;
    return p;
}

/* Pass the lines with that beginning, as far as they are in the buffer; how many bytes. */
static int64_t pass_same(struct lines *lines, const struct beginning *beginning)
{
    int64_t passed = 0;
    for (;;) {
        const char *begin = lines_here(lines);
        if (begin == NULL || (first_bytes(begin) & beginning->mask) != beginning->bytes)
            return passed;
        const char *end = find_end(begin + beginning->length);
        if (!lines_has(lines, end))
            return passed;
        lines_pass(lines, end);
        passed += end - begin + 1;
    }
}

/* 1: the lines are interleaved. A line without a rank belongs to the part before it. */
static int scan(struct index_builder *builder, struct lines *lines, struct sim_error *error)
{
    struct ti_index *index = builder->index;
    const char *begin, *end, *rest;
    int64_t offset = 0;
    bool is_known = false;
    int status, rank;
    while ((status = lines_next(lines, &begin, &end, error)) == 1) {
        if (ti_index_rank(&rank, &rest, begin, lines->file, lines->line, &is_known, error) != 0)
            return -1;
        if (rank >= 0 && rank != builder->rank) {
            add_part(builder, rank, offset, lines->line);
            if (is_interleaved(index, offset))
                return 1;
        }
        offset += end - begin + 1;
        if (rank >= 0 && is_known) {
            struct beginning beginning = beginning_of(begin);
            if (beginning.length > 0)
                offset += pass_same(lines, &beginning);
        }
        if (index->n_parts > 0)
            index->parts[index->n_parts - 1].part.length = offset - index->parts[index->n_parts - 1].part.offset;
    }
    return status;
}

static int check_ranks(const struct ti_index *index, const char *file, struct sim_error *error)
{
    if (index->n_ranks == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has no line of any rank");
    for (int r = 0; r < index->n_ranks; r++)
        if (index->first[r] < 0)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has lines of rank %d, but none of rank %d",
                                 index->n_ranks - 1, r);
    return 0;
}

int ti_index_make(struct ti_index *index, int descriptor, int64_t size, const char *file, struct sim_error *error)
{
    struct index_builder builder = {.index = index, .rank = -1};
    struct lines lines;
    *index = (struct ti_index){.spool = -1};
    lines_init(&lines, file, descriptor, SCAN_BUFFER);
    lines_begin(&lines, &(struct lines_part){0, size, 1});
    int status = scan(&builder, &lines, error);
    lines_dispose(&lines);
    free(builder.last);
    if (status == 1) {
        ti_index_dispose(index);
        status = ti_spool_make(index, descriptor, size, file, error);
    } else if (status == 0 && index->n_parts > 0) { /* the last line of a file may lack its end */
        struct lines_part *last = &index->parts[index->n_parts - 1].part;
        last->length = int64_min(last->length, size - last->offset);
    }
    if (status == 0)
        status = check_ranks(index, file, error);
    if (status != 0)
        ti_index_dispose(index);
    return status;
}

void ti_index_dispose(struct ti_index *index)
{
    free(index->first);
    free(index->parts);
    if (index->spool >= 0)
        close(index->spool);
    *index = (struct ti_index){.spool = -1};
}
