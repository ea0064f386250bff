/* What a store holds, written: its runs, and two of them side by side. */
#ifndef SIMRUN_STORE_H
#define SIMRUN_STORE_H

#include "base/error.h"
#include "simrun/options.h"
#include "store/store.h"

#include <stdint.h>
#include <stdio.h>

/* The first of options->files is the name of the store. All runs, or those that fulfil the conditions in the others. */
int store_write_runs(FILE *stream, struct store *store, const struct options *options, struct sim_error *error);

/* The two runs of these numbers. */
int store_write_pair(FILE *stream, struct store *store, const int64_t ids[2], const struct options *options,
                     struct sim_error *error);

/* The numbers of the stored runs that fulfil all conditions, such as "ranks=64", "broadcast!=flat" and "time_s<10ms",
 * rising; to be freed. A name that no run has is an error, and so is a value that no run can have; conditions.c. */
int conditions_select(int64_t **ids, int *n_ids, struct store *store, char *const *texts, int n_texts,
                      struct sim_error *error);

#endif
