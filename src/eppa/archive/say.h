/* Messages on standard error: one line each, of valid UTF-8 without control characters. Names of files and what else
 * comes from outside may hold any bytes: those that may not be there become '?'.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_SAY_H
#define EPPA_ARCHIVE_SAY_H

#include <stdarg.h>

/* "PROGRAM: " and the message. */
void say_line(const char *program, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_arguments(const char *program, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

#endif
