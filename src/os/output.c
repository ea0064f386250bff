/* An output of one file: without a name, or with another one, until all of it is on disk.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/output.h"

#include "base/memory.h"
#include "os/file_kind.h"
#include "os/partial.h"
#include "os/path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The name of an open file that has none. */
static const char *descriptor_path(int descriptor, char path[40])
{
    snprintf(path, 40, "/proc/self/fd/%d", descriptor);
    return path;
}

/* --- names --- */

/* Where the last link of a chain leads to, if there is one: a name, which need not be there. */
static char *follow(const char *file)
{
    enum { MOST_LINKS = 40 };
    char *name = xstrdup(file), target[4096];
    ssize_t length;
    for (int i = 0; i < MOST_LINKS && (length = readlink(name, target, sizeof target)) > 0; i++) {
        char *next = path_beside(name, target, (size_t)length);
        free(name);
        name = next;
    }
    return name;
}

char *output_target(const char *file)
{
    char *whole = realpath(file, NULL);
    if (whole != NULL)
        return whole;
    char *name = follow(file), *folder = path_beside(name, ".", 1), *resolved = realpath(folder, NULL);
    if (resolved != NULL)
        whole = xformat("%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, path_base(name));
    free(folder);
    free(resolved);
    if (whole == NULL)
        return name;
    free(name);
    return whole;
}

static char *random_partial(const char *file)
{
    char end[20];
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) < 0)
        number = (uint64_t)getpid();
    snprintf(end, sizeof end, "%016" PRIx64, number);
    return partial_beside(file, end);
}

/* --- one file --- */

/* A file without a name in the folder of the file whose name it gets later on, and of which nothing is left however the
 * process ends. -1 where there are no such files. */
static int open_unnamed(const char *file)
{
    char path[40], *folder = path_beside(file, ".", 1);
    int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (descriptor < 0 || access(descriptor_path(descriptor, path), F_OK) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* A file with a name that a signal handler removes. */
static int open_partial(char **partial, const char *file)
{
    *partial = partial_beside(file, "XXXXXX");
    int descriptor = mkostemp(*partial, O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    partial_remember(*partial);
    return descriptor;
}

static void dispose(struct output *output)
{
    if (output->partial != NULL)
        partial_forget(output->partial);
    free(output->partial);
    free(output->file);
    *output = (struct output){0};
}

/* The open descriptor that a name such as /dev/stdout or /dev/fd/3 stands for; -1: it is another name. */
static int named_descriptor(const char *file)
{
    enum { MOST_LINKS = 8 };
    char own[32], target[4096], *name = xstrdup(file);
    int descriptor = -1;
    ssize_t length = 1;
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    for (int i = 0; i < MOST_LINKS && descriptor < 0 && length > 0; i++) {
        char *folder = path_beside(name, ".", 1), *resolved = realpath(folder, NULL);
        const char *slash = strrchr(name, '/');
        if (resolved != NULL && strcmp(resolved, own) == 0 && slash != NULL)
            descriptor = atoi(slash + 1);
        length = descriptor < 0 ? readlink(name, target, sizeof target) : 0;
        if (length > 0) {
            char *next = path_beside(name, target, (size_t)length);
            free(name);
            name = next;
        }
        free(folder);
        free(resolved);
    }
    free(name);
    return descriptor;
}

/* Open a file for writing. One that exists and is not regular is written directly; for all others the name, which must
 * be a good one, is kept free. */
static int open_file(struct output *output, const char *file)
{
    struct stat status;
    bool exists = stat(file, &status) == 0;
    if (!exists && errno != ENOENT)
        return -1;
    if (exists && !S_ISREG(status.st_mode))
        return open(file, O_WRONLY | O_CLOEXEC);
    int descriptor = open_unnamed(file);
    output->unnamed = descriptor >= 0;
    if (output->unnamed)
        output->partial = random_partial(file);
    return output->unnamed ? descriptor : open_partial(&output->partial, file);
}

/* Where a name is a link, what it leads to is replaced: the link, such as /dev/stdout, may be needed. */
static char *name_to_write(const char *file)
{
    struct stat status;
    return lstat(file, &status) == 0 && S_ISLNK(status.st_mode) ? output_target(file) : xstrdup(file);
}

int output_check_no_store(const char *file, struct sim_error *error)
{
    if (!file_begins(file, FILE_KIND_STORE))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: it is a store, which is never overwritten");
}

int output_open(struct output *output, const char *file, struct sim_error *error)
{
    *output = (struct output){.stream = stdout};
    if (file == NULL)
        return 0;
    int given = named_descriptor(file); /* who has opened it may write there, too */
    output->file = given >= 0 ? xstrdup(file) : name_to_write(file);
    if (given < 0 && output_check_no_store(output->file, error) != 0) {
        dispose(output);
        return -1;
    }
    int descriptor = given >= 0 ? fcntl(given, F_DUPFD_CLOEXEC, 0) : open_file(output, output->file);
    if (descriptor < 0) {
        int reason = errno;
        dispose(output);
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(reason));
    }
    partial_catch_signals();
    output->stream = fdopen(descriptor, "w");
    return 0;
}

void output_abandon(struct output *output)
{
    if (output->stream != NULL && output->file != NULL)
        fclose(output->stream);
    if (output->partial != NULL && !output->unnamed)
        unlink(output->partial);
    dispose(output);
}

/* Give an open file without a name its own. Where a file has it already, it takes the other one first, for a moment in
 * which no signal comes. */
static int name_unnamed(const struct output *output)
{
    char path[40];
    sigset_t all, former;
    descriptor_path(fileno(output->stream), path);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &former);
    int status = linkat(AT_FDCWD, path, AT_FDCWD, output->file, AT_SYMLINK_FOLLOW);
    if (status != 0 && errno == EEXIST) {
        status = linkat(AT_FDCWD, path, AT_FDCWD, output->partial, AT_SYMLINK_FOLLOW);
        if (status == 0 && (status = rename(output->partial, output->file)) != 0) {
            int reason = errno;
            unlink(output->partial);
            errno = reason;
        }
    }
    sigprocmask(SIG_SETMASK, &former, NULL);
    return status;
}

/* The error of an earlier write was not kept: another one fails for the same reason. What there is of the file is given
 * up anyway. */
static int reason_of_failure(FILE *stream)
{
    clearerr(stream);
    errno = 0;
    return fputc('\n', stream) == EOF || fflush(stream) != 0 ? errno : EIO;
}

int output_close(struct output *output, struct sim_error *error)
{
    bool has_failed = ferror(output->stream) != 0;
    errno = has_failed ? reason_of_failure(output->stream) : 0;
    bool failed = has_failed || fflush(output->stream) != 0;
    if (output->partial != NULL && !failed)
        failed = fsync(fileno(output->stream)) != 0;
    if (output->unnamed && !failed)
        failed = name_unnamed(output) != 0;
    int reason = errno;
    if (output->file != NULL && fclose(output->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    output->stream = NULL;
    if (!failed && output->partial != NULL && !output->unnamed && rename(output->partial, output->file) != 0) {
        failed = true;
        reason = errno;
    }
    if (failed) {
        sim_error_set(error, SIM_UNFINISHED, output->file != NULL ? output->file : "standard output", 0,
                      "could not be written: %s", strerror(reason));
        output_abandon(output);
        return -1;
    }
    dispose(output);
    return 0;
}
