/* Tables of links, nodes, placement and topology, and the bins of links.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/links.h"

#include "base/memory.h"
#include "base/range.h"
#include "sim/machine/nodes.h"

#include <stdlib.h>

static struct result_table *add_table(struct result *result, enum table_id id)
{
    struct result_table *table = result_add_table(result, id);
    table->of_detail = true;
    return table;
}

/* ---- Topology ---- */

static void add_topology(struct result *result, const struct machine *machine)
{
    struct topology topology;
    struct topology_facts facts;
    char name[200];
    if (!machine_topology(&topology, machine))
        return;
    topology_facts(&facts, &topology);
    topology_format(name, sizeof name, &topology);
    struct result_table *table = add_table(result, TABLE_TOPOLOGY);
    if (machine->links_per_host == 0)
        result_leave_out(table, offsetof(struct topology_row, links_per_host));
    *result_add_topology(table) = (struct topology_row){.name = result_name(name),
                                                        .hosts = facts.hosts,
                                                        .switches = facts.switches,
                                                        .wires = facts.wires,
                                                        .diameter = facts.diameter,
                                                        .bisection = facts.bisection,
                                                        .degree = facts.degree,
                                                        .host_degree = facts.host_degree,
                                                        .links_per_host = machine->links_per_host};
}

/* ---- Which links and nodes ---- */

struct shown {
    const struct machine_nodes *nodes;
    const struct link_loads *loads;
    bool *links, *of_nodes;
};

static bool is_used(const struct link_loads *loads, int link)
{
    return link_loads_of(loads, link)->messages > 0;
}

static int count_links(const struct shown *shown)
{
    int count = 0;
    for (int link = 0; link < link_loads_count(shown->loads); link++)
        count += machine_link_is_one(shown->nodes, link);
    return count;
}

static void show_node(struct shown *shown, int node)
{
    if (node != NO_NODE)
        shown->of_nodes[node] = machine_node_is_drawn(shown->nodes, node);
}

static struct shown choose(const struct machine_nodes *nodes, const struct link_loads *loads,
                           const struct placement *placement)
{
    int n_links = link_loads_count(loads), n_nodes = machine_nodes_count(nodes);
    struct shown shown = {.nodes = nodes, .loads = loads};
    shown.links = xcalloc((size_t)n_links + 1, sizeof *shown.links);
    shown.of_nodes = xcalloc((size_t)n_nodes + 1, sizeof *shown.of_nodes);
    bool all_links = count_links(&shown) <= LINKS_MOST, all_nodes = n_nodes <= LINKS_MOST;
    for (int link = 0; link < n_links; link++) {
        shown.links[link] = machine_link_is_one(nodes, link) && (all_links || is_used(loads, link));
        if (shown.links[link]) {
            show_node(&shown, machine_link_ends(nodes, link).from);
            show_node(&shown, machine_link_ends(nodes, link).to);
        }
    }
    for (int node = 0; all_nodes && node < n_nodes; node++)
        show_node(&shown, node);
    for (int rank = 0; rank < placement->n_ranks; rank++)
        show_node(&shown, placement_host(placement, rank));
    return shown;
}

/* ---- Nodes and ranks ---- */

/* NO_NODE has none. */
static const char *name_of(const struct machine_nodes *nodes, int node)
{
    char name[48] = "";
    if (node != NO_NODE)
        machine_node_name(name, sizeof name, nodes, node);
    return result_name(name);
}

static void add_nodes(struct result *result, const struct shown *shown)
{
    struct result_table *table = add_table(result, TABLE_NODES);
    for (int node = 0; node < machine_nodes_count(shown->nodes); node++) {
        if (!shown->of_nodes[node])
            continue;
        struct nodes_row *row = result_add_nodes(table);
        row->node = name_of(shown->nodes, node);
        row->kind = machine_node_is_host(shown->nodes, node) ? NODE_HOST : NODE_SWITCH;
        machine_node_place(row->at, shown->nodes, node);
    }
}

static void add_placement(struct result *result, const struct machine_nodes *nodes, const struct placement *placement)
{
    struct result_table *table = add_table(result, TABLE_PLACEMENT);
    for (int rank = 0; rank < placement->n_ranks; rank++)
        *result_add_placement(table) = (struct placement_row){rank, name_of(nodes, placement_host(placement, rank))};
}

/* ---- Links ---- */

static void add_links(struct result *result, const struct shown *shown, const struct machine *machine)
{
    struct result_table *table = add_table(result, TABLE_LINKS);
    for (int link = 0; link < link_loads_count(shown->loads); link++) {
        const struct link_load *load = link_loads_of(shown->loads, link);
        struct link_ends ends = machine_link_ends(shown->nodes, link);
        if (shown->links[link])
            *result_add_links(table) = (struct links_row){.link = result_name(machine_link_name(machine, link)),
                                                          .from = name_of(shown->nodes, ends.from),
                                                          .to = name_of(shown->nodes, ends.to),
                                                          .messages = load->messages,
                                                          .bytes = load->bytes,
                                                          .busy_ps = load->busy_ps,
                                                          .waited_ps = load->waited_ps};
    }
}

static void add_bins(struct result *result, const struct shown *shown, struct link_loads *loads, int64_t n_runs)
{
    const int64_t most_bins = int64_min(LINKS_MOST_BINS, LINKS_MOST_BINS_OF_ALL / int64_max(n_runs, 1));
    struct result_bins *bins = &result->link_bins;
    int n_used = 0, used = 0, row = 0;
    for (int link = 0; link < link_loads_count(loads); link++)
        n_used += is_used(loads, link);
    while (n_used > 0 && link_loads_bin_count(loads) > 1 && n_used * link_loads_bin_count(loads) > most_bins)
        link_loads_coarsen(loads);
    size_t n_bins = (size_t)link_loads_bin_count(loads);
    if (n_used == 0)
        return;
    result_set_bins(bins, (size_t)n_used, n_bins);
    bins->bin_ps = link_loads_bin_ps(loads);
    for (int link = 0; link < link_loads_count(loads); row += shown->links[link++]) {
        if (!is_used(loads, link))
            continue;
        const struct link_bin *from = link_loads_bins(loads, link);
        bins->link[used] = row;
        for (size_t i = 0; i < n_bins; i++) {
            bins->busy_ps[(size_t)used * n_bins + i] = from[i].busy_ps;
            bins->bytes[(size_t)used * n_bins + i] = from[i].bytes;
        }
        used++;
    }
}

void links_report(struct result *result, const struct simulation *simulation, struct link_loads *loads)
{
    struct machine_nodes *nodes = machine_nodes_new(simulation->machine);
    struct shown shown = choose(nodes, loads, &simulation->placement);
    add_topology(result, simulation->machine);
    add_nodes(result, &shown);
    add_placement(result, nodes, &simulation->placement);
    add_links(result, &shown, simulation->machine);
    add_bins(result, &shown, loads, simulation->n_runs);
    free(shown.links);
    free(shown.of_nodes);
    machine_nodes_free(nodes);
}

void links_forget(struct result *result)
{
    static const enum table_id tables[] = {TABLE_TOPOLOGY, TABLE_NODES, TABLE_PLACEMENT, TABLE_LINKS};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        result_remove_table(result, tables[i]);
    result_remove_bins(&result->link_bins);
}
