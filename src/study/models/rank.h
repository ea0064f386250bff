/* The order in which models are told: what grows most, and matters.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_MODELS_RANK_H
#define STUDY_MODELS_RANK_H

#include "study/models/models.h"

/* The places of all models that have a formula: first those that matter, whose value at the last place to predict is at
 * least 1 % of the largest of the same measure; among them, what grows most comes first, and of what
 * grows alike, the largest value. *list is to be freed. The number
 * of places; *n_matter of them matter. */
int models_rank(int **list, int *n_matter, const struct models *models);

#endif
