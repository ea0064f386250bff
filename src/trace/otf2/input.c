/* Opens an archive after its parts have been checked, and passes once through it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/input.h"

#include "base/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each location's file of events stays open while it is read. */
static void allow_open_files(int n_locations)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)n_locations + 64;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* The archive's name without its extension. The caller frees. */
static char *stem_of(const char *file)
{
    const char *dot = strrchr(file, '.');
    return xformat("%.*s", dot != NULL ? (int)(dot - file) : (int)strlen(file), file);
}

/* Check that a part of the archive is there, for one of access()'s modes. */
static int check_part(const char *file, const char *extension, int mode, struct sim_error *error)
{
    char *stem = stem_of(file), *part = xformat("%s%s", stem, extension);
    int status = 0;
    if (access(part, mode) != 0)
        status =
            sim_error_set(error, SIM_BAD_INPUT, file, 0,
                          "%s: %s; an archive consists of %s, %s.def and the folder %s/, which must keep their names",
                          part, strerror(errno), file, stem, stem);
    free(part);
    free(stem);
    return status;
}

/* The OTF2 library waits for ever for what a pipe or a device does not give: only regular files are opened. A missing
 * file is reported where it is needed. */
__attribute__((format(printf, 3, 4))) static int check_regular(const struct otf_input *input, struct sim_error *error,
                                                               const char *format, ...)
{
    struct stat status;
    char part[8192]; /* a longer name is no file's */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    bool is_there = stat(part, &status) == 0, is_anchor = strcmp(part, input->file) == 0;
    if (is_there && is_anchor && S_ISREG(status.st_mode) && status.st_size == 0)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "is empty, not the anchor of an OTF2 archive");
    if (!is_there || S_ISREG(status.st_mode))
        return 0;
    if (is_anchor)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0,
                             S_ISDIR(status.st_mode) ? "is a folder, not the anchor of an OTF2 archive"
                                                     : "is not a regular file");
    return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "%s: is not a regular file", part);
}

/* The definitions and the events of a location. */
int otf_input_check_location(const struct otf_input *input, uint64_t location, struct sim_error *error)
{
    char *stem = stem_of(input->file);
    unsigned long long id = location;
    int status = check_regular(input, error, "%s/%llu.def", stem, id);
    if (status == 0)
        status = check_regular(input, error, "%s/%llu.evt", stem, id);
    free(stem);
    return status;
}

static int check_locations(const struct otf_input *input, struct sim_error *error)
{
    int status = 0;
    for (int i = 0; status == 0 && i < input->defs.n_locations; i++)
        status = otf_input_check_location(input, input->defs.locations[i].id, error);
    return status;
}

/* The library finds the other parts by the anchor's name. */
static int check_name(const char *file, struct sim_error *error)
{
    const char *dot = strrchr(file, '.');
    if (dot != NULL && strcmp(dot, ".otf2") == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                         "is the anchor of an OTF2 archive, whose name must end in .otf2, as when it was written");
}

/* Check the files that the library opens before it knows the locations: the anchor and the global definitions. */
static int check_anchor(const struct otf_input *input, struct sim_error *error)
{
    char *stem = stem_of(input->file);
    int status = check_name(input->file, error);
    if (status == 0)
        status = check_regular(input, error, "%s", input->file);
    if (status == 0)
        status = check_regular(input, error, "%s.def", stem);
    free(stem);
    return status;
}

/* Why the library does not read the definitions. */
static int fail_definitions(struct otf_input *input, struct sim_error *error)
{
    if (check_part(input->file, ".def", R_OK, error) < 0)
        return -1;
    char *stem = stem_of(input->file);
    sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "its definitions, %s.def, cannot be read: %s", stem,
                  input->complaint.text[0] != '\0' ? input->complaint.text : "the file is cut off or damaged");
    free(stem);
    return -1;
}

static int fail_to_open(struct otf_input *input, struct sim_error *error)
{
    if (access(input->file, R_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "cannot be read: %s", strerror(errno));
    return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "is not an OTF2 archive that can be read: %s",
                         input->complaint.text);
}

/* Read the definitions that tie a location's own identifiers and clock to the global ones. An archive may have them for
 * all locations or for none; those of further threads are not missed. */
static int read_local_definitions(struct otf_input *input, struct sim_error *error)
{
    int n_read = 0, missing = -1;
    if (OTF2_Reader_OpenDefFiles(input->handle) != OTF2_SUCCESS)
        return 0;
    for (int i = 0; i < input->defs.n_locations; i++) {
        uint64_t count = 0;
        unsigned long long location = input->defs.locations[i].id;
        otf_memory_from(OTF_MEMORY_ANY);
        OTF2_DefReader *reader = OTF2_Reader_GetDefReader(input->handle, location);
        otf_memory_from(OTF_MEMORY_FRESH);
        if (reader == NULL) {
            missing = i < input->defs.n_ranks ? i : missing;
            continue;
        }
        otf_complaint_listen(&input->complaint);
        n_read++;
        if (OTF2_Reader_ReadAllLocalDefinitions(input->handle, reader, &count) != OTF2_SUCCESS)
            return sim_error_set(error, SIM_BAD_INPUT, input->file, 0,
                                 "rank %d (location %llu): its definitions cannot be read: %s",
                                 input->defs.locations[i].rank, location, input->complaint.text);
        OTF2_Reader_CloseDefReader(input->handle, reader);
    }
    OTF2_Reader_CloseDefFiles(input->handle);
    if (missing >= 0 && n_read > 0)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0,
                             "rank %d (location %llu): its definitions are missing, while other ranks have theirs",
                             missing, (unsigned long long)input->defs.locations[missing].id);
    return 0;
}

