/* The glossary, docs/glossary.md and docs/ref/reports.md, which is in the program: what the words of reports mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOCUMENT_GLOSSARY_H
#define DOCUMENT_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

/* A row of a table of the glossary. The texts are not terminated. */
struct glossary_entry {
    const char *group, *word, *text;
    size_t group_length, word_length, text_length;
};

/* Find the next entry behind the place *at, which is 0 at first, and moves on; false: there is none. */
bool glossary_next(struct glossary_entry *entry, size_t *at);
/* True if a word is one of the entry's, which are separated by commas; case does not matter. */
bool glossary_has(const struct glossary_entry *entry, const char *word);
/* The i-th word of all entries, in order, to be freed; NULL behind the last. */
char *glossary_word_at(size_t i);

#endif
