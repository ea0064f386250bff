#include "eppa/files.h"

#include "eppa/spool.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is it a number and the ending? */
static bool is_numbered(const char *name, const char *ending)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ending) == 0;
}

static bool is_of_spool(const char *name)
{
    return is_numbered(name, ".events") || is_numbered(name, ".defs") || is_numbered(name, ".done");
}

static bool is_of_archive(const char *name)
{
    return is_numbered(name, ".evt") || is_numbered(name, ".def");
}

static bool is_events(const char *name)
{
    return is_numbered(name, ".events");
}

static bool is_anchor(const char *name)
{
    return strcmp(name, "trace.otf2") == 0 || strcmp(name, "trace.def") == 0;
}

/* Remove the files of a directory that the predicate names, or only count them. */
static int each_file(const char *directory, bool (*is_ours)(const char *name), bool removes)
{
    DIR *entries = opendir(directory);
    if (entries == NULL)
        return 0;
    int n = 0;
    struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (!is_ours(entry->d_name))
            continue;
        n++;
        if (removes)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    return n;
}

bool spool_has_events(const char *directory)
{
    return each_file(directory, is_events, false) > 0;
}

void archive_discard(const char *directory)
{
    char path[SPOOL_MAX_PATH];
    snprintf(path, sizeof path, "%s/archive/trace", directory);
    each_file(path, is_of_archive, true);
    rmdir(path);
    snprintf(path, sizeof path, "%s/archive", directory);
    each_file(path, is_anchor, true);
    rmdir(path);
}

static bool is_mark(const char *name)
{
    return strcmp(name, "recovery") == 0;
}

void spool_empty(const char *directory)
{
    each_file(directory, is_of_spool, true);
    each_file(directory, is_mark, true);
    archive_discard(directory);
}

void spool_keep(const char *directory)
{
    char path[SPOOL_MAX_PATH];
    snprintf(path, sizeof path, "%s/lock", directory);
    unlink(path);
}

void spool_remove(const char *directory)
{
    spool_empty(directory);
    spool_keep(directory);
    rmdir(directory);
}

/* The first entry of a directory that the predicate does not name, or that is something else than its name says. */
static bool find_stranger(const char *directory, bool (*is_ours)(const char *name), char *stranger, size_t n)
{
    DIR *entries = opendir(directory);
    if (entries == NULL)
        return false;
    const struct dirent *entry;
    bool is_found = false;
    while (!is_found && (entry = readdir(entries)) != NULL) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        mode_t kind = strcmp(entry->d_name, "archive") == 0 ? S_IFDIR : S_IFREG;
        is_found =
            !is_ours(entry->d_name) || (fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                                        (status.st_mode & S_IFMT) != kind);
        if (is_found)
            snprintf(stranger, n, "%s", entry->d_name);
    }
    closedir(entries);
    return is_found;
}

static bool is_in_spool(const char *name)
{
    return is_of_spool(name) || is_mark(name) || strcmp(name, "lock") == 0 || strcmp(name, "archive") == 0;
}

static int check_directory(const char *path, bool (*is_ours)(const char *name), char *message, int n_message)
{
    char stranger[NAME_MAX + 1];
    if (!find_stranger(path, is_ours, stranger, sizeof stranger))
        return 0;
    snprintf(message, (size_t)n_message, "%s is in the way: %s in it is not of an archive", path, stranger);
    return -1;
}

int spool_check_place(const char *directory, char *message, int n_message)
{
    struct stat status;
    if (lstat(directory, &status) != 0)
        return 0;
    if (S_ISDIR(status.st_mode))
        return check_directory(directory, is_in_spool, message, n_message);
    snprintf(message, (size_t)n_message, "%s is in the way: it is no directory", directory);
    return -1;
}

/* An anchor file of this library begins with the magic number of OTF2, and then names its creator. */
static bool is_own_anchor(const char *path)
{
    static const char magic[] = {3, 'B', 'O', 'T', 'F', '2', 0}, creator[] = "libeppa ";
    char head[128];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    ssize_t n = read(file, head, sizeof head);
    close(file);
    return n > (ssize_t)sizeof magic && memcmp(head, magic, sizeof magic) == 0 &&
           memmem(head, (size_t)n, creator, sizeof creator - 1) != NULL;
}

static const char *const endings[] = {".otf2", ".def", ""}; /* of an archive; the last is a directory's */
enum { N_ENDINGS = 3 };

/* Without an anchor file there is no archive that the others could be of. */
int archive_check_place(const char *base, char *message, int n_message)
{
    char path[SPOOL_MAX_PATH];
    struct stat status;
    bool is_own = false;
    for (int i = 0; i < N_ENDINGS; i++) {
        snprintf(path, sizeof path, "%s%s", base, endings[i]);
        if (lstat(path, &status) != 0)
            continue;
        bool is_fitting = i == N_ENDINGS - 1 ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode);
        is_own = i == 0 ? is_fitting && is_own_anchor(path) : is_own;
        if (!is_own || !is_fitting) {
            snprintf(message, (size_t)n_message, "%s is in the way: it is %s of an archive that libeppa wrote", path,
                     i == N_ENDINGS - 1 ? "no directory" : "no file");
            return -1;
        }
        if (i == N_ENDINGS - 1 && check_directory(path, is_of_archive, message, n_message) != 0)
            return -1;
    }
    return 0;
}

/* Rename what is there to what is not; 0, also if nothing is there, or -1 with errno. */
static int move(const char *from_base, const char *to_base, const char *ending)
{
    char from[SPOOL_MAX_PATH], to[SPOOL_MAX_PATH];
    struct stat status;
    if (snprintf(from, sizeof from, "%s%s", from_base, ending) >= (int)sizeof from ||
        snprintf(to, sizeof to, "%s%s", to_base, ending) >= (int)sizeof to) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 || errno == ENOENT)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (lstat(to, &status) == 0) { /* the file system cannot do both at once */
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

static void remove_former(const char *former)
{
    char path[SPOOL_MAX_PATH + 8];
    for (int i = 0; i < N_ENDINGS - 1; i++) {
        snprintf(path, sizeof path, "%s%s", former, endings[i]);
        unlink(path);
    }
    each_file(former, is_of_archive, true);
    rmdir(former);
}

int archive_publish(const char *directory, const char *base, char *message, int n_message)
{
    char made[SPOOL_MAX_PATH], former[SPOOL_MAX_PATH];
    int n_aside = 0, n_left = N_ENDINGS;
    snprintf(made, sizeof made, "%s/archive/trace", directory);
    snprintf(former, sizeof former, "%s/former", directory);
    if (archive_check_place(base, message, n_message) != 0)
        return -1;
    while (n_aside < N_ENDINGS && move(base, former, endings[n_aside]) == 0)
        n_aside++;
    while (n_aside == N_ENDINGS && n_left > 0 && move(made, base, endings[n_left - 1]) == 0)
        n_left--;
    if (n_left == 0) {
        remove_former(former);
        return 0;
    }
    snprintf(message, (size_t)n_message, "%s%s: %s", base, endings[n_aside < N_ENDINGS ? n_aside : n_left - 1],
             strerror(errno));
    for (int i = n_left; n_aside == N_ENDINGS && i < N_ENDINGS; i++)
        move(base, made, endings[i]);
    for (int i = n_aside - 1; i >= 0; i--)
        move(former, base, endings[i]);
    return -1;
}
