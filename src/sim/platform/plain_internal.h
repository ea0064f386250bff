/* Plain platforms: those whose routes need no SimGrid. They have one zone, and in it either hosts, routers, links and
 * routes, or one cluster of hosts with a wire each; and every wire is as it is written, at all times. So they have no
 * profile, nothing that is passed over, and no number without unit.
 *
 * Whatever is written in a way that is not known here, or might be wrong, is not plain. It is read as a document and
 * left to SimGrid, whose messages say what is wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_PLAIN_INTERNAL_H
#define SIM_PLATFORM_PLAIN_INTERNAL_H

#include "sim/graph/graph.h"
#include "sim/machine/prop.h"

#include <stdbool.h>
#include <stddef.h>

/* Read a platform's text, which is not made into a document: its elements are taken as they come. props->file is set;
 * the others are filled. False, and nothing to be disposed of, if it is not plain. */
bool plain_read(struct graph *graph, struct machine_props *props, const char *text, size_t size);

/* ---- What the files that do so share ---- */

enum { PLAIN_MOST_ATTRIBUTES = 8 }; /* of an element: a cluster has 7 */

struct plain_element {
    const char *name;
    long line;
    int n_attributes;
    struct {
        const char *name, *value;
    } attributes[PLAIN_MOST_ATTRIBUTES];
};

/* The part of the zone that has been read last, in the order in which parts must be there. */
enum plain_stage { PLAIN_PROPS, PLAIN_PARTS, PLAIN_ROUTES, PLAIN_CLUSTER };

struct plain {
    struct graph graph;
    struct machine_props *props;
    enum plain_stage stage;
    char *zone;                /* its name; NULL: not yet there */
    struct graph_names *names; /* NULL until the first route */
    bool is_symmetrical;       /* the route that is being read */
};

/* An element in so many others begins, or ends. False: it is not plain. */
bool plain_begin(struct plain *plain, const struct plain_element *element, int depth);
bool plain_end(struct plain *plain, int depth);

#endif
