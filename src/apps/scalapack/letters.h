/* The options by which BLAS and ScaLAPACK describe a matrix, as choices, with their letters as other names (ScaLAPACK
 * Users' Guide, 1997: arguments UPLO, SIDE, TRANS and DIAG of the PBLAS).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_LETTERS_H
#define APPS_SCALAPACK_LETTERS_H

#include "sim/program/param.h"

enum { UPLO_UPPER, UPLO_LOWER };
enum { SIDE_LEFT, SIDE_RIGHT };
enum { TRANS_NO, TRANS_YES };
enum { DIAG_NON_UNIT, DIAG_UNIT };

/* The names in the order of the values, and the letters, in either case; for struct param_spec. */
extern const char *const uplo_names[], *const side_names[], *const trans_names[], *const diag_names[];
extern const struct param_alias uplo_letters[], side_letters[], trans_letters[], diag_letters[];

#endif
