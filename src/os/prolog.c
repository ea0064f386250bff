/* Brings the declaration of an XML file to its beginning.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/prolog.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "\357\273\277"; /* of byte order, in UTF-8 */
enum { MARK_LENGTH = sizeof mark - 1 };

static bool begins(const char *text, const char *end, const char *with)
{
    size_t length = strlen(with);
    return (size_t)(end - text) >= length && memcmp(text, with, length) == 0;
}

/* Behind the text, from here on; `end` if it is nowhere. */
static char *behind(char *text, const char *end, const char *what)
{
    char *found = memmem(text, (size_t)(end - text), what, strlen(what));
    return found != NULL ? found + strlen(what) : text + (end - text);
}

/* Behind blanks, marks, which become blanks, and comments. */
static char *skip_beside(char *text, const char *end)
{
    for (;;) {
        if (text < end && strchr(" \t\r\n", *text) != NULL && *text != '\0')
            text++;
        else if (begins(text, end, "<!--"))
            text = behind(text, end, "-->");
        else if (begins(text, end, mark))
            text = (char *)memset(text, ' ', MARK_LENGTH) + MARK_LENGTH;
        else
            return text;
    }
}

void prolog_mend(char *text, size_t size)
{
    const char *end = text + size;
    char *first = begins(text, end, mark) ? text + MARK_LENGTH : text;
    char *declaration = skip_beside(first, end);
    if (declaration == first || !begins(declaration, end, "<?xml") || begins(declaration, end, "<?xml-"))
        return;
    size_t beside = (size_t)(declaration - first), length = (size_t)(behind(declaration, end, "?>") - declaration);
    char *copy = xmalloc(beside);
    memcpy(copy, first, beside);
    memmove(first, declaration, length);
    memcpy(first + length, copy, beside);
    free(copy);
}
