/* Writes a file without a name, where the file system has such, and lets it replace an earlier profile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/destination.h"

#include "eppa/archive/open.h"
#include "eppa/archive/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char partial[] = "%.200s.eppa-partial";

/* The folder, open, and the file's name in it. */
static int open_parent(struct destination *destination, const char *path)
{
    char parent[SPOOL_MAX_PATH];
    const char *slash = strrchr(path, '/');
    snprintf(parent, sizeof parent, "%.*s", slash == NULL ? 0 : (int)(slash - path), path);
    *destination = (struct destination){.file = -1, .path = path};
    size_t length = strlen(slash == NULL ? path : slash + 1);
    if (length == 0 || length >= sizeof destination->name) {
        destination->folder = -1;
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(destination->name, slash == NULL ? path : slash + 1, length + 1);
    destination->folder = open(parent[0] != '\0' ? parent
                               : slash == NULL   ? "."
                                                 : "/",
                               O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return destination->folder < 0 ? -1 : 0;
}

/* The mark is within the first or the last bytes of a profile. */
static bool has_mark(int folder, const char *name)
{
    enum { NEAR = 512 };
    static const char mark[] = "profile by libeppa ";
    char bytes[2 * NEAR];
    int file = open_regular(folder, name, O_RDONLY);
    off_t end = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    ssize_t n = end < 0 ? -1 : pread(file, bytes, NEAR, 0);
    if (n == NEAR && end > NEAR) {
        ssize_t more = pread(file, bytes + NEAR, NEAR, end - NEAR < NEAR ? NEAR : end - NEAR);
        n += more > 0 ? more : 0;
    }
    if (file >= 0)
        close(file);
    return n > 0 && memmem(bytes, (size_t)n, mark, sizeof mark - 1) != NULL;
}

/* Nothing is there, or what may be replaced. */
static int check_name(const struct destination *destination, char *message, int n_message)
{
    struct stat status;
    if (fstatat(destination->folder, destination->name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
        return 0;
    if (S_ISREG(status.st_mode) && has_mark(destination->folder, destination->name))
        return 0;
    snprintf(message, (size_t)n_message, "%s is in the way: it is not a profile that libeppa wrote", destination->path);
    return -1;
}

/* By what it is in /proc, an open file gets a name. */
static int link_file(const struct destination *destination, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", destination->file);
    return linkat(AT_FDCWD, self, destination->folder, name, AT_SYMLINK_FOLLOW);
}

/* On a file system that has no files without a name, it has another one until it is whole. */
static int open_file(struct destination *destination)
{
    char name[256];
    destination->file = openat(destination->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (destination->file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
        return destination->file < 0 ? -1 : 0;
    snprintf(name, sizeof name, partial, destination->name);
    unlinkat(destination->folder, name, 0);
    destination->file = openat(destination->folder, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666);
    return destination->file < 0 ? -1 : 0;
}

static void abandon(struct destination *destination)
{
    char name[256];
    snprintf(name, sizeof name, partial, destination->name);
    if (destination->file >= 0)
        unlinkat(destination->folder, name, 0);
    if (destination->stream != NULL)
        fclose(destination->stream);
    else if (destination->file >= 0)
        close(destination->file);
    if (destination->folder >= 0)
        close(destination->folder);
}

int destination_open(struct destination *destination, const char *path, char *message, int n_message)
{
    int status = open_parent(destination, path);
    if (status == 0 && check_name(destination, message, n_message) != 0) {
        abandon(destination);
        return -1;
    }
    if (status == 0 && open_file(destination) == 0 && (destination->stream = fdopen(destination->file, "w")) != NULL)
        return 0;
    snprintf(message, (size_t)n_message, "cannot write %s: %s", path, strerror(errno));
    abandon(destination);
    return -1;
}

int destination_check(const char *path, char *message, int n_message)
{
    struct destination destination;
    if (destination_open(&destination, path, message, n_message) != 0)
        return -1;
    abandon(&destination);
    return 0;
}

/* A name is taken away from an earlier profile in the moment in which the new one gets it. */
static int publish(const struct destination *destination)
{
    char name[256];
    struct stat status;
    snprintf(name, sizeof name, partial, destination->name);
    if (fstat(destination->file, &status) == 0 && status.st_nlink == 0) {
        if (link_file(destination, destination->name) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
        unlinkat(destination->folder, name, 0);
        if (link_file(destination, name) != 0)
            return -1;
    }
    return renameat(destination->folder, name, destination->folder, destination->name);
}

int destination_close(struct destination *destination, char *message, int n_message)
{
    errno = 0;
    bool is_good =
        fflush(destination->stream) == 0 && ferror(destination->stream) == 0 && fsync(destination->file) == 0;
    if (is_good && check_name(destination, message, n_message) != 0) {
        abandon(destination);
        return -1;
    }
    is_good = is_good && publish(destination) == 0;
    if (!is_good)
        snprintf(message, (size_t)n_message, "cannot write %s: %s", destination->path, strerror(errno));
    abandon(destination);
    return is_good ? 0 : -1;
}
