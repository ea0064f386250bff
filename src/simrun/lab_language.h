/* The same lab in several languages: LANG/NAME.md beside NAME.md has its text in that language.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LAB_LANGUAGE_H
#define SIMRUN_LAB_LANGUAGE_H

#include "report/json_writer.h"
#include "simrun/lab_text.h"

/* The languages of the interface (page/src/texts/index.js), by their codes of two letters. */
extern const char *const lab_languages[N_LAB_LANGUAGES];

/* The file FOLDER/LANG/NAME.md for a file FOLDER/NAME.md. The caller frees it. */
char *lab_language_file(const char *file, int language);

/* Read the lab's texts in all languages in which there is one. They have the same blocks in the same order, except for
 * the lines `ask` and `title`; an error names the file, the line, and what differs. */
int lab_language_add(struct lab *lab, struct sim_error *error);

/* Write a member `name` with the texts by language, {"de": "..."}: `text_of` gives the text of a lab, or NULL. Without
 * any nothing is written. */
void lab_language_write(struct json_writer *writer, const char *name, const struct lab *lab,
                        const char *(*text_of)(const struct lab *lab));

#endif
