/* Recognizes the files of spools and archives by their names, moves and removes them, and touches nothing else.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/files.h"

#include "eppa/archive/open.h"
#include "eppa/archive/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The number of NUMBER.EXTENSION, less than `most`, as this library writes it; -1: the name is another. */
static int number_of(const char *name, const char *extension, int most)
{
    size_t digits = strspn(name, "0123456789");
    if (digits == 0 || digits > 7 || (name[0] == '0' && digits > 1) || strcmp(name + digits, extension) != 0)
        return -1;
    int number = atoi(name);
    return number < most ? number : -1;
}

static int rank_of(const char *name, const char *extension)
{
    return number_of(name, extension, SPOOL_MAX_RANKS);
}

int spool_rank_of(const char *name)
{
    return rank_of(name, ".defs");
}

static mode_t kind_if(bool is_ours, mode_t kind)
{
    return is_ours ? kind : 0;
}

static mode_t kind_of_ranks(const char *name)
{
    static const char *const extensions[] = {".events", ".defs", ".done", ".cut", ".others"};
    bool is_ours = false;
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        is_ours = is_ours || rank_of(name, extensions[i]) >= 0;
    return kind_if(is_ours, S_IFREG);
}

mode_t kind_in_events(const char *name)
{
    int most = SPOOL_MAX_RANKS * SPOOL_MAX_THREADS; /* locations */
    return kind_if(number_of(name, ".evt", most) >= 0 || number_of(name, ".def", most) >= 0, S_IFREG);
}

/* The kind of an entry of the directory archive in a spool. */
static mode_t kind_in_archive(const char *name)
{
    if (strcmp(name, "trace") == 0)
        return S_IFDIR;
    return kind_if(strcmp(name, "trace.otf2") == 0 || strcmp(name, "trace.def") == 0, S_IFREG);
}

static mode_t kind_of_mark(const char *name)
{
    return kind_if(strcmp(name, "recovery") == 0, S_IFREG);
}

/* The kind of an entry of a spool. One named former is an earlier archive that was being replaced. */
static mode_t kind_in_spool(const char *name)
{
    static const char *const files[] = {"lock", "recovery", "former.otf2", "former.def"};
    if (strcmp(name, "archive") == 0 || strcmp(name, "former") == 0)
        return S_IFDIR;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(name, files[i]) == 0)
            return S_IFREG;
    return kind_of_ranks(name);
}

static mode_t kind_of_events(const char *name)
{
    return kind_if(rank_of(name, ".events") >= 0, S_IFREG);
}

/* The entries of a directory, from the first; NULL if there is none. */
static DIR *open_entries(int folder, const char *name)
{
    int directory = open_folder(folder, name);
    DIR *entries = directory < 0 ? NULL : fdopendir(directory);
    if (entries == NULL && directory >= 0)
        close(directory);
    return entries;
}

static bool is_of_kind(DIR *entries, const char *name, mode_t kind)
{
    struct stat status;
    return kind != 0 && fstatat(dirfd(entries), name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           (status.st_mode & S_IFMT) == kind;
}

/* Remove the regular files of a directory that are ours, or only count them. */
static int each_file(int folder, const char *name, kind_of_entry kind_of, bool removes)
{
    DIR *entries = open_entries(folder, name);
    if (entries == NULL)
        return 0;
    int n = 0;
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (kind_of(entry->d_name) != S_IFREG || !is_of_kind(entries, entry->d_name, S_IFREG))
            continue;
        n++;
        if (removes)
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    return n;
}

void files_remove(int folder, const char *name, kind_of_entry kind_of)
{
    each_file(folder, name, kind_of, true);
    unlinkat(folder, name, AT_REMOVEDIR);
}

bool spool_has_events(int folder)
{
    return each_file(folder, ".", kind_of_events, false) > 0;
}

void archive_discard(int folder)
{
    int archive = open_folder(folder, "archive");
    if (archive < 0)
        return;
    files_remove(archive, "trace", kind_in_events);
    close(archive);
    files_remove(folder, "archive", kind_in_archive);
}

void spool_empty(int folder)
{
    each_file(folder, ".", kind_of_ranks, true);
    each_file(folder, ".", kind_of_mark, true);
    archive_discard(folder);
}

void spool_keep(int folder)
{
    unlinkat(folder, "lock", 0);
}

void spool_remove(int folder, const char *directory)
{
    spool_empty(folder);
    spool_keep(folder);
    rmdir(directory);
}

int files_check(int folder, const char *name, kind_of_entry kind_of, const char *shown, char *message, int n_message)
{
    DIR *entries = open_entries(folder, name);
    if (entries == NULL && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (entries == NULL) {
        snprintf(message, (size_t)n_message, "%s: %s", shown, strerror(errno));
        return -1;
    }
    const struct dirent *entry;
    int status = 0;
    while (status == 0 && (entry = readdir(entries)) != NULL) {
        const char *found = entry->d_name;
        if (strcmp(found, ".") == 0 || strcmp(found, "..") == 0 || is_of_kind(entries, found, kind_of(found)))
            continue;
        snprintf(message, (size_t)n_message, "%s is in the way: it contains %s, which is not part of an archive", shown,
                 found);
        status = -1;
    }
    closedir(entries);
    return status;
}

static int check_levels(int folder, const char *directory, char *message, int n_message)
{
    static const struct {
        const char *name;
        kind_of_entry kind_of;
    } levels[] = {{".", kind_in_spool},
                  {"archive", kind_in_archive},
                  {"archive/trace", kind_in_events},
                  {"former", kind_in_events}};
    char shown[SPOOL_MAX_PATH + 16];
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        snprintf(shown, sizeof shown, i == 0 ? "%s" : "%s/%s", directory, levels[i].name);
        if (files_check(folder, levels[i].name, levels[i].kind_of, shown, message, n_message) != 0)
            return -1;
    }
    return 0;
}

int spool_check_destination(const char *directory, char *message, int n_message)
{
    struct stat status;
    int folder = open_folder(AT_FDCWD, directory), result = 0;
    if (folder >= 0) {
        result = check_levels(folder, directory, message, n_message);
        close(folder);
    } else if (lstat(directory, &status) == 0 && !S_ISDIR(status.st_mode)) {
        snprintf(message, (size_t)n_message, "%s is in the way: it is not a directory", directory);
        result = -1;
    }
    return result;
}
