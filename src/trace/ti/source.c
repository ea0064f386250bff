/* Opens the files of a TI trace, and gives the lines of each rank in order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/source.h"

#include "base/memory.h"
#include "base/range.h"
#include "os/reserved_outputs.h"
#include "trace/record/lines.h"
#include "trace/ti/index.h"
#include "trace/ti/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALL_BUFFERS = 2 * 1024 * 1024, MIN_BUFFER = 4096, MAX_BUFFER = 64 * 1024, MAX_PATH = 4096 };

struct rank_lines {
    struct lines lines;
    int64_t next_part; /* see struct ti_index; of a file for each rank, 0 or -1 */
    int64_t size;      /* of a file for each rank */
    int64_t offset;    /* of it; other than 0 only where it was compressed */
    int64_t number;    /* of the last line */
    bool is_packed;    /* it was compressed, and is in the source's descriptor */
    bool is_known;     /* see ti_index_rank() */
};

struct ti_source {
    int n_ranks;
    struct rank_lines *ranks;
    char **files; /* one, or one for each rank */
    int n_files;
    size_t files_capacity;
    int descriptor;        /* of the only file, or of those that were compressed; -1 */
    int64_t size;          /* of the only file */
    struct ti_index index; /* of the only file */
    bool one_for_each;
};

/* --- the list --- */

/* True if the first line that is neither empty nor a comment is one of a trace: a number and a further word. */
static bool is_trace_line(const char *line)
{
    int64_t rank;
    const char *p = ti_skip_blanks(line);
    return ti_parse_integer(&rank, &p) && *ti_skip_blanks(p) != '\n';
}

/* True if a name ends as SimGrid's and simrun's do. Other lines of a file are not shown unless an earlier line was the
 * name of a file: it may be no list, and not meant to be read by all. */
static bool names_trace(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && (strcmp(dot, ".txt") == 0 || strcmp(dot, ".ti") == 0);
}

static int add_file(struct ti_source *source, const char *list, int64_t line, const char *begin, const char *end,
                    struct sim_error *error)
{
    while (end > begin && ti_is_blank(end[-1]))
        end--;
    int length = end - begin < MAX_PATH ? (int)(end - begin) : MAX_PATH;
    for (int i = 0; i < length; i++)
        if ((unsigned char)begin[i] < 0x20 || length == MAX_PATH)
            return sim_error_set(error, SIM_BAD_INPUT, list, (long)line,
                                 "is neither a line of a TI trace nor the name of a file with one");
    if (source->n_files >= TI_MAX_RANKS)
        return sim_error_set(error, SIM_BAD_INPUT, list, (long)line, "more than %d files; one for each rank is allowed",
                             TI_MAX_RANKS);
    const char *slash = strrchr(list, '/');
    int folder = slash == NULL || *begin == '/' ? 0 : (int)(slash + 1 - list);
    source->files = xgrow(source->files, (size_t)source->n_files, &source->files_capacity, sizeof *source->files);
    char *file = xformat("%.*s%.*s", folder, list, length, begin);
    if (folder > 0 && access(file, F_OK) != 0) { /* smpirun's names are from where it ran */
        char *from_here = xformat("%.*s", length, begin);
        bool is_there = access(from_here, F_OK) == 0;
        free(is_there ? file : from_here);
        file = is_there ? from_here : file;
    }
    source->files[source->n_files++] = file;
    if (reserved_outputs_check(file, list, error) != 0)
        return -1;
    if (access(file, F_OK) == 0)
        return 0;
    int reason = errno;
    bool is_shown = source->n_files > 1 || names_trace(file);
    return sim_error_set(error, SIM_BAD_INPUT, list, (long)line,
                         "is neither a line of a TI trace nor the name of a file with one: %.500s%s%s",
                         is_shown ? file : "", is_shown ? ": " : "", strerror(reason));
}

/* Read names of files up to the end; 1 if it is no list but a trace. */
static int read_list(struct ti_source *source, struct lines *lines, struct sim_error *error)
{
    const char *begin, *end;
    int status;
    while ((status = lines_next(lines, &begin, &end, error)) == 1) {
        begin = ti_skip_blanks(begin);
        if (begin >= end || *begin == '#')
            continue;
        if (source->n_files == 0 && is_trace_line(begin))
            return 1;
        if (add_file(source, lines->file, lines->line, begin, end, error) != 0)
            return -1;
    }
    if (status == 0 && source->n_files == 0)
        return sim_error_set(error, SIM_BAD_INPUT, lines->file, 0,
                             "has neither a line of a TI trace nor the name of a file with one");
    return status;
}

