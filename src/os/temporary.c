/* Opens a file in $TMPDIR or /tmp that has no name and is gone with its last descriptor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/temporary.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int temporary_open(const char *folder)
{
    if (folder == NULL)
        folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] == '\0')
        folder = P_tmpdir;
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    char *name = xformat("%s/simrun-XXXXXX", folder); /* file systems without O_TMPFILE */
    file = mkostemp(name, O_CLOEXEC);
    int why = errno;
    if (file >= 0)
        unlink(name);
    free(name);
    errno = why;
    return file;
}
