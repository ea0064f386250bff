/* The tables of a result, from metrics/list.def: a struct for the rows of each, and what is known of its columns, so
 * that formats, stores and transports write and read all of them alike.
 *
 * Code that makes or reads a table uses the structs: row->wait is an enum wait_state, row->time_ps picoseconds. A cell
 * becomes a name or a number where it leaves the program (result_cell()).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_TABLES_H
#define METRICS_TABLES_H

#include "base/scale.h"
#include "base/units.h"
#include "interval/interval.h"
#include "metrics/measure.h"
#include "metrics/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum table_id {
#define TABLE(id, ...) TABLE_##id,
#include "metrics/list.def"
    N_TABLES
};

/* --- what cells hold --- */

enum column_kind {
#define KIND(id, ...) HOLDS_##id,
#define WORD(id, ...) HOLDS_##id,
#include "metrics/kinds.def"
#undef KIND
#undef WORD
    N_COLUMN_KINDS
};

enum storage { STORED_INT32, STORED_INT64, STORED_WIDE, STORED_FLAG, STORED_REAL, STORED_NAME, STORED_WORD };

struct kind_spec {
    enum storage storage;
    enum measure_type type;
    enum unit unit;
    const char *const *words; /* the names of STORED_WORD; NULL where a number has none */
    int n_words;
    const char *what; /* what a number or a name is; NULL of STORED_WORD */
};
extern const struct kind_spec kind_specs[N_COLUMN_KINDS];

#define KIND(id, type, ...) typedef type held_##id;
#define WORD(id, name, ...) typedef enum name held_##id;
#include "metrics/kinds.def"
#undef KIND
#undef WORD

/* --- rows --- */

#define TABLE(id, name, place) struct name##_row {
#define COLUMN(table, kind, member, column, whole) held_##kind member;
#define MEMBER(table, kind, member) held_##kind member;
#define END(table)                                                                                                     \
    }                                                                                                                  \
    ;
#include "metrics/list.def"

/* --- tables --- */

struct column_spec {
    const char *name;  /* the key in JSON, with its unit */
    const char *whole; /* the column that it adds up to with others; "": none */
    uint16_t offset;   /* in the row */
    uint16_t kind;     /* enum column_kind */
};

/* Where readers see a table. */
enum table_place {
    IN_OTHERS,  /* as it is, behind all else: it has no section of its own */
    IN_SECTION, /* in a section of its own, or as a part of one */
    AS_RECORD,  /* the same, and it has one row, which is an object for programs */
};

struct table_spec {
    const char *name; /* the JSON array of its rows */
    const struct column_spec *columns;
    size_t n_columns, row_size;
    enum table_place place;
};
extern const struct table_spec table_specs[N_TABLES];

struct result_table {
    enum table_id id;
    uint32_t absent; /* bits of columns that are not there: what the run does not know of */
    bool of_detail;  /* it is there because it was asked for (metrics/detail.h): a store does not keep it */
    size_t n_rows, capacity;
    void *rows; /* struct <name>_row */
};

struct result;

/* A table without rows, and a row of zeros at its end to be filled in. Either is good until the next is added. */
struct result_table *result_add_table(struct result *result, enum table_id id);
void *result_add_row(struct result_table *table);
/* The table of a result, or NULL. */
struct result_table *result_find_table(const struct result *result, enum table_id id);
/* Its rows and their number; NULL and 0 where it is not there. */
const void *result_rows(const struct result *result, enum table_id id, size_t *n_rows);

/* result_add_<name>(table): a row more. result_<name>(result, &n): the rows. */
#define TABLE(id, name, place)                                                                                         \
    static inline struct name##_row *result_add_##name(struct result_table *table)                                     \
    {                                                                                                                  \
        return (struct name##_row *)result_add_row(table);                                                             \
    }                                                                                                                  \
    static inline const struct name##_row *result_##name(const struct result *result, size_t *n_rows)                  \
    {                                                                                                                  \
        return (const struct name##_row *)result_rows(result, TABLE_##id, n_rows);                                     \
    }
#include "metrics/list.def"

/* --- any table's cells --- */

/* The column at an offset of the row's struct; whether it is there; to say that it is not. */
size_t table_column_at(enum table_id id, size_t offset);
bool result_has_column(const struct result_table *table, size_t column);
void result_leave_out(struct result_table *table, size_t offset);

/* The value of a cell, in the member that its column's type names. */
struct result_cell {
    enum measure_type type;
    wide_int number;
    double ratio;
    const char *text;
};
struct result_cell result_cell(const struct result_table *table, size_t row, size_t column);
/* A number; seconds for a time. */
double result_cell_value(const struct result_table *table, size_t row, size_t column);
/* Let a cell say that; false where it cannot: the number does not fit, or there is no such word. */
bool result_set_cell(struct result_table *table, size_t row, size_t column, const struct result_cell *cell);

/* A name for a row: interned, at most 47 bytes of it. */
const char *result_name(const char *text);

#endif
