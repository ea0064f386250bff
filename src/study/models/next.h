/* The measurement to make next: which one narrows the band of a model most, and what it costs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_MODELS_NEXT_H
#define STUDY_MODELS_NEXT_H

#include "study/models/models.h"

/* Set `next` of all models, for the last place to predict, after they have been fitted. */
void models_propose(struct models *models);

/* Half the band of a forecast over its value; INFINITY where there is none. */
double models_half_width(const struct regression_forecast *forecast);

/* "To narrow the band of time_s at 512 ranks from +-39 % to about +-17 %, measure 128 ranks, about 3.1 s.", to be
 * freed; NULL where there is nothing to say: no model, one that is exact, or one that no measurement makes better. */
char *models_next_describe(const struct models *models, const struct model *model);

#endif
