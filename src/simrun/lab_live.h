/* Pages that simulate: a report with the simulator in it, and with all that its scenario is made of, so that its reader
 * can ask what else might have been.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LAB_LIVE_H
#define SIMRUN_LAB_LIVE_H

#include "base/builder.h"
#include "sim/scenario/scenario.h"
#include "simrun/options.h"

/* Make the block of the page, JSON: { spec: what its controls are, as page/lab/spec.js reads it, files: by name }. -1
 * where the format is no page, the simulator has not been built, or a page cannot hold a file: one that is no text, or
 * has more than 64 MiB. block->text is to be freed. */
int lab_live_make(struct builder *block, const struct scenario *scenario, const struct options *options,
                  struct sim_error *error);

/* -1: an analysis of a trace simulates nothing, unless it is replayed on a platform. */
int lab_live_refuse_trace(const char *file, struct sim_error *error);

#endif
