/* Along the mesh: each node forwards to its neighbours (paper 001, eq. 15).
 *
 * The message runs along the root's row in both directions, and from every node of that row up and down its column. A
 * node serves its column first, then passes on along the row. Where the root's row is the last one and not full, the
 * row before it takes its part, reached through the root. Ranks that share a node get it from the first rank there. */
#include "sim/coll.h"

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

/* Whether the tree has an edge from node a to its neighbour b. */
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

static bool neighbour_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct placement *placement = call->placement;
    int per_host = placement->ranks_per_host, slot = rank / per_host, first = slot * per_host;
    int host_ranks = first + per_host < call->n_ranks ? per_host : call->n_ranks - first;
    if (rank != leader(call, slot))
        return i == 0 && coll_recv(op, leader(call, slot), call->bytes);

    struct position root = node_of(placement, call->root / per_host), here = node_of(placement, slot);
    int trunk = trunk_row(placement, root);
    for (int side = 0; side < 2; side++) /* first the edge that leads here, then those that lead on */
        for (int d = 0; d < N_DIRECTIONS; d++) {
            struct position there = {here.x + directions[d].x, here.y + directions[d].y};
            int other = placement_slot_at(placement, there.x, there.y);
            if (other < 0)
                continue;
            if (side == 0 && is_edge(root, trunk, there, here) && i-- == 0)
                return coll_recv(op, leader(call, other), call->bytes);
            if (side == 1 && is_edge(root, trunk, here, there) && i-- == 0)
                return coll_send(op, leader(call, other), call->bytes, call->options->mode);
        }
    if (i >= host_ranks - 1)
        return false;
    int local = first + (int)i;
    return coll_send(op, local + (local >= rank), call->bytes, call->options->mode);
}

const struct coll_spec coll_neighbour = {
    .name = "neighbour",
    .summary = "along the mesh: each node forwards to its neighbours",
    .source = "paper 001, eq. 15",
    .needs_mesh = true,
    .next = neighbour_next,
};
