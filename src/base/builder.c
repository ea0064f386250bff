/* A text that is put together piece by piece.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/builder.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void builder_add(struct builder *builder, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t more = (size_t)vsnprintf(NULL, 0, format, arguments), needed = builder->length + more + 1;
    va_end(arguments);
    if (needed > builder->capacity) {
        builder->capacity = needed < 128 ? 128 : 2 * needed;
        builder->text = xrealloc(builder->text, builder->capacity);
    }
    va_start(arguments, format);
    vsnprintf(builder->text + builder->length, more + 1, format, arguments);
    va_end(arguments);
    builder->length += more;
}

char *builder_take(struct builder *builder)
{
    char *text = builder->text != NULL ? builder->text : xstrdup("");
    *builder = (struct builder){0};
    return text;
}
