/* An archive comes to its destination.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/files.h"
#include "eppa/archive/open.h"
#include "eppa/archive/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char *const extensions[] = {".otf2", ".def", ""}; /* of an archive; the last is a directory's */
enum { N_EXTENSIONS = 3 };

/* An archive by its name in an open directory; `shown` in messages. */
struct archive_name {
    int folder;
    const char *name, *shown;
};

/* The directory that the archive is to be in; -1 with errno. */
static int open_destination(struct archive_name *destination, const char *base)
{
    char parent[SPOOL_MAX_PATH];
    const char *slash = strrchr(base, '/');
    int length = slash == NULL ? 0 : (int)(slash - base);
    snprintf(parent, sizeof parent, "%.*s", length, base);
    const char *name = length > 0 ? parent : slash == NULL ? "." : "/";
    *destination =
        (struct archive_name){open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), slash == NULL ? base : slash + 1, base};
    return destination->folder < 0 ? -1 : 0;
}

/* A name longer than a file can have is an error when it is used. */
static void name_part(char part[NAME_MAX + 8], const char *name, int i)
{
    snprintf(part, NAME_MAX + 8, "%.*s%s", NAME_MAX + 1, name, extensions[i]);
}

/* An anchor file of this library begins with the magic number of OTF2, and then names its creator. */
static bool is_own_anchor(int folder, const char *name)
{
    static const char magic[] = {3, 'B', 'O', 'T', 'F', '2', 0}, creator[] = "libeppa ";
    char head[128];
    int file = open_regular(folder, name, O_RDONLY);
    if (file < 0)
        return false;
    ssize_t n = read(file, head, sizeof head);
    close(file);
    return n > (ssize_t)sizeof magic && memcmp(head, magic, sizeof magic) == 0 &&
           memmem(head, (size_t)n, creator, sizeof creator - 1) != NULL;
}

/* Without an anchor file there is no archive that the others could be of. */
static int check_destination(const struct archive_name *destination, char *message, int n_message)
{
    char part[NAME_MAX + 8];
    struct stat status;
    bool is_own = false;
    for (int i = 0; i < N_EXTENSIONS; i++) {
        name_part(part, destination->name, i);
        if (fstatat(destination->folder, part, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool is_fitting = i == N_EXTENSIONS - 1 ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode);
        is_own = i == 0 ? is_fitting && is_own_anchor(destination->folder, part) : is_own;
        if (!is_own || !is_fitting) {
            snprintf(message, (size_t)n_message, "%s%s is in the way: it is %s of an archive written by libeppa",
                     destination->shown, extensions[i], i == N_EXTENSIONS - 1 ? "not a directory" : "not a file");
            return -1;
        }
    }
    return files_check(destination->folder, destination->name, kind_in_events, destination->shown, message, n_message);
}

int archive_check_destination(const char *base, char *message, int n_message)
{
    struct archive_name destination;
    if (open_destination(&destination, base) != 0)
        return 0; /* what is to be made there says so */
    int status = check_destination(&destination, message, n_message);
    close(destination.folder);
    return status;
}

/* Rename what is there to what is not; 0, also if nothing is there, or -1 with errno. */
static int move(const struct archive_name *from, const struct archive_name *to, int i)
{
    char from_name[NAME_MAX + 8], to_name[NAME_MAX + 8];
    struct stat status;
    name_part(from_name, from->name, i);
    name_part(to_name, to->name, i);
    if (renameat2(from->folder, from_name, to->folder, to_name, RENAME_NOREPLACE) == 0 || errno == ENOENT)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (fstatat(to->folder, to_name, &status, AT_SYMLINK_NOFOLLOW) == 0) { /* the file system cannot do both at once */
        errno = EEXIST;
        return -1;
    }
    return renameat(from->folder, from_name, to->folder, to_name);
}

/* The anchor file last: without it, the others would be a stranger's. */
static void remove_former(const struct archive_name *former)
{
    char part[NAME_MAX + 8];
    files_remove(former->folder, former->name, kind_in_events);
    for (int i = N_EXTENSIONS - 2; i >= 0; i--) {
        name_part(part, former->name, i);
        unlinkat(former->folder, part, 0);
    }
}

static int publish(const struct archive_name *made, const struct archive_name *former,
                   const struct archive_name *destination, char *message, int n_message)
{
    int n_aside = 0, n_left = N_EXTENSIONS;
    if (check_destination(former, message, n_message) != 0 || check_destination(destination, message, n_message) != 0)
        return -1;
    while (n_aside < N_EXTENSIONS && move(destination, former, n_aside) == 0)
        n_aside++;
    while (n_aside == N_EXTENSIONS && n_left > 0 && move(made, destination, n_left - 1) == 0)
        n_left--;
    if (n_left == 0) {
        remove_former(former);
        return 0;
    }
    snprintf(message, (size_t)n_message, "%s%s: %s", destination->shown,
             extensions[n_aside < N_EXTENSIONS ? n_aside : n_left - 1], strerror(errno));
    for (int i = n_left; n_aside == N_EXTENSIONS && i < N_EXTENSIONS; i++)
        move(destination, made, i);
    for (int i = n_aside - 1; i >= 0; i--)
        move(former, destination, i);
    return -1;
}

int archive_publish(int folder, const char *base, char *message, int n_message)
{
    struct archive_name made = {open_folder(folder, "archive"), "trace", base}, former = {folder, "former", "former"},
                        destination;
    int status = -1;
    if (open_destination(&destination, base) != 0 || made.folder < 0)
        snprintf(message, (size_t)n_message, "%s: %s", base, strerror(errno));
    else
        status = publish(&made, &former, &destination, message, n_message);
    if (made.folder >= 0)
        close(made.folder);
    if (destination.folder >= 0)
        close(destination.folder);
    return status;
}
