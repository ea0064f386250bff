/* Names in order: what the files of this folder share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_GRAPH_INTERNAL_H
#define SIM_GRAPH_INTERNAL_H

/* A name, and the place of what it names. */
struct graph_name {
    const char *text;
    int place;
};

/* For qsort() and bsearch(). */
int graph_compare_names(const void *left, const void *right);

#endif
