/* simrun check of a trace: all of it is read, and each message has its other side.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_CHECK_TRACE_H
#define SIMRUN_CHECK_TRACE_H

#include "base/error.h"

/* Say in a line that it is in order; or -1 with what is not. */
int check_trace(const char *file, struct sim_error *error);

#endif
