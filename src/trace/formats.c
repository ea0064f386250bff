/* The formats that traces are read and written in, found by the ends of names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/formats.h"

#include "base/memory.h"
#include "os/file_kind.h"
#include "os/reserved_outputs.h"
#include "trace/record/holes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of what stands before the extension; 0: it has not that extension, or nothing before it. */
static size_t stem_before(const char *file, const char *extension)
{
    size_t length = strlen(file), tail = extension != NULL ? strlen(extension) : length;
    return length > tail && strcmp(file + length - tail, extension) == 0 ? length - tail : 0;
}

static void add_known(char *known, size_t size, const char *extension, const char *also)
{
    size_t used = strlen(known);
    snprintf(known + used, size - used, " %s%s%s", extension, also != NULL ? " " : "", also != NULL ? also : "");
}

/* ---- Writers ---- */

#define TRACE(name) extern const struct trace_format trace_##name;
#include "trace/writer_list.def"
#undef TRACE

static const struct trace_format *const trace_formats[] = {
#define TRACE(name) &trace_##name,
#include "trace/writer_list.def"
#undef TRACE
    NULL,
};

const struct trace_format *trace_format_at(int i)
{
    int k = 0;
    while (trace_formats[k] != NULL && (trace_formats[k]->summary == NULL || i-- > 0))
        k++;
    return trace_formats[k];
}

const struct trace_format *trace_format_of(const char *file, struct sim_error *error)
{
    char known[128] = "";
    for (int i = 0; trace_formats[i] != NULL; i++)
        if (stem_before(file, trace_formats[i]->extension) > 0 || stem_before(file, trace_formats[i]->also) > 0)
            return trace_formats[i];
    for (int i = 0; trace_format_at(i) != NULL; i++)
        add_known(known, sizeof known, trace_format_at(i)->extension, trace_format_at(i)->also);
    sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--trace %s: unknown extension; known:%s", file, known);
    return NULL;
}

/* ---- Readers ---- */

#define READER(name, kind) extern const struct record_format read_##name;
#include "trace/reader_list.def"
#undef READER

static const struct {
    const struct record_format *format;
    enum file_is is;
} readers[] = {
#define READER(name, kind) {&read_##name, kind},
#include "trace/reader_list.def"
#undef READER
    {NULL, FILE_UNKNOWN},
};

const struct record_format *record_format_at(int i)
{
    int k = 0;
    while (readers[k].format != NULL && (readers[k].format->summary == NULL || i-- > 0))
        k++;
    return readers[k].format;
}

/* The length of the name before one of the format's extensions; 0: it has none of them. */
static size_t stem_of(const char *file, const struct record_format *format)
{
    size_t length = stem_before(file, format->extension);
    return length > 0 ? length : stem_before(file, format->also);
}

static const struct record_format *format_by_name(const char *file)
{
    int i = 0;
    while (readers[i].format != NULL && stem_of(file, readers[i].format) == 0)
        i++;
    return readers[i].format;
}

const struct record_format *record_format_of(const char *file)
{
    enum file_is is = file_kind_of(file)->is;
    int i = 0;
    switch (is) {
    case FILE_UNKNOWN:
    case FILE_ABSENT:
    case FILE_EMPTY:
    case FILE_DEVICE:
    case FILE_FOLDER: /* who opens it says what is wrong */
        return format_by_name(file);
    default:
        while (readers[i].format != NULL && readers[i].is != is)
            i++;
        return readers[i].format;
    }
}

size_t record_stem_length(const char *file)
{
    const struct record_format *format = format_by_name(file);
    return format != NULL ? stem_of(file, format) : strlen(file);
}

void record_formats_known(char *known, size_t size)
{
    known[0] = '\0';
    for (int i = 0; record_format_at(i) != NULL; i++)
        add_known(known, size, record_format_at(i)->extension, record_format_at(i)->also);
}

/* Nothing of a trace may be written to while it is read. */
static int check_reserved(const struct record_format *format, const char *file, struct sim_error *error)
{
    int stem = (int)record_stem_length(file);
    int status = reserved_outputs_check(file, NULL, error);
    for (int i = 1; status == 0 && format->extensions != NULL && format->extensions[i] != NULL; i++) {
        const char *extension = format->extensions[i][0] == '\0' ? "/" : format->extensions[i];
        char *part = xformat("%.*s%s", stem, file, extension);
        status = reserved_outputs_check_part(file, part, error);
        free(part);
    }
    return status;
}

/* Open the trace, of which the format is known, and leave out the time in which nothing was recorded. */
static int open_known(struct record_reader *reader, const char *file, struct sim_error *error)
{
    if (reader->format->open(reader, file, error) != 0)
        return -1;
    if (reader->info.n_off == 0 || !reader->info.has_times || record_holes_find(reader, error) == 0)
        return 0;
    record_close(reader);
    return -1;
}

int record_open(struct record_reader *reader, const char *file, struct sim_error *error)
{
    char known[128];
    *reader = (struct record_reader){.format = record_format_of(file)};
    if (reader->format != NULL && check_reserved(reader->format, file, error) != 0) {
        reader->format = NULL;
        return -1;
    }
    if (reader->format != NULL)
        return open_known(reader, file, error);
    const struct file_kind *kind = file_kind_of(file);
    if (kind->is == FILE_ABSENT)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    if (kind->is != FILE_UNKNOWN)
        return file_kind_refuse(kind, file, "a trace that can be read", error);
    record_formats_known(known, sizeof known);
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a trace that can be read; known extensions:%s", known);
}
