/* A text that is put together piece by piece. One of zeros is empty; its memory grows by doubling.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_BUILDER_H
#define BASE_BUILDER_H

#include <stddef.h>

struct builder {
    char *text; /* NULL while it is empty */
    size_t length, capacity;
};

void builder_add(struct builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text put together so far, "" if none; to be freed. The builder is empty again. */
char *builder_take(struct builder *builder);

#endif
