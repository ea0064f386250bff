/* Labs of one's own, and the files that they need, as a block of the laboratory's page.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LAB_BOOK_H
#define SIMRUN_LAB_BOOK_H

#include "report/json_writer.h"
#include "simrun/lab_text.h"

#include <stdio.h>

/* A file, by the name that it has in the page. */
struct lab_file {
    char *name, *source; /* source: where it is on this computer */
    char *text;
    size_t length;
};

/* One of zeros is empty. */
struct lab_book {
    struct lab *labs;
    size_t n_labs, labs_capacity;
    struct lab_file *files;
    size_t n_files, files_capacity;
};

/* Add a lab (.md), or a scenario (.xml), which becomes a lab of one experiment, with all files that its scenarios name:
 * a scenario NAME is NAME.xml or scenarios/NAME.xml beside the lab, or one that comes with simrun. All is checked; an
 * error names file and line. LANG/NAME.md beside a lab is the same in another language (lab_language.h). */
int lab_book_add(struct lab_book *book, const char *file, struct sim_error *error);
/* Add to each lab NAME.md its solutions, solutions/NAME.md beside it, and those in other languages,
 * solutions/LANG/NAME.md. It is an error if no lab has any. */
int lab_book_add_sheets(struct lab_book *book, struct sim_error *error);
/* Leave nothing but one experiment, "LAB.NUMBER": LAB is the name of a lab, or what that begins with before '-'. */
int lab_book_keep(struct lab_book *book, const char *only, struct sim_error *error);
/* Write the block, which a laboratory takes for its labs. */
void lab_book_write(FILE *stream, const struct lab_book *book);
/* Write its files, an object of texts by their names in the page. */
void lab_book_write_files(struct json_writer *writer, const struct lab_book *book);
void lab_book_dispose(struct lab_book *book);

#endif
