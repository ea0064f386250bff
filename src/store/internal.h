/* Declarations that the parts of the store share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "store/store.h"
#include "study/texts.h"

#include <sqlite3.h>
#include <stdarg.h>

/* Columns before the members of a run (study/run_transport.h) in ADD_RUN and LOAD_RUN. */
enum { RUN_ORIGIN, RUN_STATES, RUN_PARAMETERS, RUN_NUMBER, RUN_COMPILER, RUN_MEMBERS };

enum statement {
    FIND_TEXT,
    ADD_TEXT,
    FIND_ORIGIN,
    ADD_ORIGIN,
    FIND_RUN,
    ADD_RUN,
    ADD_PARAMETER,
    FIND_MEASURE_NAME,
    ADD_MEASURE_NAME,
    ADD_MEASURE,
    ADD_TABLE,
    LOAD_RUN,
    LOAD_ORIGIN,
    LIST_ORIGINS,
    FIND_OTHER_PROGRAM,
    LOAD_FILES,
    LOAD_PARAMETERS,
    LOAD_MEASURES,
    LOAD_TABLES,
    N_STATEMENTS
};

struct store {
    sqlite3 *database;
    char *file;
    bool is_partial; /* its file has another name, and is removed unless all goes well */
    bool writes;
    bool is_checked;                        /* that it is a store: nothing is written before */
    bool is_former;                         /* of a version that is only read */
    bool is_written;                        /* there is a log, if there can be one */
    sqlite3_stmt *statements[N_STATEMENTS]; /* prepared when first used */
    struct known_name {
        const struct measure_name *of;
        int64_t id;
    } * names; /* of measures, as far as they have been used */
    size_t n_names, names_capacity;
    struct texts texts; /* that runs borrow */
};

/* As store_open(), but messages have another name of the file. */
int store_open_as(struct store **store, const char *file, const char *name, enum store_mode mode,
                  struct sim_error *error);

/* The error of what SQLite has just refused. Returns -1. */
int store_fail(const struct store *store, struct sim_error *error);
/* The error of content that does not fit. Returns -1. */
int store_damaged(const struct store *store, struct sim_error *error, const char *what);

/* A statement, reset and without values; NULL and the error if it cannot be had. */
sqlite3_stmt *store_statement(struct store *store, enum statement which, struct sim_error *error);
/* Bind values by a letter each: i int64_t, d double, t text, b const void * and size_t; N null. */
void store_bind(sqlite3_stmt *statement, const char *letters, ...);
void store_bind_list(sqlite3_stmt *statement, const char *letters, va_list values);
/* 1: there is a row; 0: there is none (left); -1: an error. Without a row the statement is reset. */
int store_step(struct store *store, sqlite3_stmt *statement, struct sim_error *error);
int store_execute(struct store *store, const char *sql, struct sim_error *error);

/* Make the tables in an empty file that is open for writing, else see that they are there and as they were made. A file
 * that is not a store stays as it is, to the last byte: only an empty one is written to before it is checked. */
int store_make_or_check(struct store *store, struct sim_error *error);

/* A copy with '?' for what is no UTF-8 or cannot be printed, but for the characters of `ends`; to be freed. */
char *store_clean(const char *text, const char *ends);
/* "ranks=8 network=auto ...": with the origin it tells a run from every other; to be freed. */
char *store_format_parameters(const struct study_run *run);
/* The string, printable, as one that lives as long as the store. */
const char *store_intern(struct store *store, const char *text);

/* A condition on a run: a column of `store_columns`, a parameter ("parameters.bytes" where a measure has the same
 * name), or a measure ("time_s", "critical_path_s.communication"), in SI units. */
struct store_condition {
    const char *name;
    const char *op; /* = != < <= > >= */
    const char *text;
    bool is_number;
    double number;
};

extern const char *const store_columns[]; /* run, scenario, kind, platform, network, program, ...; NULL-terminated */

/* The meaning of a name in the stored runs. */
struct store_name {
    bool is_text;   /* a column that holds text, or a parameter that has been one */
    bool is_number; /* the number of a run, or a parameter that has been a number */
    bool is_measure;
    enum measure_type type; /* of the measure */
};

/* Neither text nor number nor measure: no run has it. */
int store_describe(struct store_name *description, struct store *store, const char *name, struct sim_error *error);

/* Strings, to be freed by store_strings_dispose(). */
struct store_strings {
    char **items;
    int count;
};

void store_strings_dispose(struct store_strings *strings);

/* The names of all parameters, and of all measures; the texts that a column or a parameter has, each once. */
int store_parameter_names(struct store_strings *names, struct store *store, struct sim_error *error);
int store_measure_names(struct store_strings *names, struct store *store, struct sim_error *error);
int store_texts(struct store_strings *texts, struct store *store, const char *name, struct sim_error *error);

/* The numbers of the runs that fulfill all conditions, rising; to be freed. */
int store_select(int64_t **ids, int *n_ids, struct store *store, const struct store_condition *conditions,
                 int n_conditions, struct sim_error *error);

#endif
