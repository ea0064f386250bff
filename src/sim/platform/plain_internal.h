/* Plain platforms: those whose routes need no SimGrid. They have one zone, and in it either hosts, routers, links and
 * routes, or one cluster of hosts with a wire each; and every wire is as it is written, at all times.
 *
 * Whatever is written in a way that is not known here, or might be wrong, is not plain. It is left to SimGrid, whose
 * messages say what is wrong. */
#ifndef SIM_PLATFORM_PLAIN_INTERNAL_H
#define SIM_PLATFORM_PLAIN_INTERNAL_H

#include "sim/graph/graph.h"

#include <stdbool.h>

/* Read a checked document. False, and nothing to be disposed of, if it is not plain. */
struct _xmlDoc;
bool plain_read(struct graph *graph, const struct _xmlDoc *document);

#endif
