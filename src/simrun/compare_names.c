/* Finds names that tell versions apart: the shortest way that does for all of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_names.h"

#include "base/memory.h"
#include "interval/intern.h"
#include "os/path.h"

#include <stdlib.h>
#include <string.h>

void compare_names_add(struct compare_names *names, int version, const char *word)
{
    names->words = xgrow(names->words, names->count, &names->capacity, sizeof *names->words);
    names->words[names->count++] = (struct compare_word){version, word};
}

void compare_names_dispose(struct compare_names *names)
{
    free(names->words);
}

/* --- ways to name a word --- */

/* "v0" of "runs/v0.otf2" */
static const char *by_stem(const char *word)
{
    const char *base = path_base(word), *dot = strrchr(base, '.');
    return intern_format("%.*s", (int)(dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base)), base);
}

/* "v0" of "runs/v0/1.otf2"; "" without a folder. */
static const char *by_folder(const char *word)
{
    const char *end = path_base(word);
    if (end == word)
        return intern_text("");
    const char *begin = --end;
    while (begin > word && begin[-1] != '/')
        begin--;
    return intern_format("%.*s", (int)(end - begin), begin);
}

static const char *by_word(const char *word)
{
    return intern_text(word);
}

typedef const char *name_word(const char *word);

/* What the names of a version's words begin with, without what numbers them; "" if that is nothing. */
static const char *common_name(const struct compare_names *names, int version, name_word *way)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (names->words[i].version != version)
            continue;
        const char *name = way(names->words[i].word);
        size_t same = 0;
        length = first == NULL ? strlen(name) : length;
        first = first == NULL ? name : first;
        while (same < length && first[same] == name[same])
            same++;
        length = same;
    }
    if (first == NULL)
        return intern_text("");
    if (length < strlen(first))
        while (length > 0 && strchr("-_. ", first[length - 1]) != NULL)
            length--;
    return intern_format("%.*s", (int)length, first);
}

/* True if that way names all versions, each differently. */
static bool give(const struct compare_names *names, struct compare_version *versions, int n_versions, name_word *way)
{
    for (int v = 0; v < n_versions; v++) {
        versions[v].name = common_name(names, v, way);
        if (versions[v].name[0] == '\0')
            return false;
        for (int other = 0; other < v; other++)
            if (versions[other].name == versions[v].name)
                return false;
    }
    return true;
}

void compare_names_give(const struct compare_names *names, struct compare_version *versions, int n_versions)
{
    bool is_given = names->count > (size_t)n_versions && give(names, versions, n_versions, by_folder);
    is_given = is_given || give(names, versions, n_versions, by_stem);
    is_given = is_given || give(names, versions, n_versions, by_folder);
    is_given = is_given || give(names, versions, n_versions, by_word);
    for (int v = 0; v < n_versions && !is_given; v++)
        versions[v].name = intern_format("version %d", v + 1);
}