int otf_input_open(struct otf_input *input, struct record_info *info, const char *file, struct sim_error *error)
{
    otf_memory_forget();
    otf_memory_from(OTF_MEMORY_FRESH);
    *input = (struct otf_input){.file = xstrdup(file)};
    *info = (struct record_info){0};
    input->shared = (struct otf_shared){.file = input->file, .defs = &input->defs, .receipts = -1};
    otf_complaint_listen(&input->complaint);
    if (check_anchor(input, error) < 0)
        return -1;
    input->handle = OTF2_Reader_Open(file);
    if (input->handle == NULL)
        return fail_to_open(input, error);
    OTF2_Reader_SetSerialCollectiveCallbacks(input->handle);
    if (check_part(file, "/", X_OK, error) < 0)
        return -1;
    error->status = SIM_DONE;
    if (otf_defs_read(&input->defs, info, input->handle, input->file, error) < 0)
        return error->status == SIM_DONE ? fail_definitions(input, error) : -1;
    if (check_locations(input, error) < 0)
        return -1;
    input->shared.is_cut = info->is_cut;
    input->shared.paths = info->paths;
    otf_meetings_init(&input->shared, info);
    input->shared.gaps = xcalloc(input->defs.n_regions, sizeof *input->shared.gaps);
    input->shared.fixed = xcalloc(input->defs.n_regions, sizeof *input->shared.fixed);
    input->shared.sharing = record_sharing_new(info, (double)input->defs.length / (double)input->defs.resolution);
    input->surveys = xcalloc((size_t)input->defs.n_locations, sizeof *input->surveys);
    for (int i = 0; i < input->defs.n_locations; i++)
        OTF2_Reader_SelectLocation(input->handle, input->defs.locations[i].id);
    if (read_local_definitions(input, error) < 0)
        return -1;
    otf_complaint_listen(&input->complaint);
    if (OTF2_Reader_OpenEvtFiles(input->handle) != OTF2_SUCCESS)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "its events cannot be read: %s",
                             input->complaint.text);
    otf_threads_find(input, info);
    allow_open_files(input->defs.n_locations);
    return 0;
}

void otf_input_dispose(struct otf_input *input)
{
    if (input->shared.receipts >= 0)
        close(input->shared.receipts);
    record_sharing_free(input->shared.sharing);
    for (int i = 0; input->surveys != NULL && i < input->defs.n_locations; i++) {
        free(input->surveys[i].cancelled);
        map_dispose(&input->surveys[i].left_out);
    }
    free(input->surveys);
    otf_meetings_dispose(&input->shared);
    otf_channels_dispose(&input->shared);
    otf_threads_dispose(&input->shared);
    free(input->shared.gaps);
    free(input->shared.fixed);
    otf_complaint_listen(&input->complaint);
    if (input->handle != NULL)
        OTF2_Reader_Close(input->handle);
    OTF2_Error_RegisterCallback(NULL, NULL);
    otf_defs_dispose(&input->defs);
    free(input->file);
    *input = (struct otf_input){.shared.receipts = -1};
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int survey_location(struct otf_input *input, int location, struct sim_error *error)
{
    struct otf_survey *survey = &input->surveys[location];
    struct otf_cursor cursor;
    struct otf_stream stream = {.archive = input->handle};
    otf_cursor_init(&cursor, &input->shared, survey, location, true);
    int status = otf_stream_fill(&stream, &cursor, &input->complaint, error);
    survey->n_begun = cursor.n_begun_collectives - (int64_t)survey->left_out.count;
    otf_stream_close(&stream);
    otf_cursor_dispose(&cursor);
    if (survey->n_cancelled > 0)
        qsort(survey->cancelled, survey->n_cancelled, sizeof *survey->cancelled, compare_numbers);
    return status;
}

int otf_input_survey(struct otf_input *input, struct sim_error *error)
{
    uint64_t n_receives = 0;
    int64_t first_ps = 0;
    for (int i = 0; i < input->defs.n_locations; i++) {
        struct otf_survey *survey = &input->surveys[i];
        survey->first_receipt = n_receives;
        if (survey_location(input, i, error) < 0)
            return -1;
        n_receives += survey->n_receives;
        if (survey->has_events && survey->first_ps < first_ps)
            first_ps = survey->first_ps;
    }
    input->shared.shift_ps = -first_ps;
    otf_threads_order(input);
    return 0;
}
