/* The tables of detail `links`: what a run says of its machine's links where it is asked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_LINKS_H
#define CORE_LINKS_H

#include "core/simulation.h"
#include "metrics/result.h"
#include "sim/network/link_loads.h"

/* A machine of more links, or nodes, is told of in part: the links that were used; hosts with ranks, and the ends of
 * those links. */
enum { LINKS_MOST = 4096 };
/* Bins of all links that were used together; where there are more, each is twice as wide, as often as it must. The runs
 * of a sweep share what all may have. */
enum { LINKS_MOST_BINS = 1 << 15, LINKS_MOST_BINS_OF_ALL = 1 << 17 };

/* Add `topology` (one row, where it is known), `nodes`, `placement`, `links`, and bins. The loads' bins may be widened
 * for it. */
void links_report(struct result *result, const struct simulation *simulation, struct link_loads *loads);

/* Take all of that out again. */
void links_forget(struct result *result);

#endif
