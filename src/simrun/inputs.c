#include "simrun/inputs.h"

#include "base/memory.h"
#include "base/output.h"
#include "trace/record.h"
#include "trace/trace.h"

#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_on(const char *file, const char *ending)
{
    size_t length = strlen(file), size = strlen(ending);
    return length > size && strcmp(file + length - size, ending) == 0;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* --- what is no scenario --- */

static const char archive_ending[] = ".otf2";

/* The trace of that name, with an ending that is known; NULL if there is none. The caller frees. */
static char *trace_named(const char *stem, int length)
{
    for (int i = 0; record_formats[i] != NULL; i++) {
        char *name = xformat("%.*s%s", length, stem, record_formats[i]->ending);
        if (access(name, F_OK) == 0 && !is_folder(name))
            return name;
        free(name);
    }
    return NULL;
}

/* The archive that the file is a part of: of NAME.def, of NAME/0.evt ..., or of NAME and NAME/ themselves. */
static char *archive_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    size_t length = strlen(file);
    while (length > 1 && file[length - 1] == '/')
        length--;
    char *found = NULL;
    if (ends_on(file, ".def"))
        found = trace_named(file, (int)length - 4);
    if (found == NULL && (ends_on(file, ".def") || ends_on(file, ".evt")) && slash != NULL)
        found = trace_named(file, (int)(slash - file));
    if (found == NULL && (is_folder(file) || access(file, F_OK) != 0))
        found = trace_named(file, (int)length);
    return found;
}

static int fail_to_read(const char *file, struct sim_error *error)
{
    char known[128] = "";
    for (int i = 0; record_formats[i] != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", record_formats[i]->ending);
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "is no scenario, and no trace that can be read; known endings of traces:%s", known);
}

int inputs_check_scenario(const char *file, struct sim_error *error)
{
    char *archive = archive_of(file);
    if (archive != NULL) {
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is no scenario; is the trace meant, %s?", archive);
        free(archive);
        return -1;
    }
    for (int i = 0; trace_formats[i] != NULL; i++)
        if (ends_on(file, trace_formats[i]->ending))
            return fail_to_read(file, error);
    return ends_on(file, ".def") || ends_on(file, ".evt") ? fail_to_read(file, error) : 0;
}

/* --- what would be overwritten --- */

/* Whether the file would be, or is, anywhere below the folder. */
static bool is_below(const char *file, const char *folder)
{
    char *copy = xstrdup(file), *where = realpath(dirname(copy), NULL), *top = realpath(folder, NULL);
    size_t length = top != NULL ? strlen(top) : 0;
    bool below = where != NULL && top != NULL && strncmp(where, top, length) == 0 &&
                 (where[length] == '/' || where[length] == '\0');
    free(where);
    free(top);
    free(copy);
    return below;
}

/* Of an archive NAME.otf2 also NAME.def, and what is in NAME/. */
static bool is_part_of(const char *output, const char *input)
{
    if (output_is_file(output, input))
        return true;
    if (!ends_on(input, archive_ending))
        return false;
    int length = (int)(strlen(input) - strlen(archive_ending));
    char *definitions = xformat("%.*s.def", length, input), *folder = xformat("%.*s", length, input);
    bool is_part = output_is_file(output, definitions) || is_below(output, folder);
    free(definitions);
    free(folder);
    return is_part;
}

int inputs_check_output(const char *output, const char *const *inputs, size_t count, struct sim_error *error)
{
    for (size_t i = 0; output != NULL && i < count; i++) {
        if (inputs[i] == NULL || !is_part_of(output, inputs[i]))
            continue;
        if (strcmp(output, inputs[i]) == 0)
            return sim_error_set(error, SIM_BAD_INPUT, output, 0, "is an input, and would be overwritten");
        return sim_error_set(error, SIM_BAD_INPUT, output, 0, "is %s an input, %s, and would be overwritten",
                             output_is_file(output, inputs[i]) ? "the same file as" : "part of", inputs[i]);
    }
    return 0;
}
