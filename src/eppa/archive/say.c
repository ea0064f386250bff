/* Messages of one clean line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/say.h"

#include "base/utf8.h"

#include <stdio.h>

enum { LONGEST = 10 * 1024 }; /* two paths and what is said of them */

void say_arguments(const char *program, const char *format, va_list arguments)
{
    char line[LONGEST], clean[LONGEST];
    vsnprintf(line, sizeof line, format, arguments);
    utf8_trim(line);
    utf8_copy(clean, sizeof clean, line);
    fprintf(stderr, "%s: %s\n", program, clean);
}

void say_line(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_arguments(program, format, arguments);
    va_end(arguments);
}
