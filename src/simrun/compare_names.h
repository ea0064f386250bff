/* Short names for versions, from the words that name their files.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPARE_NAMES_H
#define SIMRUN_COMPARE_NAMES_H

#include "study/compare/parts.h"

struct compare_names {
    struct compare_word {
        int version;
        char **words; /* borrowed: a file, or a store and its conditions */
        int n_words;
    } * words;
    size_t count, capacity;
};

void compare_names_add(struct compare_names *names, int version, char **words, int n_words);
/* Name each version by what its words have in common and others' have not: the folder of several files, the name of one
 * file without its ending; or else by its words, or its number. The names are interned. */
void compare_names_give(const struct compare_names *names, struct compare_version *versions, int n_versions);
void compare_names_dispose(struct compare_names *names);

#endif
