/* Questions to an experiment store: its runs, and two of them side by side. */
#ifndef SIMRUN_STORE_H
#define SIMRUN_STORE_H

#include "base/error.h"
#include "simrun/options.h"

/* Answer --runs or --compare. */
int stored_answer(const struct options *options, struct sim_error *error);

#endif
