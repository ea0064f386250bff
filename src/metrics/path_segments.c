/* The critical path as segments: where it ran, from when to when, and in which component.
 *
 * A chain is a list of segments, the last one first, so that ranks and departures which share a past share its
 * segments. Each begins where the one before it ended: they tile the time from 0 to T_par. By component they add up to
 * critical_path_s of the family bottleneck. Computation that one rank does in one scope at a stretch is one segment of
 * processing and one of memory, in this order.
 *
 * Segments that no chain has any more make room for others. Where all chains together have too many, their beginnings
 * are forgotten: one segment "unrecorded" stands for them. */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/range.h"
#include "metrics/critical_path.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH, LAST, N_NUMBERS }; /* of a row: the time, and the chain's last segment */
enum { NOTHING };                 /* the segment before the first */
enum component { NO_COMPONENT, COMPUTATION, COMMUNICATION, IO, UNRECORDED };
enum { MOST_SEGMENTS = 1 << 17, MORE_OF_A_RANK = 16 };

struct segment {
    int64_t end_ps;
    int64_t memory_ps; /* of computation; the rest is processing */
    uint32_t before;   /* in the chain; always of a lower place */
    int32_t rank;
    uint8_t component, scope;
    bool is_shared; /* it is the last of several chains: it stays as it is */
    bool is_alive;  /* while others make room */
};

struct path_segments {
    struct event_setup setup;
    struct critical_path path;
    struct segment *segments;
    size_t n_segments, capacity, most;
};

static void *path_segments_open(const struct event_setup *setup)
{
    enum { AT_FIRST = 1 << 12 };
    struct path_segments *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    critical_path_init(&self->path, setup->n_ranks, 1, N_NUMBERS - 1);
    self->most = MOST_SEGMENTS + (size_t)setup->n_ranks * MORE_OF_A_RANK;
    self->capacity = AT_FIRST;
    self->segments = xcalloc(self->capacity, sizeof *self->segments);
    self->n_segments = NOTHING + 1;
    return self;
}

/* --- making room --- */

/* What stands for the number that a row has. */
typedef void visitor(struct path_segments *self, int64_t *last);

static void visit_rows(struct path_segments *self, visitor *visit)
{
    struct critical_path *path = &self->path;
    for (int rank = 0; rank < path->n_ranks; rank++)
        visit(self, &critical_path_row(path, rank)[LAST]);
    for (size_t message = 0; message < path->n_checkpoints; message++)
        visit(self, &critical_path_checkpoint(path, (uint32_t)message)[LAST]);
}

static void mark(struct path_segments *self, int64_t *last)
{
    for (size_t i = (size_t)*last; i != NOTHING && !self->segments[i].is_alive; i = self->segments[i].before)
        self->segments[i].is_alive = true;
}

/* The new place of a segment is kept in the old one's `before`. */
static void move(struct path_segments *self, int64_t *last)
{
    *last = self->segments[*last].before;
}

static size_t count_alive(struct path_segments *self)
{
    size_t count = 0;
    for (size_t i = NOTHING + 1; i < self->n_segments; i++)
        self->segments[i].is_alive = false;
    visit_rows(self, mark);
    for (size_t i = NOTHING + 1; i < self->n_segments; i++)
        count += self->segments[i].is_alive;
    return count;
}

/* Forget what is before the first so many segments, and what they are. */
static void forget(struct path_segments *self, size_t n_forgotten)
{
    for (size_t i = NOTHING + 1; i <= n_forgotten; i++) {
        struct segment *segment = &self->segments[i];
        segment->before = NOTHING;
        segment->component = UNRECORDED;
        segment->memory_ps = 0;
    }
}

/* Put those that are alive side by side, in their order. */
static void compact(struct path_segments *self, size_t n_alive)
{
    size_t to = NOTHING + 1;
    self->capacity = size_max(self->capacity, 2 * n_alive);
    struct segment *old = self->segments, *segments = xcalloc(self->capacity, sizeof *segments);
    for (size_t i = NOTHING + 1; i < self->n_segments; i++) {
        if (!old[i].is_alive)
            continue;
        segments[to] = old[i];
        segments[to].before = old[old[i].before].before;
        old[i].before = (uint32_t)to++;
    }
    visit_rows(self, move);
    free(old);
    self->segments = segments;
    self->n_segments = to;
}

static void make_room(struct path_segments *self)
{
    size_t n_alive = count_alive(self);
    for (size_t n_left = self->n_segments / 2; n_alive >= self->most && n_left > 0; n_left /= 2) {
        forget(self, self->n_segments - 1 - n_left);
        n_alive = count_alive(self);
    }
    compact(self, n_alive);
}

/* --- events --- */

static bool goes_on(const struct segment *last, const struct event *event, enum component component)
{
    return last->component == component && last->rank == event->location && last->scope == event->scope;
}

