/* From the spool of a run that did not end to its archive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/recovery.h"

#include "eppa/archive/archive.h"
#include "eppa/archive/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Wait until no rank is left, which all hold the lock; false if there is nothing to be done. */
static bool wait_for_end(int folder, int lock, struct ends *ends)
{
    struct stat status;
    ends_open(ends, folder, 0);
    ends_wait(ends);
    return lock >= 0 && flock(lock, LOCK_EX) == 0 && fstat(lock, &status) == 0 && status.st_nlink != 0;
}

static int watch(int folder, int lock, const char *directory, char *message, int n_message)
{
    struct ends ends = {0};
    int status = 0;
    if (wait_for_end(folder, lock, &ends))
        status = archive_recover(directory, ends.n_ranks > 0 ? &ends : NULL, message, n_message);
    ends_close(&ends);
    return status;
}

/* The lock is held until all is done, so that no run begins there meanwhile. */
static int recover(int folder, const char *directory, bool watches, char *message, int n_message)
{
    int lock = open_regular(folder, "lock", O_RDWR), status = -1;
    if (watches)
        status = watch(folder, lock, directory, message, n_message);
    else if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0)
        snprintf(message, (size_t)n_message, "%s: the run has not ended", directory);
    else
        status = archive_recover(directory, NULL, message, n_message);
    if (lock >= 0)
        close(lock);
    return status;
}

int recovery_run(const char *name, bool watches, char *message, int n_message)
{
    char directory[SPOOL_MAX_PATH - 32];
    size_t length = strlen(name);
    int status = -1;
    while (length > 1 && name[length - 1] == '/')
        length--;
    message[0] = '\0';
    if (snprintf(directory, sizeof directory, "%.*s", (int)length, name) >= (int)sizeof directory) {
        snprintf(message, (size_t)n_message, "the path has %zu bytes; %zu are allowed", length, sizeof directory - 1);
        return -1;
    }
    int folder = open_folder(AT_FDCWD, directory);
    if (folder < 0) {
        snprintf(message, (size_t)n_message, "%s: %s", directory,
                 errno == ENOTDIR ? "no directory of records" : strerror(errno));
        return -1;
    }
    status = recover(folder, directory, watches, message, n_message);
    close(folder);
    return message[0] == '\0' ? status : -1;
}
