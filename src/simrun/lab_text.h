/* Labs: Markdown files in which blocks describe experiments, questions and predictions (docs/howto/write-a-lab.md). The
 * page reads the same files (page/lab/spec.js).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_LAB_TEXT_H
#define SIMRUN_LAB_TEXT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { LAB_ENGLISH, LAB_GERMAN, N_LAB_LANGUAGES }; /* lab_language.h */
enum lab_kind { LAB_EXPERIMENT, LAB_QUESTION, LAB_PREDICT, N_LAB_KINDS };
enum { LAB_BYTES = 1 << 20, LAB_WORDS = 256 }; /* of a file, and of a line of a block, at most */

/* A line of a block: its words, of which the first is the key. */
struct lab_row {
    long line;
    int n_words;
    char **words;
};

struct lab_block {
    enum lab_kind kind;
    int number; /* among those of its kind, from 1 */
    long line;
    struct lab_row *rows;
    size_t n_rows, rows_capacity;
};

struct lab {
    char *file, *name; /* name: of the file without folder and extension */
    char *text;        /* as it is in the file, with a zero behind it */
    size_t length;
    char *sheet;                               /* its solutions; NULL: nobody has asked for them, or there are none */
    struct lab *translations[N_LAB_LANGUAGES]; /* the same in other languages; NULL where there is none */
    char *words;                               /* a copy of the text, in which the words of rows end */
    struct lab_block *blocks;
    size_t n_blocks, blocks_capacity;
};

/* Read a file, and check that its blocks have what they need and nothing else. An error names file and line. */
int lab_load(struct lab *lab, const char *file, struct sim_error *error);
/* The same of a text, which is taken over; messages call it `file`. */
int lab_make(struct lab *lab, const char *file, char *text, struct sim_error *error);
void lab_dispose(struct lab *lab);

/* The first row of a key; NULL: there is none. */
const struct lab_row *lab_row(const struct lab_block *block, const char *key);

/* A question or prediction, as far as its answer is a value. Texts are borrowed from the lab. */
struct lab_question {
    const struct lab_block *block;
    const char *scenario;
    const char *name;  /* the value that is asked for: a measure or a parameter */
    const char *of;    /* of the run that has the least or the most of this; NULL: of the first run */
    const char *where; /* among runs that have at least `at_least` of this; NULL: among all */
    double at_least;
    bool is_least, is_ratio; /* is_ratio: of the first run to the last */
    double within;           /* how far a right answer may be off, over the value */
};

/* False if the block asks for no value: it is an experiment, or a curve. */
bool lab_question(struct lab_question *question, const struct lab_block *block);

#endif
