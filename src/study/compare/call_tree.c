/* The call trees of the first version and of another one as one tree, of the run with the median time of each: parts of
 * a tree add up, which medians of several runs do not.
 *
 * A path of both is one whose functions have the same names from the outermost one on. Its children are ordered by
 * their time in both versions together, the largest first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/tables.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "interval/intern.h"
#include "metrics/metrics.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST, SECOND, N_SIDES };

/* Its rows in the two trees; NULL: that version has no such path. */
struct node {
    const struct call_paths_row *rows[N_SIDES];
    int64_t depth;
    double time_s; /* of both together */
    uint32_t number;
    uint32_t outer, first_inner, next_beside; /* nodes; 0: the one around all, or none */
};

/* Node 0 is around all. */
struct tree {
    struct node *nodes; /* each behind the one around it */
    size_t n_nodes;
    double n_processors[N_SIDES];
};

static double mean_s(const struct tree *tree, int side, wide_int ps)
{
    return units_seconds(ps) / tree->n_processors[side];
}

/* A row that does not lie behind the one around it, as in a file of others, is taken for an outermost one. */
static void take_paths(struct tree *tree, struct map *places, int side, const struct call_paths_row *rows,
                       size_t n_rows)
{
    uint32_t *node_of = xcalloc(n_rows + 1, sizeof *node_of);
    for (size_t i = 0; i < n_rows; i++) {
        uint32_t outer = rows[i].outer >= 0 && rows[i].outer <= (int64_t)i ? node_of[rows[i].outer] : 0;
        struct map_entry *entry =
            map_add(places, (struct map_key){outer, (uint64_t)(uintptr_t)intern_text(rows[i].function)});
        if (entry->index == MAP_NOTHING) {
            entry->index = (uint32_t)tree->n_nodes;
            tree->nodes[tree->n_nodes++] = (struct node){.outer = outer, .depth = tree->nodes[outer].depth + 1};
        }
        struct node *node = &tree->nodes[entry->index];
        node->rows[side] = &rows[i];
        node->time_s += mean_s(tree, side, rows[i].time_ps);
        node_of[i + 1] = entry->index;
    }
    free(node_of);
}

static int by_time(const void *a, const void *b, void *data)
{
    const struct tree *tree = data;
    double left_s = tree->nodes[*(const uint32_t *)a].time_s, right_s = tree->nodes[*(const uint32_t *)b].time_s;
    return (left_s > right_s) - (left_s < right_s);
}

/* The children of each node in a chain: the smallest is put there first, and those that come are put before it. */
static void link_children(struct tree *tree)
{
    uint32_t *order = xcalloc(tree->n_nodes, sizeof *order);
    for (size_t i = 1; i < tree->n_nodes; i++)
        order[i - 1] = (uint32_t)(tree->n_nodes - i); /* of equal ones the first comes last, and so stands first */
    sort_rows(order, tree->n_nodes - 1, sizeof *order, by_time, tree);
    for (size_t i = 0; i + 1 < tree->n_nodes; i++) {
        struct node *node = &tree->nodes[order[i]], *outer = &tree->nodes[node->outer];
        node->next_beside = outer->first_inner;
        outer->first_inner = order[i];
    }
    free(order);
}

static void add_node(struct table *table, const struct tree *tree, struct node *node, const char *version)
{
    double time_s[N_SIDES], idle_s[N_SIDES], calls[N_SIDES];
    const char *function = NULL;
    for (int side = 0; side < N_SIDES; side++) {
        const struct call_paths_row *row = node->rows[side];
        time_s[side] = row == NULL ? (double)NAN : mean_s(tree, side, row->time_ps);
        idle_s[side] = row == NULL ? (double)NAN : mean_s(tree, side, row->idle_ps);
        calls[side] = row == NULL ? (double)NAN : (double)row->calls;
        function = row == NULL ? function : row->function;
    }
    node->number = (uint32_t)table_n_rows(table) + 1;
    table_text(table, version);
    table_integer(table, node->number);
    table_integer(table, tree->nodes[node->outer].number);
    table_integer(table, node->depth);
    table_text(table, function);
    for (int side = 0; side < N_SIDES; side++)
        table_real(table, time_s[side]);
    table_real(table, fmax(time_s[SECOND], 0) - fmax(time_s[FIRST], 0)); /* fmax() takes NAN for 0 */
    for (int side = 0; side < N_SIDES; side++)
        table_real(table, idle_s[side]);
    for (int side = 0; side < N_SIDES; side++)
        table_real(table, calls[side]);
}

/* Each node before those within it. */
static void add_nodes(struct table *table, const struct tree *tree, const char *version)
{
    uint32_t at = tree->nodes[0].first_inner;
    while (at != 0) {
        add_node(table, tree, &tree->nodes[at], version);
        if (tree->nodes[at].first_inner != 0) {
            at = tree->nodes[at].first_inner;
            continue;
        }
        while (at != 0 && tree->nodes[at].next_beside == 0)
            at = tree->nodes[at].outer;
        at = tree->nodes[at].next_beside;
    }
}

static struct table *new_table(struct document *document)
{
    static const struct column columns[] = {{.id = "version", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
                                            {.id = "id", .unit = UNIT_COUNT},
                                            {.id = "outer", .unit = UNIT_COUNT},
                                            {.id = "depth", .unit = UNIT_COUNT},
                                            {.id = "function", .unit = UNIT_TEXT},
                                            {.id = "first_s", .unit = UNIT_SECONDS},
                                            {.id = "second_s", .unit = UNIT_SECONDS},
                                            {.id = "change_s", .unit = UNIT_SECONDS},
                                            {.id = "first_idle_s", .unit = UNIT_SECONDS},
                                            {.id = "second_idle_s", .unit = UNIT_SECONDS},
                                            {.id = "first_calls", .unit = UNIT_COUNT},
                                            {.id = "second_calls", .unit = UNIT_COUNT}};
    struct table *table = document_table(document, "call_tree", NULL, FOR_PROGRAMS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

void comparison_add_call_tree(struct document *document, const struct comparison *comparison, int version)
{
    const struct study_run *runs[N_SIDES] = {comparison->versions[0].middle, comparison->versions[version].middle};
    const struct call_paths_row *rows[N_SIDES];
    size_t n_rows[N_SIDES];
    struct tree tree = {.n_nodes = 1};
    struct map places = {0};
    for (int side = 0; side < N_SIDES; side++) {
        rows[side] = result_call_paths(&runs[side]->result, &n_rows[side]);
        tree.n_processors[side] = (double)run_all_processors(runs[side]);
    }
    if (n_rows[FIRST] == 0 || n_rows[SECOND] == 0 || !(document->audience & FOR_PROGRAMS))
        return;
    tree.nodes = xcalloc(1 + n_rows[FIRST] + n_rows[SECOND], sizeof *tree.nodes);
    for (int side = 0; side < N_SIDES; side++)
        take_paths(&tree, &places, side, rows[side], n_rows[side]);
    link_children(&tree);
    add_nodes(new_table(document), &tree, comparison->versions[version].name);
    map_dispose(&places);
    free(tree.nodes);
}
