/* Stub of what unpacks by zlib: nothing is unpacked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/unpack.h"

#include <string.h>

bool unpack_is_packed(const void *bytes, size_t size)
{
    return size > 2 && memcmp(bytes, "\037\213\010", 3) == 0;
}

static int refuse(const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "is compressed, and this simrun was built without zlib; unpack it first");
}

size_t unpack_head(void *head, size_t most, const char *file)
{
    (void)head, (void)most, (void)file;
    return 0;
}

int unpack_text(char **text, size_t *size, size_t most, const char *file, struct sim_error *error)
{
    (void)text, (void)size, (void)most;
    return refuse(file, error);
}

int64_t unpack_to(int descriptor, int64_t place, const char *file, struct sim_error *error)
{
    (void)descriptor, (void)place;
    return refuse(file, error);
}

int unpack_deflated(void *bytes, size_t size, const void *packed, size_t packed_size, const char *file,
                    struct sim_error *error)
{
    (void)bytes, (void)size, (void)packed, (void)packed_size;
    return refuse(file, error);
}
