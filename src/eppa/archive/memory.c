/* Memory, or the end of the process.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/memory.h"

#include "eppa/archive/say.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *memory_need(void *memory)
{
    if (memory != NULL)
        return memory;
    say_line("eppa", "out of memory");
    _exit(1);
}

void *memory_grow(void *items, uint32_t n, size_t size)
{
    if (n != 0 && (n & (n - 1)) != 0)
        return items;
    return memory_need(realloc(items, 2 * (n == 0 ? 1 : (size_t)n) * size));
}

void *memory_copy(const void *data, size_t length)
{
    char *made = memory_need(malloc(length + 1));
    memcpy(made, data, length);
    made[length] = '\0';
    return made;
}
