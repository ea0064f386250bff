/* A race of the broadcasts that were handed in, over lengths and machines.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MARKS_RACE_H
#define SIMRUN_MARKS_RACE_H

#include "document/document.h"
#include "simrun/lab_text.h"
#include "simrun/marks_submission.h"

/* Simulate the lines that each submission has in the first experiment with `lines` of each lab, and those of its
 * contestants there, and put two tables: the ranking, by the geometric mean of their times over all lengths and
 * platforms (names with commas), and the times. Of each submission the best lines count, and are in both tables. Lines
 * that are not simulated to their end come last, with the reason. */
void marks_put_race(struct document *document, const struct lab *labs, size_t n_labs,
                    const struct submission *submissions, size_t n_submissions, const char *platforms);

#endif
