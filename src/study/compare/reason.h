/* Why one version takes longer than another, in words.
 *
 * The parts of the critical path add up to the time, so their differences do to that of the times. The largest of them
 * is told: computation with the ranks that compute longer and where the others wait for them, communication with the
 * function, its calls and their sizes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_REASON_H
#define STUDY_COMPARE_REASON_H

#include "base/builder.h"
#include "study/compare/parts.h"

/* Append "rank 3 computes 1.7 s longer in assemble, for which the others wait 1.5 s longer in MPI_Allreduce": why that
 * version differs from the first by so many seconds. False if nothing is known. */
bool reason_add(struct builder *line, const struct compare_parts *parts, int version, double difference_s);

/* The part of the critical path that differs most in the direction of the difference; NULL: none is known. */
const struct compare_part *reason_largest(const struct compare_parts *parts, int version, double difference_s);

#endif
