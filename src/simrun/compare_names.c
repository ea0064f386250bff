/* Finds names that tell versions apart: the shortest way that does for all of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/compare_names.h"

#include "base/builder.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "os/path.h"

#include <stdlib.h>
#include <string.h>

void compare_names_add(struct compare_names *names, int version, char **words, int n_words)
{
    names->words = xgrow(names->words, names->count, &names->capacity, sizeof *names->words);
    names->words[names->count++] = (struct compare_word){version, words, n_words};
}

void compare_names_dispose(struct compare_names *names)
{
    free(names->words);
}

/* --- ways to name an input --- */

/* "v0" of "runs/v0.otf2". */
static const char *by_stem(const struct compare_word *of)
{
    const char *base = path_base(of->words[0]), *dot = strrchr(base, '.');
    return intern_format("%.*s", (int)(dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base)), base);
}

/* "v0" of "runs/v0/1.otf2"; "" without a folder. */
static const char *by_folder(const struct compare_word *of)
{
    const char *word = of->words[0], *end = path_base(word);
    if (end == word)
        return intern_text("");
    const char *begin = --end;
    while (begin > word && begin[-1] != '/')
        begin--;
    return intern_format("%.*s", (int)(end - begin), begin);
}

/* "run=3 ranks=4": the conditions of a store. */
static const char *by_conditions(const struct compare_word *of)
{
    struct builder text = {0};
    for (int i = 1; i < of->n_words; i++)
        builder_add(&text, "%s%s", i > 1 ? " " : "", of->words[i]);
    char *taken = builder_take(&text);
    const char *name = intern_text(taken);
    free(taken);
    return name;
}

static const char *by_word(const struct compare_word *of)
{
    return intern_text(of->words[0]);
}

typedef const char *name_word(const struct compare_word *of);

/* The common beginning of a version's words, without separators at its end; "" if there is none. */
static const char *common_name(const struct compare_names *names, int version, name_word *way)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (names->words[i].version != version)
            continue;
        const char *name = way(&names->words[i]);
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
    static name_word *const ways[] = {by_conditions, by_folder, by_stem, by_folder, by_word};
    bool is_given = false;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && !is_given; i++) /* folders first where they hold several */
        is_given = (i != 1 || names->count > (size_t)n_versions) && give(names, versions, n_versions, ways[i]);
    for (int v = 0; v < n_versions && !is_given; v++)
        versions[v].name = intern_format("version %d", v + 1);
}
