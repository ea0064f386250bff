/* An output of several files: in a folder of their own until all are on disk, then each in its place.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/output_folder.h"

#include "base/memory.h"
#include "os/file_kind.h"
#include "os/output.h"
#include "os/partial.h"
#include "os/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *path_of(const struct output_folder *output, const char *extension)
{
    int folder = (int)(strlen(output->file) - strlen(output->stem) - strlen(output->extensions[0]));
    return xformat("%.*s%s%s", folder, output->file, output->stem, extension);
}

static char *partial_of(const struct output_folder *output, const char *extension)
{
    return xformat("%s/%s%s", output->partial, output->stem, extension);
}

/* True if a folder holds nothing but what archives keep there: files whose names are a number and an extension, and
 * that begin as they do. The first that is something else is left in `stranger`. */
static bool is_of_archive(const char *folder, const char *begin, char stranger[256])
{
    DIR *stream = opendir(folder);
    stranger[0] = '\0';
    for (const struct dirent *entry; stream != NULL && stranger[0] == '\0' && (entry = readdir(stream)) != NULL;) {
        const char *name = entry->d_name;
        size_t digits = strspn(name, "0123456789");
        char *path = xformat("%s/%s", folder, name);
        bool is_file = digits > 0 && name[digits] == '.' && file_begins(path, begin);
        free(path);
        if (!is_file && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
            snprintf(stranger, 256, "%s", name);
    }
    if (stream != NULL)
        closedir(stream);
    return stranger[0] == '\0';
}

/* A file of another's is not replaced, nor is a folder with one. The kind of FILE itself matters only to the others. */
static int check_part(const struct output_folder *output, int part, const char *path, bool belongs,
                      struct sim_error *error)
{
    struct stat status;
    char stranger[256];
    const char *begin = output->begins[part];
    bool folder = output->extensions[part][0] == '\0';
    if (lstat(path, &status) != 0)
        return 0;
    if (output_check_no_store(path, error) != 0)
        return -1;
    if (folder != S_ISDIR(status.st_mode))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0, "cannot be written: %s is %s", path,
                             folder ? "in the way of a folder" : "a folder");
    if (part == 0)
        return 0;
    if (folder ? !belongs && rmdir(path) != 0 : !belongs || !file_begins(path, begin))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0,
                             "cannot be written: there is a %s %s, which belongs to something else; if it is left over "
                             "from an earlier trace, remove it",
                             folder ? "folder" : "file", path);
    if (folder && belongs && !is_of_archive(path, begin, stranger))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0,
                             "cannot be written: %s/%s is in the way; it is not part of an archive", path, stranger);
    return 0;
}

/* Parts that are there are replaced only along with the FILE that they belong to. */
static int check_in_the_way(const struct output_folder *output, struct sim_error *error)
{
    struct stat status;
    bool exists = stat(output->file, &status) == 0;
    int result = 0;
    if (!exists && errno != ENOENT)
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0, "cannot be written: %s", strerror(errno));
    if (exists && !S_ISREG(status.st_mode))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0,
                             "cannot be written: the trace consists of several files, and this is not a regular file");
    bool belongs = exists && file_begins(output->file, output->begins[0]);
    for (int i = 0; output->extensions[i] != NULL && result == 0; i++) {
        char *path = path_of(output, output->extensions[i]);
        result = check_part(output, i, path, belongs, error);
        free(path);
    }
    return result;
}

static void dispose_folder(struct output_folder *output)
{
    free(output->partial);
    free(output->stem);
    free(output->file);
    *output = (struct output_folder){0};
}

int output_folder_open(struct output_folder *output, const char *file, const char *const *extensions,
                       const char *const *begins, struct sim_error *error)
{
    const char *name = path_base(file);
    size_t length = strlen(name), extension = strlen(extensions[0]);
    if (length <= extension || strcmp(name + length - extension, extensions[0]) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: it needs a name before %s",
                             extensions[0]);
    *output = (struct output_folder){.file = xstrdup(file), .extensions = extensions, .begins = begins};
    output->stem = xformat("%.*s", (int)(length - extension), name);
    output->partial = partial_beside(file, "XXXXXX");
    mode_t mask = umask(0);
    umask(mask);
    int status = check_in_the_way(output, error);
    if (status == 0 && (partial_reserve() != 0 || mkdtemp(output->partial) == NULL))
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(errno));
    if (status != 0) {
        partial_release();
        dispose_folder(output);
        return -1;
    }
    chmod(output->partial, 0777 & ~mask);
    partial_catch_signals();
    partial_remember(output->partial);
    return 0;
}

