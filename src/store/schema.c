/* The tables of a store: makes those of a new one, and checks that a file has them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include <stdio.h>
#include <string.h>

enum { APPLICATION = 0x73696d72, VERSION = 3, OLDEST = 1 };

/* The tables; docs/ref/store.md describes them. Those of former versions are only read: version 2 knew no compilers,
 * and version 1 had the costs of the runs, too. */
#define RUNS(states, events)                                                                                           \
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, origin INTEGER NOT NULL REFERENCES origins, "             \
    "parameters TEXT NOT NULL, platform TEXT NOT NULL, network TEXT NOT NULL, ranks INTEGER NOT NULL, "                \
    "discarded TEXT NOT NULL, notes TEXT NOT NULL, states BLOB NOT NULL, " states "events INTEGER NOT NULL, " events   \
    "UNIQUE(origin, parameters))"

static const struct {
    const char *name, *sql, *second, *first; /* of versions 2 and 1, where they are others */
} tables[] = {
    {"texts", "CREATE TABLE texts(id INTEGER PRIMARY KEY, hash TEXT NOT NULL, content BLOB NOT NULL)", NULL, NULL},
    {"origins",
     "CREATE TABLE origins(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, scenario TEXT NOT NULL, "
     "scenario_text INTEGER NOT NULL REFERENCES texts, platform TEXT NOT NULL, "
     "platform_text INTEGER NOT NULL REFERENCES texts, input TEXT NOT NULL, program TEXT NOT NULL, "
     "UNIQUE(kind, scenario, scenario_text, platform_text, input, program))",
     NULL, NULL},
    {"runs", RUNS("", "compiler TEXT NOT NULL, "), RUNS("", ""),
     RUNS("added TEXT NOT NULL, wall_s REAL NOT NULL, ", "peak_rss_bytes INTEGER NOT NULL, ")},
    {"parameters",
     "CREATE TABLE parameters(run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, "
     "name TEXT NOT NULL, text TEXT NOT NULL, number INTEGER, PRIMARY KEY(run, position)) WITHOUT ROWID",
     NULL, NULL},
    {"measure_names",
     "CREATE TABLE measure_names(id INTEGER PRIMARY KEY, grp TEXT NOT NULL, name TEXT NOT NULL, "
     "type TEXT NOT NULL, UNIQUE(grp, name, type))",
     NULL, NULL},
    {"measures",
     "CREATE TABLE measures(run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, "
     "measure INTEGER NOT NULL REFERENCES measure_names, value, PRIMARY KEY(run, position)) WITHOUT ROWID",
     NULL, NULL},
    {"tables",
     "CREATE TABLE tables(run INTEGER NOT NULL REFERENCES runs, position INTEGER NOT NULL, "
     "name TEXT NOT NULL, columns TEXT NOT NULL, n_rows INTEGER NOT NULL, cells BLOB NOT NULL, "
     "PRIMARY KEY(run, position)) WITHOUT ROWID",
     NULL, NULL},
};
enum { N_SQL_TABLES = sizeof tables / sizeof tables[0] };

/* For those who look into the file with other programs; this one uses the index only. */
static const char *const extras[] = {
    "CREATE INDEX texts_by_hash ON texts(hash)",
    "CREATE VIEW metrics AS SELECT run, CASE grp WHEN '' THEN name ELSE grp || '.' || name END AS name, "
    "CASE type WHEN 'time' THEN value * 1e-12 ELSE value END AS value "
    "FROM measures JOIN measure_names ON measure_names.id = measure",
};

/* The number that a statement without values gives in its first row; -1 on an error. */
static int ask_number(int64_t *number, struct store *store, const char *sql, struct sim_error *error)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_fail(store, error);
    int status = store_step(store, statement, error);
    *number = status == 1 ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status < 0 ? -1 : 0;
}

static int create(struct store *store, struct sim_error *error)
{
    char pragmas[100];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, VERSION);
    int status = store_execute(store, pragmas, error);
    for (int i = 0; status == 0 && i < N_SQL_TABLES; i++)
        status = store_execute(store, tables[i].sql, error);
    for (size_t i = 0; status == 0 && i < sizeof extras / sizeof extras[0]; i++)
        status = store_execute(store, extras[i], error);
    return status;
}

/* A table that is not as this program makes it may hold what makes SQLite compute or write. */
static int check_table(struct store *store, int i, int64_t version, struct sim_error *error)
{
    sqlite3_stmt *statement;
    const char *const others[] = {[1] = tables[i].first, [2] = tables[i].second, [VERSION] = NULL};
    const char *made = others[version] != NULL ? others[version] : tables[i].sql;
    if (sqlite3_prepare_v2(store->database, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1", -1,
                           &statement, NULL) != SQLITE_OK)
        return store_fail(store, error);
    store_bind(statement, "t", tables[i].name);
    int found = store_step(store, statement, error);
    const char *sql = found == 1 ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (found >= 0 && (sql == NULL || strcmp(sql, made) != 0))
        found = sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "is damaged: table %s is not as it was made",
                              tables[i].name);
    sqlite3_finalize(statement);
    return found < 0 ? -1 : 0;
}

/* The nature of a file, as the file itself says it; an empty one says nothing. */
struct nature {
    int64_t application, version, n_things;
};

static bool is_empty(const struct nature *nature)
{
    return nature->application == 0 && nature->version == 0 && nature->n_things == 0;
}

static int ask_nature(struct nature *nature, struct store *store, struct sim_error *error)
{
    *nature = (struct nature){0};
    if (ask_number(&nature->application, store, "PRAGMA application_id", error) != 0 ||
        ask_number(&nature->version, store, "PRAGMA user_version", error) != 0)
        return -1;
    return ask_number(&nature->n_things, store, "SELECT count(*) FROM sqlite_schema", error);
}

static int check(struct store *store, const struct nature *nature, struct sim_error *error)
{
    if (is_empty(nature))
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "is empty: no run has been stored in it");
    if (nature->application != APPLICATION)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "is an SQLite database, but not a store of simrun");
    if (nature->version < OLDEST || nature->version > VERSION)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0,
                             "is a store of version %lld; this program reads and writes version %d",
                             (long long)nature->version, VERSION);
    store->is_former = nature->version < VERSION;
    if (store->is_former && store->writes)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0,
                             "is a store of version %d, which is only read, and none of its runs is known to be this "
                             "program's: keep new runs in a new file; simrun store merge NEW %s writes the old ones as "
                             "version %d",
                             (int)nature->version, store->file, VERSION);
    for (int i = 0; i < N_SQL_TABLES; i++)
        if (check_table(store, i, nature->version, error) != 0)
            return -1;
    return 0;
}

/* Create the tables in an empty file, or check those that are there, in one transaction, so that of two who make the
 * same store one finds it made. */
static int create_or_check(struct store *store, bool creates, struct sim_error *error)
{
    struct nature nature;
    if (store_execute(store, creates ? "BEGIN IMMEDIATE" : "BEGIN", error) != 0)
        return -1;
    int status = ask_nature(&nature, store, error);
    if (status == 0)
        status = creates && is_empty(&nature) ? create(store, error) : check(store, &nature, error);
    if (status == 0)
        return store_execute(store, "COMMIT", error);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

int store_make_or_check(struct store *store, struct sim_error *error)
{
    struct nature nature;
    return ask_nature(&nature, store, error) == 0 ? create_or_check(store, store->writes && is_empty(&nature), error)
                                                  : -1;
}
