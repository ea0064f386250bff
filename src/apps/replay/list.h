/* All applications.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_LIST_H
#define APPS_REPLAY_LIST_H

#include "sim/kernel/app.h"

/* NULL-terminated. */
extern const struct app_spec *const app_specs[];

/* The graphs of a program that replays a schedule whose ranks do several things at once, one for each rank, borrowed;
 * NULL: it is no such program. */
struct goal_graph;
const struct goal_graph *replay_graphs(const struct program *program);

#endif
