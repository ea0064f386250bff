/* The request for a model: what it is to be over, and where it is to say something; the same for a sweep and for
 * measured runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MODEL_REQUEST_H
#define SIMRUN_MODEL_REQUEST_H

#include "base/error.h"
#include "base/units.h"
#include "simrun/options.h"
#include "study/models/models.h"

#include <stdbool.h>

/* A parameter, or what else runs have a number of. */
struct variable {
    const char *name; /* borrowed */
    bool is_number;
    bool is_asked; /* it is none of the parameters that vary unless --over names it */
    bool is_count; /* it is a measure */
    bool is_ranks;
    int place; /* of a parameter, among those of the runs */
    enum quantity quantity;
    int n_values; /* different ones */
    double largest;
};

/* A value of the parameter as a number. */
static inline double variable_number(const struct variable *variable, int64_t value)
{
    return variable->quantity == QUANTITY_REAL ? (double)value / UNITS_REAL : (double)value;
}

struct variables {
    struct variable *list; /* count of them, on the heap */
    int count;
    const char *file;   /* for messages */
    const char *advice; /* what would make one vary */
};

/* Read the options --over and --predict. The request's parameters are places in the list; request->at is to be freed
 * even after an error. */
int request_make(struct models_request *request, const struct variables *variables, const struct options *options,
                 struct sim_error *error);

#endif
