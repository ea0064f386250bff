/* Counters of an archive.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_COUNTERS_H
#define TRACE_OTF2_COUNTERS_H

#include "interval/counters.h"
#include "trace/otf2/input.h"

/* Read all events of an archive that is open once more, and add what its counters have counted, whose rows the caller
 * frees. 0, or -1 with an error. */
int otf_counters_read(struct counters *counters, struct otf_input *input, struct sim_error *error);

#endif
