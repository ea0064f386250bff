/* All applications.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_LIST_H
#define APPS_REPLAY_LIST_H

#include "sim/kernel/app.h"

/* NULL-terminated. */
extern const struct app_spec *const app_specs[];

/* The schedule of a program that replays one as strands, borrowed; NULL: it is no such program. */
struct goal_file;
struct goal_file *replay_schedule(const struct program *program);

#endif
