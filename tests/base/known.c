/* Names that are known, and what a misspelled one meant.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/known.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

static const char *name_at(const void *table, int i)
{
    return ((const char *const *)table)[i];
}

/* Which name is suggested for a word; at most two letters may be wrong, and not all of them. */
static void test_known(void)
{
    static const char *const names[] = {"n", "rows", "broadcast", NULL};
    static const struct {
        const char *word, *text;
    } words[] = {
        {"brodcast", "; did you mean 'broadcast'? known: n rows broadcast"},
        {"broadcasts", "; did you mean 'broadcast'? known: n rows broadcast"},
        {"boradcast", "; did you mean 'broadcast'? known: n rows broadcast"},
        {"brodcas", "; did you mean 'broadcast'? known: n rows broadcast"},
        {"BROADCAST", "; did you mean 'broadcast'? known: n rows broadcast"},
        {"brodca", "; known: n rows broadcast"},
        {"row", "; did you mean 'rows'? known: n rows broadcast"},
        {"m", "; known: n rows broadcast"},
        {"", "; known: n rows broadcast"},
        {"a word of more than sixty-three letters is not compared with any name", "; known: n rows broadcast"},
    };
    static const char *const variants[] = {"I", "I+D", "I+P", "I+P+D", NULL};
    char text[128], tiny[10];
    known_format(text, sizeof text, "i+p+d", name_at, variants); /* the nearest, not the first that is near */
    CU_ASSERT_STRING_EQUAL(text, "; did you mean 'I+P+D'? known: I I+D I+P I+P+D");
    known_format(text, sizeof text, "i+d", name_at, variants);
    CU_ASSERT_STRING_EQUAL(text, "; did you mean 'I+D'? known: I I+D I+P I+P+D");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        known_format(text, sizeof text, words[i].word, name_at, names);
        if (strcmp(text, words[i].text) != 0)
            printf("\n  '%s': \"%s\"", words[i].word, text);
        CU_ASSERT_STRING_EQUAL(text, words[i].text);
    }
    known_format(tiny, sizeof tiny, "m", name_at, names);
    CU_ASSERT_STRING_EQUAL(tiny, "; known: ");
}

int main(void)
{
    static const struct test tests[] = {{"known names", test_known}, {NULL, NULL}};
    return testing_run("known", tests);
}