/* What the event is like goes on in the chain's last segment, or in a longer one in its place. */
static void add_interval(void *data, int64_t *row, const struct event *event, int64_t length_ps)
{
    static const uint8_t components[N_EVENT_KINDS] = {COMPUTATION, [EVENT_INPUT] = IO, IO, COMMUNICATION,
                                                      COMMUNICATION};
    struct path_segments *self = data;
    enum component component = (enum component)components[event->kind];
    struct segment *segment = &self->segments[row[LAST]];
    bool longer = goes_on(segment, event, component);
    row[LENGTH] += length_ps;
    if (!longer || segment->is_shared) {
        const struct segment *last = segment;
        segment = &self->segments[self->n_segments];
        *segment = (struct segment){.memory_ps = longer ? last->memory_ps : 0,
                                    .before = longer ? last->before : (uint32_t)row[LAST],
                                    .rank = event->location,
                                    .component = (uint8_t)component,
                                    .scope = event->scope};
        row[LAST] = (int64_t)self->n_segments++;
    }
    segment->end_ps = row[LENGTH];
    if (component == COMPUTATION)
        segment->memory_ps += event->work_ps[WORK_EXTERNAL] + event->work_ps[WORK_INTERNAL];
}

/* The last segment of a chain that somebody else keeps, too. */
static void share(struct path_segments *self, const int64_t *row)
{
    self->segments[row[LAST]].is_shared = true;
}

/* New checkpoints are read before they are written, when room is made. */
static void clear_checkpoints(struct critical_path *path, size_t n_before)
{
    memset(critical_path_checkpoint(path, (uint32_t)n_before), 0,
           (path->n_checkpoints - n_before) * N_NUMBERS * sizeof *path->checkpoints);
}

static void path_segments_take(void *data, const struct event *event)
{
    struct path_segments *self = data;
    struct critical_path *path = &self->path;
    if (event->location >= path->n_ranks)
        return;
    if (path->n_numbers != N_NUMBERS)
        __builtin_unreachable(); /* so that rows of two numbers are copied in place */
    if (self->n_segments == self->capacity)
        make_room(self);
    if (event->is_checkpoint && event->message >= path->n_checkpoints) {
        size_t n_before = path->n_checkpoints;
        critical_path_grow(path, event->message);
        clear_checkpoints(path, n_before);
    }
    if (event->cause == CAUSE_PEER)
        share(self, critical_path_row(path, event->peer));
    critical_path_take(path, event, add_interval, self);
    if (event->is_checkpoint)
        share(self, critical_path_row(path, event->location));
}

/* --- the report --- */

enum { RANK, START, END, COMPONENT, SCOPE, N_COLUMNS };

static void add_row(const struct path_segments *self, struct result_table *table, const struct segment *segment,
                    const char *component, int64_t start_ps, int64_t end_ps)
{
    if (start_ps == end_ps)
        return;
    union result_cell *row = result_add_row(table);
    row[RANK].number = segment->rank;
    row[START].number = start_ps;
    row[END].number = end_ps;
    snprintf(row[COMPONENT].text, sizeof row[COMPONENT].text, "%s", component);
    snprintf(row[SCOPE].text, sizeof row[SCOPE].text, "%s", metrics_scope_name(&self->setup, segment->scope));
}

static void add_rows(const struct path_segments *self, struct result_table *table, const struct segment *segment)
{
    static const char *const names[] = {[COMMUNICATION] = "communication", [IO] = "io", [UNRECORDED] = "unrecorded"};
    int64_t start_ps = self->segments[segment->before].end_ps, memory_ps = segment->end_ps - segment->memory_ps;
    if (segment->component != COMPUTATION) {
        add_row(self, table, segment, names[segment->component], start_ps, segment->end_ps);
        return;
    }
    add_row(self, table, segment, "processing", start_ps, memory_ps);
    add_row(self, table, segment, "memory", memory_ps, segment->end_ps);
}

static void path_segments_report(const void *data, const struct metrics_totals *totals, struct result *result)
{
    static const struct result_column columns[N_COLUMNS] = {{"rank", MEASURE_COUNT},
                                                            {"start_s", MEASURE_TIME},
                                                            {"end_s", MEASURE_TIME},
                                                            {"component", MEASURE_TEXT},
                                                            {"scope", MEASURE_TEXT}};
    const struct path_segments *self = data;
    struct result_table *table = result_add_table(result, "critical_path_segments", columns, N_COLUMNS);
    const int64_t *longest = critical_path_longest(&self->path);
    uint32_t *chain = xmalloc(self->n_segments * sizeof *chain);
    size_t length = 0;
    assert(longest[LENGTH] == totals->end_ps);
    (void)totals;
    for (uint32_t i = (uint32_t)longest[LAST]; i != NOTHING; i = self->segments[i].before)
        chain[length++] = i;
    while (length > 0)
        add_rows(self, table, &self->segments[chain[--length]]);
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
