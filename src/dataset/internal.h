/* Shared by the readers of datasets: the characters of a file, with their places, and how a dataset is put together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DATASET_INTERNAL_H
#define DATASET_INTERNAL_H

#include "dataset/dataset.h"

#include <stdio.h>

/* ---- Characters ---- */

/* A file that is read character by character. A carriage return is the end of a line, alone or before a newline. */
struct input {
    FILE *stream;
    const char *file;
    long line, column; /* of the next character, from 1 on */
    int next;          /* it, or EOF */
    char *token;       /* what has been kept, of DATASET_TEXT bytes at most, with a zero behind it */
    size_t length;
};

/* Open a regular file that is not empty, unpacked, behind its byte order mark. */
int input_open(struct input *input, const char *file, struct sim_error *error);
/* The same of bytes out of a file, which are borrowed. */
int input_open_bytes(struct input *input, const char *file, char *bytes, size_t size, struct sim_error *error);
void input_close(struct input *input);
void input_advance(struct input *input);

/* Forget the token; add the next character to it, and go on: -1 if it becomes longer than DATASET_TEXT bytes. */
void input_begin(struct input *input);
int input_keep(struct input *input, struct sim_error *error);
/* Cut blanks off the end of the token. */
void input_trim(struct input *input);
/* Skip blanks and tabs; all blanks; the rest of the line with its end. */
void input_skip_blanks(struct input *input);
void input_skip_space(struct input *input);
void input_skip_line(struct input *input);

/* Go back to where a copy of the input was made, by input_mark(). */
struct input_mark {
    long place, line, column;
    int next;
};
struct input_mark input_mark(const struct input *input);
void input_return(struct input *input, const struct input_mark *mark);

/* "FILE:LINE: column COLUMN: ..."; without a line the file alone. */
int dataset_fail(struct sim_error *error, const char *file, long line, long column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- Datasets ---- */

/* Add a column before there are rows, with "name", "name [unit]", "name (unit)" or "name_unit" as its head. An error if
 * the head has no name, or another column has it. */
int dataset_add_column(struct dataset *dataset, const char *head, enum dataset_role role, long line, long column,
                       struct sim_error *error);
/* Add a row, whose cells the caller fills in. */
int dataset_add_row(struct dataset *dataset, long line, struct sim_error *error);
/* Give back the room for more rows than there are. */
void dataset_trim(struct dataset *dataset);
/* Fill in a cell of the last row. */
int dataset_set_number(struct dataset *dataset, int column, double value, long line, struct sim_error *error);
int dataset_set_text(struct dataset *dataset, int column, const char *text, long line, struct sim_error *error);
/* Add the columns of Extra-P's measurements behind the parameters: region, metric, value. */
int dataset_add_measurements(struct dataset *dataset, long line, struct sim_error *error);
/* Add a row of these; the point has a value for each parameter. */
int dataset_add_measurement(struct dataset *dataset, const double *point, const char *region, const char *metric,
                            double value, long line, struct sim_error *error);

/* True if a text stands for a number that is not there: "", "NaN", "n/a". */
bool dataset_is_missing(const char *text);

/* ---- Formats ---- */

int csv_read(struct dataset *dataset, struct input *input, struct sim_error *error);
int extrap_text_read(struct dataset *dataset, struct input *input, struct sim_error *error);
int json_read(struct dataset *dataset, struct input *input, struct sim_error *error);
/* An archive .extra-p: its file experiment.json, with the values of repetitions beside it. */
int experiment_read(struct dataset *dataset, const char *file, struct sim_error *error);

#endif
