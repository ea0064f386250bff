/* Topologies for tests: of each kind some that are small, uneven or degenerate.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_TOPOLOGY_H
#define TESTS_TOPOLOGY_H

#include "sim/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Possible cycles of links, each waited for by the one before: if messages that hold links wait for others, such a
 * cycle is a deadlock. */
enum cycles { ACYCLIC, CYCLIC };

struct topology_case {
    const char *name, *dimensions;
    enum cycles cycles;
};

/* Tori: Dally and Seitz 1987; sides of up to 4 have no cycle because from the middle of a ring to node 0 the way is
 * downward. Dragonflies: Kim et al. 2008, who need two virtual channels, from three groups on. */
static const struct topology_case topology_rows[] = {
    {"mesh", "1", ACYCLIC},
    {"mesh", "7", ACYCLIC},
    {"mesh", "5x3", ACYCLIC},
    {"mesh", "1x6", ACYCLIC},
    {"mesh", "3x4x5", ACYCLIC},
    {"mesh", "2x3x2x3", ACYCLIC},
    {"mesh", "16x8", ACYCLIC},
    {"torus", "1", ACYCLIC},
    {"torus", "2", ACYCLIC},
    {"torus", "4x4", ACYCLIC},
    {"torus", "5x3", CYCLIC},
    {"torus", "1x6", CYCLIC},
    {"torus", "4x2x6", CYCLIC},
    {"torus", "7x1x2x3", CYCLIC},
    {"torus", "16x8", CYCLIC},
    {"ring", "1", ACYCLIC},
    {"ring", "2", ACYCLIC},
    {"ring", "3", ACYCLIC},
    {"ring", "4", ACYCLIC},
    {"ring", "5", CYCLIC},
    {"ring", "2x13", CYCLIC},
    {"hypercube", "1", ACYCLIC},
    {"hypercube", "2", ACYCLIC},
    {"hypercube", "16", ACYCLIC},
    {"hypercube", "16x8", ACYCLIC},
    {"star", "1", ACYCLIC},
    {"star", "2", ACYCLIC},
    {"star", "16x8", ACYCLIC},
    {"tree", "1", ACYCLIC},
    {"tree", "4x4x8", ACYCLIC},
    {"tree", "3x1x5x2", ACYCLIC},
    {"tree", "2x2x2x2x2x2x2", ACYCLIC},
    {"fat_tree", "1", ACYCLIC},
    {"fat_tree", "4x4x8", ACYCLIC},
    {"fat_tree", "4x4:1x2", ACYCLIC},
    {"fat_tree", "3x2x4:1x2x3", ACYCLIC},
    {"fat_tree", "2x3:2x1", ACYCLIC},
    {"fat_tree", "5x1x3:1x4x2", ACYCLIC},
    {"dragonfly", "1x1x1", ACYCLIC},
    {"dragonfly", "1x4x2", ACYCLIC},
    {"dragonfly", "2x3x2", ACYCLIC},
    {"dragonfly", "4x4x1", CYCLIC},
    {"dragonfly", "3x5x2", CYCLIC},
    {"dragonfly", "8x8x2", CYCLIC},
    {"dragonfly", "1x3x2x1", ACYCLIC},
    {"dragonfly", "5x2x1x2", CYCLIC},
    {"dragonfly", "9x4x2x2", CYCLIC},
    {"dragonfly", "4x4x1x2", CYCLIC},
    {"dragonfly", "2x4x2x1", ACYCLIC},
    {"dragonfly", "3x4x1x2", ACYCLIC},
    {"dragonfly", "6x3x1x3", CYCLIC},
    {"dragonfly_plus", "1x2x2:3x1", ACYCLIC},
    {"dragonfly_plus", "2x2x2:2x1", ACYCLIC},
    {"dragonfly_plus", "5x3x2:2x2", ACYCLIC},
    {"dragonfly_plus", "4x2x1:3x2", ACYCLIC},
    {"dragonfly_plus", "3x3x1:3x2", ACYCLIC},
    {"slim_fly", "3x1", CYCLIC},
    {"slim_fly", "5x1", CYCLIC},
    {"slim_fly", "7x2", CYCLIC},
    {"hyperx", "1x1", ACYCLIC},
    {"hyperx", "4x2", ACYCLIC},
    {"hyperx", "3x4x1", ACYCLIC},
    {"hyperx", "2x3x4x2", ACYCLIC},
    {"complete", "1", ACYCLIC},
    {"complete", "2", ACYCLIC},
    {"complete", "13", ACYCLIC},
    {"complete", "64", ACYCLIC},
};
enum { N_TOPOLOGY_ROWS = sizeof topology_rows / sizeof topology_rows[0] };

static inline const struct topology_spec *topology_named(const char *name)
{
    for (int i = 0; topology_specs[i] != NULL; i++)
        if (strcmp(topology_specs[i]->name, name) == 0)
            return topology_specs[i];
    abort();
}

static inline struct topology topology_of_row(const struct topology_case *row)
{
    struct topology topology;
    struct dimensions dimensions;
    struct sim_error error;
    char why[200];
    if (dimensions_parse(&dimensions, row->dimensions, why, sizeof why) != 0 ||
        topology_init(&topology, topology_named(row->name), &dimensions, 1, &error) != 0) {
        fprintf(stderr, "%s %s cannot be made\n", row->name, row->dimensions);
        abort();
    }
    return topology;
}

#endif