/* For every file of a folder and of the folders in it; ends with the first that fails: -1 and errno. */
static int for_each_file(const char *folder, int (*take)(int descriptor, int *count), int *count)
{
    DIR *stream = opendir(folder);
    int status = stream != NULL ? 0 : -1;
    for (const struct dirent *entry; status == 0 && (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *path = xformat("%s/%s", folder, entry->d_name);
        int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        struct stat about;
        status = descriptor >= 0 ? fstat(descriptor, &about) : -1;
        if (status == 0)
            status = S_ISDIR(about.st_mode) ? for_each_file(path, take, count) : take(descriptor, count);
        if (descriptor >= 0)
            close(descriptor);
        free(path);
    }
    int reason = errno;
    if (stream != NULL)
        closedir(stream);
    errno = reason;
    return status;
}

/* Where that is not known, whoever waits for the file writes it. */
static int begin_writing(int descriptor, int *count)
{
    ++*count;
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    return 0;
}

static int sync_file(int descriptor, int *count)
{
    (void)count;
    return fsync(descriptor);
}

/* It says of each file whether it could be written, as syncfs() does not everywhere. */
static int end_writing(int descriptor, int *count)
{
    unsigned how = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    return sync_file_range(descriptor, 0, 0, how) == 0 ? 0 : sync_file(descriptor, count);
}

static int sync_file_system(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    int status = descriptor >= 0 ? syncfs(descriptor) : -1, reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = reason;
    return status;
}

/* Have all files of a folder on disk. A disk is waited for once for each file that is asked for by itself, and an
 * archive has two for each rank: many are asked for at once. */
static int sync_folder(const char *folder)
{
    enum { MOST_ALONE = 8 };
    int count = 0;
    if (for_each_file(folder, begin_writing, &count) != 0)
        return -1;
    if (count <= MOST_ALONE)
        return for_each_file(folder, sync_file, &count);
    return for_each_file(folder, end_writing, &count) == 0 ? sync_file_system(folder) : -1;
}

/* Move a file or folder into its place; a folder that is there goes into the partial one, to be removed with it. */
static int move(const struct output_folder *output, const char *extension)
{
    char *from = partial_of(output, extension), *to = path_of(output, extension);
    char *former = xformat("%s/former", output->partial);
    if (extension[0] == '\0')
        rename(to, former);
    int status = rename(from, to);
    int reason = errno;
    free(former);
    free(to);
    free(from);
    errno = reason;
    return status;
}

/* Move all parts; if one cannot be moved, those that have been moved are taken back. */
static int move_all(const struct output_folder *output)
{
    int n = 0, at;
    while (output->extensions[n] != NULL)
        n++;
    unlink(output->file);
    for (at = n - 1; at >= 0 && move(output, output->extensions[at]) == 0; at--)
        continue;
    int reason = errno;
    for (int i = at + 1; at >= 0 && i < n; i++) {
        char *path = path_of(output, output->extensions[i]);
        if (unlink(path) != 0)
            partial_remove_folder(AT_FDCWD, path);
        free(path);
    }
    errno = reason;
    return at < 0 ? 0 : -1;
}

int output_folder_close(struct output_folder *output, struct sim_error *error)
{
    sigset_t all, former;
    if (check_in_the_way(output, error) != 0) { /* what has come meanwhile */
        output_folder_abandon(output);
        return -1;
    }
    int status = sync_folder(output->partial);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &former);
    if (status == 0)
        status = move_all(output);
    if (status != 0)
        sim_error_set(error, SIM_UNFINISHED, output->file, 0, "could not be written: %s", strerror(errno));
    output_folder_abandon(output);
    sigprocmask(SIG_SETMASK, &former, NULL);
    return status;
}

void output_folder_abandon(struct output_folder *output)
{
    if (output->partial == NULL)
        return;
    partial_release();
    partial_remove_folder(AT_FDCWD, output->partial);
    partial_forget(output->partial);
    dispose_folder(output);
}
