/* Fuzzing of the experiment store, of reports on what is in it, and of joining it with another. An input that begins as
 * an SQLite database does is the file; any other one is values for the store's columns, put into the rows of a run that
 * is there: of each part the first byte says which column, the second of which type, and the rest is the value.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "shared/sample_store.h"
#include "simrun/answer.h"
#include "simrun/compare_store.h"
#include "simrun/store_questions.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const updates[] = {
    "UPDATE texts SET content = ?1",
    "UPDATE texts SET hash = ?1",
    "UPDATE origins SET kind = ?1",
    "UPDATE origins SET scenario = ?1",
    "UPDATE origins SET scenario_text = ?1",
    "UPDATE origins SET program = ?1",
    "UPDATE origins SET input = ?1",
    "UPDATE runs SET origin = ?1 WHERE id = 1",
    "UPDATE runs SET platform = ?1 WHERE id = 1",
    "UPDATE runs SET network = ?1 WHERE id = 1",
    "UPDATE runs SET ranks = ?1 WHERE id = 1",
    "UPDATE runs SET discarded = ?1 WHERE id = 1",
    "UPDATE runs SET notes = ?1 WHERE id = 1",
    "UPDATE runs SET states = ?1 WHERE id = 1",
    "UPDATE runs SET events = ?1 WHERE id = 1",
    "UPDATE parameters SET name = ?1 WHERE run = 1 AND position = 1",
    "UPDATE parameters SET text = ?1 WHERE run = 1 AND position = 1",
    "UPDATE parameters SET number = ?1 WHERE run = 1 AND position = 1",
    "UPDATE parameters SET position = ?1 WHERE run = 1 AND position = 2",
    "UPDATE measure_names SET grp = ?1 WHERE id = 1",
    "UPDATE measure_names SET name = ?1 WHERE id = 2",
    "UPDATE measure_names SET type = ?1 WHERE id = 3",
    "UPDATE measures SET value = ?1 WHERE run = 1 AND position = 0",
    "UPDATE measures SET value = ?1 WHERE run = 1 AND position = 1",
    "UPDATE measures SET measure = ?1 WHERE run = 1 AND position = 2",
    "UPDATE tables SET name = ?1 WHERE run = 1",
    "UPDATE tables SET columns = ?1 WHERE run = 1",
    "UPDATE tables SET n_rows = ?1 WHERE run = 1",
    "UPDATE tables SET cells = ?1 WHERE run = 1",
};

static void bind(sqlite3_stmt *statement, uint8_t type, const uint8_t *value, size_t size)
{
    double number = 0;
    memcpy(&number, value, size < sizeof number ? size : sizeof number);
    if (type % 4 == 0)
        sqlite3_bind_text64(statement, 1, (const char *)value, size, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (type % 4 == 1)
        sqlite3_bind_blob64(statement, 1, value, size, SQLITE_TRANSIENT);
    else if (type % 4 == 2)
        sqlite3_bind_double(statement, 1, number);
    else
        sqlite3_bind_int64(statement, 1, size > 0 ? value[0] - 128 : 0);
}

static void update(sqlite3 *database, const uint8_t *data, size_t size)
{
    sqlite3_stmt *statement;
    if (size < 2)
        return;
    const char *sql = updates[data[0] % (sizeof updates / sizeof updates[0])];
    fuzz_check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK);
    bind(statement, data[1], data + 2, size - 2);
    sqlite3_step(statement); /* what breaks a constraint is not stored */
    sqlite3_finalize(statement);
}

/* The sample, made once, and its bytes. */
static const uint8_t *sample(size_t *size)
{
    static uint8_t bytes[1 << 18];
    static size_t n_bytes;
    if (n_bytes == 0) {
        char *file = fuzz_path("sample.st");
        sample_store_make(file);
        n_bytes = fuzz_read(file, bytes, sizeof bytes);
        unlink(file);
        free(file);
    }
    *size = n_bytes;
    return bytes;
}

static void write_store(const char *file, const uint8_t *data, size_t size)
{
    struct fuzz_parts parts;
    sqlite3 *database;
    size_t n_bytes;
    const uint8_t *bytes = sample(&n_bytes);
    if (size >= 6 && memcmp(data, "SQLite", 6) == 0) {
        fuzz_write("store.st", data, size);
        return;
    }
    fuzz_write("store.st", bytes, n_bytes);
    fuzz_check(sqlite3_open(file, &database) == SQLITE_OK);
    sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
    fuzz_split(&parts, data, size);
    for (int i = 0; i < parts.count; i++)
        update(database, parts.items[i].data, parts.items[i].size);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(database);
}

/* Answer like simrun store, but without reserved outputs, which are for one call in a process. */
static int answer(answer_make *make, const struct options *options, struct sim_error *error)
{
    struct store_question question = {.options = options};
    if (store_open(&question.store, options->files[0], STORE_READ, error) != 0)
        return -1;
    FILE *stream = fopen("/dev/null", "w");
    int status = answer_write(stream, options, make, &question, error);
    fclose(stream);
    store_question_dispose(&question);
    return status;
}

/* A run as simrun store diff has it. */
static void load_run(const struct options *options, const char *number)
{
    struct compare_stored stored;
    struct sim_error error;
    fuzz_has_read(compare_stored_load_run(&stored, number, true, options, &error), &error);
    compare_stored_dispose(&stored);
}

/* Joined with the sample it is a store, or there is none. */
static void merge(char *file)
{
    struct sim_error error;
    struct store *store = NULL;
    size_t size;
    struct store_merged merged;
    const uint8_t *bytes = sample(&size);
    char *other = fuzz_path("other.st"), *whole = fuzz_path("whole.st"), *files[] = {other, file};
    fuzz_write("other.st", bytes, size);
    if (fuzz_has_read(store_merge(&merged, whole, files, 2, &error), &error)) {
        fuzz_check(merged.n_runs > 0 && store_open(&store, whole, STORE_READ, &error) == 0);
        store_close(store);
        unlink(whole);
    } else
        fuzz_check(access(whole, F_OK) != 0);
    free(merged.compilers);
    free(other);
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_error error;
    fuzz_check_quiet();
    char *file = fuzz_path("store.st");
    write_store(file, data, size);
    struct options options = options_default();
    char *files[] = {file};
    options.files = files;
    options.n_files = 1;
    options.format = report_specs[size % 3];
    fuzz_has_read(answer(store_list_runs, &options, &error), &error);
    load_run(&options, "1");
    load_run(&options, "2");
    merge(file);
    fuzz_write("store.st-wal", NULL, 0);
    fuzz_write("store.st-shm", NULL, 0);
    fuzz_write("store.st-journal", NULL, 0);
    free(file);
    fuzz_check_quiet();
    return 0;
}
