/* Sentences of the text report: where their lines break.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/sentence.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 118 };

static int width_of_word(const char *word, int length)
{
    char *copy = xformat("%.*s", length, word);
    int width = utf8_width(copy);
    free(copy);
    return width;
}

/* A word, with its unit if it is a number. */
static int length_of_word(const char *word)
{
    static const char *const units[] = {"%", "s", "ms", "us", "ns", "B", "kB", "MB", "GB"};
    size_t length = strcspn(word, " ");
    if (length == 0 || word[length] == '\0' || !isdigit((unsigned char)word[length - 1]))
        return (int)length;
    const char *next = word + length + 1;
    size_t unit = strcspn(next, " .,;:)");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strlen(units[i]) == unit && strncmp(next, units[i], unit) == 0)
            return (int)(length + 1 + strcspn(next, " "));
    return (int)length;
}

void sentence_write(FILE *stream, const char *text, int indent)
{
    int column = 0;
    for (const char *word = text; *word != '\0';) {
        int length = length_of_word(word), width = width_of_word(word, length);
        bool breaks = column > 0 && column + 1 + width > WIDEST;
        if (column == 0 || breaks)
            column = fprintf(stream, "%s%*s", breaks ? "\n" : "", breaks ? indent + 2 : indent, "") - breaks;
        else
            column += fprintf(stream, " ");
        fprintf(stream, "%.*s", length, word);
        column += width;
        word += length + (word[length] == ' ');
    }
    fputc('\n', stream);
}
