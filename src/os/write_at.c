/* Writes until all is written, whatever a single call takes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/write_at.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int write_at(int descriptor, const void *bytes, size_t size, int64_t offset, const char *name, struct sim_error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = pwrite(descriptor, (const char *)bytes + done, size - done, offset + (int64_t)done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot write %s: %s", name, strerror(errno));
        done += (size_t)put;
    }
    return 0;
}
