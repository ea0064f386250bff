/* The options of BLAS and ScaLAPACK: names and letters.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/letters.h"

#include <stddef.h>

const char *const uplo_names[] = {"upper", "lower", NULL};
const char *const side_names[] = {"left", "right", NULL};
const char *const trans_names[] = {"no", "yes", NULL};
const char *const diag_names[] = {"non-unit", "unit", NULL};

const struct param_alias uplo_letters[] = {
    {"U", "upper"}, {"u", "upper"}, {"L", "lower"}, {"l", "lower"}, {NULL, NULL}};
const struct param_alias side_letters[] = {{"L", "left"}, {"l", "left"}, {"R", "right"}, {"r", "right"}, {NULL, NULL}};
/* Numbers are real, so the conjugate transpose is the transpose. */
const struct param_alias trans_letters[] = {{"N", "no"},  {"n", "no"},  {"T", "yes"}, {"t", "yes"},
                                            {"C", "yes"}, {"c", "yes"}, {NULL, NULL}};
const struct param_alias diag_letters[] = {
    {"N", "non-unit"}, {"n", "non-unit"}, {"U", "unit"}, {"u", "unit"}, {NULL, NULL}};
