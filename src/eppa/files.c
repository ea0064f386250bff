#include "eppa/files.h"

#include "eppa/spool.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
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

/* Remove what an earlier archive left in the way of PATH; a directory only with files of an archive in it. */
static int clear(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? 0 : -1;
    if (!S_ISDIR(status.st_mode))
        return unlink(path);
    each_file(path, is_of_archive, true);
    return rmdir(path);
}

int archive_publish(const char *directory, const char *base, char *what, int n_what)
{
    static const char *const endings[] = {".otf2", ".def", ""};
    char from[SPOOL_MAX_PATH];
    for (int i = 0; i < 3; i++) {
        snprintf(what, (size_t)n_what, "%s%s", base, endings[i]);
        if (clear(what) != 0)
            return -1;
    }
    for (int i = 2; i >= 0; i--) {
        snprintf(from, sizeof from, "%s/archive/trace%s", directory, endings[i]);
        snprintf(what, (size_t)n_what, "%s%s", base, endings[i]);
        if (rename(from, what) != 0)
            return -1;
    }
    return 0;
}
