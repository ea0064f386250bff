/* Measured values in a table, as files of several formats hold them: a column for each parameter, measure and text, and
 * a row for each measurement or repetition.
 *
 * Formats, told by their content: CSV (dataset/csv.c), Extra-P's text (dataset/extrap_text.c), JSON as lines or a list
 * (dataset/json_table.c), and Extra-P's documents, which an archive .extra-p has, too (dataset/extrap_json.c,
 * dataset/experiment.c). In measurements of Extra-P a row is one value, and the columns are the parameters, "region",
 * "metric" and "value".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DATASET_DATASET_H
#define DATASET_DATASET_H

#include "base/error.h"
#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DATASET_COLUMNS = 1024,  /* at most */
    DATASET_CELLS = 1 << 27, /* at most, of all columns */
    DATASET_TEXTS = 100000,  /* different ones, at most */
    DATASET_TEXT = 4095,     /* bytes of a text, at most */
};

enum dataset_role {
    DATASET_UNTOLD,    /* numbers; the file does not say which */
    DATASET_PARAMETER, /* numbers that the file says are set */
    DATASET_MEASURE,   /* numbers that the file says are measured */
    DATASET_LABEL,     /* texts: what a row is of */
    DATASET_METRIC,    /* texts: which measure the row's value is of */
};

struct dataset_column {
    char *name;            /* without a unit in brackets */
    char *unit;            /* "s", "B", "J"; "" where the file does not say one */
    double factor;         /* from the file's unit to that one: times and sizes in brackets become s and B */
    bool is_time, is_size; /* as the unit says; none is below 0 */
    enum dataset_role role;
    double *numbers; /* finite; NULL of texts */
    uint32_t *texts; /* places among the texts of the dataset; NULL of numbers */
};

struct dataset {
    const char *file; /* borrowed */
    struct dataset_column *columns;
    int n_columns;
    size_t n_rows, capacity;
    uint32_t *lines; /* of the file, where each row stands */
    char **texts;
    size_t n_texts, texts_capacity;
    struct map text_places; /* from hashes */
};

/* Read a file, unpacked if need be. An error names the line and the column; then there is nothing to dispose of. */
int dataset_load(struct dataset *dataset, const char *file, struct sim_error *error);
void dataset_dispose(struct dataset *dataset);

/* The unit that a name ends with, as "s" of "time_s"; "" if it has none. */
const char *dataset_unit_in(const char *name);

/* The column of that name; -1: there is none. */
int dataset_find(const struct dataset *dataset, const char *name, size_t length);
/* The name of the i-th column, for known_format(); NULL behind the last. */
const char *dataset_name_at(const void *dataset, int i);
static inline bool dataset_is_number(const struct dataset_column *column)
{
    return column->role < DATASET_LABEL;
}

/* Keep the rows that are marked, in their order. */
void dataset_keep(struct dataset *dataset, const bool *marks);

/* A number, [+-]digits[.digits][e[+-]digits], and nothing else; infinite if it is too large. False: it is none. */
bool dataset_number(double *value, const char *text);

#endif
