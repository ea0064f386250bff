/* Reference data: what was measured, and predicted by others, for some of a scenario's runs.
 *
 * A CSV file: lines that start with # are comments; the first other line names the columns. The columns measured_s,
 * predicted_s, printed_s and predicted.<component> hold seconds, measured.<measure> any number above 0, outlier 1,
 * fitted 1 (a cost of the machine was fitted to it) or 2 (a choice about the program was made on it). They may be
 * empty; so may note, a text. Every other column is a parameter, and a row belongs to the run that has its
 * values. No two rows belong to the same.
 *
 * predicted_s is what the source's own model says. Where that is corrected, printed_s is what the source printed.
 *
 * A measure is one of the run itself, such as speedup; one of these for each second, such as messages_per_s; or, in
 * seconds, a component of the critical path, such as communication.collection.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_REFERENCE_H
#define STUDY_REFERENCE_H

#include "base/error.h"
#include "study/run.h"

struct reference;

/* How parameters are read: `parse` turns text into the value of parameter number `parameter`; -1 and a message in why
 * where it is none. */
struct reference_parameters {
    const struct study_parameter *parameters;
    int n_parameters;
    int (*parse)(const void *context, int parameter, const char *text, int64_t *value, char *why, size_t why_size);
    const void *context;
};

/* -1 with file and line for a file that cannot be read or breaks the rules above. */
int reference_load(struct reference **reference, const char *file, const struct reference_parameters *parameters,
                   struct sim_error *error);
void reference_free(struct reference *reference);

/* Add the row that belongs to the run, if there is one, to its result: group "reference", and `error` = (time_s -
 * measured_s) / measured_s; beside measured.<measure> what was simulated and the error, as simulated.<measure> and
 * error.<measure>, where the run has the measure. The note is NOTE_REFERENCE of the run. */
void reference_match(const struct reference *reference, struct study_run *run);

#endif
