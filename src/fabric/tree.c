/* Recognizes a fat tree of two levels, or one switch, in a graph of hosts and switches.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The nodes that a node is wired to. */
struct around {
    int hosts, leaves, others; /* nodes */
    int host_wires, up_wires;  /* to hosts; to switches without hosts */
    int wires;                 /* all of them */
    bool is_even;              /* as many to each switch */
    int per_switch;
};

static void add_end(struct around *around, const struct fabric *fabric, int to, const struct around *of, int count)
{
    around->wires += count;
    if (!fabric->nodes[to].is_switch) {
        around->hosts++;
        around->host_wires += count;
    } else if (of == NULL) {
        return;
    } else if (of->hosts > 0) {
        around->leaves++;
    } else {
        around->others++;
        around->up_wires += count;
        around->is_even &= around->per_switch == 0 || around->per_switch == count;
        around->per_switch = count;
    }
}

/* All nodes: first their hosts, then whether switches around them have hosts. */
static struct around *look_around(const struct fabric *fabric)
{
    struct around *around = xcalloc(fabric->n_nodes + 1, sizeof *around);
    for (size_t i = 0; i < fabric->n_nodes; i++)
        around[i].is_even = true;
    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct fabric_link *link = &fabric->links[i];
        add_end(&around[link->from], fabric, link->to, NULL, link->count);
        add_end(&around[link->to], fabric, link->from, NULL, link->count);
    }
    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct fabric_link *link = &fabric->links[i];
        if (fabric->nodes[link->from].is_switch && fabric->nodes[link->to].is_switch) {
            add_end(&around[link->from], fabric, link->to, &around[link->to], link->count);
            add_end(&around[link->to], fabric, link->from, &around[link->from], link->count);
        }
    }
    return around;
}

/* The rates of hosts' wires and of those between switches, if all of a kind are alike; else 0. */
static void find_rates(struct fabric *fabric)
{
    double *rates[] = {&fabric->host_Bps, &fabric->switch_Bps};
    bool is_mixed[2] = {false, false};
    for (size_t i = 0; i < fabric->n_links; i++) {
        const struct fabric_link *link = &fabric->links[i];
        int kind = fabric->nodes[link->from].is_switch && fabric->nodes[link->to].is_switch;
        double rate = kind == 0 ? link->count * link->bandwidth_Bps : link->bandwidth_Bps;
        is_mixed[kind] |= *rates[kind] > 0 && fabs(*rates[kind] - rate) > 1;
        *rates[kind] = rate;
    }
    for (int kind = 0; kind < 2; kind++)
        if (is_mixed[kind])
            *rates[kind] = 0;
}

/* Leaves with as many hosts and wires upward each, evenly to all other switches, and no wire else. */
static bool is_fat_tree(char *topology, size_t size, const struct fabric *fabric, const struct around *around)
{
    const struct around *leaf = NULL;
    int n_leaves = 0, n_tops = 0;
    for (size_t i = 0; i < fabric->n_nodes; i++) {
        if (!fabric->nodes[i].is_switch)
            continue;
        const struct around *node = &around[i];
        n_tops += node->hosts == 0;
        n_leaves += node->hosts > 0;
        if (node->hosts == 0 && node->others > 0)
            return false;
        if (node->hosts > 0 && leaf == NULL)
            leaf = node;
        if (node->hosts > 0 && (node->hosts != leaf->hosts || node->up_wires != leaf->up_wires || node->leaves > 0 ||
                                !node->is_even || node->host_wires != leaf->host_wires))
            return false;
    }
    if (leaf == NULL || n_leaves < 2 || leaf->others != n_tops || n_tops == 0 || leaf->host_wires != leaf->hosts)
        return false;
    bool says_wires = fabric->switch_Bps > 0; /* Slurm does not: as many upward as hosts are assumed */
    snprintf(topology, size, "fat_tree %dx%d:1x%d", leaf->hosts, n_leaves, says_wires ? leaf->up_wires : leaf->hosts);
    return true;
}

static bool is_one_switch(const struct fabric *fabric)
{
    int n_switches = 0;
    for (size_t i = 0; i < fabric->n_nodes; i++)
        n_switches += fabric->nodes[i].is_switch;
    return n_switches == 1;
}

/* A node that no way leads to from the first one; -1: there is none. */
static int find_apart(const struct fabric *fabric)
{
    int *group = xcalloc(fabric->n_nodes + 1, sizeof *group), apart = -1;
    for (size_t i = 0; i < fabric->n_nodes; i++)
        group[i] = (int)i;
    for (size_t i = 0; i < fabric->n_links; i++) {
        int a = fabric->links[i].from, b = fabric->links[i].to;
        while (group[a] != a)
            a = group[a] = group[group[a]];
        while (group[b] != b)
            b = group[b] = group[group[b]];
        group[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t i = 0; i < fabric->n_nodes && apart < 0; i++) {
        int node = (int)i;
        while (group[node] != node)
            node = group[node];
        apart = node != 0 ? node : -1;
    }
    free(group);
    return apart;
}

int fabric_conclude(struct fabric *fabric, struct sim_error *error)
{
    if (fabric->n_links == 0)
        return 0;
    int apart = find_apart(fabric), n_hosts = 0;
    if (apart >= 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "no way leads from '%.60s' to '%.60s' in %.200s; allowed: wires that connect all of it",
                             fabric->nodes[0].name, fabric->nodes[apart].name, fabric->sources);
    for (size_t i = 0; i < fabric->n_nodes; i++)
        n_hosts += !fabric->nodes[i].is_switch;
    if (n_hosts < 2)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%.200s: %d hosts; allowed: at least 2", fabric->sources,
                             n_hosts);
    fabric->n_hosts = n_hosts;
    find_rates(fabric);
    struct around *around = look_around(fabric);
    bool is_regular = is_one_switch(fabric) || is_fat_tree(fabric->topology, sizeof fabric->topology, fabric, around);
    free(around);
    if (is_regular)
        fabric->n_links = 0; /* the topology says it all */
    return 0;
}
