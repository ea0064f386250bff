/* Questions to a platform, without a simulation. */
#ifndef SIMRUN_FORECAST_FORECAST_H
#define SIMRUN_FORECAST_FORECAST_H

#include "base/error.h"
#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* What a routine takes of a host, or a message between two. */
struct query {
    const char *text;
    const struct kernel_cost *kernel; /* NULL: a message */
    int dimensions[3];                /* m, n, k; of a kernel that costs by component the iterations. 1: not given */
    int n_dimensions;
    int host, to_host;
    int64_t bytes; /* of the message; -1: not given */
};

/* Understand "KERNEL DIMENSION... on HOST" or "HOST to HOST [SIZE]". The query borrows the text and the machine. */
int query_parse(struct query *query, const char *text, const struct machine *machine, struct sim_error *error);

/* Whether a dimension is outside those that the cost of the routine was fitted for. */
bool query_is_extrapolated(const struct query *query);

#endif
