/* Tables of links, nodes, placement and topology, and the bins of links. */
#include "core/links.h"

#include "base/memory.h"
#include "base/range.h"
#include "sim/machine/nodes.h"

#include <stdio.h>
#include <stdlib.h>

static struct result_table *add_table(struct result *result, const char *name, const struct result_column *columns,
                                      size_t n_columns)
{
    struct result_table *table = result_add_table(result, name, columns, n_columns);
    table->of_detail = true;
    return table;
}

/* ---- Topology ---- */

static void add_topology(struct result *result, const struct machine *machine)
{
    static const struct result_column columns[] = {
        {"name", MEASURE_TEXT},    {"hosts", MEASURE_COUNT},       {"switches", MEASURE_COUNT},
        {"wires", MEASURE_COUNT},  {"diameter", MEASURE_COUNT},    {"bisection", MEASURE_COUNT},
        {"degree", MEASURE_COUNT}, {"host_degree", MEASURE_COUNT}, {"links_per_host", MEASURE_COUNT},
    };
    struct topology topology;
    struct topology_facts facts;
    char name[200];
    if (!machine_topology(&topology, machine))
        return;
    topology_facts(&facts, &topology);
    topology_format(name, sizeof name, &topology);
    size_t n_columns = sizeof columns / sizeof columns[0];
    struct result_table *table = add_table(result, "topology", columns, n_columns - (machine->links_per_host == 0));
    table->is_record = true;
    union result_cell *row = result_add_row(table);
    const int64_t counts[] = {facts.hosts,     facts.switches, facts.wires,       facts.diameter,
                              facts.bisection, facts.degree,   facts.host_degree, machine->links_per_host};
    snprintf(row[0].text, sizeof row[0].text, "%.47s", name);
    for (size_t i = 1; i < table->n_columns; i++)
        row[i].number = counts[i - 1];
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

static void add_nodes(struct result *result, const struct shown *shown)
{
    static const struct result_column columns[] = {{"node", MEASURE_TEXT},
                                                   {"kind", MEASURE_TEXT},
                                                   {"x", MEASURE_RATIO},
                                                   {"y", MEASURE_RATIO},
                                                   {"z", MEASURE_RATIO}};
    struct result_table *table = add_table(result, "nodes", columns, sizeof columns / sizeof columns[0]);
    for (int node = 0; node < machine_nodes_count(shown->nodes); node++) {
        double at[3];
        if (!shown->of_nodes[node])
            continue;
        union result_cell *row = result_add_row(table);
        machine_node_name(row[0].text, sizeof row[0].text, shown->nodes, node);
        snprintf(row[1].text, sizeof row[1].text, "%s", machine_node_is_host(shown->nodes, node) ? "host" : "switch");
        machine_node_place(at, shown->nodes, node);
        for (int axis = 0; axis < 3; axis++)
            row[2 + axis].ratio = at[axis];
    }
}

static void add_placement(struct result *result, const struct machine_nodes *nodes, const struct placement *placement)
{
    static const struct result_column columns[] = {{"rank", MEASURE_COUNT}, {"host", MEASURE_TEXT}};
    struct result_table *table = add_table(result, "placement", columns, sizeof columns / sizeof columns[0]);
    for (int rank = 0; rank < placement->n_ranks; rank++) {
        union result_cell *row = result_add_row(table);
        row[0].number = rank;
        machine_node_name(row[1].text, sizeof row[1].text, nodes, placement_host(placement, rank));
    }
}

/* ---- Links ---- */

static void name_end(union result_cell *cell, const struct machine_nodes *nodes, int node)
{
    if (node != NO_NODE)
        machine_node_name(cell->text, sizeof cell->text, nodes, node);
}

static void add_links(struct result *result, const struct shown *shown, const struct machine *machine)
{
    static const struct result_column columns[] = {
        {"link", MEASURE_TEXT},   {"from", MEASURE_TEXT},   {"to", MEASURE_TEXT},       {"messages", MEASURE_COUNT},
        {"bytes", MEASURE_COUNT}, {"busy_s", MEASURE_TIME}, {"waited_s", MEASURE_TIME},
    };
    struct result_table *table = add_table(result, "links", columns, sizeof columns / sizeof columns[0]);
    for (int link = 0; link < link_loads_count(shown->loads); link++) {
        const struct link_load *load = link_loads_of(shown->loads, link);
        struct link_ends ends = machine_link_ends(shown->nodes, link);
        if (!shown->links[link])
            continue;
        union result_cell *row = result_add_row(table);
        snprintf(row[0].text, sizeof row[0].text, "%.47s", machine_link_name(machine, link));
        name_end(&row[1], shown->nodes, ends.from);
        name_end(&row[2], shown->nodes, ends.to);
        row[3].number = load->messages;
        row[4].number = load->bytes;
        row[5].number = load->busy_ps;
        row[6].number = load->waited_ps;
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
    static const char *const tables[] = {"topology", "nodes", "placement", "links"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        result_remove_table(result, tables[i]);
    result_remove_bins(&result->link_bins);
}
