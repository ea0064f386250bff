/* Words for those who tell kinds of files by their first bytes, which end with a zero.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_KIND_WORDS_H
#define OS_KIND_WORDS_H

#include "os/kind_head.h"

#include <string.h>

static inline bool has(const struct file_head *head, const char *text)
{
    return strstr(head->bytes, text) != NULL;
}

static inline bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

static inline const char *skip_mark(const char *text)
{
    return starts(text, "\357\273\277") ? text + 3 : text;
}

static inline const char *skip_space(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static inline const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* The first line that is neither empty nor a comment. */
static inline const char *first_line(const struct file_head *head)
{
    const char *line = skip_space(head->bytes);
    while (*line == '#')
        line = skip_space(line + strcspn(line, "\n"));
    return line;
}

static inline bool is_json(const struct file_head *head)
{
    const char *text = skip_space(skip_mark(head->bytes)), *next = *text != '\0' ? skip_space(text + 1) : text;
    return (*text == '{' && (*next == '"' || *next == '}')) ||
           (*text == '[' && strchr("[{]\"-0123456789", *next) != NULL && *next != '\0');
}

/* It begins with a byte order mark. */
static inline bool is_marked(const struct file_head *head)
{
    return skip_mark(head->bytes) != head->bytes;
}

#endif
