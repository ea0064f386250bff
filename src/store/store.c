/* Opening a store, its statements, and what its errors say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "os/output.h"
#include "os/temporary.h"

#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000 };

const char *const store_file_suffixes[] = {"-wal", "-shm", "-journal", NULL};

#define LOAD(compiler)                                                                                                 \
    "SELECT origin, states, parameters, id, " compiler ", platform, network, ranks, discarded, notes, events "         \
    "FROM runs WHERE id = ?1"

static const char *const statement_texts[N_STATEMENTS] = {
    [FIND_TEXT] = "SELECT id FROM texts WHERE hash = ?1 AND content = ?2",
    [ADD_TEXT] = "INSERT INTO texts(hash, content) VALUES (?1, ?2)",
    [FIND_ORIGIN] = "SELECT id FROM origins WHERE kind = ?1 AND scenario = ?2 AND scenario_text = ?3 AND "
                    "platform_text = ?4 AND input = ?5 AND program = ?6",
    [ADD_ORIGIN] = "INSERT INTO origins(kind, scenario, scenario_text, platform_text, input, program, platform) "
                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [FIND_RUN] = "SELECT id FROM runs WHERE origin = ?1 AND parameters = ?2",
    [ADD_RUN] = "INSERT INTO runs(origin, states, parameters, id, compiler, platform, network, ranks, discarded, "
                "notes, events) "
                "VALUES (?1, ?2, ?3, (SELECT ?4 WHERE ?4 > 0 AND NOT EXISTS (SELECT 1 FROM runs WHERE id = ?4)), ?5, "
                ":platform, "
                ":network, :ranks, :discarded, :notes, :events) ON CONFLICT(origin, parameters) DO NOTHING",
    [ADD_PARAMETER] = "INSERT INTO parameters VALUES (?1, ?2, ?3, ?4, ?5)",
    [FIND_MEASURE_NAME] = "SELECT id FROM measure_names WHERE grp = ?1 AND name = ?2 AND type = ?3",
    [ADD_MEASURE_NAME] = "INSERT INTO measure_names(grp, name, type) VALUES (?1, ?2, ?3)",
    [ADD_MEASURE] = "INSERT INTO measures VALUES (?1, ?2, ?3, ?4)",
    [ADD_TABLE] = "INSERT INTO tables VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [LOAD_RUN] = LOAD("compiler"),
    [LOAD_ORIGIN] = "SELECT kind, scenario, program, input, s.hash, p.hash FROM origins "
                    "JOIN texts AS s ON s.id = scenario_text JOIN texts AS p ON p.id = platform_text "
                    "WHERE origins.id = ?1",
    [LIST_ORIGINS] = "SELECT origins.id, kind, scenario, s.content, platform, p.content, input, program FROM origins "
                     "JOIN texts AS s ON s.id = scenario_text JOIN texts AS p ON p.id = platform_text "
                     "ORDER BY origins.id",
    [FIND_OTHER_PROGRAM] = "SELECT other.program FROM origins AS own JOIN origins AS other USING (kind, scenario, "
                           "scenario_text, platform_text, input) WHERE own.id = ?1 AND other.program != own.program "
                           "ORDER BY other.id DESC LIMIT 1",
    [LOAD_FILES] = "SELECT s.content, p.content FROM runs JOIN origins ON origins.id = origin "
                   "JOIN texts AS s ON s.id = scenario_text JOIN texts AS p ON p.id = platform_text WHERE runs.id = ?1",
    [LOAD_PARAMETERS] = "SELECT name, text, number FROM parameters WHERE run = ?1 ORDER BY position",
    [LOAD_MEASURES] = "SELECT grp, name, type, value FROM measures JOIN measure_names ON measure_names.id = measure "
                      "WHERE run = ?1 ORDER BY position",
    [LOAD_TABLES] = "SELECT name, columns, n_rows, cells FROM tables WHERE run = ?1 ORDER BY position",
};

/* --- errors --- */

/* SQLite keeps a log beside a store, and says of one that cannot be made, or of a store, little that helps. */
static int fail_to_open(const char *file, const char *what, const char *why, struct sim_error *error)
{
    char *target = output_target(file), *folder = dirname(target);
    int descriptor = temporary_open(folder), reason = errno;
    free(target);
    if (descriptor < 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be %s: no file can be made in its folder: %s", what,
                             strerror(reason));
    close(descriptor);
    if (access(file, R_OK | W_OK) != 0)
        why = strerror(errno);
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be %s: %s", what, why);
}

int store_fail(const struct store *store, struct sim_error *error)
{
    const char *file = store->file, *why = sqlite3_errmsg(store->database);
    const char *left = store->is_partial ? "nothing of it is left" : "what has been stored is kept";
    switch (sqlite3_errcode(store->database) & 0xff) {
    case SQLITE_NOTADB:
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a store: it is not an SQLite database");
    case SQLITE_CORRUPT:
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "is damaged (%s); its remains can be saved with the command .recover of sqlite3", why);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sim_error_set(error, SIM_UNFINISHED, file, 0,
                             "is locked: another program has been using it for %d s; try again when it is done",
                             PATIENCE_MS / 1000);
    case SQLITE_FULL:
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "the disk is full; %s", left);
    case SQLITE_IOERR:
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "cannot be read or written (%s); %s", why, left);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return fail_to_open(file, "written", why, error);
    case SQLITE_CANTOPEN:
        return fail_to_open(file, "opened", why, error);
    default:
        return sim_error_set(error, SIM_UNFINISHED, file, 0, "cannot be used: %s", why);
    }
}

