/* Texts, and other values, that live as long as the program, each once: those of which there are few, however many name
 * them. Any thread may ask.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_INTERN_H
#define INTERVAL_INTERN_H

#include <stddef.h>

/* The text interned: equal ones are the same. */
const char *intern_text(const char *text);
/* One of at most 1023 bytes; what is longer is cut. */
const char *intern_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* So many bytes, likewise; none of them is padding. */
const void *intern_bytes(const void *bytes, size_t size);

#endif
