/* The critical path as segments: where it ran, from when to when, and in which component.
 *
 * The row of a chain has its last segment, which may go on, and where the one before that is: a list, so that chains
 * with a common past share its segments. Each begins where the one before it ended: they tile the time from 0 to T_par.
 * By component they add up to critical_path_s of the family bottleneck. Computation that one processor does in one
 * scope at a stretch is one segment of processing and one of memory, in this order.
 *
 * Segments that no chain has any more make room for others. Where all chains together have too many, their beginnings
 * are forgotten: one segment "unrecorded" stands for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/range.h"
#include "metrics/critical_path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH, MEMORY, PLACE, BEFORE, N_NUMBERS }; /* of a row: the time; of the last segment, its members */
enum { NOTHING };                                  /* the segment before the first; rows begin with one of no length */
enum { MOST_SEGMENTS = 1 << 17, MORE_OF_EACH = 16 };

struct segment {
    int64_t end_ps;
    int64_t memory_ps; /* of computation; the rest is processing */
    int64_t place;     /* place_of(); computation is COMPONENT_PROCESSING */
    uint32_t before;   /* in the chain; always of a lower number */
    bool is_alive;     /* while others make room */
};

struct path_segments {
    struct interval_setup setup;
    struct critical_path path;
    struct segment *segments;
    size_t n_segments, capacity, most;
    size_t n_alive; /* while room is made */
};

/* Where time is spent: of equal places it is one segment. */
static int64_t place_of(int location, int scope, enum path_component component)
{
    return (int64_t)location << 16 | scope << 8 | (int)component;
}

static int location_of(const struct segment *segment)
{
    return (int)(segment->place >> 16);
}

static int scope_of(const struct segment *segment)
{
    return (int)(segment->place >> 8 & 0xff);
}

static enum path_component component_of(const struct segment *segment)
{
    return (enum path_component)(segment->place & 0xff);
}

static void *path_segments_open(const struct interval_setup *setup)
{
    enum { AT_FIRST = 1 << 12 };
    struct path_segments *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    critical_path_init(&self->path, interval_paths(setup), 1, N_NUMBERS - 1);
    self->most = MOST_SEGMENTS + (size_t)interval_paths(setup) * MORE_OF_EACH;
    self->capacity = AT_FIRST;
    self->segments = xcalloc(self->capacity, sizeof *self->segments);
    self->n_segments = NOTHING + 1;
    return self;
}

/* --- making room --- */

/* An action on the number of a segment that a row has. */
typedef void visitor(struct path_segments *self, int64_t *number);

static void visit_rows(struct path_segments *self, visitor *visit)
{
    struct critical_path *path = &self->path;
    for (int rank = 0; rank < path->n_ranks; rank++)
        visit(self, &critical_path_row(path, rank)[BEFORE]);
    for (size_t message = 0; message < path->n_checkpoints; message++)
        visit(self, &critical_path_checkpoint(path, (uint32_t)message)[BEFORE]);
}

static void mark(struct path_segments *self, int64_t *number)
{
    for (size_t i = (size_t)*number; i != NOTHING && !self->segments[i].is_alive; i = self->segments[i].before) {
        self->segments[i].is_alive = true;
        self->n_alive++;
    }
}

/* The new number of a segment is kept in the old one's `before`. */
static void move(struct path_segments *self, int64_t *number)
{
    *number = self->segments[*number].before;
}

static void find_alive(struct path_segments *self)
{
    self->n_alive = 0;
    visit_rows(self, mark);
}

/* Forget what is before the first so many segments, and what they are. All are to be marked anew. */
static void forget(struct path_segments *self, size_t n_forgotten)
{
    for (size_t i = NOTHING + 1; i <= n_forgotten; i++) {
        struct segment *segment = &self->segments[i];
        segment->before = NOTHING;
        segment->place = place_of(location_of(segment), scope_of(segment), COMPONENT_UNRECORDED);
    }
    for (size_t i = NOTHING + 1; i < self->n_segments; i++)
        self->segments[i].is_alive = false;
}

/* Put those that are alive side by side, in their order; none is marked then. */
static void compact(struct path_segments *self)
{
    size_t to = NOTHING + 1;
    self->capacity = size_max(self->capacity, 2 * self->n_alive);
    struct segment *old = self->segments, *segments = xmalloc(self->capacity * sizeof *segments);
    segments[NOTHING] = old[NOTHING];
    for (size_t i = NOTHING + 1; i < self->n_segments; i++) {
        if (!old[i].is_alive)
            continue;
        segments[to] = old[i];
        segments[to].before = old[old[i].before].before;
        segments[to].is_alive = false;
        old[i].before = (uint32_t)to++;
    }
    visit_rows(self, move);
    free(old);
    self->segments = segments;
    self->n_segments = to;
}

