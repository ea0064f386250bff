/* Max-min fair sharing by water that rises, over what a change reaches.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/fair_share.h"

#include "base/heap.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above it levels differ. It is far above what sums of some thousand rates are rounded by, and below what is looked
 * at. */
static const double tolerance = 1e-12;

enum { RISING = -1 };   /* as a bottleneck: it is still to be found */
enum { NO_BOUND = -1 }; /* as a link of a flow's own */

struct flow {
    const int32_t *links;
    int32_t n_links;
    int32_t count; /* of the transfers; of a free number the next free one */
    double weight, level, bound;
    int32_t own;        /* a link with the bound's capacity, numbered behind those of all; or NO_BOUND */
    int32_t bottleneck; /* the link, or RISING */
    uint64_t solution;  /* the last one that changed its level */
    int32_t *places;    /* in the list of each of its links */
    size_t n_places;    /* that there is room for */
};

/* A flow on a link, the flow's `hop`. */
struct member {
    int32_t flow, hop;
};

struct link {
    double capacity; /* 0: not asked for yet */
    double level;    /* at which it is full, where it is the bottleneck of any */
    double next;     /* where it would be full, as far as is known */
    struct member *members;
    size_t n_members, room;
    int32_t n_bound; /* flows whose bottleneck it is */
    bool is_stale;   /* what happens to it next is to be found anew */
    bool releases;   /* it is queued for letting go whom it bounds, at their level */
};

struct fair_share {
    struct link *links; /* those of all, then those of flows by their number */
    int32_t n_links;    /* those of all */
    size_t n_own;
    struct flow *flows;
    size_t n_flows, room;
    int32_t free; /* the first free number; -1: none */
    double (*capacity)(const void *source, int32_t link);
    const void *source;
    int32_t *stale; /* links that a change concerns, none twice */
    size_t n_stale, stale_room;
    struct tracked_heap queue; /* links that something happens to, by level */
    double water;              /* the level up to which all is settled */
    uint64_t solution;
    int32_t *changed; /* flows, with room for all */
    size_t n_changed;
};

static bool is_above(double a, double b)
{
    return a > b * (1 + tolerance);
}

/* A flow's links: those of its route, then its own. */
static int32_t n_hops(const struct flow *flow)
{
    return flow->n_links + (flow->own != NO_BOUND);
}

static int32_t link_at(const struct flow *flow, int32_t hop)
{
    return hop < flow->n_links ? flow->links[hop] : flow->own;
}

/* ---- What changes ---- */

/* Something on the link has changed. */
static void touch(struct fair_share *self, int32_t index)
{
    struct link *link = &self->links[index];
    if (link->is_stale)
        return;
    link->is_stale = true;
    self->stale = xgrow(self->stale, self->n_stale, &self->stale_room, sizeof *self->stale);
    self->stale[self->n_stale++] = index;
}

static void touch_all(struct fair_share *self, const struct flow *flow)
{
    for (int32_t hop = 0; hop < n_hops(flow); hop++)
        touch(self, link_at(flow, hop));
}

static void let_rise(struct fair_share *self, struct flow *flow)
{
    assert(flow->bottleneck == RISING || self->links[flow->bottleneck].n_bound > 0);
    if (flow->bottleneck != RISING)
        self->links[flow->bottleneck].n_bound--;
    flow->bottleneck = RISING;
    touch_all(self, flow);
}

/* The flow has its level: that of a link which is full. */
static void settle(struct fair_share *self, int32_t number, int32_t bottleneck, double level)
{
    struct flow *flow = &self->flows[number];
    let_rise(self, flow);
    flow->bottleneck = bottleneck;
    flow->level = level;
    self->links[bottleneck].n_bound++;
    assert(self->n_changed < self->n_flows || flow->solution == self->solution);
    if (flow->solution != self->solution)
        self->changed[self->n_changed++] = number;
    flow->solution = self->solution;
}

/* ---- Water that rises ---- */

/* The level x at which the link is full, given what is known: the sum of weight * count * min(x, level) is its
 * capacity, over flows whose level others have set, and without that bound over the rest. INFINITY: it is never
 * full. Each round bounds those whose level x has passed, beginning with the water's, and is done when there are no
 * more of them. */
static double find_level(const struct fair_share *self, int32_t index)
{
    const struct link *link = &self->links[index];
    double x = self->water, nearest;
    do {
        double rest = link->capacity, weights = 0;
        nearest = INFINITY;
        for (size_t i = 0; i < link->n_members; i++) {
            const struct flow *flow = &self->flows[link->members[i].flow];
            double weight = flow->weight * flow->count;
            bool bounded = flow->bottleneck != RISING && flow->bottleneck != index;
            if (bounded && flow->level <= x)
                rest -= weight * flow->level;
            else
                weights += weight;
            if (bounded && flow->level > x && flow->level < nearest)
                nearest = flow->level;
        }
        if (weights == 0)
            return INFINITY;
        x = rest / weights > x ? rest / weights : x;
    } while (nearest <= x);
    return x;
}

