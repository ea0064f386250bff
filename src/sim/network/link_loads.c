/* Totals and bins of links, filled by messages that links serve one by one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/link_loads_internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void set_shift(struct link_loads *self, int shift)
{
    wide_int room_ps = (wide_int)self->n_bins << shift;
    self->shift = shift;
    self->room_ps = room_ps < INT64_MAX ? (int64_t)room_ps : INT64_MAX;
}

struct link_loads *link_loads_new(int n_links)
{
    enum { FIRST_SHIFT = 17, MOST_BINS = 1 << 22 };
    struct link_loads *self = xcalloc(1, sizeof *self);
    self->n_links = n_links;
    self->n_bins = n_links <= MOST_BINS / LINK_BINS_MOST ? LINK_BINS_MOST : (int)int64_max(MOST_BINS / n_links, 1);
    set_shift(self, FIRST_SHIFT);
    self->limit_ps = INT64_MAX;
    self->lanes = xcalloc((size_t)n_links, sizeof *self->lanes);
    self->bins = xcalloc((size_t)n_links * (size_t)self->n_bins, sizeof *self->bins);
    self->sharing = xcalloc((size_t)n_links, sizeof *self->sharing);
    return self;
}

void link_loads_free(struct link_loads *loads)
{
    if (loads == NULL)
        return;
    free(loads->lanes);
    free(loads->bins);
    free(loads->sharing);
    free(loads->flows);
    free(loads);
}

const struct link_load *link_loads_of(const struct link_loads *loads, int link)
{
    return &loads->lanes[link].total;
}

int link_loads_count(const struct link_loads *loads)
{
    return loads->n_links;
}

/* ---- Bins ---- */

int link_loads_bin_count(const struct link_loads *loads)
{
    return loads->end_ps == 0 ? 0 : (int)((loads->end_ps - 1) >> loads->shift) + 1;
}

int64_t link_loads_bin_ps(const struct link_loads *loads)
{
    return INT64_C(1) << loads->shift;
}

static struct link_bin *bins_of(const struct link_loads *self, int link)
{
    return &self->bins[(size_t)link * (size_t)self->n_bins];
}

/* Put the rest of a lane into its bin. */
static void settle(const struct link_loads *self, int link)
{
    struct lane *lane = &self->lanes[link];
    struct link_bin *bin = &bins_of(self, link)[lane->bin];
    bin->busy_ps += lane->total.busy_ps - lane->busy_ps;
    bin->bytes += lane->total.bytes - lane->bytes;
    lane->busy_ps = lane->total.busy_ps;
    lane->bytes = lane->total.bytes;
}

const struct link_bin *link_loads_bins(const struct link_loads *loads, int link)
{
    if (loads->is_served)
        settle(loads, link);
    return bins_of(loads, link);
}

/* Each two neighbors become one, as often as that. */
static void fold(struct link_bin *bins, int n_bins, int doublings)
{
    int n_left = n_bins;
    for (; doublings > 0 && n_left > 1; doublings--) {
        struct link_bin last = bins[n_left - 1];
        for (int i = 0; i < n_left / 2; i++)
            bins[i] = (struct link_bin){.busy_ps = bins[2 * i].busy_ps + bins[2 * i + 1].busy_ps,
                                        .bytes = bins[2 * i].bytes + bins[2 * i + 1].bytes};
        if (n_left % 2 == 1)
            bins[n_left / 2] = last;
        n_left = (n_left + 1) / 2;
    }
    memset(bins + n_left, 0, (size_t)(n_bins - n_left) * sizeof *bins);
}

static void widen(struct link_loads *self, int doublings)
{
    for (int link = 0; link < self->n_links; link++) {
        if (self->lanes[link].total.messages == 0)
            continue;
        if (self->is_served)
            settle(self, link);
        self->lanes[link].bin = 0;
        fold(bins_of(self, link), self->n_bins, doublings);
    }
    set_shift(self, self->shift + doublings);
}

void link_loads_coarsen(struct link_loads *loads)
{
    widen(loads, 1);
}

/* Apart, so that what comes for every message is short. */
static __attribute__((noinline)) void make_room(struct link_loads *self, int64_t end_ps)
{
    int doublings = 0;
    while ((end_ps - 1) >> (self->shift + doublings) >= self->n_bins)
        doublings++;
    widen(self, doublings);
}

/* whole part / length, rounded down. Most products have 64 bits, whose division takes a tenth of the time. */
static int64_t share(int64_t whole, int64_t part, int64_t length)
{
    int64_t product;
    return __builtin_mul_overflow(whole, part, &product) ? (int64_t)((wide_int)whole * part / length)
                                                         : product / length;
}

/* Over several bins: what has been by the end of each, less what was by its beginning. */
static __attribute__((noinline)) void spread(const struct link_loads *self, struct link_bin *bins, int64_t start_ps,
                                             int64_t end_ps, int64_t busy_ps, int64_t bytes)
{
    int64_t length_ps = end_ps - start_ps, busy = 0, sent = 0;
    assert(length_ps > 0 && busy_ps >= 0 && busy_ps <= length_ps && bytes >= 0);
    for (int64_t i = start_ps >> self->shift; sent < bytes || busy < busy_ps; i++) {
        int64_t part_ps = int64_min((i + 1) << self->shift, end_ps) - start_ps;
        int64_t busy_by = share(busy_ps, part_ps, length_ps), sent_by = share(bytes, part_ps, length_ps);
        bins[i].busy_ps += busy_by - busy;
        bins[i].bytes += sent_by - sent;
        busy = busy_by;
        sent = sent_by;
    }
}

