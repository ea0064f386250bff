/* The call tree of a traced program: time, waits and their causes by call path.
 *
 * The tree closes: what a path has is what it has itself and what the paths within it have, and the outermost paths
 * have all time of which a path is known. Of a path that is not known from its events but from unwinding at calls,
 * computation is that of the path which the calls before and after it have in common. Memory grows with the paths.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "interval/call_paths.h"

#include <stdlib.h>

struct node {
    int64_t n_calls;
    wide_int time_ps, idle_ps;         /* of itself, and of the paths within it */
    wide_int own_ps, own_idle_ps;      /* of itself */
    int64_t id;                        /* in the table; 0: it is not there */
    uint32_t first_inner, next_beside; /* of its children, the largest first; 0: none */
};

/* A wait state in a path; one for each rank that is waited for, and one for all, of rank -1. */
struct cell {
    uint32_t path;
    int32_t rank;
    int64_t n_waits;
    wide_int time_ps;
    enum wait_state wait;
    int32_t most; /* the cell of rank -1: the cell for which it is longest; -1: none */
};

struct call_tree {
    struct interval_setup setup;
    struct node *nodes; /* of each path */
    size_t n_nodes;
    struct map places; /* path, wait, rank -> cell */
    struct cell *cells;
    size_t n_cells, capacity;
    bool nests; /* some path has another one around it, besides that of a function of the message library */
};

static void *call_tree_open(const struct interval_setup *setup)
{
    if (setup->paths == NULL)
        return NULL;
    struct call_tree *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    return self;
}

/* There are more paths than before. */
static void grow(struct call_tree *self)
{
    size_t n = self->setup.paths->capacity;
    self->nodes = xrealloc(self->nodes, n * sizeof *self->nodes);
    for (; self->n_nodes < n; self->n_nodes++)
        self->nodes[self->n_nodes] = (struct node){0};
}

