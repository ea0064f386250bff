/* Submissions: files that the laboratory saves (page/lab/work.js). Nothing in one is trusted.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MARKS_SUBMISSION_H
#define SIMRUN_MARKS_SUBMISSION_H

#include "dataset/json.h"

enum { SUBMISSION_BYTES = 4000000, SUBMISSION_LINES = 1 << 16 }; /* of a file, and of the lines of a broadcast */
enum { MOST_CONTESTANTS = 8 };                                   /* of a lab, as in page/lab/contestants.js */

struct submission {
    char *file; /* its name in the folder, and who it says it is of, as tables show them */
    char *who;
    char *fault; /* why it cannot be marked; NULL: it can */
    struct json json;
};

/* All files of a folder, by their names. One that cannot be read, or is no submission, is there with its fault; links
 * are not followed. An error: there is no such folder, or nothing in it. */
int submissions_read(struct submission **submissions, size_t *n_submissions, const char *folder,
                     struct sim_error *error);
void submissions_free(struct submission *submissions, size_t n_submissions);

/* The block of that kind ("answers", "predictions", "values", "contestants") and number in a lab; NULL: nothing was
 * handed in. */
const struct json_node *submission_block(const struct submission *submission, const char *lab, const char *kind,
                                         int number);
/* A text of a block, as tables show it, to be freed; "" if there is none. */
char *submission_text(const struct submission *submission, const struct json_node *block, const char *name);
/* The points of a drawn curve, "1 1.9 3.2", to be freed; NULL: nothing was drawn. Of more than 64 the first. */
char *submission_points(const struct submission *submission, const struct json_node *block);
/* The lines of a broadcast in a block, as they are, borrowed; NULL: none. */
const char *submission_lines(const struct submission *submission, const struct json_node *block);

#endif
