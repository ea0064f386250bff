/* The document of a scenario's runs: the answer, and why it is so.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_SECTIONS_RUNS_H
#define STUDY_SECTIONS_RUNS_H

#include "study/run.h"

/* The study lives as long as the document. */
void runs_document(struct document *document, const struct study *study);
/* Only what programs get of it. */
void runs_data(struct document *document, const struct study *study);

#endif
