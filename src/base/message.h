/* Messages to the user, on standard error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

/* The whole text as utf8_copy() cleans it; to be freed. */
char *message_clean(const char *text);

/* Print "simrun: " and the text, as one line of UTF-8 that a terminal shows and does not obey: see utf8_copy(). The
 * line is written at once, so that those of several processes do not mix. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a text that says already who speaks, such as one of a library. */
void message_print_line(const char *text);

#endif
