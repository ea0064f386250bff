/* Files opened without following links or waiting for pipes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* O_NONBLOCK: opening a pipe without it waits for its other end. */
int open_regular(int folder, const char *name, int flags)
{
    struct stat status;
    int file = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (file < 0) {
        if (errno == ELOOP || errno == ENXIO || errno == EISDIR)
            errno = EINVAL;
        return -1;
    }
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

int open_of_rank(int folder, int rank, const char *extension, int flags)
{
    char name[32];
    snprintf(name, sizeof name, "%d.%s", rank, extension);
    return open_regular(folder, name, flags);
}
