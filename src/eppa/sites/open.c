/* Opens programs and libraries, and nothing that a stranger could have put there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/sites/open.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK: opening a pipe without it waits for its other end. */
int sites_open(const char *path)
{
    struct stat status;
    int file = path[0] != '/' ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (status.st_uid == 0 || status.st_uid == geteuid()))
        return file;
    close(file);
    return -1;
}

const char *sites_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
