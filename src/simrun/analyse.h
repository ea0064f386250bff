/* Analysis of a trace of a real run, or of a simulated one: the same report as of a simulation.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_ANALYSE_H
#define SIMRUN_ANALYSE_H

#include "base/error.h"
#include "simrun/options.h"
#include "study/run.h"

#include <stdbool.h>
#include <stdint.h>

/* True if a file is a trace that is read: record_format_of(). */
bool analyse_is_trace(const char *file);

/* Analyze it and write the report, and with --trace its intervals in another format. */
int analyse_file(const char *file, const struct options *options, struct sim_error *error);

/* Analyze it as one of several runs, to be disposed of. */
int analyse_run(struct study_run *run, const char *file, const struct options *options, struct sim_error *error);
/* The same of a part of a trace alone, whatever the options: 1, 0 if it has no times, or -1. */
int analyse_plainly(struct study_run *run, const char *file, const struct part_request *part, struct sim_error *error);
void analyse_run_dispose(struct study_run *run);

/* T_seq as --baseline says it, by a trace or as a time; -1 if it is not given. */
int analyse_sequential(int64_t *sequential_ps, const struct options *options, struct sim_error *error);

#endif