/* Apart, so that what comes for every interval is short. */
static __attribute__((noinline)) void make_room(struct path_segments *self)
{
    find_alive(self);
    for (size_t n_left = self->n_segments / 2; self->n_alive >= self->most && n_left > 0; n_left /= 2) {
        forget(self, self->n_segments - 1 - n_left);
        find_alive(self);
    }
    compact(self);
}

/* --- intervals --- */

/* The chain goes on in another place: its last segment is complete. */
static void end_segment(struct path_segments *self, int64_t *row, int64_t place)
{
    if (row[LENGTH] > 0) {
        if (self->n_segments == self->capacity)
            make_room(self);
        self->segments[self->n_segments] = (struct segment){
            .end_ps = row[LENGTH], .memory_ps = row[MEMORY], .place = row[PLACE], .before = (uint32_t)row[BEFORE]};
        row[BEFORE] = (int64_t)self->n_segments++;
    }
    row[PLACE] = place;
    row[MEMORY] = 0;
}

static void add_interval(void *data, const struct interval *interval, int64_t length_ps)
{
    struct path_segments *self = data;
    int64_t *row = critical_path_row(&self->path, interval->location);
    static const uint8_t components[N_INTERVAL_KINDS] = {COMPONENT_PROCESSING, COMPONENT_IO, COMPONENT_IO,
                                                         COMPONENT_COMMUNICATION, COMPONENT_COMMUNICATION};
    enum path_component component = interval->state == STATE_LIBRARY ? COMPONENT_LIBRARY
                                    : interval_is_off(interval)      ? COMPONENT_OFF
                                                                     : (enum path_component)components[interval->kind];
    int64_t place = place_of(interval->location, interval->scope, component);
    if (place != row[PLACE])
        end_segment(self, row, place);
    row[LENGTH] += length_ps;
    if (interval->kind == INTERVAL_COMPUTE)
        row[MEMORY] += interval->work_ps[WORK_EXTERNAL] + interval->work_ps[WORK_INTERNAL];
}

static void path_segments_take(void *data, const struct interval *interval)
{
    struct path_segments *self = data;
    struct critical_path *path = &self->path;
    if (path->width != N_NUMBERS)
        __builtin_unreachable(); /* so that rows are copied in place */
    critical_path_take(path, interval, add_interval, self);
}

/* --- the report --- */

static void add_row(const struct path_segments *self, struct result_table *table, const struct segment *segment,
                    enum path_component component, int64_t start_ps, int64_t end_ps)
{
    int n_ranks = self->setup.n_ranks, location = location_of(segment);
    if (start_ps != end_ps)
        *result_add_critical_path_segments(table) =
            (struct critical_path_segments_row){location % n_ranks, location / n_ranks,
                                                start_ps,           end_ps,
                                                component,          metrics_scope_name(&self->setup, scope_of(segment)),
                                                scope_of(segment)};
}

static void add_rows(const struct path_segments *self, struct result_table *table, const struct segment *segment)
{
    int64_t start_ps = self->segments[segment->before].end_ps, memory_ps = segment->end_ps - segment->memory_ps;
    enum path_component component = component_of(segment);
    if (component != COMPONENT_PROCESSING) {
        add_row(self, table, segment, component, start_ps, segment->end_ps);
        return;
    }
    add_row(self, table, segment, COMPONENT_PROCESSING, start_ps, memory_ps);
    add_row(self, table, segment, COMPONENT_MEMORY, memory_ps, segment->end_ps);
}

static void path_segments_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct path_segments *self = data;
    struct result_table *table = result_add_table(result, TABLE_CRITICAL_PATH_SEGMENTS);
    if (self->setup.n_more_processors == 0)
        result_leave_out(table, offsetof(struct critical_path_segments_row, processor));
    const int64_t *longest = critical_path_longest(&self->path);
    const struct segment last = {longest[LENGTH], longest[MEMORY], longest[PLACE], (uint32_t)longest[BEFORE], true};
    uint32_t *chain = xmalloc(self->n_segments * sizeof *chain);
    size_t length = 0;
    assert(longest[LENGTH] == totals->end_ps);
    (void)totals;
    for (uint32_t i = last.before; i != NOTHING; i = self->segments[i].before)
        chain[length++] = i;
    while (length > 0)
        add_rows(self, table, &self->segments[chain[--length]]);
    add_rows(self, table, &last);
    free(chain);
}

static void path_segments_free(void *data)
{
    struct path_segments *self = data;
    critical_path_dispose(&self->path);
    free(self->segments);
    free(self);
}

const struct metric_spec metric_path_segments = {
    .name = "path_segments",
    .summary = "the critical path as segments: rank, from, to, component, scope",
    .source = "Zemerly95, sections 3.4-3.5",
    .details = DETAIL_BIT(DETAIL_PATH),
    .open = path_segments_open,
    .take = path_segments_take,
    .report = path_segments_report,
    .free = path_segments_free,
};
