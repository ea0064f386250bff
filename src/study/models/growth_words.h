/* Words for which part of the time grows.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_GROWTH_WORDS_H
#define STUDY_GROWTH_WORDS_H

#include "base/builder.h"
#include "study/models/growth.h"

/* A value of the models' parameter: "64 ranks", "N = 960". */
void growth_add_place(struct builder *text, const struct models *models, double x);

bool growth_is_supported(const struct growth_row *row);

/* "At 64 ranks 58 % (41 to 71 %) of the time will be waiting in MPI_Allreduce (wait at N x N): it grows fastest, as
 * ranks log2(ranks)."; or what was measured, where there are too few places for a formula. To be freed. */
char *growth_describe(const struct models *models, const struct growth *growth);

#endif
