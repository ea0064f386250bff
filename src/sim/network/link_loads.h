/* The load of each link of a machine in a run: bytes, messages, the time for which it is busy, and the time that
 * messages wait for it; busy time and bytes in bins of time, too. A network that has one of these fills it in.
 *
 * Every message counts once on each link of its route, with all its bytes, when it sets out. So the bytes of all links
 * add up to those of all messages, each times its hops, exactly. Control messages count as all others.
 *
 * A run may end while messages are still on links, such as those that no rank waits for. Then links are busy up to its
 * end, and what they carry later is in the last bin.
 *
 * Bins are 2^k ps wide. When time runs past the last bin the width doubles, as often as it must. The load of an
 * interval is spread over its bins evenly; the bins of a link add up to its totals exactly. Beyond the totals and bins
 * nothing is kept, so memory does not grow with the length of the run.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_LINK_LOADS_H
#define SIM_NETWORK_LINK_LOADS_H

#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum { LINK_BINS_MOST = 200 };

struct link_load {
    int64_t messages, bytes;
    int64_t busy_ps;   /* while anything is on it */
    int64_t waited_ps; /* by all messages */
};

struct link_bin {
    int64_t busy_ps, bytes;
};

struct link_loads;

/* Links from 0 to n_links - 1. With many links there are fewer bins, but at least 1. */
struct link_loads *link_loads_new(int n_links);
void link_loads_free(struct link_loads *loads);

const struct link_load *link_loads_of(const struct link_loads *loads, int link);
int link_loads_count(const struct link_loads *loads);

/* How many bins are in use, none where no link was; the width of one; those of a link. */
int link_loads_bin_count(const struct link_loads *loads);
int64_t link_loads_bin_ps(const struct link_loads *loads);
const struct link_bin *link_loads_bins(const struct link_loads *loads, int link);
/* Double the width of the bins, which halves their number. */
void link_loads_coarsen(struct link_loads *loads);

/* The run ends at that moment. As soon as it is known, so that what comes later can be told from the run, and before
 * anything is asked for. */
void link_loads_end(struct link_loads *loads, int64_t end_ps);

/* ---- What networks report ---- */

/* A message that comes to the link at `came_ps` is on it from start_ps on, for so long. Others may be, too, where
 * messages pass each other; of those the order need be that of start_ps only up to the pause before. */
void link_loads_serve(struct link_loads *loads, int link, int64_t bytes, int64_t came_ps, int64_t start_ps,
                      int64_t busy_ps);

/* A message sets out on a route of shared links. */
void link_loads_depart(struct link_loads *loads, const struct route *route, int64_t bytes);

/* Flows of several transfers on one route, by small numbers. As long as there is one its links are busy. Each call
 * but the first ends an interval in which nothing has changed; `now` never goes back. */

/* The flow begins, without transfers. */
void link_loads_begin_flow(struct link_loads *loads, int flow, const struct route *route, int64_t now);
/* A transfer of so many bytes joins it, or one leaves. */
void link_loads_join_flow(struct link_loads *loads, int flow, int64_t bytes, int64_t now);
void link_loads_leave_flow(struct link_loads *loads, int flow, int64_t now);
/* From now on each of its transfers has this rate, in bytes per picosecond, where it would have alone_rate if it were
 * alone. `limit` is the link that keeps it from that. A transfer loses the part 1 - rate / alone_rate of the time: so
 * long it waits for that link. */
void link_loads_rate_flow(struct link_loads *loads, int flow, double rate, double alone_rate, int limit, int64_t now);
/* The flow ends, with its last transfer. */
void link_loads_end_flow(struct link_loads *loads, int flow, int64_t now);

#endif
