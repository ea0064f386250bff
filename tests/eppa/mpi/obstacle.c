/* To be preloaded: makes what the tracer asks of the file system fail. OBSTACLE_RENAME=N: the N-th renaming;
 * OBSTACLE_ROOM: there is no room for the files of this rank, or of any process (-1).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags)
{
    static int n;
    const char *which = getenv("OBSTACLE_RENAME");
    if (which != NULL && ++n == atoi(which)) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

int posix_fallocate(int file, off_t offset, off_t length)
{
    const char *which = getenv("OBSTACLE_ROOM"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank == NULL)
        rank = getenv("PMI_RANK");
    if (which != NULL && atoi(which) == (rank == NULL ? -1 : atoi(rank)))
        return ENOSPC;
    return ftruncate(file, offset + length) == 0 ? 0 : errno;
}
