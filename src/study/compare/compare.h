/* Versions of a program side by side: which is faster, by how much, and because of what; the parts of their times; what
 * was set differently, and which measures moved. The first version is what the others are held against.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_COMPARE_H
#define STUDY_COMPARE_COMPARE_H

#include "study/compare/parts.h"

struct comparison {
    const char *simrun; /* its version */
    struct compare_version *versions;
    int n_versions;       /* at least two, with a run each at least */
    bool are_stored_runs; /* two runs of a store, which are called by their numbers */
    bool verbose;
};

/* The versions live as long as the document. */
void comparison_document(struct document *document, const struct comparison *comparison);

#endif
