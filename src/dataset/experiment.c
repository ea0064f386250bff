/* Reads an archive .extra-p of the tool Extra-P: experiment.json, and in values/N.vals arrays of NumPy with the
 * repetitions, whose places values/N.indx has.
 *
 * Source: extrap/fileio/values_io.py of github.com/extra-p/extrap, version 4.2; numpy.lib.format.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/extrap_json.h"

#include "base/memory.h"
#include "os/zip.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 16, PLACE = 8 };

/* A file in the archive. */
struct part {
    unsigned char *bytes;
    size_t size;
};

struct archive {
    struct zip zip;
    long part; /* whose values these are; -1: none */
    struct part values, index;
    double *found;
    size_t capacity;
};

static int fail(const struct archive *archive, const char *what, struct sim_error *error)
{
    return dataset_fail(error, archive->zip.file, 0, 0, "%s", what);
}

static uint64_t number(const unsigned char *bytes, int n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static int load_part(struct part *part, const struct archive *archive, long number, const char *ending,
                     const char magic[MAGIC], struct sim_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "values/%ld.%s", number, ending);
    free(part->bytes);
    *part = (struct part){NULL, 0};
    int found = zip_read(&part->bytes, &part->size, &archive->zip, name, error);
    if (found == 1 && part->size >= MAGIC && memcmp(part->bytes, magic, MAGIC) == 0)
        return 0;
    return found < 0 ? -1
                     : dataset_fail(error, archive->zip.file, 0, 0, "'%s' in the archive %s", name,
                                    found == 0 ? "is not there" : "does not begin as Extra-P's values do");
}

/* How many numbers an array has, by the text in its head: "{'descr': '<f8', 'fortran_order': False, 'shape': (5,)}". */
static int find_count(size_t *count, const char *head)
{
    const char *shape = strstr(head, "'shape': (");
    if (strstr(head, "'<f8'") == NULL || shape == NULL)
        return -1;
    *count = 1;
    for (const char *at = shape + strlen("'shape': ("); *at != ')'; at += strspn(at, ", ")) {
        char *end;
        unsigned long one = strtoul(at, &end, 10);
        if (end == at || (one > 0 && *count > DATASET_CELLS / one))
            return -1;
        *count *= one;
        at = end;
    }
    return 0;
}

/* The array at a place. */
static int find_array(struct repetitions *repetitions, struct archive *archive, uint64_t place, struct sim_error *error)
{
    const struct part *part = &archive->values;
    size_t begins = place < part->size ? (size_t)place : part->size, left = part->size - begins, count;
    const unsigned char *array = part->bytes + begins;
    if (left < 12 || memcmp(array, "\223NUMPY", 6) != 0)
        return fail(archive, "the archive has no array where its index says", error);
    size_t width = array[6] == 1 ? 2 : 4, begin = 8 + width, length = (size_t)number(array + 8, (int)width);
    if (length > left - begin)
        return fail(archive, "an array in the archive is cut off", error);
    char *head = xformat("%.*s", (int)length, (const char *)array + begin);
    int status = find_count(&count, head);
    free(head);
    if (status != 0)
        return fail(archive, "an array in the archive is not of numbers of 8 bytes (<f8)", error);
    if (count > (left - begin - length) / sizeof(double))
        return fail(archive, "an array in the archive is cut off", error);
    archive->found = xrealloc(archive->found, (count + 1) * sizeof *archive->found);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = number(array + begin + length + i * sizeof(double), sizeof(double));
        memcpy(&archive->found[i], &bits, sizeof bits);
    }
    *repetitions = (struct repetitions){archive->found, count};
    return 0;
}

int archive_find(struct repetitions *repetitions, struct archive *archive, long part, long which,
                 struct sim_error *error)
{
    if (part != archive->part && (load_part(&archive->values, archive, part, "vals", "Extra-P VALUES\0", error) != 0 ||
                                  load_part(&archive->index, archive, part, "indx", "Extra-P INDEX\0\0", error) != 0))
        return -1;
    archive->part = part;
    size_t place = MAGIC + PLACE * ((size_t)which + 1);
    if (place + PLACE > archive->index.size)
        return fail(archive, "the archive has fewer arrays than are named", error);
    return find_array(repetitions, archive, number(archive->index.bytes + place, PLACE), error);
}

static int read_document(struct dataset *dataset, struct archive *archive, struct part *document,
                         struct sim_error *error)
{
    struct input input;
    struct json json = {0};
    int found = zip_read(&document->bytes, &document->size, &archive->zip, "experiment.json", error);
    if (found <= 0)
        return found < 0 ? -1 : fail(archive, "is a zip archive without experiment.json, so not one of Extra-P", error);
    if (input_open_bytes(&input, archive->zip.file, (char *)document->bytes, document->size, error) != 0)
        return -1;
    int status = json_parse(&json, &input, error);
    input_close(&input);
    if (status == 0 && !extrap_json_is(&json))
        status = fail(archive, "experiment.json in the archive has no measurements", error);
    if (status == 0)
        status = extrap_json_read(dataset, &json, archive, error);
    json_dispose(&json);
    return status;
}

int experiment_read(struct dataset *dataset, const char *file, struct sim_error *error)
{
    struct archive archive = {.part = -1};
    struct part document = {NULL, 0};
    int status = zip_open(&archive.zip, file, error);
    if (status == 0)
        status = read_document(dataset, &archive, &document, error);
    zip_close(&archive.zip);
    free(document.bytes);
    free(archive.values.bytes);
    free(archive.index.bytes);
    free(archive.found);
    return status;
}
