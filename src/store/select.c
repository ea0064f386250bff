/* Which stored runs fulfill conditions. Names and values are bound to the statement, never part of its text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include "base/memory.h"
#include "metrics/result_transport.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const store_columns[] = {"run", "scenario", "kind", "platform", "network", "program", "compiler", NULL};
static const char *const column_terms[] = {"runs.id",      "origins.scenario", "origins.kind", "runs.platform",
                                           "runs.network", "origins.program",  "runs.compiler"};

#define PREFIX "parameters."

#define MEASURE_NAME "(CASE grp WHEN '' THEN name ELSE grp || '.' || name END)"
#define PARAMETER                                                                                                      \
    "(SELECT CASE WHEN number IS NULL THEN text ELSE number END FROM parameters WHERE run = runs.id AND name = ?%d)"
#define MEASURE                                                                                                        \
    "(SELECT CASE type WHEN 'time' THEN value * 1e-12 ELSE value + 0 END FROM measures JOIN measure_names ON "         \
    "measure_names.id = measure WHERE run = runs.id AND " MEASURE_NAME " = ?%d)"

static int find_column(const char *name)
{
    int c = 0;
    while (store_columns[c] != NULL && strcmp(store_columns[c], name) != 0)
        c++;
    return c;
}

/* A store of a former version knows no compilers. */
static const char *term_of(const struct store *store, int column)
{
    return store->is_former && strcmp(store_columns[column], "compiler") == 0 ? "''" : column_terms[column];
}

static bool is_prefixed(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
}

static const char *unprefixed(const char *name)
{
    return name + (is_prefixed(name) ? strlen(PREFIX) : 0);
}

/* One of the operators as it is here, so that no text of others becomes part of a statement. */
static const char *known_operator(const char *op)
{
    static const char *const known[] = {"=", "!=", "<", "<=", ">", ">="};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], op) == 0)
            return known[i];
    assert(0 && "an operator");
    return "=";
}

/* " AND term op ?": the value has the number after that of the name. */
static void write_condition(FILE *sql, const struct store *store, const struct store_condition *condition, int number)
{
    int column = find_column(condition->name);
    fputs(" AND ", sql);
    if (store_columns[column] != NULL)
        fputs(term_of(store, column), sql);
    else if (is_prefixed(condition->name))
        fprintf(sql, PARAMETER, number);
    else
        fprintf(sql, "coalesce(" MEASURE ", " PARAMETER ")", number, number);
    fprintf(sql, " %s ?%d", known_operator(condition->op), number + 1);
}

static char *write_query(const struct store *store, const struct store_condition *conditions, int n_conditions)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    fputs("SELECT runs.id FROM runs JOIN origins ON origins.id = runs.origin WHERE 1", sql);
    for (int i = 0; i < n_conditions; i++)
        write_condition(sql, store, &conditions[i], 2 * i + 1);
    fputs(" ORDER BY runs.id", sql);
    fclose(sql);
    return text;
}

static void bind_condition(sqlite3_stmt *query, const struct store_condition *condition, int number)
{
    if (number <= sqlite3_bind_parameter_count(query))
        sqlite3_bind_text(query, number, unprefixed(condition->name), -1, SQLITE_TRANSIENT);
    if (condition->is_number)
        sqlite3_bind_double(query, number + 1, condition->number);
    else
        sqlite3_bind_text(query, number + 1, condition->text, -1, SQLITE_TRANSIENT);
}

int store_select(int64_t **ids, int *n_ids, struct store *store, const struct store_condition *conditions,
                 int n_conditions, struct sim_error *error)
{
    size_t count = 0, capacity = 0;
    int64_t *found = NULL;
    int status;
    sqlite3_stmt *query;
    char *sql = write_query(store, conditions, n_conditions);
    status = sqlite3_prepare_v2(store->database, sql, -1, &query, NULL);
    free(sql);
    if (status != SQLITE_OK)
        return store_fail(store, error);
    for (int i = 0; i < n_conditions; i++)
        bind_condition(query, &conditions[i], 2 * i + 1);
    while ((status = store_step(store, query, error)) == 1 && count < INT32_MAX) {
        found = xgrow(found, count, &capacity, sizeof *found);
        found[count++] = sqlite3_column_int64(query, 0);
    }
    sqlite3_finalize(query);
    if (status < 0) {
        free(found);
        return -1;
    }
    *ids = found;
    *n_ids = (int)count;
    return 0;
}

