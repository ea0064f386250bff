/* Which stored runs fulfil conditions. Names and values are bound to the statement, never part of its text. */
#include "store/store_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const store_columns[] = {"run", "scenario", "kind", "platform", "network", "program", "added", NULL};
static const char *const column_terms[] = {"runs.id",      "origins.scenario", "origins.kind", "runs.platform",
                                           "runs.network", "origins.program",  "runs.added"};

#define PREFIX "parameters."

#define PARAMETER                                                                                                      \
    "(SELECT CASE WHEN number IS NULL THEN text ELSE number END FROM parameters WHERE run = runs.id AND name = ?%d)"
#define MEASURE                                                                                                        \
    "(SELECT CASE type WHEN 'time' THEN value * 1e-12 ELSE value + 0 END FROM measures JOIN measure_names ON "         \
    "measure_names.id = measure WHERE run = runs.id AND (CASE grp WHEN '' THEN name ELSE grp || '.' || name END) = ?%d)"

static int find_column(const char *name)
{
    int c = 0;
    while (store_columns[c] != NULL && strcmp(store_columns[c], name) != 0)
        c++;
    return c;
}

static bool is_prefixed(const char *name)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0;
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
static void write_condition(FILE *sql, const struct store_condition *condition, int number)
{
    int column = find_column(condition->name);
    fputs(" AND ", sql);
    if (store_columns[column] != NULL)
        fputs(column_terms[column], sql);
    else if (is_prefixed(condition->name))
        fprintf(sql, PARAMETER, number);
    else
        fprintf(sql, "coalesce(" MEASURE ", " PARAMETER ")", number, number);
    fprintf(sql, " %s ?%d", known_operator(condition->op), number + 1);
}

static char *write_query(const struct store_condition *conditions, int n_conditions)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    fputs("SELECT runs.id FROM runs JOIN origins ON origins.id = runs.origin WHERE 1", sql);
    for (int i = 0; i < n_conditions; i++)
        write_condition(sql, &conditions[i], 2 * i + 1);
    fputs(" ORDER BY runs.id", sql);
    fclose(sql);
    return text;
}

static void bind_condition(sqlite3_stmt *query, const struct store_condition *condition, int number)
{
    const char *name = condition->name + (is_prefixed(condition->name) ? strlen(PREFIX) : 0);
    if (number <= sqlite3_bind_parameter_count(query))
        sqlite3_bind_text(query, number, name, -1, SQLITE_TRANSIENT);
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
    char *sql = write_query(conditions, n_conditions);
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

#define ALL_NAMES                                                                                                      \
    "SELECT CASE grp WHEN '' THEN name ELSE grp || '.' || name END FROM measure_names UNION SELECT name FROM "         \
    "parameters"

int store_knows(bool *known, struct store *store, const char *name, struct sim_error *error)
{
    sqlite3_stmt *query;
    *known = store_columns[find_column(name)] != NULL;
    if (*known)
        return 0;
    if (sqlite3_prepare_v2(store->database,
                           "SELECT 1 WHERE EXISTS(SELECT 1 FROM parameters WHERE name = ?1) OR EXISTS(SELECT 1 FROM "
                           "measure_names WHERE (CASE grp WHEN '' THEN name ELSE grp || '.' || name END) = ?2)",
                           -1, &query, NULL) != SQLITE_OK)
        return store_fail(store, error);
    store_bind(query, "tt", name + (is_prefixed(name) ? strlen(PREFIX) : 0), name);
    int found = store_step(store, query, error);
    sqlite3_finalize(query);
    *known = found == 1;
    return found < 0 ? -1 : 0;
}

int store_names(char ***names, int *n_names, struct store *store, struct sim_error *error)
{
    char **found = NULL;
    size_t count = 0, capacity = 0;
    int status;
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(store->database, ALL_NAMES, -1, &query, NULL) != SQLITE_OK)
        return store_fail(store, error);
    while ((status = store_step(store, query, error)) == 1) {
        found = xgrow(found, count, &capacity, sizeof(char *));
        found[count++] = xstrdup(store_intern(store, (const char *)sqlite3_column_text(query, 0)));
    }
    sqlite3_finalize(query);
    *names = found;
    *n_names = (int)count;
    return status;
}
