/* Grows the minimum spanning tree of the hops between hosts, by Prim's algorithm, and keeps it for each root.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/hop_tree.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* The trees of the first n hosts, for each root. */
struct hop_trees {
    int n;
    uint16_t *hops; /* n x n */
    struct hop_tree *of;
    struct hop_trees *next;
};

enum { FAR = UINT16_MAX };

static uint16_t hops_between(struct machine *machine, int from, int to)
{
    const struct route *route = machine_route(machine, from, to);
    int hops = from == to ? 0 : route != NULL ? route->hops : FAR;
    return hops < FAR ? (uint16_t)hops : FAR;
}

static struct hop_trees *trees_of(struct machine *machine, int n)
{
    struct hop_trees *trees = machine->net->hop_trees;
    while (trees != NULL && trees->n != n)
        trees = trees->next;
    if (trees != NULL)
        return trees;
    trees = xcalloc(1, sizeof *trees);
    *trees = (struct hop_trees){.n = n, .next = machine->net->hop_trees};
    trees->of = xcalloc((size_t)n, sizeof *trees->of);
    trees->hops = xcalloc((size_t)n * (size_t)n, sizeof *trees->hops);
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            trees->hops[(size_t)from * (size_t)n + (size_t)to] = hops_between(machine, from, to);
    machine->net->hop_trees = trees;
    return trees;
}

void hop_trees_free(struct hop_trees *trees)
{
    while (trees != NULL) {
        struct hop_trees *next = trees->next;
        for (int i = 0; i < trees->n; i++) {
            free(trees->of[i].parent);
            free(trees->of[i].first);
            free(trees->of[i].children);
        }
        free(trees->of);
        free(trees->hops);
        free(trees);
        trees = next;
    }
}

/* A host on its way into the tree. */
struct candidate {
    int32_t parent, hops; /* the nearest host of the tree, and how far it is */
    int32_t way;          /* hops from the root, through it */
    bool in_tree;
    int32_t below; /* hosts of its subtree, itself among them */
};

static void offer(struct candidate *candidate, int parent, int hops, int way)
{
    if (candidate->in_tree || hops > candidate->hops || (hops == candidate->hops && way >= candidate->way))
        return;
    candidate->parent = parent;
    candidate->hops = hops;
    candidate->way = way;
}

static int nearest(const struct candidate *candidates, int n)
{
    int best = -1;
    for (int h = 0; h < n; h++) {
        const struct candidate *one = &candidates[h];
        if (!one->in_tree && (best < 0 || one->hops < candidates[best].hops ||
                              (one->hops == candidates[best].hops && one->way < candidates[best].way)))
            best = h;
    }
    return best;
}

/* Let the tree grow; the hosts in the order in which they come. */
static void grow(const struct hop_trees *trees, int root, struct candidate *candidates, int32_t *order)
{
    int n = trees->n;
    for (int h = 0; h < n; h++)
        candidates[h] = (struct candidate){.parent = -1, .hops = INT32_MAX, .way = INT32_MAX, .below = 1};
    candidates[root].hops = candidates[root].way = 0;
    for (int i = 0; i < n; i++) {
        int here = nearest(candidates, n);
        order[i] = here;
        candidates[here].in_tree = true;
        for (int to = 0; to < n; to++) {
            int hops = trees->hops[(size_t)here * (size_t)n + (size_t)to];
            offer(&candidates[to], here, hops, candidates[here].way + hops);
        }
    }
    for (int i = n - 1; i > 0; i--)
        candidates[candidates[order[i]].parent].below += candidates[order[i]].below;
}

/* Put a host where it belongs among its parent's children, of which there are `count`. */
static void insert(int32_t *children, int count, int host, const struct candidate *candidates)
{
    int at = count;
    for (; at > 0 && candidates[children[at - 1]].below < candidates[host].below; at--)
        children[at] = children[at - 1];
    children[at] = host;
}

static void make_tree(struct hop_tree *tree, const struct hop_trees *trees, int root)
{
    int n = trees->n;
    struct candidate *candidates = xcalloc((size_t)n, sizeof *candidates);
    int32_t *order = xcalloc((size_t)n, sizeof *order), *count = xcalloc((size_t)n, sizeof *count);
    grow(trees, root, candidates, order);
    tree->parent = xcalloc((size_t)n, sizeof *tree->parent);
    tree->first = xcalloc((size_t)n + 1, sizeof *tree->first);
    tree->children = xcalloc((size_t)n, sizeof *tree->children);
    for (int h = 0; h < n; h++) {
        tree->parent[h] = candidates[h].parent;
        if (h != root)
            tree->first[candidates[h].parent + 1]++;
    }
    for (int h = 0; h < n; h++)
        tree->first[h + 1] += tree->first[h];
    for (int h = 0; h < n; h++)
        if (h != root)
            insert(&tree->children[tree->first[tree->parent[h]]], count[tree->parent[h]]++, h, candidates);
    free(candidates);
    free(order);
    free(count);
}

const struct hop_tree *hop_tree_of(struct machine *machine, int n, int root)
{
    assert(n > 0 && n <= HOP_TREE_MAX_HOSTS && root >= 0 && root < n);
    struct hop_trees *trees = trees_of(machine, n);
    if (trees->of[root].parent == NULL)
        make_tree(&trees->of[root], trees, root);
    return &trees->of[root];
}
