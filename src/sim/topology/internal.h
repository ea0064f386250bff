/* Declarations that topologies share. Nothing else includes this.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_TOPOLOGY_INTERNAL_H
#define SIM_TOPOLOGY_INTERNAL_H

#include "sim/topology/topology.h"

/* Grids, with a way round (torus) or without (mesh): 2 links for each host and dimension, up and down.
 *
 * Dimension order: along the first side, then along the second ... In a torus the shorter way around; of two equal ones
 * upward, but from node side/2 to node 0 downward, as SimGrid goes. A side of 2 has one wire, no second one round. */
int grid_build(struct topology *topology, char *why, size_t why_size);
void grid_segment(const struct topology *topology, int from, int to, struct topology_segment *segment);
int grid_options(const struct topology *topology, int from, int to);
void grid_option(const struct topology *topology, int from, int to, int option, struct topology_segment *segment);
int grid_hops(const struct topology *topology, int from, int to);
bool grid_ends(const struct topology *topology, int link, int *from, int *to);
void grid_facts(struct topology_facts *facts, const struct topology *topology);
void grid_place(double at[3], const struct topology *topology, int node);
void torus_write(FILE *stream, const struct topology *topology, const struct topology_text *text);
void grid_choose(struct dimensions *dimensions, int n_hosts);

/* One side only. */
void line_choose(struct dimensions *dimensions, int n_hosts);

/* Fat trees, levels from the hosts up: side[l] children and up[l] parents of the nodes at either end of level l's wires
 * (XGFT, Oehring et al. 1995). A tree has one parent of each. */
int tree_build(struct topology *topology, char *why, size_t why_size);
int fat_tree_build(struct topology *topology, char *why, size_t why_size);
void fat_tree_segment(const struct topology *topology, int from, int to, struct topology_segment *segment);
int fat_tree_hops(const struct topology *topology, int from, int to);
enum wire_level fat_tree_level(const struct topology *topology, int link);
bool fat_tree_ends(const struct topology *topology, int link, int *from, int *to);
void fat_tree_facts(struct topology_facts *facts, const struct topology *topology);
void fat_tree_place(double at[3], const struct topology *topology, int node);
void fat_tree_write(FILE *stream, const struct topology *topology, const struct topology_text *text);
void fat_tree_choose(struct dimensions *dimensions, int n_hosts);

/* The wires between groups of routers, see struct group_wires; ports 0: absolute. */
struct group_wires group_wires_of(int groups, int routers, int ports);
/* -1, and why, where a router would have two wires to a group, or two groups none. */
int group_wires_check(int groups, int routers, int ports, const char *router, char *why, size_t why_size);
/* The group behind a port of a group, and the router there, counted over all groups; -1: none. */
int group_wires_behind(const struct group_wires *wires, int group, int port);
int group_wires_far_router(const struct group_wires *wires, int group, int port);
/* The port of the group of `here` by which routes go from that router to one of another group: its own, if it has a
 * wire there; otherwise that of a wire that ends at `there`; otherwise it depends on `there`. */
int group_wires_towards(const struct group_wires *wires, int here, int there);
/* The same where all routers of the group are as near: the port at whose end is `there`, if there is one. */
int group_wires_to(const struct group_wires *wires, int group, int there);
/* A router of a third group at which a wire from `group` ends, drawn; -1: there is no third group. */
int group_wires_detour(const struct group_wires *wires, int group, int to_group, uint64_t random);
/* True if each router has a wire to each other group; the wires of the router that has most. */
bool group_wires_of_all(const struct group_wires *wires);
int group_wires_most(const struct group_wires *wires);
/* Wires between groups that are cut where the `far` groups behind group 0 are on the far side, and of that 0 to all of
 * its routers, those first that have the most wires to the far side; to be freed. */
int64_t *group_wires_cuts(const struct group_wires *wires, int far);
/* The same where of every group so many routers are on the far side, the first ones; not of the absolute
 * arrangement. */
int64_t group_wires_crossing(const struct group_wires *wires, int routers);

/* A switch that is neither of two; -1: there is none. */
int any_other_switch(const struct topology *topology, int one, int two, uint64_t random);

/* Wires of hosts to cut so that either side has half, one at most more, of which `there` are on the far side. */
int64_t hosts_to_cut(int64_t hosts, int64_t there);

/* Where a link is, if the links of hosts come first, and all others are between switches that have hosts. */
enum wire_level leaf_level(const struct topology *topology, int link);

/* The number of hosts, where the dimensions are nothing but its factors; -1 and why if there are too many of them. */
int count_hosts(struct topology *topology, int most, char *why, size_t why_size);

/* Move a place to the i-th of n points on a circle, clockwise from the top; the radius with which n points are 1
 * apart. */
void place_on_circle(double at[3], int i, int n, double radius);
double circle_radius(int n);

/* <cluster> with its topology and parameters, or, without, a star; hosts n0, n1, ... */
void write_cluster(FILE *stream, const struct topology *topology, const struct topology_text *text, const char *kind,
                   const char *parameters);

/* Write a topology for which SimGrid has no cluster: hosts n0, n1, ..., a link for each direction of a wire, and the
 * routes of all pairs. */
void write_routes(FILE *stream, const struct topology *topology, const struct topology_text *text);

#endif
