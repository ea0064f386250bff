/* Reads a file character by character, and knows where it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include "base/memory.h"
#include "os/reserved_outputs.h"
#include "os/temporary.h"
#include "os/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int dataset_fail(struct sim_error *error, const char *file, long line, long column, const char *format, ...)
{
    char what[900];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    if (column == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "%s", what);
    return sim_error_set(error, SIM_BAD_INPUT, file, line, "column %ld: %s", column, what);
}

/* ---- Opening ---- */

/* The descriptor of a regular file that is not empty; or -1. */
static int open_regular(const char *file, struct sim_error *error)
{
    struct stat status;
    if (reserved_outputs_check(file, NULL, error) != 0)
        return -1;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        dataset_fail(error, file, 0, 0, "cannot read: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        dataset_fail(error, file, 0, 0, "is not a regular file");
    else if (status.st_size == 0)
        dataset_fail(error, file, 0, 0, "is empty; a table has a line with names, and at least one with values");
    else
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* The descriptor of a temporary file with what it unpacks to, instead of that of a packed file. */
static int open_unpacked(int packed, const char *file, struct sim_error *error)
{
    close(packed);
    int descriptor = temporary_open(NULL);
    if (descriptor < 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot make a temporary file: %s", strerror(errno));
    if (unpack_to(descriptor, 0, file, error) >= 0)
        return descriptor;
    close(descriptor);
    return -1;
}

static int begin(struct input *input, FILE *stream, const char *file, struct sim_error *error)
{
    static const char mark[] = "\357\273\277";
    *input = (struct input){.stream = stream, .file = file, .line = 1};
    if (stream == NULL)
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "cannot read: %s", strerror(errno));
    input_advance(input);
    for (const char *c = mark; *c != '\0' && input->next == (unsigned char)*c; c++)
        input_advance(input);
    input->column = 1;
    return 0;
}

int input_open(struct input *input, const char *file, struct sim_error *error)
{
    char first[4];
    int descriptor = open_regular(file, error);
    ssize_t length = descriptor >= 0 ? pread(descriptor, first, sizeof first, 0) : 0;
    if (length > 0 && unpack_is_packed(first, (size_t)length))
        descriptor = open_unpacked(descriptor, file, error);
    return descriptor < 0 ? -1 : begin(input, fdopen(descriptor, "r"), file, error);
}

int input_open_bytes(struct input *input, const char *file, char *bytes, size_t size, struct sim_error *error)
{
    if (size == 0)
        return dataset_fail(error, file, 0, 0, "is empty");
    return begin(input, fmemopen(bytes, size, "r"), file, error);
}

void input_close(struct input *input)
{
    fclose(input->stream);
    free(input->token);
}

/* ---- Characters ---- */

void input_advance(struct input *input)
{
    if (input->next == '\n') {
        input->line++;
        input->column = 0;
    }
    int next = getc_unlocked(input->stream);
    if (next == '\r') {
        next = getc_unlocked(input->stream);
        if (next != '\n' && next != EOF)
            ungetc(next, input->stream);
        next = '\n';
    }
    input->next = next;
    input->column++;
}

void input_begin(struct input *input)
{
    if (input->token == NULL)
        input->token = xmalloc(DATASET_TEXT + 1);
    input->length = 0;
    input->token[0] = '\0';
}

int input_keep(struct input *input, struct sim_error *error)
{
    if (input->length == DATASET_TEXT)
        return dataset_fail(error, input->file, input->line, input->column,
                            "a text of more than %d bytes, which is the most", DATASET_TEXT);
    if (input->next < ' ' && input->next != '\t' && input->next != '\n')
        return dataset_fail(error, input->file, input->line, input->column,
                            "a control character (byte %d); a table is text", input->next);
    input->token[input->length++] = (char)input->next;
    input->token[input->length] = '\0';
    input_advance(input);
    return 0;
}

void input_trim(struct input *input)
{
    while (input->length > 0 && strchr(" \t", input->token[input->length - 1]) != NULL)
        input->token[--input->length] = '\0';
}

void input_skip_blanks(struct input *input)
{
    while (input->next == ' ' || input->next == '\t')
        input_advance(input);
}

void input_skip_space(struct input *input)
{
    while (input->next == ' ' || input->next == '\t' || input->next == '\n')
        input_advance(input);
}

void input_skip_line(struct input *input)
{
    while (input->next != '\n' && input->next != EOF)
        input_advance(input);
    input_advance(input);
}

struct input_mark input_mark(const struct input *input)
{
    return (struct input_mark){ftell(input->stream), input->line, input->column, input->next};
}

void input_return(struct input *input, const struct input_mark *mark)
{
    fseek(input->stream, mark->place, SEEK_SET);
    input->line = mark->line;
    input->column = mark->column;
    input->next = mark->next;
}
