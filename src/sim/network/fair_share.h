/* Max-min fair sharing of links by flows: who gets how much.
 *
 * A flow goes over several links at once and stands for `count` transfers, each of which has the rate weight *
 * level. No link carries more than its capacity. Every flow has a bottleneck: a link that is full and on which no
 * flow has a higher level. There is exactly one set of levels for which that holds (Bertsekas and Gallager 1992,
 * section 6.5.2). In it no flow's level can be raised but at the cost of one that has no more.
 *
 * Levels are found as water that rises. A link is full at the level at which the flows that still rise on it, with
 * those whose level is known, take its capacity. Links fill in the order of these levels. After a change only those
 * links are looked at of which a flow has come, gone or got another level. All others keep their levels, so the
 * cost is that of the flows whose rate changes, and of those they share links with.
 *
 * Units are the caller's: capacities and rates in the same, weights relative. Levels closer than 1e-12 of their
 * value are taken for the same. Sums go over a link's flows in the order in which they stand there, which follows
 * from the calls: the same calls give the same bits. Nothing is allocated once as many flows have been there at
 * once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_NETWORK_FAIR_SHARE_H
#define SIM_NETWORK_FAIR_SHARE_H

#include <stddef.h>
#include <stdint.h>

struct fair_share;

/* Links from 0 to n_links - 1. `capacity` says what one has, above 0, when its first flow comes. */
struct fair_share *fair_share_new(int32_t n_links, double (*capacity)(const void *source, int32_t link),
                                  const void *source);
void fair_share_free(struct fair_share *share);

/* A flow of one transfer over one link or more, borrowed for as long as it is there; the same link may occur twice.
 * Its number is below that of the flows that have been there at once. */
int32_t fair_share_add(struct fair_share *share, const int32_t *links, int32_t n_links, double weight);
/* Let the flow stand for so many transfers; with 0 it goes, and its number is free. */
void fair_share_set_count(struct fair_share *share, int32_t flow, int32_t count);
/* Bound a flow that has just come: none of its transfers gets more than `bound`, above 0, as on a link that it has to
 * itself. */
void fair_share_set_bound(struct fair_share *share, int32_t flow, double bound);
void fair_share_set_weight(struct fair_share *share, int32_t flow, double weight);
void fair_share_set_capacity(struct fair_share *share, int32_t link, double capacity);

/* Work out what these calls have changed. The number of flows whose rate may be another now; *flows are they, until
 * the next call of any of these functions. */
size_t fair_share_solve(struct fair_share *share, const int32_t **flows);

/* The rate of each of the flow's transfers, as of the last solution. */
double fair_share_rate(const struct fair_share *share, int32_t flow);
/* The link that keeps it at that: its bottleneck, or one of several; -1: its bound does. */
int32_t fair_share_bottleneck(const struct fair_share *share, int32_t flow);

#endif
