/* A machine as a drawing has it: hosts and switches, where they are, and which of them a link connects.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_NODES_H
#define SIM_MACHINE_NODES_H

#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The topology that the machine is known to have: it was made of it, or its platform says so, by prop `topology` or
 * `mesh`. False where nothing is known. */
bool machine_topology(struct topology *topology, const struct machine *machine);

enum { NO_NODE = -1 };

/* From and to nodes, NO_NODE where that is not known. */
struct link_ends {
    int32_t from, to;
};

struct machine_nodes;

/* Hosts are the nodes 0 ... n_hosts - 1, known switches follow. The ends of links that a platform lists are those that
 * routes tell: where one route goes on, or all that begin with a link begin, there it begins. To look at them the
 * machine is asked for some routes. It lives longer. */
struct machine_nodes *machine_nodes_new(struct machine *machine);
void machine_nodes_free(struct machine_nodes *nodes);

int machine_nodes_count(const struct machine_nodes *nodes);
/* True if the node has a place: of a mesh that is a part of the machine the other hosts have none. */
bool machine_node_is_drawn(const struct machine_nodes *nodes, int node);
bool machine_node_is_host(const struct machine_nodes *nodes, int node);
void machine_node_name(char *text, size_t text_size, const struct machine_nodes *nodes, int node);
/* See topology_place(); hosts of an unknown topology are on a circle. */
void machine_node_place(double at[3], const struct machine_nodes *nodes, int node);

/* True if the number is that of a link; its ends. */
bool machine_link_is_one(const struct machine_nodes *nodes, int link);
struct link_ends machine_link_ends(const struct machine_nodes *nodes, int link);

#endif
