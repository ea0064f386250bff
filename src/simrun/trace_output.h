/* The output of simrun trace, which libeppa writes: an archive or a profile.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_TRACE_OUTPUT_H
#define SIMRUN_TRACE_OUTPUT_H

#include "base/error.h"

/* ".otf2" of "run.otf2", "" of what has none. */
const char *trace_output_extension(const char *file);

/* Before the program runs: -1 with SIM_BAD_INPUT if libeppa could not write the file after it, for its name, for its
 * place or for what is there. */
int trace_output_check(const char *file, struct sim_error *error);

#endif
