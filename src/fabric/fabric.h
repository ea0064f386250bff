/* The nodes and wires of a machine, as descriptions that people have say them: hwloc's XML (lstopo), Slurm's
 * topology.conf, the output of ibnetdiscover. The kind of a file is told by its content.
 *
 * A tree of switches that is as regular as a fat tree becomes one, with dimensions as simrun has them; any other stays
 * a graph.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include "base/error.h"
#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>

enum { FABRIC_NODES = 1 << 16, FABRIC_LINKS = 1 << 18 }; /* at most */

struct fabric_node {
    char *name;
    bool is_switch;
};

/* Wires side by side between two nodes, in both directions. */
struct fabric_link {
    int from, to; /* from < to */
    int count;
    double bandwidth_Bps; /* of one of them; 0: not known */
};

struct fabric {
    char machine[80];   /* the name of a host's model; "": not known */
    int cores;          /* of a host; 0: not known */
    int packages;       /* that they are in; 0: not known */
    int n_hosts;        /* 0: not known */
    char topology[160]; /* "fat_tree 18x44:1x9"; "": not known, or the graph */
    double host_Bps;    /* of all wires of a host, and of a wire between switches; 0: not known */
    double switch_Bps;
    struct fabric_node *nodes; /* of the graph */
    size_t n_nodes, nodes_capacity;
    struct fabric_link *links;
    size_t n_links, links_capacity;
    struct map places; /* of the nodes, by their names */
    struct map pairs;  /* of the links, by their nodes */
    char sources[256]; /* the files, for a comment */
};

/* True if a file begins as a description does. False, too, for what cannot be read. */
bool fabric_is_description(const char *file);

/* Add what a description says; an error names file and line. */
int fabric_read(struct fabric *fabric, const char *file, struct sim_error *error);
/* All descriptions are read: find the topology of the graph. An error if it is not connected. */
int fabric_conclude(struct fabric *fabric, struct sim_error *error);
void fabric_dispose(struct fabric *fabric);

#endif
