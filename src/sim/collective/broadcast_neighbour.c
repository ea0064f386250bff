/* Each node forwards to its neighbors.
 *
 * On a mesh (Zemerly95, eq. 15) the message runs along the root's row in both directions, and from every node of that
 * row up and down its column. A node serves its column first, then passes on along the row. Where the root's row is the
 * last one and not full, the row before it takes its part, reached through the root. Ranks that share a node get it
 * from the first rank there.
 *
 * Elsewhere it runs along a tree of the shortest routes (sim/machine/hop_tree.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"
#include "sim/machine/hop_tree.h"

struct position {
    int x, y;
};

static struct position node_of(const struct placement *placement, int slot)
{
    struct position node;
    placement_node(placement, slot, &node.x, &node.y);
    return node;
}

/* The rank that receives for a slot: its first, but the root for its own. */
static int leader(const struct coll_call *call, int slot)
{
    int per_host = call->placement->ranks_per_host;
    return call->root / per_host == slot ? call->root : slot * per_host;
}

/* The row along which the message spreads: the root's, or the one before it where that one is not full. */
static int trunk_row(const struct placement *placement, struct position root)
{
    bool full = (int64_t)(root.y + 1) * placement->width <= placement->n_slots;
    return full || root.y == 0 ? root.y : root.y - 1;
}

/* True if the tree has an edge from node a to its neighbor b. */
static bool is_edge(struct position root, int trunk, struct position a, struct position b)
{
    if (a.y == b.y) {
        int a_distance = a.x < root.x ? root.x - a.x : a.x - root.x;
        int b_distance = b.x < root.x ? root.x - b.x : b.x - root.x;
        return a.y == trunk && b_distance > a_distance;
    }
    if (root.y > trunk && b.y == root.y && b.x == root.x)
        return false;
    if (root.y > trunk && a.y == root.y && a.x == root.x)
        return b.y == trunk;
    int a_distance = a.y < trunk ? trunk - a.y : a.y - trunk;
    int b_distance = b.y < trunk ? trunk - b.y : b.y - trunk;
    return b_distance > a_distance;
}

enum { N_DIRECTIONS = 4 };
static const struct position directions[N_DIRECTIONS] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};

/* The i-th op of a node's leader along the mesh; *i is reduced by those there are if it is not one of them. */
static bool along_mesh(const struct coll_call *call, int slot, int64_t *i, struct op *op)
{
    const struct placement *placement = call->placement;
    struct position root = node_of(placement, call->root / placement->ranks_per_host), here = node_of(placement, slot);
    int trunk = trunk_row(placement, root);
    for (int side = 0; side < 2; side++) /* first the edge that leads here, then those that lead on */
        for (int d = 0; d < N_DIRECTIONS; d++) {
            struct position there = {here.x + directions[d].x, here.y + directions[d].y};
            int other = placement_slot_at(placement, there.x, there.y);
            if (other < 0)
                continue;
            if (side == 0 && is_edge(root, trunk, there, here) && (*i)-- == 0)
                return coll_recv(op, leader(call, other), call->bytes);
            if (side == 1 && is_edge(root, trunk, here, there) && (*i)-- == 0)
                return coll_send(op, leader(call, other), call->bytes, call->options->mode);
        }
    return false;
}

/* The same along the tree; hosts are taken in order there. */
static bool along_tree(const struct coll_call *call, int slot, int64_t *i, struct op *op)
{
    int root = call->root / call->placement->ranks_per_host;
    const struct hop_tree *tree = hop_tree_of(call->machine, call->placement->n_slots, root);
    int64_t n_children = tree->first[slot + 1] - tree->first[slot];
    if (slot != root && (*i)-- == 0)
        return coll_recv(op, leader(call, tree->parent[slot]), call->bytes);
    if (*i < n_children)
        return coll_send(op, leader(call, tree->children[tree->first[slot] + *i]), call->bytes, call->options->mode);
    *i -= n_children;
    return false;
}

static bool neighbour_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct placement *placement = call->placement;
    if (placement->hosts != NULL) /* their order is not that of the nodes */
        return coll_binomial.next(call, rank, i, op);
    int per_host = placement->ranks_per_host, slot = rank / per_host, first = slot * per_host;
    int host_ranks = first + per_host < call->n_ranks ? per_host : call->n_ranks - first;
    if (rank != leader(call, slot))
        return i == 0 && coll_recv(op, leader(call, slot), call->bytes);
    if (placement->height > 0 ? along_mesh(call, slot, &i, op) : along_tree(call, slot, &i, op))
        return true;
    if (i < 0 || i >= host_ranks - 1)
        return false;
    int local = first + (int)i;
    return coll_send(op, local + (local >= rank), call->bytes, call->options->mode);
}

const struct coll_spec coll_neighbour = {
    .name = "neighbour",
    .summary = "each node forwards to its neighbors, on a mesh along rows and columns",
    .source = "Zemerly95, eq. 15",
    .asks_placement = true,
    .next = neighbour_next,
};
