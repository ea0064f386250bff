/* The parts of analyzing a trace, between the files that hold them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_ANALYSE_PARTS_H
#define SIMRUN_ANALYSE_PARTS_H

#include "simrun/options.h"
#include "study/run.h"
#include "trace/analysis/analysis.h"

/* simrun/analyse_check.c: -1 with an error if an option does not go with a trace, or there is nothing to analyze in
 * this one. */
int analyse_check_options(const char *file, const struct options *options, struct sim_error *error);
int analyse_check_info(const char *file, const struct record_info *info, struct sim_error *error);

/* simrun/analyse_run.c: the file's name without folder and extension; where it is the usual "traces" of an archive,
 * that of the folder. */
void analyse_name_trace(char *name, size_t size, const char *file);
/* The ranks, and what the program says of itself; of two of the same name the first. */
void analyse_add_parameters(struct study_run *run, const struct record_info *info, int n_ranks);
/* Operations, quantums and collectives, and the costs of each. */
void analyse_add_counts(struct result *result, const struct analysis_stats *stats);

#endif
