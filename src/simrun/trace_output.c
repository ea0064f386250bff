/* Checks the output of simrun trace before the program runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/trace_output.h"

#include "base/memory.h"
#include "os/output.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *trace_output_extension(const char *file)
{
    const char *extension = strrchr(file, '.');
    return extension != NULL ? extension : "";
}

/* Outputs of libeppa: an archive or a profile. For an archive, the folder of the same name may not be a file, as the
 * program is. */
static int check_name(const char *file, struct sim_error *error)
{
    const char *extension = trace_output_extension(file);
    if (strcmp(extension, ".json") == 0 || strcmp(extension, ".txt") == 0)
        return 0;
    if (strcmp(extension, ".otf2") != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "is no name for a trace (.otf2) or a profile (.json or .txt); for example -o trace.otf2");
    struct stat status;
    char *folder = xformat("%.*s", (int)(extension - file), file);
    int result = 0;
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                               "cannot be written: its parts go into the folder %s, and that is a file; take another "
                               "name, for example -o %s-trace.otf2",
                               folder, folder);
    free(folder);
    return result;
}

/* True if the file has the text within its first or last NEAR bytes, and begins with `magic`. */
static bool has_mark(const char *file, const char *magic, size_t magic_length, const char *mark)
{
    enum { NEAR = 512 };
    char bytes[2 * NEAR];
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return false;
    size_t length = fread(bytes, 1, NEAR, stream);
    if (length == NEAR && fseek(stream, -NEAR, SEEK_END) == 0)
        length += fread(bytes + NEAR, 1, NEAR, stream);
    fclose(stream);
    return length >= magic_length && memcmp(bytes, magic, magic_length) == 0 &&
           memmem(bytes, length, mark, strlen(mark)) != NULL;
}

/* Parts that are there without the archive's anchor, FILE.otf2, need not be of an archive. */
static int check_remains(const char *file, struct sim_error *error)
{
    static const char *const ends[] = {"", ".def"};
    int result = 0;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && result == 0; i++) {
        struct stat status;
        char *part = xformat("%.*s%s", (int)(trace_output_extension(file) - file), file, ends[i]);
        if (lstat(part, &status) == 0)
            result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                                   "cannot be written: %s is in the way, and without %s it is no part of a trace; take "
                                   "another name, or remove it",
                                   part, file);
        free(part);
    }
    return result;
}

/* libeppa replaces nothing but what it wrote itself. */
static int check_replaced(const char *file, struct sim_error *error)
{
    static const char magic[] = {3, 'B', 'O', 'T', 'F', '2', 0};
    bool is_archive = strcmp(trace_output_extension(file), ".otf2") == 0;
    struct stat status;
    if (lstat(file, &status) != 0)
        return is_archive ? check_remains(file, error) : 0;
    if (S_ISREG(status.st_mode) &&
        has_mark(file, magic, is_archive ? sizeof magic : 0, is_archive ? "libeppa " : "profile by libeppa "))
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "is in the way: it is no %s that libeppa wrote, and nothing else is replaced; take another "
                         "name, or remove it",
                         is_archive ? "archive" : "profile");
}

/* An output that cannot be written is refused before the run: nothing, such as the program itself, may be in the way of
 * an archive's parts. */
static int check_output(const char *file, struct sim_error *error)
{
    struct trace archive;
    struct output output;
    bool is_archive = strcmp(trace_output_extension(file), ".otf2") == 0;
    if ((is_archive ? trace_open(&archive, file, error) : output_open(&output, file, error)) != 0)
        return -1;
    if (is_archive)
        trace_abandon(&archive);
    else
        output_abandon(&output);
    return 0;
}

int trace_output_check(const char *file, struct sim_error *error)
{
    if (check_name(file, error) != 0 || check_output(file, error) != 0)
        return -1;
    return check_replaced(file, error);
}
