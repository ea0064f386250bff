/* Exports to the trace that is written of a run how its links were used.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_TRACE_LINKS_H
#define EXPERIMENT_TRACE_LINKS_H

#include "metrics/result.h"
#include "trace/trace.h"

#include <stdint.h>

/* The details of the run that the trace, NULL for none, wants beside those that are asked for. */
uint32_t trace_links_details(const struct trace *trace);

/* Export to the trace, NULL for none, the links of a run that has ended. Details that are in the result only for this,
 * and were not asked for, are removed. */
void trace_links_export(struct trace *trace, struct result *result, uint32_t asked);

#endif
