/* Submissions that are alike: the same lines of their own, the same drawn curve, something done at the same moment.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MARKS_ALIKE_H
#define SIMRUN_MARKS_ALIKE_H

#include "document/document.h"
#include "simrun/marks_submission.h"

/* Put a table in which submissions of a group have the same number. Those who share something with one of a group are
 * in it, too. */
void marks_put_alike(struct document *document, const struct submission *submissions, size_t n_submissions);

/* Lines without comments, with one blank between words; to be freed. */
char *marks_plain_lines(const char *lines);
/* True if plain lines are those of a file that comes with simrun, such as scenarios/own/flat.txt. */
bool marks_are_given_lines(const char *plain);

#endif
