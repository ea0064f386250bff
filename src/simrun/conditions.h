/* The conditions of --runs: "ranks=64", "broadcast!=flat", "time_s<10ms". */
#ifndef SIMRUN_CONDITIONS_H
#define SIMRUN_CONDITIONS_H

#include "base/error.h"
#include "store/store.h"

#include <stdint.h>

/* The numbers of the stored runs that fulfil all conditions, rising; to be freed. A name that no run has is an error,
 * and so is a value that no run can have. */
int conditions_select(int64_t **ids, int *n_ids, struct store *store, char *const *texts, int n_texts,
                      struct sim_error *error);

#endif
