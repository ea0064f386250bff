/* Looks through folders for source files, and reads them as lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/source_files.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16, MOST_ENTRIES = 200000, MOST_LINES = 100000, MOST_BYTES = 8 << 20, TAB = 4 };

/* --- finding --- */

struct search {
    struct source_file *files;
    size_t n_files;
    int n_entries; /* seen so far */
};

static int by_name(const void *key, const void *file)
{
    return strcmp(key, ((const struct source_file *)file)->name);
}

static void take_file(struct search *search, const char *name, const char *path)
{
    struct source_file *file = bsearch(name, search->files, search->n_files, sizeof *search->files, by_name);
    if (file == NULL)
        return;
    file->n_found++;
    if (file->path == NULL)
        file->path = xstrdup(path);
}

/* Nothing hidden is looked into, such as a repository's objects. */
static void look_into(struct search *search, const char *folder, int depth)
{
    struct dirent **entries;
    int n = depth > DEEPEST ? 0 : scandir(folder, &entries, NULL, alphasort);
    if (n <= 0)
        return;
    for (int i = 0; i < n; i++) {
        struct stat status;
        char *path = xformat("%s/%s", folder, entries[i]->d_name);
        bool is_seen = entries[i]->d_name[0] != '.' && search->n_entries++ < MOST_ENTRIES && lstat(path, &status) == 0;
        if (is_seen && S_ISREG(status.st_mode))
            take_file(search, entries[i]->d_name, path);
        else if (is_seen && S_ISDIR(status.st_mode))
            look_into(search, path, depth + 1);
        free(path);
        free(entries[i]);
    }
    free(entries);
}

int source_files_find(struct source_file *files, size_t n_files, const char *folders, struct sim_error *error)
{
    struct search search = {.files = files, .n_files = n_files};
    char *copy = xstrdup(folders), *rest = copy, *folder;
    int status = 0;
    while (status == 0 && (folder = strsep(&rest, ",")) != NULL) {
        struct stat found;
        errno = ENOTDIR;
        if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode))
            status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--source: %.200s: %s", folder, strerror(errno));
        else
            look_into(&search, folder, 0);
    }
    free(copy);
    return status;
}

/* --- reading --- */

/* Tabs become blanks; what cannot be shown becomes '?'. */
static void copy_line(struct source_line *line, const char *text, size_t length)
{
    char flat[sizeof line->text];
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < sizeof flat; i++) {
        flat[n++] = text[i] == '\t' ? ' ' : text[i] == '\0' ? '?' : text[i];
        while (text[i] == '\t' && n % TAB != 0 && n + 1 < sizeof flat)
            flat[n++] = ' ';
    }
    flat[n] = '\0';
    utf8_trim(flat);
    utf8_copy(line->text, sizeof line->text, flat);
}

struct source_line *source_file_read(size_t *n_lines, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = xmalloc(MOST_BYTES);
    size_t length = fread(text, 1, MOST_BYTES, file), capacity = 0;
    struct source_line *lines = xcalloc(1, sizeof *lines);
    fclose(file);
    *n_lines = 0;
    for (const char *at = text, *end = text + length; at < end && *n_lines < MOST_LINES;) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        size_t width = (size_t)((next == NULL ? end : next) - at);
        lines = xgrow(lines, *n_lines, &capacity, sizeof *lines);
        copy_line(&lines[(*n_lines)++], at, width - (width > 0 && at[width - 1] == '\r'));
        at += width + 1;
    }
    free(text);
    return lines;
}
