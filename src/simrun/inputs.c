/* Says what a file on the command line is that is not a scenario, and reserves all outputs before anything is read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/inputs.h"

#include "apps/replay/list.h"
#include "base/known.h"
#include "base/memory.h"
#include "os/data.h"
#include "os/file_kind.h"
#include "os/named.h"
#include "os/output.h"
#include "os/reserved_outputs.h"
#include "sim/program/param.h"
#include "simrun/command.h"
#include "store/store.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/trace.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_on(const char *file, const char *extension)
{
    size_t length = strlen(file), size = strlen(extension);
    return length > size && strcmp(file + length - size, extension) == 0;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_file(const char *path)
{
    return access(path, F_OK) == 0 && !is_folder(path);
}

/* --- names of scenarios and platforms --- */

static const char xml[] = ".xml";

static int is_xml(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length >= sizeof xml && strcmp(entry->d_name + length - sizeof xml + 1, xml) == 0;
}

static bool has_name(const struct found *found, const char *name)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->names[i], name) == 0)
            return true;
    return false;
}

static void add(struct found *found, const char *folder, const char *file)
{
    char *name = xformat("%.*s", (int)(strlen(file) - sizeof xml + 1), file);
    int i = found->count;
    if (has_name(found, name)) {
        free(name);
        return;
    }
    found->names = xrealloc(found->names, (size_t)(found->count + 1) * sizeof *found->names);
    found->files = xrealloc(found->files, (size_t)(found->count + 1) * sizeof *found->files);
    for (; i > 0 && strcmp(found->names[i - 1], name) > 0; i--) {
        found->names[i] = found->names[i - 1];
        found->files[i] = found->files[i - 1];
    }
    found->names[i] = name;
    found->files[i] = xformat("%s/%s", folder, file);
    found->count++;
}

void find_all(struct found *found, const char *kind)
{
    *found = (struct found){0};
    for (int p = 0; p < NAMED_PLACES; p++) {
        struct dirent **entries = NULL;
        char *folder = named_place(p, kind);
        int count = scandir(folder, &entries, is_xml, alphasort);
        for (int i = 0; i < count; i++) {
            add(found, folder, entries[i]->d_name);
            free(entries[i]);
        }
        free(entries);
        free(folder);
    }
}

int inputs_check_data(struct sim_error *error)
{
    char *lack = data_lack();
    if (lack == NULL)
        return 0;
    sim_error_set(error, SIM_BAD_INPUT, lack, 0,
                  "has no scenarios and platforms; simrun finds them by where the program is: install it again, or "
                  "move its whole folder instead of the program");
    free(lack);
    return -1;
}

void found_dispose(struct found *found)
{
    for (int i = 0; i < found->count; i++) {
        free(found->names[i]);
        free(found->files[i]);
    }
    free(found->names);
    free(found->files);
}

const char *found_name_at(const void *table, int i)
{
    const struct found *found = table;
    return i < found->count ? found->names[i] : NULL;
}

/* --- what is not a scenario --- */

/* The trace of that name, with an extension that is known; NULL if there is none. The caller frees. */
static char *trace_named(const char *stem, int length)
{
    for (int i = 0; record_format_at(i) != NULL; i++) {
        char *name = xformat("%.*s%s", length, stem, record_format_at(i)->extension);
        if (access(name, F_OK) == 0 && !is_folder(name))
            return name;
        free(name);
    }
    return NULL;
}

static int is_anchor(const struct dirent *entry)
{
    return ends_on(entry->d_name, ".otf2");
}

/* The first archive in a folder, as Score-P leaves one there; NULL if there is none. The caller frees. */
static char *archive_in(const char *folder, int length)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_anchor, alphasort);
    char *found = count > 0 ? xformat("%.*s/%s", length, folder, entries[0]->d_name) : NULL;
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return found;
}

/* The archive that the file is a part of: of NAME.def, of NAME/0.evt ..., or of NAME and NAME/ themselves; or that is
 * in the folder. */
static char *archive_of(const char *file, enum file_is is)
{
    const char *slash = strrchr(file, '/');
    size_t length = strlen(file);
    while (length > 1 && file[length - 1] == '/')
        length--;
    char *found = NULL;
    if (is == FILE_OTF2_PART && ends_on(file, ".def"))
        found = trace_named(file, (int)length - 4);
    if (found == NULL && is == FILE_OTF2_PART && slash != NULL)
        found = trace_named(file, (int)(slash - file));
    if (found == NULL && (is == FILE_FOLDER || is == FILE_ABSENT))
        found = trace_named(file, (int)length);
    return found == NULL && is == FILE_FOLDER ? archive_in(file, (int)length) : found;
}

