/* Named values, for answers that are no runs: written as JSON. */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum record_type { RECORD_TEXT, RECORD_NUMBER, RECORD_COUNT, RECORD_FLAG };

struct record_field {
    const char *name;
    enum record_type type;
    const char *text;
    double number; /* NAN where there is no value; written as null, as what is infinite */
    int64_t count;
};

#define RECORD_MAX_FIELDS 32

struct record {
    struct record_field fields[RECORD_MAX_FIELDS];
    int n_fields;
};

/* The texts are borrowed. */
void record_text(struct record *record, const char *name, const char *text);
void record_number(struct record *record, const char *name, double number);
void record_count(struct record *record, const char *name, int64_t count);
void record_flag(struct record *record, const char *name, bool flag);

/* One JSON document: the fields of `head`, and under `name` a list of the records. */
void record_write_json(FILE *stream, const struct record *head, const char *name, const struct record *records,
                       int n_records);

#endif
