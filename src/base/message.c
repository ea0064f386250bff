/* Messages to the user: cleaned, and written at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *message_clean(const char *text)
{
    size_t size = strlen(text) + 1; /* what a character becomes is never longer */
    char *clean = xmalloc(size);
    utf8_copy(clean, size, text);
    return clean;
}

void message_print_line(const char *text)
{
    char *clean = message_clean(text);
    size_t length = strlen(clean);
    clean[length++] = '\n'; /* in place of the end */
    for (size_t done = 0; done < length;) {
        ssize_t written = write(STDERR_FILENO, clean + done, length - done);
        if (written <= 0 && errno != EINTR)
            break;
        done += written > 0 ? (size_t)written : 0;
    }
    free(clean);
}

void message_print(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    char *line = xformat("simrun: %s", text);
    message_print_line(line);
    free(line);
    free(text);
}
