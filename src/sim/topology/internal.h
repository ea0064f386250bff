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

/* The number of hosts, where the dimensions are nothing but its factors; -1 and why if there are too many of them. */
int count_hosts(struct topology *topology, int most, char *why, size_t why_size);

/* Move a place to the i-th of n points on a circle, clockwise from the top; the radius with which n points are 1
 * apart. */
void place_on_circle(double at[3], int i, int n, double radius);
double circle_radius(int n);

/* <cluster> with its topology and parameters, or, without, a star; hosts n0, n1, ... */
void write_cluster(FILE *stream, const struct topology *topology, const struct topology_text *text, const char *kind,
                   const char *parameters);

#endif
