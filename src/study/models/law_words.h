/* The law of a model in words.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_LAW_WORDS_H
#define STUDY_LAW_WORDS_H

#include "base/builder.h"
#include "study/models/models.h"

/* "time_s grows with the square of n and the logarithm of the ranks; at n = 512, 4096 ranks 3.1 s, 2.6 to 3.8", for the
 * last place to predict, without a full stop; factors are joined by "and", summands by "plus". To be freed. NULL if
 * there is no model. */
char *law_describe(const struct models *models, const struct model *model);

/* "time_s, broadcast flat" */
void law_add_name(struct builder *text, const struct model *model);

/* "n = 512, 4096 ranks" */
void law_add_place(struct builder *text, const struct models *models, const double *place);

/* Three digits, without an exponent up to nine. */
void law_add_number(struct builder *text, double value);

#endif