static int open_list(struct ti_source *source, const char *file, struct sim_error *error)
{
    struct lines lines;
    int64_t size;
    int descriptor = lines_open_file(&size, file, error);
    if (descriptor < 0)
        return -1;
    lines_init(&lines, file, descriptor, MIN_BUFFER);
    lines_begin(&lines, &(struct lines_part){0, size, 1});
    int status = read_list(source, &lines, error);
    lines_dispose(&lines);
    close(descriptor);
    if (status == 1) {
        source->files = xgrow(source->files, 0, &source->files_capacity, sizeof *source->files);
        source->files[source->n_files++] = xstrdup(file);
    }
    return status < 0 ? -1 : 0;
}

/* --- the files --- */

static size_t buffer_size(const struct ti_source *source)
{
    size_t size = (size_t)(ALL_BUFFERS / source->n_ranks);
    if (size < MIN_BUFFER || source->index.spool >= 0)
        return MIN_BUFFER;
    return size_min(size, MAX_BUFFER);
}

static int open_one(struct ti_source *source, struct sim_error *error)
{
    const char *file = source->files[0];
    source->descriptor = lines_open_file(&source->size, file, error);
    if (source->descriptor < 0 || ti_index_make(&source->index, source->descriptor, source->size, file, error) != 0)
        return -1;
    source->n_ranks = source->index.n_ranks;
    source->ranks = xcalloc((size_t)source->n_ranks, sizeof *source->ranks);
    int descriptor = source->index.spool >= 0 ? source->index.spool : source->descriptor;
    for (int r = 0; r < source->n_ranks; r++)
        lines_init(&source->ranks[r].lines, file, descriptor, buffer_size(source));
    return 0;
}

static int open_each(struct ti_source *source, struct sim_error *error)
{
    source->one_for_each = true;
    source->n_ranks = source->n_files;
    source->ranks = xcalloc((size_t)source->n_ranks, sizeof *source->ranks);
    int64_t end = 0;
    for (int r = 0; r < source->n_ranks; r++) {
        struct rank_lines *rank = &source->ranks[r];
        int64_t begin = end;
        int packed = lines_measure_file(&rank->size, &source->descriptor, &end, source->files[r], error);
        if (packed < 0)
            return -1;
        rank->offset = packed ? begin : 0;
        rank->is_packed = packed;
        lines_init(&rank->lines, source->files[r], packed ? source->descriptor : -1, buffer_size(source));
    }
    return 0;
}

int ti_source_open(struct ti_source **result, const char *file, struct sim_error *error)
{
    struct ti_source *source = xcalloc(1, sizeof *source);
    source->descriptor = source->index.spool = -1;
    int status = open_list(source, file, error);
    if (status == 0)
        status = source->n_files == 1 ? open_one(source, error) : open_each(source, error);
    for (int r = 0; status == 0 && r < source->n_ranks; r++)
        ti_source_rewind(source, r);
    if (status == 0)
        *result = source;
    else
        ti_source_close(source);
    return status;
}

void ti_source_close(struct ti_source *source)
{
    if (source == NULL)
        return;
    for (int r = 0; r < source->n_ranks; r++)
        lines_dispose(&source->ranks[r].lines);
    for (int i = 0; i < source->n_files; i++)
        free(source->files[i]);
    free(source->ranks);
    free(source->files);
    ti_index_dispose(&source->index);
    if (source->descriptor >= 0)
        close(source->descriptor);
    free(source);
}

int ti_source_ranks(const struct ti_source *source)
{
    return source->n_ranks;
}

void ti_source_rewind(struct ti_source *source, int rank)
{
    struct rank_lines *self = &source->ranks[rank];
    self->next_part = source->one_for_each ? 0 : source->index.first[rank];
    self->number = 0;
    lines_begin(&self->lines, &(struct lines_part){0, 0, 1});
}

const char *ti_source_file(const struct ti_source *source, int rank)
{
    return source->files[source->one_for_each ? rank : 0];
}

long ti_source_line(const struct ti_source *source, int rank)
{
    return (long)source->ranks[rank].number;
}

/* --- any source --- */

