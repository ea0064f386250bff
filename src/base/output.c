#include "base/output.h"

#include "base/file_kind.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OPEN = 4 };

/* The partial files and folders of this process, for the signal handler. */
static char *volatile partial_files[MAX_OPEN];
static pid_t owner;

/* Remove a folder and all that is in it. Called from signal handlers: system calls only. */
static void remove_folder(int at, const char *folder)
{
    _Alignas(struct dirent64) char entries[4096];
    ssize_t length;
    int descriptor = openat(at, folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return;
    for (bool removed = true; removed;) {
        removed = false;
        lseek(descriptor, 0, SEEK_SET);
        while ((length = getdents64(descriptor, entries, sizeof entries)) > 0)
            for (ssize_t at_byte = 0; at_byte < length;) {
                const struct dirent64 *entry = (const void *)(entries + at_byte);
                at_byte += entry->d_reclen;
                if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                    continue;
                removed |= unlinkat(descriptor, entry->d_name, 0) == 0;
                if (entry->d_type == DT_DIR)
                    remove_folder(descriptor, entry->d_name);
            }
    }
    close(descriptor);
    unlinkat(at, folder, AT_REMOVEDIR);
}

/* A child that was forked since must not remove its parent's files. */
static void remove_partial_files(void)
{
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] != NULL && getpid() == owner && unlink(partial_files[i]) != 0)
            remove_folder(AT_FDCWD, partial_files[i]);
}

void output_end_by_signal(int signal_number)
{
    sigset_t own;
    remove_partial_files();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigemptyset(&own);
    sigaddset(&own, signal_number);
    sigprocmask(SIG_UNBLOCK, &own, NULL);
}

/* A file that may not grow is an error of its write; what else ends the program removes what is partial. */
static void catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], output_end_by_signal);
}

static void remember(char *partial)
{
    owner = getpid();
    memory_exhausted = remove_partial_files;
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] == NULL) {
            partial_files[i] = partial;
            return;
        }
}

static void forget(const char *partial)
{
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] == partial)
            partial_files[i] = NULL;
}

/* The name of an open file that has none. */
static const char *descriptor_path(int descriptor, char path[40])
{
    snprintf(path, 40, "/proc/self/fd/%d", descriptor);
    return path;
}

/* --- names --- */

/* `name` as it is meant in the folder of `file`; that of `length` characters. To be freed. */
static char *beside(const char *file, const char *name, size_t length)
{
    const char *slash = strrchr(file, '/');
    if (slash == NULL || *name == '/')
        return xformat("%.*s", (int)length, name);
    return xformat("%.*s%.*s", (int)(slash + 1 - file), file, (int)length, name);
}

