/* Cuts the intervals of a run to a part of it: what lies outside is not passed on, what crosses a border is cut there,
 * and time begins with the part. So its states add up to its time exactly, and parts that follow each other to the
 * whole.
 *
 * A message is sent where its sending begins, and received where what comes begins to come, if it was sent in the part.
 * A collective counts where it is complete, a call where it begins, operations and quantums by their share of the time.
 * An interval that depends on something outside of the part depends, in the part, on its own location.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PART_CUT_H
#define TRACE_PART_CUT_H

#include "interval/interval.h"
#include "trace/part/part.h"

struct part_counts {
    int64_t quantums, message_quantums, n_collectives; /* of the part */
    struct record_part said;
};

struct part_cut;

/* Describe the part in *setup, which is the whole run's; *names are part_processor_names(). */
void part_cut_describe(struct interval_setup *setup, const struct part *part, char *const *names);

/* For a part of a run with so many locations; the sinks get its intervals. */
struct part_cut *part_cut_new(const struct part *part, int n_locations, const struct interval_sink *sinks, int n_sinks);
/* The sink's function for the run's intervals. */
void part_cut_take(void *cut, const struct interval *interval);
/* After the last of them, at the end of the run. */
struct part_counts part_cut_end(struct part_cut *cut, int64_t run_end_ps);
void part_cut_free(struct part_cut *cut);

#endif
