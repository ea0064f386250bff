/* Loads by flows of transfers that share links: bytes, busy time, and the time that transfers lose by sharing.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/link_loads_internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <assert.h>

static int64_t within_run(const struct link_loads *self, int64_t at_ps)
{
    return int64_min(at_ps, self->limit_ps);
}

void link_loads_depart(struct link_loads *loads, const struct route *route, int64_t bytes)
{
    for (int32_t hop = 0; hop < route->hops; hop++) {
        struct link_load *total = &loads->lanes[route->links[hop]].total;
        total->messages++;
        total->bytes += bytes;
    }
}

/* Tell the links what the flow has carried since they were told; all of it when it ends. */
static void hand_over(struct link_loads *self, struct flow *flow, bool ends, int64_t now)
{
    int64_t carried = flow->carried < (double)flow->entered && !ends ? (int64_t)flow->carried : flow->entered;
    int64_t bytes = int64_max(carried - flow->handed, 0);
    for (int32_t hop = 0; hop < flow->route->hops && bytes > 0; hop++)
        link_loads_put(self, flow->route->links[hop], flow->handed_ps, now, 0, bytes);
    flow->handed += bytes;
    assert(flow->handed <= flow->entered &&
           (!ends || flow->handed == flow->entered)); /* what enters a link leaves it */
    flow->handed_ps = now;
}

/* The time that is no whole picosecond stays for the next link. */
static void hand_over_waiting(struct link_loads *self, struct flow *flow)
{
    int64_t waited_ps = (int64_t)flow->waited_ps;
    if (waited_ps > 0 && flow->limit >= 0)
        self->lanes[flow->limit].total.waited_ps += waited_ps;
    flow->waited_ps -= (double)waited_ps;
}

/* Up to now nothing has changed. */
static struct flow *move(struct link_loads *self, int number, int64_t now)
{
    struct flow *flow = &self->flows[number];
    assert(now >= flow->since_ps && flow->count >= 0);
    double moments = (double)flow->count * (double)(now - flow->since_ps);
    flow->carried += moments * flow->rate;
    flow->waited_ps += moments * flow->lost;
    flow->since_ps = now;
    if (now >> self->shift != flow->handed_ps >> self->shift)
        hand_over(self, flow, false, now);
    return flow;
}

void link_loads_begin_flow(struct link_loads *loads, int flow, const struct route *route, int64_t now)
{
    now = within_run(loads, now);
    while ((size_t)flow >= loads->n_flows)
        loads->flows = xgrow(loads->flows, loads->n_flows++, &loads->room, sizeof *loads->flows);
    loads->flows[flow] = (struct flow){.route = route, .since_ps = now, .handed_ps = now};
    for (int32_t hop = 0; hop < route->hops; hop++) {
        struct sharing *sharing = &loads->sharing[route->links[hop]];
        if (sharing->n_flows++ == 0)
            sharing->since_ps = now;
    }
}

void link_loads_join_flow(struct link_loads *loads, int flow, int64_t bytes, int64_t now)
{
    struct flow *moved = move(loads, flow, within_run(loads, now));
    moved->count++;
    moved->entered += bytes;
}

void link_loads_leave_flow(struct link_loads *loads, int flow, int64_t now)
{
    struct flow *moved = move(loads, flow, within_run(loads, now));
    assert(moved->count > 0);
    moved->count--;
}

void link_loads_rate_flow(struct link_loads *loads, int flow, double rate, double alone_rate, int limit, int64_t now)
{
    static const double tolerance = 1e-12; /* as rates are rounded; see fair_share.h */
    struct flow *moved = move(loads, flow, within_run(loads, now));
    double lost = 1 - rate / alone_rate;
    if (limit != moved->limit)
        hand_over_waiting(loads, moved);
    moved->rate = rate;
    moved->lost = lost > tolerance ? lost : 0;
    moved->limit = limit;
}

void link_loads_end_flow(struct link_loads *loads, int flow, int64_t now)
{
    now = within_run(loads, now);
    struct flow *moved = move(loads, flow, now);
    hand_over(loads, moved, true, now);
    moved->waited_ps += 0.5; /* to the nearest */
    hand_over_waiting(loads, moved);
    for (int32_t hop = 0; hop < moved->route->hops; hop++) {
        int32_t link = moved->route->links[hop];
        struct sharing *sharing = &loads->sharing[link];
        assert(sharing->n_flows > 0 && sharing->since_ps <= now);
        if (--sharing->n_flows > 0)
            continue;
        loads->lanes[link].total.busy_ps += now - sharing->since_ps;
        loads->lanes[link].free_ps = now;
        link_loads_put(loads, link, sharing->since_ps, now, now - sharing->since_ps, 0);
    }
}
