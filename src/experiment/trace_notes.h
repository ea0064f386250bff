/* What a reader of a traced run's results should know of the trace: what it lacks, and what does not fit together. */
#ifndef EXPERIMENT_TRACE_NOTES_H
#define EXPERIMENT_TRACE_NOTES_H

#include "sim/kernel/kernel.h"
#include "study/run.h"
#include "trace/analysis/analysis.h"
#include "trace/record/record.h"

/* Of a trace that has been analysed. */
void trace_notes_analysed(struct study_run *run, const struct record_info *info, const struct analysis_stats *stats);

/* Of one that has been replayed, or of any other simulation, of which `info` is NULL. */
void trace_notes_simulated(struct study_run *run, const struct record_info *info, const struct kernel_stats *stats);

#endif
