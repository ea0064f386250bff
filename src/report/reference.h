/* Reference data: what was measured, and predicted by others, for some of a scenario's runs.
 *
 * A CSV file: lines that start with # are comments; the first other line names the columns. The columns measured_s,
 * predicted_s and predicted.<component> hold seconds and may be empty; every other column is a parameter, and a row
 * belongs to the runs that have its values. */
#ifndef REPORT_REFERENCE_H
#define REPORT_REFERENCE_H

#include "base/error.h"
#include "report/report.h"

struct reference;

/* -1 with file and line for a file that cannot be read, or a column that is neither of the above nor one of the
 * `n_parameters` names. */
int reference_load(struct reference **reference, const char *file, const struct report_parameter *parameters,
                   int n_parameters, struct sim_error *error);
void reference_free(struct reference *reference);

/* Add the row that belongs to the run, if there is one, to its result: group "reference", and `error` =
 * (time_s - measured_s) / measured_s. */
void reference_match(const struct reference *reference, struct report_run *run);

#endif
