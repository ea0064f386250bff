#include "base/output.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OPEN = 4 };

/* The partial files of this process, for the signal handler. */
static char *volatile partial_files[MAX_OPEN];
static pid_t owner;

/* A child that was forked since must not remove its parent's files. */
static void remove_partial_files(void)
{
    for (int i = 0; i < MAX_OPEN; i++)
        if (partial_files[i] != NULL && getpid() == owner)
            unlink(partial_files[i]);
}

static void end_by_signal(int signal_number)
{
    remove_partial_files();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void remember(char *partial)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    owner = getpid();
    memory_exhausted = remove_partial_files;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], end_by_signal);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
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

int output_open(struct output *output, const char *file, struct sim_error *error)
{
    *output = (struct output){.stream = stdout};
    if (file == NULL)
        return 0;
    struct stat status;
    bool direct = stat(file, &status) == 0 && !S_ISREG(status.st_mode);
    char *partial = direct ? NULL : xformat("%s.partial-XXXXXX", file);
    int descriptor = direct ? open(file, O_WRONLY | O_CLOEXEC) : mkostemp(partial, O_CLOEXEC);
    if (descriptor < 0) {
        free(partial);
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(errno));
    }
    if (partial != NULL) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        remember(partial);
    }
    *output = (struct output){fdopen(descriptor, "w"), xstrdup(file), partial};
    return 0;
}

/* The file's name with its folder resolved, so that two names of one file are equal even before it exists. */
static char *resolve(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *whole = realpath(file, NULL);
    if (whole != NULL)
        return whole;
    char *folder = slash != NULL ? xformat("%.*s", (int)(slash - file + 1), file) : xstrdup(".");
    char *resolved = realpath(folder, NULL);
    char *name = xformat("%s/%s", resolved != NULL ? resolved : folder, slash != NULL ? slash + 1 : file);
    free(resolved);
    free(folder);
    return name;
}

bool output_is_file(const char *output, const char *other)
{
    struct stat status;
    if (output == NULL || other == NULL || (stat(output, &status) == 0 && !S_ISREG(status.st_mode)))
        return false;
    char *first = resolve(output), *second = resolve(other);
    bool same = strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

static void dispose(struct output *output)
{
    if (output->partial != NULL)
        forget(output->partial);
    free(output->partial);
    free(output->file);
    *output = (struct output){0};
}

void output_abandon(struct output *output)
{
    if (output->stream != NULL && output->file != NULL)
        fclose(output->stream);
    if (output->partial != NULL)
        unlink(output->partial);
    dispose(output);
}

int output_close(struct output *output, struct sim_error *error)
{
    errno = 0;
    bool failed = fflush(output->stream) != 0 || ferror(output->stream) != 0;
    if (output->partial != NULL && !failed)
        failed = fsync(fileno(output->stream)) != 0;
    int reason = errno;
    if (output->file != NULL && fclose(output->stream) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    output->stream = NULL;
    if (!failed && output->partial != NULL && rename(output->partial, output->file) != 0) {
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
