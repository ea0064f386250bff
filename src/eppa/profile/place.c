/* Writes a file without a name, where the file system has such, and lets it replace an earlier profile. */
#include "eppa/profile/place.h"

#include "eppa/archive/open.h"
#include "eppa/archive/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char partial[] = "%.200s.eppa-partial";

/* The folder, open, and the file's name in it. */
static int open_parent(struct place *place, const char *path)
{
    char parent[SPOOL_MAX_PATH];
    const char *slash = strrchr(path, '/');
    snprintf(parent, sizeof parent, "%.*s", slash == NULL ? 0 : (int)(slash - path), path);
    *place = (struct place){.file = -1, .path = path};
    size_t length = strlen(slash == NULL ? path : slash + 1);
    if (length == 0 || length >= sizeof place->name) {
        place->folder = -1;
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(place->name, slash == NULL ? path : slash + 1, length + 1);
    place->folder = open(parent[0] != '\0' ? parent : slash == NULL ? "." : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return place->folder < 0 ? -1 : 0;
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
static int check_name(const struct place *place, char *message, int n_message)
{
    struct stat status;
    if (fstatat(place->folder, place->name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
        return 0;
    if (S_ISREG(status.st_mode) && has_mark(place->folder, place->name))
        return 0;
    snprintf(message, (size_t)n_message, "%s is in the way: it is not a profile that libeppa wrote", place->path);
    return -1;
}

/* By what it is in /proc, an open file gets a name. */
static int link_file(const struct place *place, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", place->file);
    return linkat(AT_FDCWD, self, place->folder, name, AT_SYMLINK_FOLLOW);
}

/* On a file system that has no files without a name, it has another one until it is whole. */
static int open_file(struct place *place)
{
    char name[256];
    place->file = openat(place->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (place->file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
        return place->file < 0 ? -1 : 0;
    snprintf(name, sizeof name, partial, place->name);
    unlinkat(place->folder, name, 0);
    place->file = openat(place->folder, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0666);
    return place->file < 0 ? -1 : 0;
}

static void abandon(struct place *place)
{
    char name[256];
    snprintf(name, sizeof name, partial, place->name);
    if (place->file >= 0)
        unlinkat(place->folder, name, 0);
    if (place->stream != NULL)
        fclose(place->stream);
    else if (place->file >= 0)
        close(place->file);
    if (place->folder >= 0)
        close(place->folder);
}

int place_open(struct place *place, const char *path, char *message, int n_message)
{
    int status = open_parent(place, path);
    if (status == 0 && check_name(place, message, n_message) != 0) {
        abandon(place);
        return -1;
    }
    if (status == 0 && open_file(place) == 0 && (place->stream = fdopen(place->file, "w")) != NULL)
        return 0;
    snprintf(message, (size_t)n_message, "cannot write %s: %s", path, strerror(errno));
    abandon(place);
    return -1;
}

int place_check(const char *path, char *message, int n_message)
{
    struct place place;
    if (place_open(&place, path, message, n_message) != 0)
        return -1;
    abandon(&place);
    return 0;
}

/* A name is taken away from an earlier profile in the moment in which the new one gets it. */
static int publish(const struct place *place)
{
    char name[256];
    struct stat status;
    snprintf(name, sizeof name, partial, place->name);
    if (fstat(place->file, &status) == 0 && status.st_nlink == 0) {
        if (link_file(place, place->name) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
        unlinkat(place->folder, name, 0);
        if (link_file(place, name) != 0)
            return -1;
    }
    return renameat(place->folder, name, place->folder, place->name);
}

int place_close(struct place *place, char *message, int n_message)
{
    errno = 0;
    bool is_good = fflush(place->stream) == 0 && ferror(place->stream) == 0 && fsync(place->file) == 0;
    if (is_good && check_name(place, message, n_message) != 0) {
        abandon(place);
        return -1;
    }
    is_good = is_good && publish(place) == 0;
    if (!is_good)
        snprintf(message, (size_t)n_message, "cannot write %s: %s", place->path, strerror(errno));
    abandon(place);
    return is_good ? 0 : -1;
}
