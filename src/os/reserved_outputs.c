/* Which files are to be written, told apart by what they are and not by their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/reserved_outputs.h"

#include "base/memory.h"
#include "os/output.h"

#include <assert.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The identity of a file that a name stands for. */
struct identity {
    char *name; /* without links and ".." */
    bool exists, is_folder;
    dev_t device;
    ino_t inode;
};

struct reserved_output {
    const char *option;
    char *file, *part;
    struct identity identity;
};

enum { MAX_OUTPUTS = 16 };
static struct reserved_output outputs[MAX_OUTPUTS];
static int n_outputs;

static struct identity identify(const char *file)
{
    size_t length = strlen(file);
    bool is_folder = length > 1 && file[length - 1] == '/';
    char *bare = xformat("%.*s", (int)(is_folder ? length - 1 : length), file);
    struct identity identity = {.name = output_target(bare), .is_folder = is_folder};
    struct stat status;
    free(bare);
    identity.exists = stat(identity.name, &status) == 0;
    if (identity.exists) {
        identity.device = status.st_dev;
        identity.inode = status.st_ino;
    }
    return identity;
}

static bool is_special(const struct identity *identity)
{
    struct stat status;
    return stat(identity->name, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_same(const struct identity *a, const struct identity *b)
{
    if (a->exists && b->exists && a->device == b->device && a->inode == b->inode)
        return true;
    return strcmp(a->name, b->name) == 0;
}

static bool is_below(const struct identity *file, const struct identity *folder)
{
    size_t length = strlen(folder->name);
    return folder->is_folder && strncmp(file->name, folder->name, length) == 0 && file->name[length] == '/';
}

static bool clash(const struct identity *a, const struct identity *b)
{
    return is_same(a, b) || is_below(a, b) || is_below(b, a);
}

/* --- outputs --- */

static int fail_twice(const struct reserved_output *first, const struct reserved_output *second,
                      struct sim_error *error)
{
    if (first->file == first->part && second->file == second->part)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s and %s name the same file %s", first->option,
                             second->option, first->file);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s %s and %s %s would both write %s", first->option,
                         first->file, second->option, second->file, second->part);
}

static void dispose(struct reserved_output *output)
{
    if (output->part != output->file)
        free(output->part);
    free(output->file);
    free(output->identity.name);
}

int reserved_outputs_add(const char *option, const char *file, const char *part, struct sim_error *error)
{
    struct reserved_output output = {.option = option, .file = xstrdup(file), .identity = identify(part)};
    int status = 0;
    output.part = strcmp(file, part) == 0 ? output.file : xstrdup(part);
    bool counts = !is_special(&output.identity);
    for (int i = 0; counts && status == 0 && i < n_outputs; i++)
        if (clash(&outputs[i].identity, &output.identity))
            status = fail_twice(&outputs[i], &output, error);
    if (counts && status == 0) {
        assert(n_outputs < MAX_OUTPUTS);
        outputs[n_outputs++] = output;
    } else {
        dispose(&output);
    }
    return status;
}

/* --- inputs --- */

static int fail_read(const struct reserved_output *output, const char *input, const char *how, const char *named_by,
                     struct sim_error *error)
{
    char *part = output->part == output->file ? xstrdup("") : xformat("its part %s ", output->part),
         *whose = strcmp(output->part, input) == 0 ? xstrdup(", and") : xformat(", %s, and", input),
         *why = named_by == NULL ? xstrdup("") : xformat("; %s names it", named_by);
    sim_error_set(error, SIM_BAD_INPUT, output->file, 0, "%sis %s%s would be overwritten by %s%s", part, how, whose,
                  output->option, why);
    free(part);
    free(whose);
    free(why);
    return -1;
}

/* The output that writing would take the file from, or NULL. */
static const struct reserved_output *find(const struct identity *file)
{
    for (int i = 0; i < n_outputs; i++)
        if (clash(&outputs[i].identity, file))
            return &outputs[i];
    return NULL;
}

int reserved_outputs_check(const char *file, const char *named_by, struct sim_error *error)
{
    if (n_outputs == 0)
        return 0;
    struct identity identity = identify(file);
    const struct reserved_output *output = find(&identity);
    int status = 0;
    if (output != NULL)
        status = fail_read(output, file, strcmp(output->part, file) == 0 ? "an input" : "the same file as an input",
                           named_by, error);
    free(identity.name);
    return status;
}

/* Check the entries of a folder, which may be links to files outside of it. */
static int check_entries(const char *file, const char *folder, struct sim_error *error)
{
    DIR *stream = opendir(folder);
    int status = 0;
    for (const struct dirent *entry; status == 0 && stream != NULL && (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *part = xformat("%s%s", folder, entry->d_name);
        status = reserved_outputs_check_part(file, part, error);
        free(part);
    }
    if (stream != NULL)
        closedir(stream);
    return status;
}

int reserved_outputs_check_part(const char *file, const char *part, struct sim_error *error)
{
    if (n_outputs == 0)
        return 0;
    struct identity identity = identify(part);
    const struct reserved_output *output = find(&identity);
    int status = output != NULL ? fail_read(output, file, "part of an input", NULL, error) : 0;
    if (status == 0 && identity.is_folder)
        status = check_entries(file, part, error);
    free(identity.name);
    return status;
}