int store_damaged(const struct store *store, struct sim_error *error, const char *what)
{
    return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "is damaged: %s", what);
}

/* --- statements --- */

sqlite3_stmt *store_statement(struct store *store, enum statement which, struct sim_error *error)
{
    sqlite3_stmt **statement = &store->statements[which];
    const char *sql = which == LOAD_RUN && store->is_former ? LOAD("''") : statement_texts[which];
    if (*statement == NULL &&
        sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK) {
        store_fail(store, error);
        return NULL;
    }
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
    return *statement;
}

void store_bind_list(sqlite3_stmt *statement, const char *letters, va_list values)
{
    for (int i = 1; *letters != '\0'; i++, letters++) {
        const void *bytes;
        switch (*letters) {
        case 'i':
            sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            break;
        case 'd':
            sqlite3_bind_double(statement, i, va_arg(values, double));
            break;
        case 't':
            sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'b':
            bytes = va_arg(values, const void *);
            sqlite3_bind_blob64(statement, i, bytes != NULL ? bytes : "", va_arg(values, size_t), SQLITE_TRANSIENT);
            break;
        default:
            sqlite3_bind_null(statement, i);
        }
    }
}

void store_bind(sqlite3_stmt *statement, const char *letters, ...)
{
    va_list values;
    va_start(values, letters);
    store_bind_list(statement, letters, values);
    va_end(values);
}

int store_step(struct store *store, sqlite3_stmt *statement, struct sim_error *error)
{
    int status = sqlite3_step(statement);
    if (status == SQLITE_ROW)
        return 1;
    if (status != SQLITE_DONE)
        store_fail(store, error);
    sqlite3_reset(statement);
    return status == SQLITE_DONE ? 0 : -1;
}

int store_execute(struct store *store, const char *sql, struct sim_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_fail(store, error);
}

/* --- strings --- */

char *store_clean(const char *text, const char *ends)
{
    char *copy = xmalloc(strlen(text) + 1), *to = copy;
    for (;;) {
        size_t length = strcspn(text, ends);
        char *line = xformat("%.*s", (int)length, text);
        utf8_copy(to, length + 1, line);
        free(line);
        to += strlen(to);
        text += length;
        *to++ = *text;
        if (*text++ == '\0')
            return copy;
    }
}

const char *store_intern(struct store *store, const char *text)
{
    char *copy = store_clean(text != NULL ? text : "", "");
    const char *interned = texts_intern(&store->texts, copy);
    free(copy);
    return interned;
}

/* --- opening --- */

static int prepare(struct store *store, struct sim_error *error)
{
    if (store_make_or_check(store, error) != 0)
        return -1;
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    store->is_checked = true;
    return 0;
}

/* Nothing that a file says is run. */
static void configure(struct store *store)
{
    sqlite3 *database = store->database;
    sqlite3_busy_timeout(database, PATIENCE_MS);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
}

/* SQLite needs names for a log and a journal. What has them it would take for those of a store that it makes, and
 * remove it. Whoever else makes the store at the same time has made it before its log, so that is looked for first. */
static int check_sides(const char *file, struct sim_error *error)
{
    struct stat status;
    int result = 0;
    for (int i = 0; result == 0 && store_file_suffixes[i] != NULL; i++) {
        char *side = xformat("%s%s", file, store_file_suffixes[i]);
        bool there = lstat(side, &status) == 0;
        if (!there && errno == ENAMETOOLONG)
            result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                                   "cannot be used: with %s appended, its name is too long", store_file_suffixes[i]);
        else if (there && stat(file, &status) != 0 && errno == ENOENT)
            result = sim_error_set(error, SIM_BAD_INPUT, file, 0,
                                   "cannot be made: %s is in the way; it belongs to another store", side);
        free(side);
    }
    return result;
}

static int check_file(const char *file, enum store_mode mode, struct sim_error *error)
{
    struct stat status;
    if (stat(file, &status) != 0)
        return mode == STORE_WRITE && errno == ENOENT
                   ? 0
                   : sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a store: it is not a regular file");
    if (mode == STORE_WRITE && access(file, W_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be written: %s", strerror(errno));
    return 0;
}

int store_open(struct store **store, const char *file, enum store_mode mode, struct sim_error *error)
{
    return store_open_as(store, file, file, mode, error);
}

int store_open_as(struct store **store, const char *file, const char *name, enum store_mode mode,
                  struct sim_error *error)
{
    if ((mode == STORE_WRITE && check_sides(file, error) != 0) || check_file(file, mode, error) != 0)
        return -1;
    struct store *opened = xcalloc(1, sizeof *opened);
    char *path = xformat("%s%s", file[0] == '/' ? "" : "./", file); /* no name has a meaning for SQLite then */
    opened->file = xstrdup(name);
    opened->is_partial = strcmp(file, name) != 0;
    opened->writes = mode == STORE_WRITE;
    int flags = SQLITE_OPEN_READWRITE | (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    int status = sqlite3_open_v2(path, &opened->database, flags, NULL);
    free(path);
    if (status != SQLITE_OK) {
        store_fail(opened, error);
    } else {
        configure(opened);
        status = prepare(opened, error);
    }
    if (status != SQLITE_OK) {
        store_close(opened);
        return -1;
    }
    *store = opened;
    return 0;
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(store->statements[i]);
    if (store->writes && store->is_checked) { /* one file, unless another process is using it */
        sqlite3_busy_timeout(store->database, 0);
        sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->database);
    texts_dispose(&store->texts);
    free(store->names);
    free(store->file);
    free(store);
}
