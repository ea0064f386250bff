/* What the parts of the store share. */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdarg.h>

/* What stands before the members of a run (study/run_transport.h) in ADD_RUN and LOAD_RUN. */
enum { RUN_ORIGIN, RUN_STATES, RUN_PARAMETERS, RUN_ADDED = RUN_PARAMETERS, RUN_MEMBERS };

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
    ADD_SESSION,
    COUNT_SIMULATED,
    LOAD_RUN,
    LOAD_ORIGIN,
    LOAD_FILES,
    LOAD_PARAMETERS,
    LOAD_MEASURES,
    LOAD_TABLES,
    N_STATEMENTS
};

struct store {
    sqlite3 *database;
    char *file;
    bool writes;
    bool is_checked;                        /* that it is a store: nothing is written before */
    sqlite3_stmt *statements[N_STATEMENTS]; /* prepared when first used */
    int64_t session;                        /* the row that counts what this process adds; 0: none yet */
    struct measure_name {
        char group[32], name[56];
        enum measure_type type;
        int64_t id;
    } * names; /* of measures, as far as they have been used */
    size_t n_names, names_capacity;
    void *texts; /* a tree of the strings that runs borrow */
};

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

/* A copy with '?' for what is no UTF-8 or cannot be printed, but for the characters of `ends`; to be freed. */
char *store_clean(const char *text, const char *ends);
/* The string, printable, as one that lives as long as the store. */
const char *store_intern(struct store *store, const char *text);

#endif
