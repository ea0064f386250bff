/* Laws of costs: how the time of a kernel's call grows with its dimensions, fitted to a table of timings. Other than a
 * polynomial, a law may have any terms of model/terms.h, and knows how far it may be off.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_KERNEL_LAW_H
#define SIM_MACHINE_KERNEL_LAW_H

#include "model/regression.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sizes that a call may have. */
enum law_size { LAW_M, LAW_N, LAW_K, LAW_ITERATIONS, N_LAW_SIZES };
extern const char *const law_size_names[N_LAW_SIZES];

struct kernel_law {
    struct regression_model model; /* seconds of a call, > 0, over the parameters */
    int n_parameters;
    enum law_size parameters[REGRESSION_PARAMETERS]; /* the sizes that vary in the table */
    int64_t from[N_LAW_SIZES], to[N_LAW_SIZES];      /* in the table; to 0: it does not have that size */
    char *table;                                     /* the file, as the platform names it */
};

void law_free(struct kernel_law *law); /* NULL does nothing */

/* A call by its sizes; those that it does not have are 0. A loop's call has so many iterations and no dimensions. */
struct law_call {
    int64_t sizes[N_LAW_SIZES];
};

static inline struct law_call law_call(int64_t iterations, int m, int n, int k)
{
    bool is_loop = m == 0 && n == 0 && k == 0;
    return (struct law_call){{m, n, k, is_loop ? iterations : 0}};
}

/* True if a call has all sizes that the law has. */
bool law_suits(const struct kernel_law *law, const struct law_call *call);
/* True if a size is beyond those in the table. */
bool law_is_outside(const struct kernel_law *law, const struct law_call *call);

/* Seconds of a call that the law suits, and the ends of the 95 % band of the law there: edge -1 below, 1 above, 0 the
 * law itself. At most 0 where the law says so. */
double law_value_s(const struct kernel_law *law, const struct law_call *call, int edge);

/* The place of a call in the model, with that weight. */
struct regression_place law_place(const struct kernel_law *law, const struct law_call *call, double weight);

/* "2e-07 + 3.1e-09 m^2 log2(m)", in seconds. */
void law_format(char *text, size_t size, const struct kernel_law *law);

/* Why the law is not to be relied on; "" if nothing speaks against it. */
const char *law_doubt(const struct kernel_law *law);

#endif
