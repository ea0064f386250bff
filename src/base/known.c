/* Finds the word that a misspelled one may have meant, by Levenshtein's distance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/known.h"

#include "base/range.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_NAME 63

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein's distance by its recurrence d(i,j) = min(d(i-1,j) + 1, d(i,j-1) + 1, d(i-1,j-1) + [a_i != b_j]), where
 * small and capital letters are equal; one row is kept, and `diagonal` is what the row above held one place to the
 * left. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t above = row[j];
            row[j] = size_min(size_min(above, row[j - 1]) + 1, diagonal + !same_letter(a[i - 1], b[j - 1]));
            diagonal = above;
        }
    }
    return row[b_length];
}

/* How far a name is from a word: the edit distance, or SIZE_MAX where it is more than a slip of the pen, or nothing is
 * left of the name. */
static size_t typo_distance(const char *word, const char *name)
{
    size_t word_length = strlen(word), name_length = strlen(name);
    if (word_length > LONGEST_NAME || name_length > LONGEST_NAME)
        return SIZE_MAX;
    size_t distance = edit_distance(word, word_length, name, name_length);
    return distance <= 2 && distance < size_min(word_length, name_length) ? distance : SIZE_MAX;
}

const char *known_find_meant(const char *word, const char *(*name_at)(const void *table, int i), const void *table)
{
    const char *name, *meant = NULL;
    size_t least = SIZE_MAX;
    for (int i = 0; (name = name_at(table, i)) != NULL; i++) {
        size_t distance = typo_distance(word, name);
        if (distance < least) {
            least = distance;
            meant = name;
        }
    }
    return meant;
}

void known_format(char *text, size_t text_size, const char *word, const char *(*name_at)(const void *table, int i),
                  const void *table)
{
    const char *name, *meant = known_find_meant(word, name_at, table);
    size_t used = meant == NULL ? (size_t)snprintf(text, text_size, "; known:")
                                : (size_t)snprintf(text, text_size, "; did you mean '%s'? known:", meant);
    for (int i = 0; (name = name_at(table, i)) != NULL && used < text_size; i++)
        used += (size_t)snprintf(text + used, text_size - used, " %s", name);
}
