/* Intersects the times in which recording was off, rank by rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/holes.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* Times in which recording was off, in order. */
struct spans {
    struct record_hole *list;
    size_t count, capacity;
};

static void add(struct spans *spans, int64_t from_ps, int64_t to_ps)
{
    if (from_ps >= to_ps)
        return;
    spans->list = xgrow(spans->list, spans->count, &spans->capacity, sizeof *spans->list);
    spans->list[spans->count++] = (struct record_hole){.from_ps = from_ps, .to_ps = to_ps};
}

/* Those of one rank. */
static int read_rank(struct spans *spans, struct record_reader *reader, int rank, struct sim_error *error)
{
    struct record record;
    int status;
    while ((status = record_next(reader, rank, &record, error)) == 1)
        if (record.kind == RECORD_SLEEP && record.sleep == SLEEP_UNRECORDED)
            add(spans, record.start_ps, record.end_ps);
    return status;
}

/* The part that is in both. */
static struct spans intersect(const struct spans *a, const struct spans *b)
{
    struct spans both = {0};
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const struct record_hole *x = &a->list[i], *y = &b->list[k];
        add(&both, int64_max(x->from_ps, y->from_ps), int64_min(x->to_ps, y->to_ps));
        if (x->to_ps < y->to_ps)
            i++;
        else
            k++;
    }
    return both;
}

static int find_common(struct spans *common, struct record_reader *reader, struct sim_error *error)
{
    int status = read_rank(common, reader, 0, error);
    for (int rank = 1; rank < reader->info.n_ranks && status == 0 && common->count > 0; rank++) {
        struct spans own = {0};
        status = read_rank(&own, reader, rank, error);
        struct spans both = intersect(common, &own);
        free(common->list);
        free(own.list);
        *common = both;
    }
    return status;
}

/* The moment on the clock that stands still in holes. */
static int64_t without(const struct record_holes *holes, int64_t moment_ps)
{
    size_t first = 0, end = holes->count; /* the first hole that does not begin before the moment */
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (holes->list[middle].from_ps < moment_ps)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == 0)
        return moment_ps;
    const struct record_hole *hole = &holes->list[first - 1];
    return moment_ps - hole->before_ps - (int64_min(moment_ps, hole->to_ps) - hole->from_ps);
}

static struct record_holes *holes_of(const struct spans *common)
{
    struct record_holes *holes = xcalloc(1, sizeof *holes);
    holes->list = common->list;
    holes->count = common->count;
    for (size_t i = 0; i < holes->count; i++) {
        holes->list[i].before_ps = holes->total_ps;
        holes->total_ps += holes->list[i].to_ps - holes->list[i].from_ps;
    }
    return holes;
}

int record_holes_find(struct record_reader *reader, struct sim_error *error)
{
    struct spans common = {0};
    if (find_common(&common, reader, error) != 0 || record_rewind(reader, error) != 0) {
        free(common.list);
        return -1;
    }
    if (common.count == 0)
        return 0;
    reader->holes = holes_of(&common);
    reader->info.hole_ps = reader->holes->total_ps;
    reader->info.end_ps = without(reader->holes, reader->info.end_ps);
    return 0;
}

void record_holes_leave_out(const struct record_holes *holes, struct record *record)
{
    record->start_ps = without(holes, record->start_ps);
    record->end_ps = without(holes, record->end_ps);
    int64_t length_ps = record->end_ps - record->start_ps;
    record->idle_ps = int64_min(record->idle_ps, length_ps);
    record->fixed_ps = int64_min(record->fixed_ps, length_ps);
}

void record_holes_free(struct record_holes *holes)
{
    if (holes == NULL)
        return;
    free(holes->list);
    free(holes);
}
