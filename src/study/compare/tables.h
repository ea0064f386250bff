/* The tables of a comparison.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_TABLES_H
#define STUDY_COMPARE_TABLES_H

#include "study/compare/compare.h"

/* The versions with their times: for programs, or for readers where there are several runs of any. */
void comparison_add_versions(struct document *document, const struct comparison *comparison, enum audience audience);
/* The parts of their times, the largest change first: all for programs, or the largest of each kind for readers. */
void comparison_add_parts(struct document *document, const struct comparison *comparison,
                          const struct compare_parts *parts, enum audience audience);
/* The call trees of the first and that version as one, for programs, if both have one. */
void comparison_add_call_tree(struct document *document, const struct comparison *comparison, int version);
/* Settings that differ and measures that moved between the first and that version. */
void comparison_add_settings(struct document *document, const struct comparison *comparison, int version);
void comparison_add_measures(struct document *document, const struct comparison *comparison, int version);

#endif
