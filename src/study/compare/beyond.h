/* Differences beyond noise where the times as a whole do not.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_BEYOND_H
#define STUDY_COMPARE_BEYOND_H

#include "base/builder.h"
#include "study/compare/parts.h"

/* Append "Beyond noise are: MPI_Send called 2000 times instead of 100, computation (rank 1) 51.39 ms longer (x 1.51).",
 * or nothing. Times are tested together (noise_adjusted_p()), so that many rows give no more false alarms than one;
 * numbers of calls that are equal in all runs of either version are certain. */
void beyond_add(struct builder *line, const struct compare_parts *parts, int version);

#endif
