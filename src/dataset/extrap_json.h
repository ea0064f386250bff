/* Documents of Extra-P in JSON.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DATASET_EXTRAP_JSON_H
#define DATASET_EXTRAP_JSON_H

#include "dataset/json.h"

/* A file of which experiment.json is a part, and the repetitions that it keeps apart. */
struct repetitions {
    const double *values;
    size_t count;
};
struct archive;

/* True if an object, which is the whole file, has measurements of Extra-P. */
bool extrap_json_is(const struct json *json);
/* Read them. `archive` is where the values are; NULL: they are in the document. */
int extrap_json_read(struct dataset *dataset, const struct json *json, struct archive *archive,
                     struct sim_error *error);

/* The values of that number in that part of the archive; -1 with an error if there are none. */
int archive_find(struct repetitions *repetitions, struct archive *archive, long part, long number,
                 struct sim_error *error);

#endif
