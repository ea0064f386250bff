/* Reads a platform and the files it names, and hashes traces, to know a run again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/file_hash.h"

#include "base/memory.h"
#include "base/sha256.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 256 * 1024 * 1024, MOST_LINES = 65536 };

/* A regular file, so that no pipe is waited for, and how large it is. */
static FILE *open_regular(struct stat *status, const char *file, struct sim_error *error)
{
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 && fstat(descriptor, status) == 0 && S_ISREG(status->st_mode))
        return fdopen(descriptor, "rb");
    sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s",
                  descriptor < 0 ? strerror(errno) : "is not a regular file");
    if (descriptor >= 0)
        close(descriptor);
    return NULL;
}

/* The bytes of a file of at most 256 MiB; to be freed. A 0 follows them. */
static int read_file(char **bytes, size_t *size, const char *file, struct sim_error *error)
{
    struct stat status;
    FILE *stream = open_regular(&status, file, error);
    if (stream == NULL)
        return -1;
    bool large = status.st_size > MOST_BYTES;
    char *read = large ? NULL : xcalloc(1, (size_t)status.st_size + 1);
    *size = large ? 0 : fread(read, 1, (size_t)status.st_size, stream);
    const char *why = ferror(stream) ? strerror(errno) : NULL;
    fclose(stream);
    *bytes = read;
    if (!large && why == NULL)
        return 0;
    free(read);
    return large ? sim_error_set(error, SIM_BAD_INPUT, file, 0, "is larger than 256 MiB")
                 : sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", why);
}

/* A file name that a file mentions, as seen from there; to be freed. */
static char *beside(const char *file, const char *name, size_t length)
{
    const char *slash = strrchr(file, '/');
    if (*name == '/' || slash == NULL)
        return xformat("%.*s", (int)length, name);
    return xformat("%.*s%.*s", (int)(slash + 1 - file), file, (int)length, name);
}

/* A profile is looked for from the working directory first. */
static char *find_named(const char *file, const char *name, size_t length)
{
    char *here = xformat("%.*s", (int)length, name);
    if (access(here, F_OK) == 0)
        return here;
    free(here);
    return beside(file, name, length);
}

static void add_file(void *stream, const char *file)
{
    char *bytes;
    size_t size;
    struct sim_error ignored; /* the reader of the file reports what is wrong with it */
    if (read_file(&bytes, &size, file, &ignored) != 0)
        return;
    fputc('\n', stream);
    fwrite(bytes, 1, size, stream);
    free(bytes);
}

int contents_read_platform(char **bytes, size_t *size, const char *file, struct sim_error *error)
{
    char *text;
    size_t length;
    if (read_file(&text, &length, file, error) != 0)
        return -1;
    FILE *stream = open_memstream(bytes, size);
    fwrite(text, 1, length, stream);
    for (const char *at = text; (at = strstr(at, "file=")) != NULL;) {
        at += strlen("file=");
        const char *end = *at == '"' || *at == '\'' ? strchr(at + 1, *at) : NULL;
        if (end == NULL)
            continue;
        char *name = find_named(file, at + 1, (size_t)(end - at - 1));
        add_file(stream, name);
        free(name);
        at = end;
    }
    machine_visit_files(file, add_file, stream);
    fclose(stream);
    free(text);
    return 0;
}

/* --- traces --- */

/* The files of a trace, by content, whatever folder they are in. */
struct contents {
    struct sha256 hash;
    int n_files;
    long long size;
};

static void add_content(struct contents *contents, const char *file)
{
    enum { PIECE = 256 * 1024 };
    struct stat status;
    struct sim_error ignored; /* likewise */
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    FILE *stream = open_regular(&status, file, &ignored);
    if (stream == NULL)
        return;
    char *piece = xmalloc(PIECE), *head = xformat("%s %lld", name, (long long)status.st_size);
    setvbuf(stream, NULL, _IONBF, 0);
    sha256_add(&contents->hash, head, strlen(head) + 1);
    for (size_t size; (size = fread(piece, 1, PIECE, stream)) > 0;)
        sha256_add(&contents->hash, piece, size);
    contents->n_files++;
    contents->size += status.st_size;
    fclose(stream);
    free(head);
    free(piece);
}

static void add_folder(struct contents *contents, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *file = xformat("%s/%s", folder, entries[i]->d_name);
        add_content(contents, file);
        free(file);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* The files that a list names, a line each. */
static void add_listed(struct contents *contents, const char *file)
{
    char *line = NULL;
    size_t capacity = 0;
    struct stat status;
    struct sim_error ignored;
    FILE *list = open_regular(&status, file, &ignored);
    for (int i = 0; list != NULL && i < MOST_LINES && getline(&line, &capacity, list) > 0; i++) {
        char *name = beside(file, line, strcspn(line, " \t\r\n"));
        add_content(contents, name);
        free(name);
    }
    free(line);
    if (list != NULL)
        fclose(list);
}

char *contents_describe_trace(const char *file)
{
    struct contents contents = {.n_files = 0};
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    int length = dot != NULL && (slash == NULL || dot > slash) ? (int)(dot - file) : (int)strlen(file);
    char *definitions = xformat("%.*s.def", length, file), *folder = xformat("%.*s", length, file);
    sha256_begin(&contents.hash);
    add_content(&contents, file);
    add_content(&contents, definitions);
    add_folder(&contents, folder);
    if (dot != NULL && strcmp(dot, ".ti") == 0)
        add_listed(&contents, file);
    free(definitions);
    free(folder);
    return xformat("trace %s, %d file%s, %lld bytes, SHA-256 %s", slash != NULL ? slash + 1 : file, contents.n_files,
                   contents.n_files == 1 ? "" : "s", contents.size, sha256_end(&contents.hash).digits);
}
