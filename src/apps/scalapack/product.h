/* The parameters of a matrix product C = A B, the first of an application that does one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SCALAPACK_PRODUCT_H
#define APPS_SCALAPACK_PRODUCT_H

#include "sim/program/param.h"

enum { PARAM_SIZE_OF_ALL, PARAM_M, PARAM_N, PARAM_K, PARAM_BLOCK, N_PRODUCT_PARAMS };
enum { MAX_SIDE = 1048576 };

/* clang-format off */
#define PRODUCT_PARAMS                                                                                                 \
    {"size", PARAM_COUNT, "1024", .min = 1, .max = MAX_SIDE, .summary = "m, n and k where these are 0"},               \
    {"m", PARAM_COUNT, "0", .max = MAX_SIDE, .summary = "rows of A and C; 0: size"},                                   \
    {"n", PARAM_COUNT, "0", .max = MAX_SIDE, .summary = "columns of B and C; 0: size"},                                \
    {"k", PARAM_COUNT, "0", .max = MAX_SIDE, .summary = "columns of A and rows of B; 0: size"},                        \
    {"block", PARAM_COUNT, "64", .min = 1, .max = 65536, .summary = "rows and columns of a block"}
/* clang-format on */

/* The extent PARAM_M, PARAM_N or PARAM_K of the matrices. */
static inline int64_t product_extent(const int64_t *values, int param)
{
    return values[param] != 0 ? values[param] : values[PARAM_SIZE_OF_ALL];
}

#endif