/* Where the last link of a chain leads to, if there is one: a name, which need not be there. */
static char *follow(const char *file)
{
    enum { MOST_LINKS = 40 };
    char *name = xstrdup(file), target[4096];
    ssize_t length;
    for (int i = 0; i < MOST_LINKS && (length = readlink(name, target, sizeof target)) > 0; i++) {
        char *next = beside(name, target, (size_t)length);
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
    char *name = follow(file), *folder = beside(name, ".", 1), *resolved = realpath(folder, NULL);
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    if (resolved != NULL)
        whole = xformat("%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, base);
    free(folder);
    free(resolved);
    if (whole == NULL)
        return name;
    free(name);
    return whole;
}

/* A short name, since that of the file may be as long as any can be, with `end`; to be freed. */
static char *partial_beside(const char *file, const char *end)
{
    char *name = xformat("simrun.partial-%s", end), *partial = beside(file, name, strlen(name));
    free(name);
    return partial;
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
    char path[40], *folder = beside(file, ".", 1);
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
    remember(*partial);
    return descriptor;
}

static void dispose(struct output *output)
{
    if (output->partial != NULL)
        forget(output->partial);
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
        char *folder = beside(name, ".", 1), *resolved = realpath(folder, NULL);
        const char *slash = strrchr(name, '/');
        if (resolved != NULL && strcmp(resolved, own) == 0 && slash != NULL)
            descriptor = atoi(slash + 1);
        length = descriptor < 0 ? readlink(name, target, sizeof target) : 0;
        if (length > 0) {
            char *next = beside(name, target, (size_t)length);
            free(name);
            name = next;
        }
        free(folder);
        free(resolved);
    }
    free(name);
    return descriptor;
}

/* What is there and no regular file is written directly. The name of all else, which must be a good one, is kept free. */
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

/* A store is never a report's or a trace's: what it holds may have taken days. */
static int check_no_store(const char *file, struct sim_error *error)
{
    if (!file_begins(file, FILE_KIND_STORE))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: it is a store, which is not replaced");
}

int output_open(struct output *output, const char *file, struct sim_error *error)
{
    *output = (struct output){.stream = stdout};
    if (file == NULL)
        return 0;
    int given = named_descriptor(file); /* who has opened it may write there, too */
    output->file = given >= 0 ? xstrdup(file) : name_to_write(file);
    if (given < 0 && check_no_store(output->file, error) != 0) {
        dispose(output);
        return -1;
    }
    int descriptor = given >= 0 ? fcntl(given, F_DUPFD_CLOEXEC, 0) : open_file(output, output->file);
    if (descriptor < 0) {
        int reason = errno;
        dispose(output);
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(reason));
    }
    catch_signals();
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

int output_close(struct output *output, struct sim_error *error)
{
    errno = 0;
    bool failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
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

/* --- several files --- */

static char *path_of(const struct output_folder *output, const char *ending)
{
    int folder = (int)(strlen(output->file) - strlen(output->stem) - strlen(output->endings[0]));
    return xformat("%.*s%s%s", folder, output->file, output->stem, ending);
}

static char *partial_of(const struct output_folder *output, const char *ending)
{
    return xformat("%s/%s%s", output->partial, output->stem, ending);
}

/* Whether a folder holds nothing but what archives keep there: files whose names are a number and an ending, and that
 * begin as they do. The first that is something else is left in `stranger`. */
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

/* A file of another's is not replaced, nor is a folder with one. What FILE itself is matters only to the others. */
static int check_part(const struct output_folder *output, int part, const char *path, bool belongs,
                      struct sim_error *error)
{
    struct stat status;
    char stranger[256];
    const char *begin = output->begins[part];
    bool folder = output->endings[part][0] == '\0';
    if (lstat(path, &status) != 0)
        return 0;
    if (check_no_store(path, error) != 0)
        return -1;
    if (folder != S_ISDIR(status.st_mode))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0, "cannot be written: %s is %s", path,
                             folder ? "in the way of a folder" : "a folder");
    if (part == 0)
        return 0;
    if (folder ? !belongs && rmdir(path) != 0 : !belongs || !file_begins(path, begin))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0,
                             "cannot be written: there is a %s %s, which belongs to something else; if it is left of a "
                             "former trace, remove it",
                             folder ? "folder" : "file", path);
    if (folder && belongs && !is_of_archive(path, begin, stranger))
        return sim_error_set(error, SIM_BAD_INPUT, output->file, 0,
                             "cannot be written: %s/%s is in the way; it is of no archive", path, stranger);
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
                             "cannot be written: it is no regular file, and one of several that belong together");
    bool belongs = exists && file_begins(output->file, output->begins[0]);
    for (int i = 0; output->endings[i] != NULL && result == 0; i++) {
        char *path = path_of(output, output->endings[i]);
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

int output_folder_open(struct output_folder *output, const char *file, const char *const *endings,
                       const char *const *begins, struct sim_error *error)
{
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    size_t length = strlen(name), ending = strlen(endings[0]);
    if (length <= ending || strcmp(name + length - ending, endings[0]) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: there is no name before %s",
                             endings[0]);
    *output = (struct output_folder){.file = xstrdup(file), .endings = endings, .begins = begins};
    output->stem = xformat("%.*s", (int)(length - ending), name);
    output->partial = partial_beside(file, "XXXXXX");
    mode_t mask = umask(0);
    umask(mask);
    int status = check_in_the_way(output, error);
    if (status == 0 && mkdtemp(output->partial) == NULL)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(errno));
    if (status != 0) {
        dispose_folder(output);
        return -1;
    }
    chmod(output->partial, 0777 & ~mask);
    catch_signals();
    remember(output->partial);
    return 0;
}

/* Have all files of a folder, and of the folders in it, on disk. */
static int sync_folder(const char *folder)
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
            status = S_ISDIR(about.st_mode) ? sync_folder(path) : fsync(descriptor);
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

/* Move a file or folder into its place; a folder that is there goes into the partial one, to be removed with it. */
static int move(const struct output_folder *output, const char *ending)
{
    char *from = partial_of(output, ending), *to = path_of(output, ending);
    char *former = xformat("%s/former", output->partial);
    if (ending[0] == '\0')
        rename(to, former);
    int status = rename(from, to);
    int reason = errno;
    free(former);
    free(to);
    free(from);
    errno = reason;
    return status;
}

/* What cannot be moved takes back what has been. */
static int move_all(const struct output_folder *output)
{
    int n = 0, at;
    while (output->endings[n] != NULL)
        n++;
    unlink(output->file);
    for (at = n - 1; at >= 0 && move(output, output->endings[at]) == 0; at--)
        continue;
    int reason = errno;
    for (int i = at + 1; at >= 0 && i < n; i++) {
        char *path = path_of(output, output->endings[i]);
        if (unlink(path) != 0)
            remove_folder(AT_FDCWD, path);
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
    remove_folder(AT_FDCWD, output->partial);
    forget(output->partial);
    dispose_folder(output);
}
