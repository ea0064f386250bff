/* Notes for a reader of a run's results: where the machine that was simulated is not quite the one that the platform
 * describes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_NOTES_H
#define EXPERIMENT_NOTES_H

#include "core/memory.h"
#include "core/simulation.h"
#include "sim/kernel/kernel.h"
#include "sim/machine/machine.h"
#include "sim/program/placement.h"
#include "study/run.h"
#include "trace/analysis/analysis.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* The ranks' data, and the `sequential_bytes` of one rank alone, against the memory of a host; 0 bytes say nothing. */
void notes_on_memory(struct study_run *run, const struct memory_use *use, int64_t sequential_bytes,
                     const struct machine *machine);

/* Features of the platform that are not simulated; hosts with ranks that differ in speed, or whose availability
 * changes; a topology that is larger than the platform, where it has been made as large as the ranks need
 * (`chooses_dimensions`). */
void notes_on_machine(struct study_run *run, const struct simulation *simulation, bool chooses_dimensions);
/* If links are shown for which no message waits. */
void notes_on_links(struct study_run *run, const struct simulation *simulation);

/* Messages within a host that take no time. */
void notes_on_local(struct study_run *run, const struct machine *machine, const struct kernel_stats *stats);

/* Calls of a kernel with dimensions that its polynomial was not fitted for; and, of a run with a check, what it has
 * checked. */
void notes_on_range(struct study_run *run, const struct kernel_stats *stats);

/* The iterations of a traced run, told by the scope or function `name`, NULL if nothing repeats; as its tables have
 * them. */
void notes_on_iterations(struct study_run *run, const char *name);
/* Gaps of a trace that has been analyzed, and anything in it that does not fit together. */
void notes_on_analysis(struct study_run *run, const struct record_info *info, const struct analysis_stats *stats);
/* The same of one that has been replayed, or of any other simulation, of which `info` is NULL. */
void notes_on_replay(struct study_run *run, const struct program *program, const struct kernel_stats *stats);

/* A note on who chose the algorithms for which a replay says `auto`, where the trace says which library ran. */
void notes_on_collectives(struct study_run *run, const struct simulation *simulation,
                          const struct algorithms *algorithms);

#endif
