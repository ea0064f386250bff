/* Rows of a dataset for models: those that fulfill conditions, and which of them belong together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_DATASET_ROWS_H
#define SIMRUN_DATASET_ROWS_H

#include "base/error.h"
#include "dataset/dataset.h"

/* Keep the rows that fulfill all conditions, such as "n>1" and "region=main"; none is an error. */
int dataset_rows_select(struct dataset *dataset, char *const *conditions, int n_conditions, struct sim_error *error);

/* Tell the groups of rows apart further by a column: two rows stay in one group if they have the same there. `groups`
 * has the number of each row's group; numbers are in the order of the first rows. Returns how many groups there are; a
 * number above `most`, and the rest of `groups` is undefined, if there would be more. */
size_t dataset_rows_fold(uint32_t *groups, const struct dataset *dataset, int column, size_t most);

/* The rows group by group, in their order; rows[firsts[g]] is the first of group g, and firsts[n_groups] is n_rows.
 * Both are to be freed. */
void dataset_rows_bucket(uint32_t **rows, size_t **firsts, const struct dataset *dataset, const uint32_t *groups,
                         size_t n_groups);

#endif
