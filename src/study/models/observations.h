/* The observations that models are made of: runs, or rows of a table that runs have; and the series that they form.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_MODELS_OBSERVATIONS_H
#define STUDY_MODELS_OBSERVATIONS_H

#include "study/models/models.h"

struct observation {
    const struct study_run *run;
    const struct result_table *table; /* NULL: it is the run */
    size_t row;
    double x[REGRESSION_PARAMETERS];
    int series; /* its place among those of the models */
};

struct observations {
    struct observation *list; /* count of them */
    int count;
};

/* All of them, in the order of the runs; fills in names, range and series of the models, and what goes with their
 * parameters. The list is to be freed. */
void observations_find(struct observations *observations, struct models *models, const struct study *study,
                       const struct models_request *request);

/* The value of a measure there; false where there is none. */
bool observation_value(double *value, const struct observation *observation, const struct measure *measure);

/* True if a list of measures, "time_s,host.wall_s", has one of that group. */
bool observations_mean(const char *measures, const char *group);

#endif