/* Queue the link for what happens to it next, if anything. Whom it bounds it must let go where it turns out to be
 * full only later. */
static void queue_link(struct fair_share *self, int32_t index)
{
    struct link *link = &self->links[index];
    double level = find_level(self, index);
    link->is_stale = false;
    if (level == INFINITY) {
        tracked_heap_remove(&self->queue, (uint32_t)index);
        return;
    }
    bool is_same = link->n_bound > 0 && !is_above(level, link->level) && !is_above(link->level, level);
    link->next = is_same ? link->level : level;
    link->releases = link->n_bound > 0 && is_above(level, link->level);
    tracked_heap_set(&self->queue, (uint32_t)index, heap_key(link->releases ? link->level : link->next));
}

static void release(struct fair_share *self, int32_t index)
{
    const struct link *link = &self->links[index];
    for (size_t i = 0; i < link->n_members; i++) {
        struct flow *flow = &self->flows[link->members[i].flow];
        if (flow->bottleneck == index)
            let_rise(self, flow);
    }
}

/* The link is full: who rises on it stops here, and who had more comes down. */
static void fill(struct fair_share *self, int32_t index)
{
    struct link *link = &self->links[index];
    bool is_same = link->n_bound > 0 && link->next == link->level;
    link->level = link->next;
    link->is_stale = true; /* so that it is not queued for what is done to it here */
    for (size_t i = 0; i < link->n_members; i++) {
        const struct flow *flow = &self->flows[link->members[i].flow];
        bool stays = flow->bottleneck == index ? is_same : !is_above(flow->level, link->level);
        if (flow->bottleneck == RISING || !stays)
            settle(self, link->members[i].flow, index, link->level);
    }
    link->is_stale = false;
}

#ifndef NDEBUG
/* True if no link carries more than its capacity, and those that bound flows carry all of it: the definition of a fair
 * share. Members know their places; a flow that crosses a link twice is there twice. */
static bool is_fair(const struct fair_share *self)
{
    for (size_t i = 0; i < (size_t)self->n_links + self->n_own; i++) {
        const struct link *link = &self->links[i];
        double used = 0;
        int32_t n_bound = 0;
        for (size_t m = 0; m < link->n_members; m++) {
            const struct flow *flow = &self->flows[link->members[m].flow];
            used += flow->weight * flow->level * flow->count;
            n_bound += flow->bottleneck == (int32_t)i;
            if (flow->places[link->members[m].hop] != (int32_t)m || flow->count < 1 || flow->bottleneck == RISING)
                return false;
        }
        if ((n_bound > 0) != (link->n_bound > 0) || n_bound < link->n_bound || used > link->capacity * (1 + 1e-9) ||
            (n_bound > 0 && used < link->capacity * (1 - 1e-9)))
            return false;
    }
    return true;
}
#endif

size_t fair_share_solve(struct fair_share *self, const int32_t **flows)
{
    self->n_changed = 0;
    self->solution++;
    for (;;) {
        while (self->n_stale > 0)
            queue_link(self, self->stale[--self->n_stale]);
        if (self->queue.heap.count == 0)
            break;
        struct heap_entry first = tracked_heap_pop(&self->queue);
        int32_t index = (int32_t)first.item;
        assert(heap_number(first.key) >= self->water * (1 - 1e-9)); /* the water never falls */
        self->water = heap_number(first.key);
        (self->links[index].releases ? release : fill)(self, index);
    }
    self->water = 0;
    assert(self->solution % 64 != 1 || is_fair(self)); /* it looks at all links */
    *flows = self->changed;
    return self->n_changed;
}

double fair_share_rate(const struct fair_share *self, int32_t flow)
{
    return self->flows[flow].weight * self->flows[flow].level;
}

int32_t fair_share_bottleneck(const struct fair_share *self, int32_t flow)
{
    int32_t link = self->flows[flow].bottleneck;
    return link < self->n_links ? link : -1;
}

/* ---- Flows and links ---- */

struct fair_share *fair_share_new(int32_t n_links, double (*capacity)(const void *source, int32_t link),
                                  const void *source)
{
    struct fair_share *self = xcalloc(1, sizeof *self);
    self->links = xcalloc((size_t)n_links, sizeof *self->links);
    self->n_links = n_links;
    self->free = -1;
    self->capacity = capacity;
    self->source = source;
    tracked_heap_track(&self->queue, (size_t)n_links);
    return self;
}

