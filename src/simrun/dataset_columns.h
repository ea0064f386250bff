/* The columns of a dataset that models are made of: measures, and what they are over.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_DATASET_COLUMNS_H
#define SIMRUN_DATASET_COLUMNS_H

#include "dataset/dataset.h"
#include "simrun/model_request.h"

/* The role of a column in the models. */
enum dataset_use {
    USE_NOTHING, /* a number that is not asked for */
    USE_MEASURE,
    USE_OVER,      /* a parameter of the models */
    USE_PARAMETER, /* any other: rows of different values are of different series */
    USE_LABEL,     /* text, likewise */
};

struct dataset_columns {
    enum dataset_use *uses; /* of each column; on the heap */
    int metric;             /* the column that names the measures of the rows; -1: columns are measures */
};

/* Find the uses, by the names of measures in options->model ("": all), by --over, and by what the file says. Where that
 * says nothing, whole numbers that are no times are parameters, and other numbers are measures. Rows of other metrics
 * are left out. The request's parameters are columns; request->at and columns->uses are to be freed even after an
 * error. */
int dataset_columns_find(struct dataset_columns *columns, struct models_request *request, struct dataset *dataset,
                         const struct options *options, struct sim_error *error);

#endif