/* Look for a number in a file; 1, 0 or -1. */
static int has_number(int descriptor, int64_t begin, int64_t size, const char *file, struct sim_error *error)
{
    enum { BUFFER = 256 * 1024, OVERLAP = 5 };
    static const char any_source[OVERLAP + 1] = " -333", any_tag[OVERLAP + 1] = " -444";
    char *buffer = xmalloc(BUFFER);
    int found = 0;
    for (int64_t at = 0; at < size && found == 0; at += BUFFER - OVERLAP) {
        size_t n = (size_t)int64_min(size - at, BUFFER);
        if (lines_read_at(descriptor, buffer, n, begin + at, file, error) != 0)
            found = -1;
        else
            found = memmem(buffer, n, any_source, OVERLAP) != NULL || memmem(buffer, n, any_tag, OVERLAP) != NULL;
    }
    free(buffer);
    return found;
}

int ti_source_has_any(const struct ti_source *source, struct sim_error *error)
{
    if (!source->one_for_each)
        return has_number(source->descriptor, 0, source->size, source->files[0], error);
    int found = 0;
    for (int r = 0; r < source->n_ranks && found == 0; r++) {
        int64_t size = source->ranks[r].size, offset = source->ranks[r].offset;
        bool is_packed = offset > 0 || source->ranks[r].is_packed;
        int descriptor = is_packed ? source->descriptor : lines_open_file(&size, source->files[r], error);
        found = descriptor < 0 ? -1 : has_number(descriptor, offset, size, source->files[r], error);
        if (!is_packed && descriptor >= 0)
            close(descriptor);
    }
    return found;
}

/* --- lines --- */

/* Go on with the rank's next part: 1, or 0 if there is none. */
static int begin_part(struct ti_source *source, int rank, struct sim_error *error)
{
    struct rank_lines *self = &source->ranks[rank];
    int64_t part = self->next_part;
    struct ti_spool_head head;
    if (part < 0)
        return 0;
    if (source->one_for_each) {
        self->next_part = -1;
        lines_begin(&self->lines, &(struct lines_part){self->offset, self->size, 1});
    } else if (source->index.spool < 0) {
        self->next_part = source->index.parts[part].next;
        lines_begin(&self->lines, &source->index.parts[part].part);
    } else {
        if (lines_read_at(source->index.spool, &head, sizeof head, part, source->files[0], error) != 0)
            return -1;
        self->next_part = head.next;
        lines_begin(&self->lines, &(struct lines_part){part + (int64_t)sizeof head, head.length, 1});
    }
    return 1;
}

/* The rest of a line, after its rank, or in a spool after its number; NULL if it says nothing. */
static int read_head(struct ti_source *source, int rank, const char **rest, const char *line, struct sim_error *error)
{
    struct rank_lines *self = &source->ranks[rank];
    int found;
    *rest = NULL;
    if (source->index.spool >= 0) {
        ti_parse_integer(&self->number, &line);
        *rest = ti_skip_blanks(line);
        return 0;
    }
    self->number = self->lines.line;
    if (ti_index_rank(&found, rest, line, ti_source_file(source, rank), self->number, &self->is_known, error) != 0)
        return -1;
    if (found >= 0 && found != rank)
        return sim_error_set(error, SIM_BAD_INPUT, ti_source_file(source, rank), ti_source_line(source, rank),
                             "a line of rank %d found among those of rank %d", found, rank);
    return 0;
}

int ti_source_next(struct ti_source *source, int rank, const char **line, struct sim_error *error)
{
    struct lines *lines = &source->ranks[rank].lines;
    const char *begin, *end;
    for (;;) {
        int status = lines_next(lines, &begin, &end, error);
        if (status == 0)
            status = begin_part(source, rank, error);
        else if (status == 1) {
            if (read_head(source, rank, line, begin, error) != 0)
                return -1;
            if (*line != NULL)
                return 1;
        }
        if (status <= 0)
            return status;
    }
}

bool ti_source_plain(struct ti_source *source, int rank, struct ti_plain *line)
{
    const struct lines *lines = &source->ranks[rank].lines;
    const char *begin = lines_here(lines);
    return begin != NULL && ti_plain_read(line, begin) && lines_has(lines, line->end) &&
           (source->index.spool >= 0 || line->first == rank);
}

int64_t ti_source_pass(struct ti_source *source, int rank, const struct ti_plain *line)
{
    struct rank_lines *self = &source->ranks[rank];
    lines_pass(&self->lines, line->end);
    self->is_known = true;
    self->number = source->index.spool >= 0 ? line->first : self->lines.line;
    return self->number;
}
