/* Two runs side by side: what differs between them, and which measures moved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARISON_H
#define STUDY_COMPARISON_H

#include "study/run.h"

/* A run, with what a study says of all its runs together. */
struct comparison_side {
    int64_t number;
    const char *scenario, *program, *kind, *input;
    const char *scenario_text, *platform_text; /* contents of the files */
    const struct study_run *run;
};

/* The times and their factor, why they differ, and a row for each difference. The sides live as long as the
 * document. */
void comparison_document(struct document *document, const char *version, const struct comparison_side sides[2]);

#endif
