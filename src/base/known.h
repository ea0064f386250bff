/* The names that are known: what is said, and which one is meant, where a word is none of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_KNOWN_H
#define BASE_KNOWN_H

#include <stddef.h>

/* The nearest name, of equally near ones the first; NULL if none is at most two letters away. Small and capital letters
 * are equal. name_at gives the i-th name of the table, NULL after the last one. */
const char *known_find_meant(const char *word, const char *(*name_at)(const void *table, int i), const void *table);

/* Write what follows on "unknown thing 'word'": "; did you mean 'broadcast'? known: n broadcast rows". */
void known_format(char *text, size_t text_size, const char *word, const char *(*name_at)(const void *table, int i),
                  const void *table);

#endif
