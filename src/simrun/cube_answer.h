/* simrun FILE.cubex: the answer to a profile in Cube's format.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_CUBE_ANSWER_H
#define SIMRUN_CUBE_ANSWER_H

#include "base/error.h"
#include "simrun/options.h"

#include <stdbool.h>

/* True if the file is such a profile. */
bool cube_answer_takes(const char *file);
/* Read it and write where its time went. */
int cube_answer_file(const char *file, const struct options *options, struct sim_error *error);

#endif