static size_t find_cell(struct call_tree *self, uint32_t path, enum wait_state wait, int32_t rank)
{
    struct map_entry *entry = map_add(&self->places, map_key((int32_t)path, (int32_t)wait, rank, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_cells;
        self->cells = xgrow(self->cells, self->n_cells, &self->capacity, sizeof *self->cells);
        self->cells[self->n_cells++] = (struct cell){.path = path, .rank = rank, .wait = wait, .most = -1};
    }
    return entry->index;
}

static void take_wait(struct call_tree *self, const struct interval *interval, int64_t length_ps)
{
    size_t all = find_cell(self, interval->path, interval->wait, -1);
    self->cells[all].n_waits++;
    self->cells[all].time_ps += length_ps;
    if (interval->awaited < 0 || interval->awaited >= self->setup.n_ranks)
        return;
    size_t one = find_cell(self, interval->path, interval->wait, interval->awaited);
    self->cells[one].time_ps += length_ps;
    int32_t most = self->cells[all].most;
    if (most < 0 || self->cells[one].time_ps > self->cells[most].time_ps)
        self->cells[all].most = (int32_t)one;
}

static void call_tree_take(void *data, const struct interval *interval)
{
    struct call_tree *self = data;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (interval->path == 0)
        return;
    if (interval->path >= self->n_nodes)
        grow(self);
    struct node *node = &self->nodes[interval->path];
    node->n_calls += interval->function != 0 || self->setup.first_stream == 0 ? interval->n_calls : 0;
    node->own_ps += length_ps;
    self->nests |= self->setup.paths->items[interval->path].depth > 1 + (uint32_t)(interval->function != 0);
    if (interval->state != STATE_IDLE || length_ps == 0)
        return;
    node->own_idle_ps += length_ps;
    take_wait(self, interval, length_ps);
}

/* Paths come behind those around them. */
static void sum_up(struct call_tree *self)
{
    for (size_t path = self->setup.paths->n - 1; path > 0; path--) {
        struct node *node = &self->nodes[path], *outer = &self->nodes[self->setup.paths->items[path].outer];
        node->time_ps += node->own_ps;
        node->idle_ps += node->own_idle_ps;
        outer->time_ps += node->time_ps;
        outer->idle_ps += node->idle_ps;
        outer->n_calls += node->n_calls;
    }
}

static int by_time(const void *a, const void *b, void *data)
{
    const struct call_tree *self = data;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    wide_int left_ps = self->nodes[left].time_ps, right_ps = self->nodes[right].time_ps;
    return left_ps != right_ps ? (left_ps < right_ps ? -1 : 1) : left > right ? -1 : left < right;
}

/* Children of a path in a chain, the largest first: each is put before those that are smaller. */
static void link_children(struct call_tree *self)
{
    size_t n = self->setup.paths->n;
    uint32_t *order = xcalloc(n, sizeof *order);
    for (size_t i = 0; i + 1 < n; i++)
        order[i] = (uint32_t)i + 1;
    sort_rows(order, n - 1, sizeof *order, by_time, self);
    for (size_t i = 0; i + 1 < n; i++) {
        struct node *node = &self->nodes[order[i]], *outer = &self->nodes[self->setup.paths->items[order[i]].outer];
        if (node->time_ps == 0 && node->n_calls == 0)
            continue;
        node->next_beside = outer->first_inner;
        outer->first_inner = order[i];
    }
    free(order);
}

static void add_path(struct call_tree *self, uint32_t path, struct result_table *table)
{
    const struct call_path *item = &self->setup.paths->items[path];
    struct node *node = &self->nodes[path];
    node->id = (int64_t)table->n_rows + 1;
    *result_add_call_paths(table) = (struct call_paths_row){.id = node->id,
                                                            .outer = self->nodes[item->outer].id,
                                                            .depth = item->depth,
                                                            .function = result_name(item->name),
                                                            .path = call_paths_name(self->setup.paths, path),
                                                            .calls = node->n_calls,
                                                            .time_ps = node->time_ps,
                                                            .idle_ps = node->idle_ps,
                                                            .own_ps = node->own_ps,
                                                            .own_idle_ps = node->own_idle_ps};
}

/* Add the paths, each before those within it. */
static void add_paths(struct call_tree *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_CALL_PATHS);
    uint32_t path = self->nodes[0].first_inner;
    while (path != 0) {
        add_path(self, path, table);
        if (self->nodes[path].first_inner != 0) {
            path = self->nodes[path].first_inner;
            continue;
        }
        while (path != 0 && self->nodes[path].next_beside == 0)
            path = self->setup.paths->items[path].outer;
        path = self->nodes[path].next_beside;
    }
}

static void add_waits(const struct call_tree *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_CALL_PATH_WAITS);
    for (size_t i = 0; i < self->n_cells; i++) {
        const struct cell *cell = &self->cells[i], *most = cell->most < 0 ? NULL : &self->cells[cell->most];
        if (cell->rank < 0)
            *result_add_call_path_waits(table) =
                (struct call_path_waits_row){.id = self->nodes[cell->path].id,
                                             .wait = cell->wait,
                                             .waits = cell->n_waits,
                                             .time_ps = cell->time_ps,
                                             .for_rank = most == NULL ? -1 : most->rank,
                                             .for_rank_ps = most == NULL ? 0 : most->time_ps};
    }
}

static void call_tree_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    struct call_tree *self = data;
    (void)totals;
    if (!self->nests && !self->setup.paths->are_recorded)
        return;
    if (self->n_nodes < self->setup.paths->n)
        grow(self);
    sum_up(self);
    link_children(self);
    add_paths(self, result);
    add_waits(self, result);
}

static void call_tree_free(void *data)
{
    struct call_tree *self = data;
    map_dispose(&self->places);
    free(self->cells);
    free(self->nodes);
    free(self);
}

const struct metric_spec metric_call_tree = {
    .name = "call_tree",
    .summary = "time and waits by call path, where a trace has them or its regions are nested",
    .source = "Geimer10; Pereira98, figure 4",
    .runs = OF_TRACES,
    .open = call_tree_open,
    .take = call_tree_take,
    .report = call_tree_report,
    .free = call_tree_free,
};
