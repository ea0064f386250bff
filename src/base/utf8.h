/* Text in UTF-8 that comes from files and goes to terminals, tables and JSON.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* As many whole characters as fit into size bytes, 1 at least for the end. Bytes that are not UTF-8, and characters
 * that cannot be printed or change the direction of text, become '?'. */
void utf8_copy(char *to, size_t size, const char *from);

/* The length of the character that a text begins with; 0 if it is no UTF-8, or empty. */
size_t utf8_length(const char *text);

/* Take a character off the end of a text that has been cut within it. */
void utf8_trim(char *text);

/* How many columns a text takes on a terminal; a byte that is no UTF-8 takes one. */
int utf8_width(const char *text);

#endif
