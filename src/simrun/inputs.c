/* Says of a file that is not a scenario what it is, and claims all outputs before anything is read. */
#include "simrun/inputs.h"

#include "base/memory.h"
#include "os/claims.h"
#include "os/output.h"
#include "store/store.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/trace.h"

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

/* --- what is not a scenario --- */

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
                         "is neither a scenario nor a trace that can be read; known endings of traces:%s", known);
}

int inputs_check_scenario(const char *file, struct sim_error *error)
{
    char *archive = archive_of(file);
    if (archive != NULL) {
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a scenario; is the trace meant, %s?", archive);
        free(archive);
        return -1;
    }
    for (int i = 0; trace_formats[i] != NULL; i++)
        if (ends_on(file, trace_formats[i]->ending))
            return fail_to_read(file, error);
    return ends_on(file, ".def") || ends_on(file, ".evt") ? fail_to_read(file, error) : 0;
}

/* --- what is written --- */

/* A trace is the files with its format's endings. One without an ending that is known, or with nothing before it, is
 * refused by who opens it. */
static int claim_trace(const char *file, struct sim_error *error)
{
    struct sim_error unknown;
    const struct trace_format *format = trace_format_of(file, &unknown);
    int stem = format != NULL ? (int)(strlen(file) - strlen(format->ending)) : 0;
    int status = claims_add("--trace", file, file, error);
    if (stem == 0 || file[stem - 1] == '/' || format->endings == NULL)
        return status;
    for (int i = 1; status == 0 && format->endings[i] != NULL; i++) {
        const char *ending = format->endings[i][0] == '\0' ? "/" : format->endings[i];
        char *part = xformat("%.*s%s", stem, file, ending);
        status = claims_add("--trace", file, part, error);
        free(part);
    }
    return status;
}

/* A store, and what SQLite keeps beside it while it is written to. */
static int claim_store(const char *file, struct sim_error *error)
{
    char *target = output_target(file);
    int status = claims_add("--store", file, file, error);
    for (int i = 0; status == 0 && store_file_endings[i] != NULL; i++) {
        char *part = xformat("%s%s", target, store_file_endings[i]);
        status = claims_add("--store", file, part, error);
        free(part);
    }
    free(target);
    return status;
}

int inputs_claim_outputs(const struct options *options, struct sim_error *error)
{
    const struct {
        const char *option, *file;
    } single[] = {{"--output", options->output},
                  {"--write-platform", options->write_platform},
                  {"--calibrate", options->calibrate}};
    int status = options->trace != NULL ? claim_trace(options->trace, error) : 0;
    for (size_t i = 0; status == 0 && i < sizeof single / sizeof single[0]; i++)
        if (single[i].file != NULL)
            status = claims_add(single[i].option, single[i].file, single[i].file, error);
    return status == 0 && options->store != NULL ? claim_store(options->store, error) : status;
}