/* A word that is neither a file nor a scenario: an application, or else the nearest of scenarios or of commands may be
 * meant. */
static void refuse_name(const char *name, struct sim_error *error)
{
    struct found scenarios;
    char hint[80] = "";
    find_all(&scenarios, "scenarios");
    const char *meant = known_find_meant(name, found_name_at, &scenarios);
    if (meant == NULL)
        meant = known_find_meant(name, command_word_at, NULL);
    if (meant != NULL)
        snprintf(hint, sizeof hint, " did you mean '%.60s'?", meant);
    if (meant != NULL && strcmp(meant, name) == 0)
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "'%s' is a command and must come first: simrun %s ...", name,
                      name);
    else if (app_find(app_specs, name) != NULL)
        sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "'%s' is an application, not a scenario; simrun list %s describes it, simrun list scenarios shows "
            "the scenarios",
            name, name);
    else
        sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "'%s' is neither a file nor a scenario nor a command;%s simrun list scenarios shows the scenarios, "
            "simrun --help the commands",
            name, hint);
    found_dispose(&scenarios);
}

static int fail_unknown(const char *file, struct sim_error *error)
{
    char known[128];
    record_formats_known(known, sizeof known);
    return sim_error_set(error, SIM_BAD_INPUT, file, 1,
                         "is neither a scenario nor a trace that can be read; known extensions of traces:%s", known);
}

int inputs_check_scenario(const char *file, struct sim_error *error)
{
    const struct file_kind *kind = file_kind_of(file);
    char *archive = archive_of(file, kind->is);
    if (archive != NULL) {
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is %s%snot a scenario; is the trace meant, %s?", kind->name,
                      kind->name[0] != '\0' ? ", " : "", archive);
        free(archive);
        return -1;
    }
    switch (kind->is) {
    case FILE_UNKNOWN:
        return fail_unknown(file, error);
    case FILE_ABSENT:
    case FILE_DEVICE:
    case FILE_EMPTY:
    case FILE_XML:
    case FILE_PLATFORM:
    case FILE_SCENARIO: /* who reads it says what is wrong */
        return 0;
    default:
        return file_kind_refuse(kind, file, "a scenario or a trace that can be read", error);
    }
}

char *inputs_find_scenario(const char *name, struct sim_error *error)
{
    char *file = is_file(name) ? xstrdup(name) : named_find("scenarios", name);
    if (file != NULL)
        return file;
    char *archive = archive_of(name, file_kind_of(name)->is);
    bool is_path = strpbrk(name, "./") != NULL || archive != NULL || is_folder(name);
    free(archive);
    if (is_path) /* who opens it says what is wrong */
        return xstrdup(name);
    if (inputs_check_data(error) == 0)
        refuse_name(name, error);
    return NULL;
}

/* --- what is written --- */

/* A trace is the files with its format's extensions. One without an extension that is known, or with nothing before it,
 * is refused by who opens it. */
static int reserve_trace(const char *file, struct sim_error *error)
{
    struct sim_error unknown;
    const struct trace_format *format = trace_format_of(file, &unknown);
    int status = reserved_outputs_add("--trace", file, file, error);
    int stem = format != NULL && format->extensions != NULL ? (int)(strlen(file) - strlen(format->extension)) : 0;
    if (stem == 0 || file[stem - 1] == '/')
        return status;
    for (int i = 1; status == 0 && format->extensions[i] != NULL; i++) {
        const char *extension = format->extensions[i][0] == '\0' ? "/" : format->extensions[i];
        char *part = xformat("%.*s%s", stem, file, extension);
        status = reserved_outputs_add("--trace", file, part, error);
        free(part);
    }
    return status;
}

/* A store, and what SQLite keeps beside it while it is written to. */
int inputs_reserve_store(const char *option, const char *file, struct sim_error *error)
{
    char *target = output_target(file);
    int status = reserved_outputs_add(option, file, file, error);
    for (int i = 0; status == 0 && store_file_suffixes[i] != NULL; i++) {
        char *part = xformat("%s%s", target, store_file_suffixes[i]);
        status = reserved_outputs_add(option, file, part, error);
        free(part);
    }
    free(target);
    return status;
}

int inputs_reserve_outputs(const struct options *options, struct sim_error *error)
{
    int status = options->trace != NULL ? reserve_trace(options->trace, error) : 0;
    if (status == 0 && options->output != NULL)
        status = reserved_outputs_add("--output", options->output, options->output, error);
    if (status == 0 && options->junit != NULL)
        status = reserved_outputs_add("--junit", options->junit, options->junit, error);
    return status == 0 && options->store != NULL ? inputs_reserve_store("--store", options->store, error) : status;
}
