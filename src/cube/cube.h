/* Profiles in Cube's format 4 (.cubex), as Score-P and Scalasca write them: values of metrics for each node of the call
 * tree and each location.
 *
 * A .cubex is a tar archive, which gzip may have packed. Its anchor.xml has the metrics, the program's regions and call
 * tree, and the locations; of metric N the file N.index names nodes, and N.data has their values ("Cube file format",
 * docs/cube_file_format.md of pyCubexR; Saviankou et al. 2015).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CUBE_CUBE_H
#define CUBE_CUBE_H

#include "base/error.h"
#include "cube/tar.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types of values that are summed: whole numbers, with and without sign, and real ones. */
enum cube_type { CUBE_OTHER, CUBE_SIGNED, CUBE_UNSIGNED, CUBE_REAL };

struct cube_metric {
    char *name, *title, *unit; /* "time", "Time", "sec" */
    int64_t id;
    uint8_t type;      /* enum cube_type; CUBE_OTHER: its values cannot be summed, and are not read */
    uint8_t n_bytes;   /* of a value */
    bool is_inclusive; /* the file's values have those of nodes below in them */
    bool is_stored;    /* there are values; others are computed by Cube */
};

struct cube_region {
    char *name, *paradigm; /* "MPI_Send", "mpi" */
};

/* A node of the call tree; its children have larger numbers. */
struct cube_node {
    int32_t region, parent; /* -1: it has none */
    int32_t n_children;
    int32_t wide; /* its number among the values of inclusive metrics */
};

struct cube_location {
    char *name, *group; /* "Master thread", "MPI Rank 3" */
};

struct cube {
    struct tar tar;
    char *creator; /* or NULL */
    struct cube_metric *metrics;
    struct cube_region *regions;
    struct cube_node *nodes;
    struct cube_location *locations;
    size_t n_metrics, n_regions, n_nodes, n_locations;
    size_t metrics_capacity, regions_capacity, nodes_capacity, locations_capacity;
};

/* Open a profile and read all but its values: 0, or -1 with an error that names the file. The caller closes, in any
 * case. */
int cube_open(struct cube *cube, const char *file, struct sim_error *error);
void cube_close(struct cube *cube);

/* Read the anchor (cube/anchor.c). */
int cube_read_anchor(struct cube *cube, const char *text, size_t size, struct sim_error *error);

/* The values of a stored metric without those of nodes below, to be freed: [node * n_locations + location]. A node that
 * the file leaves out has 0. */
int cube_read_values(double **values, const struct cube *cube, const struct cube_metric *metric,
                     struct sim_error *error);

#endif
