/* The values that a sweep gives a parameter: "1,2,4", "1..128", "16..256:16", "1KiB..1MiB*2", and lists of these.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_VALUES_H
#define SIM_SCENARIO_VALUES_H

#include "sim/program/param.h"

#include <stddef.h>
#include <stdint.h>

/* Parse a list of values and ranges. A range FROM..TO has every whole number from FROM to TO, FROM..TO:STEP every
 * STEP-th, FROM..TO*FACTOR those that grow by the factor; TO is one of them only if it is met. Only numbers and sizes
 * have ranges. *values is to be freed. -1 and a message for what is malformed, out of the parameter's range, listed
 * twice, or more than `most` values; *values and *n_values are unchanged then. */
int values_parse(int64_t **values, int *n_values, const struct param_spec *spec, const char *text, int most, char *why,
                 size_t why_size);

#endif
