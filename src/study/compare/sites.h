/* Call sites whose lines have moved between versions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_SITES_H
#define STUDY_COMPARE_SITES_H

#include "study/compare/collect.h"

/* Give call sites of later versions the name that they have in the first, where their line differs: of one file and
 * function, calls of the same function of the library are taken in their order; if there are not as many in both, only
 * those whose line is not in the other. version_of[run] is the version of a run. */
void sites_align(struct part_entries *entries, const int *version_of);

#endif