/* --- names --- */

static sqlite3_stmt *prepare(struct store *store, const char *sql, const char *name, struct sim_error *error)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(store->database, sql, -1, &query, NULL) != SQLITE_OK) {
        store_fail(store, error);
        return NULL;
    }
    if (name != NULL)
        store_bind(query, "t", name);
    return query;
}

static int describe_parameter(struct store_name *description, struct store *store, const char *name,
                              struct sim_error *error)
{
    sqlite3_stmt *query = prepare(
        store, "SELECT max(number IS NULL), max(number IS NOT NULL) FROM parameters WHERE name = ?1", name, error);
    int found = query != NULL ? store_step(store, query, error) : -1;
    if (found == 1) {
        description->is_text = sqlite3_column_int(query, 0) != 0;
        description->is_number = sqlite3_column_int(query, 1) != 0;
    }
    sqlite3_finalize(query);
    return found < 0 ? -1 : 0;
}

static int describe_measure(struct store_name *description, struct store *store, const char *name,
                            struct sim_error *error)
{
    sqlite3_stmt *query = prepare(store, "SELECT type FROM measure_names WHERE " MEASURE_NAME " = ?1", name, error);
    int found = query != NULL ? store_step(store, query, error) : -1;
    if (found == 1) {
        const char *name_of_type = (const char *)sqlite3_column_text(query, 0);
        enum measure_type type;
        description->is_measure = true;
        if (name_of_type != NULL && measure_type_find(&type, name_of_type) == 0 && type != MEASURE_TEXT)
            description->type = type;
    }
    sqlite3_finalize(query);
    return found < 0 ? -1 : 0;
}

int store_describe(struct store_name *description, struct store *store, const char *name, struct sim_error *error)
{
    int column = find_column(name);
    *description = (struct store_name){0};
    if (store_columns[column] != NULL) {
        description->is_number = strcmp(name, "run") == 0;
        description->is_text = !description->is_number;
        return 0;
    }
    if (describe_parameter(description, store, unprefixed(name), error) != 0)
        return -1;
    return is_prefixed(name) ? 0 : describe_measure(description, store, name, error);
}

/* The texts that a statement gives, with a name for its value. */
static int read_strings(struct store_strings *strings, struct store *store, const char *sql, const char *name,
                        struct sim_error *error)
{
    size_t count = 0, capacity = 0;
    int status = -1;
    sqlite3_stmt *query = prepare(store, sql, name, error);
    *strings = (struct store_strings){0};
    while (query != NULL && (status = store_step(store, query, error)) == 1) {
        strings->items = xgrow(strings->items, count, &capacity, sizeof(char *));
        strings->items[count++] = xstrdup(store_intern(store, (const char *)sqlite3_column_text(query, 0)));
        strings->count = (int)count;
    }
    sqlite3_finalize(query);
    if (status != 0)
        store_strings_dispose(strings);
    return status;
}

void store_strings_dispose(struct store_strings *strings)
{
    for (int i = 0; i < strings->count; i++)
        free(strings->items[i]);
    free(strings->items);
    *strings = (struct store_strings){0};
}

int store_parameter_names(struct store_strings *names, struct store *store, struct sim_error *error)
{
    return read_strings(names, store, "SELECT DISTINCT name FROM parameters ORDER BY name", NULL, error);
}

int store_measure_names(struct store_strings *names, struct store *store, struct sim_error *error)
{
    return read_strings(names, store, "SELECT DISTINCT " MEASURE_NAME " FROM measure_names ORDER BY id", NULL, error);
}

int store_texts(struct store_strings *texts, struct store *store, const char *name, struct sim_error *error)
{
    int column = find_column(name);
    if (store_columns[column] == NULL)
        return read_strings(texts, store,
                            "SELECT DISTINCT text FROM parameters WHERE name = ?1 AND number IS NULL ORDER BY text",
                            unprefixed(name), error);
    char *sql = xformat("SELECT DISTINCT %s FROM runs JOIN origins ON origins.id = runs.origin ORDER BY 1",
                        term_of(store, column));
    int status = read_strings(texts, store, sql, NULL, error);
    free(sql);
    return status;
}
