/* Fills in errors: status, place in the file, one line of message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

int sim_error_set(struct sim_error *error, enum sim_status status, const char *file, long line, const char *format, ...)
{
    size_t used = 0;
    char text[sizeof error->message] = ""; /* parts of it may be the former message */
    error->status = status;
    if (file != NULL) {
        int n =
            line > 0 ? snprintf(text, sizeof text, "%s:%ld: ", file, line) : snprintf(text, sizeof text, "%s: ", file);
        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof text)
            used = sizeof text - 1;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    utf8_trim(text);
    utf8_copy(error->message, sizeof error->message, text);
    return -1;
}

int sim_error_why(char *why, size_t why_size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, why_size, format, arguments);
    va_end(arguments);
    return -1;
}