void link_loads_put(struct link_loads *self, int link, int64_t start_ps, int64_t end_ps, int64_t busy_ps, int64_t bytes)
{
    if (start_ps >= self->limit_ps)
        start_ps = end_ps = int64_max(self->limit_ps - 1, 0);
    int64_t last_ps = end_ps > start_ps ? end_ps : start_ps + 1;
    self->end_ps = int64_max(self->end_ps, last_ps);
    if (last_ps > self->room_ps)
        make_room(self, last_ps);
    assert(last_ps <= self->room_ps && start_ps >= 0);
    struct link_bin *bins = bins_of(self, link);
    int64_t first = start_ps >> self->shift;
    if (first == (last_ps - 1) >> self->shift) {
        bins[first].busy_ps += busy_ps;
        bins[first].bytes += bytes;
    } else {
        spread(self, bins, start_ps, end_ps, busy_ps, bytes);
    }
}

/* ---- Messages that links serve ---- */

static void add_to_lane(struct lane *lane, int64_t bytes, int64_t waited_ps, int64_t busy_ps)
{
    assert(bytes >= 0 && waited_ps >= 0 && busy_ps >= 0);
    lane->total.messages++;
    lane->total.bytes += bytes;
    lane->total.waited_ps += waited_ps;
    lane->total.busy_ps += busy_ps;
}

/* Others are on the link meanwhile, or are told of although they come to it later. */
static __attribute__((noinline)) void serve_beside(struct link_loads *self, int link, int64_t bytes, int64_t start_ps,
                                                   int64_t end_ps)
{
    struct lane *lane = &self->lanes[link];
    int64_t before_ps = int64_max(start_ps, lane->paused_ps), after_ps = int64_max(end_ps, lane->free_ps);
    int64_t earlier_ps = int64_max(int64_min(end_ps, lane->since_ps) - before_ps, 0);
    int64_t later_ps = after_ps - lane->free_ps;
    link_loads_put(self, link, start_ps, end_ps, 0, bytes);
    link_loads_put(self, link, before_ps, before_ps + earlier_ps, earlier_ps, 0);
    link_loads_put(self, link, lane->free_ps, after_ps, later_ps, 0);
    add_to_lane(lane, bytes, 0, earlier_ps + later_ps);
    lane->busy_ps += earlier_ps + later_ps;
    lane->bytes += bytes;
    lane->free_ps = after_ps;
}

/* A message that comes after the run's end is on the link at the run's last moment, for no time. */
void link_loads_serve(struct link_loads *loads, int link, int64_t bytes, int64_t came_ps, int64_t start_ps,
                      int64_t busy_ps)
{
    struct lane *lane = &loads->lanes[link];
    int64_t waited_ps = start_ps - came_ps, end_ps = int64_min(start_ps + busy_ps, loads->limit_ps);
    start_ps = int64_min(start_ps, int64_max(loads->limit_ps - 1, 0));
    busy_ps = int64_max(end_ps - int64_max(start_ps, came_ps + waited_ps), 0);
    loads->is_served = true;
    assert(link >= 0 && link < loads->n_links && busy_ps >= 0);
    assert(lane->since_ps <= lane->free_ps && lane->paused_ps <= lane->since_ps);
    if (start_ps < lane->free_ps) {
        serve_beside(loads, link, bytes, start_ps, start_ps + busy_ps);
        return;
    }
    if (start_ps > lane->free_ps) {
        lane->paused_ps = lane->free_ps;
        lane->since_ps = start_ps;
    }
    lane->free_ps = start_ps + busy_ps;
    int64_t last_ps = busy_ps > 0 ? start_ps + busy_ps : start_ps + 1;
    loads->end_ps = int64_max(loads->end_ps, last_ps);
    if (last_ps > loads->room_ps)
        make_room(loads, last_ps);
    int64_t bin = start_ps >> loads->shift;
    if (bin != lane->bin) {
        settle(loads, link);
        lane->bin = bin;
    }
    add_to_lane(lane, bytes, waited_ps, busy_ps);
    if (bin == (last_ps - 1) >> loads->shift)
        return;
    spread(loads, bins_of(loads, link), start_ps, start_ps + busy_ps, busy_ps, bytes);
    lane->busy_ps += busy_ps;
    lane->bytes += bytes;
}

/* ---- The end of the run ---- */

/* Take off the link's time after the end: it is busy then without a pause, or, where messages pass each other, mostly
 * so. */
static void cut(struct link_loads *self, int link)
{
    struct lane *lane = &self->lanes[link];
    struct link_bin *bins = bins_of(self, link);
    int64_t last = int64_max(self->limit_ps - 1, 0) >> self->shift, next_ps = (last + 1) << self->shift;
    int64_t after_ps = int64_min(lane->free_ps, next_ps) - int64_max(lane->since_ps, self->limit_ps);
    int64_t most_ps = self->limit_ps - (last << self->shift), busy_ps = 0;
    if (self->is_served)
        settle(self, link);
    bins[last].busy_ps = int64_min(bins[last].busy_ps - int64_max(after_ps, 0), most_ps);
    for (int64_t i = last + 1; i < self->n_bins; i++) {
        bins[last].bytes += bins[i].bytes;
        bins[i] = (struct link_bin){0};
    }
    for (int64_t i = 0; i <= last; i++)
        busy_ps += bins[i].busy_ps;
    assert(busy_ps <= self->limit_ps); /* no link is busy for longer than the run */
    lane->total.busy_ps = lane->busy_ps = busy_ps;
    lane->bin = last;
}

void link_loads_end(struct link_loads *loads, int64_t end_ps)
{
    loads->limit_ps = end_ps;
    for (int link = 0; link < loads->n_links; link++)
        if (loads->lanes[link].free_ps > end_ps)
            cut(loads, link);
    loads->end_ps = int64_min(loads->end_ps, int64_max(end_ps, 1));
}
