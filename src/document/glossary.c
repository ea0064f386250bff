/* Reads the tables of the glossary: | word, word (name in a paper) | what it is | more |, below a heading "## Group".
 * SPDX-License-Identifier: BSD-3-Clause */
#include "document/glossary.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

/* docs/glossary.md and docs/ref/reports.md behind it, then a zero; the build makes it. */
extern const unsigned char glossary_text[];

static const char *text_of_file(void)
{
    return (const char *)glossary_text;
}

/* Read the text between two bars, without blanks around it. The next cell begins at the second bar, which is
 * returned. */
static const char *read_cell(const char **cell, size_t *length, const char *bar)
{
    const char *begin = bar + 1 + strspn(bar + 1, " "), *end = begin + strcspn(begin, "|\n"), *next = end;
    while (end > begin && end[-1] == ' ')
        end--;
    *cell = begin;
    *length = (size_t)(end - begin);
    return next;
}

static bool is_row(const char *line)
{
    return line[0] == '|' && strncmp(line, "|---", 4) != 0 && strncmp(line, "| word |", 8) != 0;
}

/* The heading that a place of the file is below. */
static void find_group(struct glossary_entry *entry, const char *line)
{
    static const char mark[] = "\n## ";
    const char *found = NULL;
    for (const char *at = text_of_file(); (at = strstr(at, mark)) != NULL && at < line; at++)
        found = at + sizeof mark - 1;
    entry->group = found != NULL ? found : "";
    entry->group_length = strcspn(entry->group, "\n");
}

bool glossary_next(struct glossary_entry *entry, size_t *at)
{
    const char *line = text_of_file() + *at;
    while (*line != '\0' && !is_row(line)) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (*line == '\0')
        return false;
    const char *bar = read_cell(&entry->word, &entry->word_length, line);
    bar = read_cell(&entry->text, &entry->text_length, bar);
    find_group(entry, line);
    *at = (size_t)(bar + strcspn(bar, "\n") - text_of_file());
    return true;
}

/* The first of the words from `from` on, which end at `end`; it moves on behind it. Text in parentheses is a word,
 * too. */
static size_t next_word(const char **word, const char **from, const char *end)
{
    *word = *from + strspn(*from, ", ()");
    size_t length = strcspn(*word, ",()");
    while (length > 0 && (*word)[length] == '(' && (*word)[length - 1] == ' ')
        length--;
    if (*word + length > end)
        length = *word < end ? (size_t)(end - *word) : 0;
    *from = *word + length;
    return length;
}

bool glossary_has(const struct glossary_entry *entry, const char *word)
{
    const char *from = entry->word, *end = entry->word + entry->word_length, *own;
    for (size_t length; (length = next_word(&own, &from, end)) > 0;)
        if (length == strlen(word) && strncasecmp(own, word, length) == 0)
            return true;
    return entry->word_length == strlen(word) && strncasecmp(entry->word, word, entry->word_length) == 0;
}

char *glossary_word_at(size_t i)
{
    struct glossary_entry entry;
    const char *word;
    for (size_t at = 0; glossary_next(&entry, &at);) {
        const char *from = entry.word, *end = entry.word + entry.word_length;
        for (size_t length; (length = next_word(&word, &from, end)) > 0;)
            if (i-- == 0)
                return xformat("%.*s", (int)length, word);
    }
    return NULL;
}
