/* The tree along which a message spreads from host to host over the shortest wires: a minimum spanning tree of the hops
 * between hosts, by which each host forwards to those that are near.
 *
 * It grows from the root: next comes the host that is the fewest hops away from one of the tree; of equal ones that
 * with the shortest way from the root, then the lowest. It hangs on the host that it is near to; of several on the one
 * with the shortest way from the root, then the one that came first. On a mesh or torus all edges are of one hop; where
 * hosts hang on switches, one of each switch gets the message from afar and serves the others there; on a star the root
 * serves all. (Prim 1957.)
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_HOP_TREE_H
#define SIM_MACHINE_HOP_TREE_H

#include "sim/machine/machine.h"

#include <stdint.h>

/* Routes between all pairs have to be known. */
enum { HOP_TREE_MAX_HOSTS = 1024 };

/* The children of host h are children[first[h]] ... children[first[h + 1] - 1], in the order in which they are served:
 * the one with the most hosts below it first, then the lowest. */
struct hop_tree {
    int32_t *parent; /* -1: the root's */
    int32_t *first;
    int32_t *children;
};

/* The tree of the machine's hosts 0 ... n - 1 with that root, n <= HOP_TREE_MAX_HOSTS; made once, and good as long as
 * the machine. */
const struct hop_tree *hop_tree_of(struct machine *machine, int n, int root);

/* Called by machine_dispose(). */
struct hop_trees;
void hop_trees_free(struct hop_trees *trees);

#endif