void fair_share_free(struct fair_share *self)
{
    for (size_t i = 0; i < (size_t)self->n_links + self->n_own; i++)
        free(self->links[i].members);
    for (size_t i = 0; i < self->n_flows; i++)
        free(self->flows[i].places);
    tracked_heap_dispose(&self->queue);
    free(self->links);
    free(self->flows);
    free(self->changed);
    free(self->stale);
    free(self);
}

/* A free number, whose places have room for the hops, and one for a bound. */
static int32_t new_flow(struct fair_share *self, int32_t n_links)
{
    int32_t number = self->free;
    if (number >= 0) {
        self->free = self->flows[number].count;
    } else {
        if (self->n_flows == self->room) {
            self->flows = xgrow(self->flows, self->n_flows, &self->room, sizeof *self->flows);
            self->changed = xrealloc(self->changed, self->room * sizeof *self->changed);
        }
        number = (int32_t)self->n_flows++;
        self->flows[number] = (struct flow){.count = 0};
    }
    struct flow *flow = &self->flows[number];
    if (flow->n_places < (size_t)n_links + 1) {
        flow->n_places = (size_t)n_links + 1;
        flow->places = xrealloc(flow->places, flow->n_places * sizeof *flow->places);
    }
    return number;
}

static void join(struct fair_share *self, int32_t number, int32_t hop)
{
    struct flow *flow = &self->flows[number];
    struct link *link = &self->links[link_at(flow, hop)];
    if (link->capacity == 0)
        link->capacity = self->capacity(self->source, flow->links[hop]);
    assert(link->capacity > 0);
    flow->places[hop] = (int32_t)link->n_members;
    link->members = xgrow(link->members, link->n_members, &link->room, sizeof *link->members);
    link->members[link->n_members++] = (struct member){number, hop};
}

/* The last in the list of the link takes the place. */
static void leave(struct fair_share *self, const struct flow *flow, int32_t hop)
{
    struct link *link = &self->links[link_at(flow, hop)];
    assert(link->n_members > 0 && (size_t)flow->places[hop] < link->n_members);
    struct member last = link->members[--link->n_members];
    link->members[flow->places[hop]] = last;
    self->flows[last.flow].places[last.hop] = flow->places[hop];
}

int32_t fair_share_add(struct fair_share *self, const int32_t *links, int32_t n_links, double weight)
{
    int32_t number = new_flow(self, n_links);
    struct flow *flow = &self->flows[number];
    flow->links = links;
    flow->n_links = n_links;
    flow->count = 1;
    flow->weight = weight;
    flow->level = 0;
    flow->own = NO_BOUND;
    flow->bottleneck = RISING;
    for (int32_t hop = 0; hop < n_links; hop++)
        join(self, number, hop);
    touch_all(self, flow);
    return number;
}

static void remove_flow(struct fair_share *self, int32_t number)
{
    struct flow *flow = &self->flows[number];
    let_rise(self, flow);
    for (int32_t hop = 0; hop < n_hops(flow); hop++)
        leave(self, flow, hop);
    flow->count = self->free;
    self->free = number;
}

void fair_share_set_count(struct fair_share *self, int32_t flow, int32_t count)
{
    if (count == 0) {
        remove_flow(self, flow);
        return;
    }
    self->flows[flow].count = count;
    if (self->flows[flow].own != NO_BOUND)
        self->links[self->flows[flow].own].capacity = self->flows[flow].bound * count;
    touch_all(self, &self->flows[flow]);
}

/* Room for a link of each flow's own. */
static void make_own_links(struct fair_share *self)
{
    size_t n = (size_t)self->n_links + self->n_own, wanted = (size_t)self->n_links + self->room;
    self->links = xrealloc(self->links, wanted * sizeof *self->links);
    memset(self->links + n, 0, (wanted - n) * sizeof *self->links);
    tracked_heap_track(&self->queue, wanted);
    self->n_own = self->room;
}

void fair_share_set_bound(struct fair_share *self, int32_t number, double bound)
{
    struct flow *flow = &self->flows[number];
    assert(flow->own == NO_BOUND && bound > 0);
    if (self->n_own < self->room)
        make_own_links(self);
    flow->bound = bound;
    flow->own = self->n_links + number;
    self->links[flow->own].capacity = bound * flow->count;
    join(self, number, flow->n_links);
    touch(self, flow->own);
}

void fair_share_set_weight(struct fair_share *self, int32_t flow, double weight)
{
    assert(weight > 0 && self->flows[flow].count > 0);
    self->flows[flow].weight = weight;
    let_rise(self, &self->flows[flow]);
}

void fair_share_set_capacity(struct fair_share *self, int32_t link, double capacity)
{
    assert(capacity > 0);
    self->links[link].capacity = capacity;
    touch(self, link);
}
