/* The experiment store of a sweep: which of its runs are in it, and those that it adds.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_RUN_CACHE_H
#define EXPERIMENT_RUN_CACHE_H

#include "base/error.h"
#include "sim/scenario/scenario.h"
#include "study/run.h"

#include <stdbool.h>
#include <stdint.h>

struct run_cache;

/* Open the store, and make it ready for runs of the scenario on its platforms. `causes` are those that --what-if asks
 * for, which decide what a run says; 0: none, or those of the scenario. */
int run_cache_open(struct run_cache **cache, const char *store_file, const struct scenario *scenario,
                   int64_t sequential_ps, uint32_t causes, struct sim_error *error);
/* After the last use of runs that it has found. NULL is fine. */
void run_cache_close(struct run_cache *cache);

/* Another program that has runs of this scenario in the store, which are not taken; to be freed. NULL: none. */
int run_cache_find_other(char **program, struct run_cache *cache, int n_platforms, struct sim_error *error);

/* The name of the file. */
const char *run_cache_file(const struct run_cache *cache);

/* Take the run with the parameters of *run, on the scenario's platform of that index, from the store, if it is
 * there. */
int run_cache_find(bool *found, struct run_cache *cache, int platform, struct study_run *run, struct sim_error *error);
/* Add it under the number that it has in its sweep, from 1, or else under the next one that is free. */
int run_cache_add(struct run_cache *cache, int platform, int number, const struct study_run *run,
                  struct sim_error *error);

/* Add the run of a trace. */
int run_cache_add_trace(const char *store_file, const char *trace_file, const char *name, const char *baseline,
                        int64_t sequential_ps, const struct study_run *run, struct sim_error *error);

#endif
