/* Prints lists in lines of at most 120 columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/list_print.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 120, NAMES = 20 };

/* Words in lines that all begin at a column, which has been reached. */
void list_words(int column, const char *text)
{
    int at = column;
    for (const char *word = text; *word != '\0';) {
        int length = (int)strcspn(word, " ");
        bool is_first = at == column;
        if (!is_first && at + 1 + length > WIDEST) {
            printf("\n%*s", column, "");
            at = column;
            is_first = true;
        }
        at += printf("%s%.*s", is_first ? "" : " ", length, word);
        word += length + (word[length] == ' ');
    }
    putchar('\n');
}

void list_line(struct list_row row)
{
    char *words = row.source != NULL ? xformat("%s (%s)", row.summary, row.source) : xstrdup(row.summary);
    int column = printf("  %-*s ", NAMES, row.name);
    list_words(column, words);
    free(words);
}

void list_taken(int column, struct builder *words)
{
    char *text = builder_take(words);
    list_words(column, text);
    free(text);
}

void list_names(int column, const char *const *names, int count)
{
    struct builder words = {0};
    for (int i = 0; i < count; i++)
        builder_add(&words, "%s%s", i > 0 ? " " : "", names[i]);
    list_taken(column, &words);
}
