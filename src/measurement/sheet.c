/* Reads a text file and cuts it into lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/sheet.h"

#include "base/memory.h"
#include "os/reserved_outputs.h"
#include "os/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct sim_error *error, const char *file, const char *what)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "%s", what);
}

static int read_all(struct sheet *sheet, int descriptor, struct sim_error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(error, sheet->file, "is not a regular file");
    if (status.st_size > SHEET_BYTES)
        return fail(error, sheet->file, "is larger than 64 MiB, which is the most");
    sheet->text = xmalloc((size_t)status.st_size + 1);
    ssize_t n = 0;
    while (sheet->size < (size_t)status.st_size &&
           (n = read(descriptor, sheet->text + sheet->size, (size_t)status.st_size - sheet->size)) > 0)
        sheet->size += (size_t)n;
    return n < 0 ? fail(error, sheet->file, strerror(errno)) : 0;
}

static int unpack_all(struct sheet *sheet, struct sim_error *error)
{
    if (!unpack_is_packed(sheet->text, sheet->size))
        return 0;
    free(sheet->text);
    sheet->text = NULL;
    return unpack_text(&sheet->text, &sheet->size, SHEET_BYTES, sheet->file, error);
}

static int check(struct sheet *sheet, struct sim_error *error)
{
    sheet->text[sheet->size] = '\0';
    if (sheet->size == 0)
        return fail(error, sheet->file, "is empty");
    if (memchr(sheet->text, '\0', sheet->size) != NULL)
        return fail(error, sheet->file, "is not a text: a byte of it is 0");
    return 0;
}

int sheet_open(struct sheet *sheet, const char *file, struct sim_error *error)
{
    *sheet = (struct sheet){.file = file};
    if (reserved_outputs_check(file, NULL, error) != 0)
        return -1;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    int status = read_all(sheet, descriptor, error);
    close(descriptor);
    if (status != 0 || unpack_all(sheet, error) != 0 || check(sheet, error) != 0) {
        sheet_close(sheet);
        return -1;
    }
    sheet_rewind(sheet);
    return 0;
}

void sheet_close(struct sheet *sheet)
{
    free(sheet->text);
    sheet->text = NULL;
}

void sheet_rewind(struct sheet *sheet)
{
    bool is_marked = strncmp(sheet->text, "\357\273\277", 3) == 0;
    sheet->next = sheet->text + (is_marked ? 3 : 0);
    sheet->line = sheet->next;
    sheet->number = 0;
}

bool sheet_next(struct sheet *sheet)
{
    char *end = sheet->text + sheet->size;
    if (sheet->next >= end)
        return false;
    sheet->line = sheet->next;
    size_t length = strcspn(sheet->line, "\n");
    sheet->line[length] = '\0';
    sheet->next += length + 1;
    for (; length > 0 && strchr(" \t\r", sheet->line[length - 1]) != NULL; length--)
        sheet->line[length - 1] = '\0';
    sheet->number++;
    return true;
}

int sheet_fail(const struct sheet *sheet, struct sim_error *error, const char *format, ...)
{
    char what[900];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return sim_error_set(error, SIM_BAD_INPUT, sheet->file, sheet->number, "%s", what);
}
