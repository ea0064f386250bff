/* Adding runs to the store.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include "base/memory.h"
#include "base/sha256.h"
#include "metrics/result_transport.h"
#include "study/run_transport.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- transactions --- */

/* A commit is in the file when it returns, without waiting for the disk: a process that is killed loses nothing, a
 * computer that loses its power the last runs, but never the file. A query leaves the file as it is. */
static int begin(struct store *store, struct sim_error *error)
{
    if (!store->is_written)
        sqlite3_exec(store->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    store->is_written = true;
    return store_execute(store, "BEGIN IMMEDIATE", error);
}

/* End the transaction: either all of it is committed, or nothing. */
static int end(struct store *store, int status, struct sim_error *error)
{
    if (status == 0)
        status = store_execute(store, "COMMIT", error);
    if (status != 0)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static int ask_list(int64_t *id, struct store *store, enum statement which, const char *letters, va_list values,
                    struct sim_error *error)
{
    sqlite3_stmt *statement = store_statement(store, which, error);
    if (statement == NULL)
        return -1;
    store_bind_list(statement, letters, values);
    int found = store_step(store, statement, error);
    if (found == 1)
        *id = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return found;
}

/* Run a statement with values as store_bind() has them: 1 and the number that its row begins with, 0 without a row. */
static int ask(int64_t *id, struct store *store, enum statement which, struct sim_error *error, const char *letters,
               ...)
{
    va_list values;
    va_start(values, letters);
    int found = ask_list(id, store, which, letters, values, error);
    va_end(values);
    return found;
}

/* The number of the row that `find` gives, 1, or `add` makes, 0. Values that only `add` has come last. */
static int find_or_add(int64_t *id, struct store *store, enum statement find, enum statement add,
                       struct sim_error *error, const char *letters, ...)
{
    va_list values;
    va_start(values, letters);
    int found = ask_list(id, store, find, letters, values, error);
    va_end(values);
    if (found != 0)
        return found;
    va_start(values, letters);
    int status = ask_list(id, store, add, letters, values, error);
    va_end(values);
    *id = sqlite3_last_insert_rowid(store->database);
    return status;
}

/* --- origins --- */

/* 1: it is there; 0: it, or one of its texts, is not. */
static int look_for_origin(int64_t *id, struct store *store, const struct store_origin *origin, struct sim_error *error)
{
    int64_t texts[2];
    const struct sha256_text scenario = sha256_of(origin->scenario_text, origin->scenario_size),
                             platform = sha256_of(origin->platform_text, origin->platform_size);
    int found =
        ask(&texts[0], store, FIND_TEXT, error, "tb", scenario.digits, origin->scenario_text, origin->scenario_size);
    if (found == 1)
        found = ask(&texts[1], store, FIND_TEXT, error, "tb", platform.digits, origin->platform_text,
                    origin->platform_size);
    if (found == 1)
        found = ask(id, store, FIND_ORIGIN, error, "ttiitt", origin->kind, origin->scenario, texts[0], texts[1],
                    origin->input, origin->program);
    return found;
}

static int find_text(int64_t *id, struct store *store, const char *text, size_t size, struct sim_error *error)
{
    const struct sha256_text hash = sha256_of(text, size);
    return find_or_add(id, store, FIND_TEXT, ADD_TEXT, error, "tb", hash.digits, text, size);
}

static int find_origin(int64_t *id, struct store *store, const struct store_origin *origin, struct sim_error *error)
{
    int64_t scenario_text, platform_text;
    if (find_text(&scenario_text, store, origin->scenario_text, origin->scenario_size, error) < 0 ||
        find_text(&platform_text, store, origin->platform_text, origin->platform_size, error) < 0)
        return -1;
    int found = find_or_add(id, store, FIND_ORIGIN, ADD_ORIGIN, error, "ttiittt", origin->kind, origin->scenario,
                            scenario_text, platform_text, origin->input, origin->program, origin->platform);
    return found < 0 ? -1 : 0;
}

int store_find_origin(int64_t *id, struct store *store, const struct store_origin *origin, struct sim_error *error)
{
    int found = look_for_origin(id, store, origin, error);
    if (found != 0)
        return found < 0 ? -1 : 0;
    if (begin(store, error) != 0)
        return -1;
    return end(store, find_origin(id, store, origin, error), error);
}

/* --- runs --- */

char *store_format_parameters(const struct study_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (int i = 0; i < run->n_parameters; i++)
        fprintf(stream, "%s%s=%s", i > 0 ? " " : "", run->parameters[i].name, run->parameters[i].text);
    fclose(stream);
    return text;
}

int store_find_run(bool *found, struct store *store, int64_t origin, struct study_run *run, struct sim_error *error)
{
    int64_t id = 0;
    struct store_run stored;
    char *parameters = store_format_parameters(run);
    *found = false;
    int status = ask(&id, store, FIND_RUN, error, "it", origin, parameters);
    free(parameters);
    if (status <= 0)
        return status;
    if (store_load(&stored, store, id, error) != 0)
        return -1;
    free(stored.run.parameters);
    stored.run.parameters = run->parameters;
    stored.run.n_parameters = run->n_parameters;
    *run = stored.run;
    *found = true;
    return 0;
}

static void bind_member(sqlite3_stmt *add, int i, const struct study_run *run)
{
    const struct run_member *member = &run_members[i];
    int place = RUN_MEMBERS + i + 1;
    struct run_value value = run_member_get(member, run);
    assert(strcmp(sqlite3_bind_parameter_name(add, place) + 1, member->name) == 0);
    if (member->type <= RUN_NOTES)
        sqlite3_bind_text(add, place, value.text, -1, SQLITE_TRANSIENT);
    else if (member->type == RUN_REAL)
        sqlite3_bind_double(add, place, value.real);
    else
        sqlite3_bind_int64(add, place, value.number);
    free(value.text);
}

/* Add a row for the run, if there is none; *id is its number, or 0 if none was made. */
static int add_run(int64_t *id, struct store *store, int64_t origin, int64_t number, const char *compiler,
                   const struct study_run *run, struct sim_error *error)
{
    sqlite3_stmt *add = store_statement(store, ADD_RUN, error);
    if (add == NULL)
        return -1;
    char *parameters = store_format_parameters(run), *states;
    size_t size;
    struct result result = run->result;
    struct transport transport = {.to = open_memstream(&states, &size)};
    result_transport_states(&transport, &result, (size_t)result.n_processors);
    fclose(transport.to);
    store_bind(add, "ibtit", origin, states, size, parameters, number, compiler);
    for (int i = 0; i < N_STORED_MEMBERS; i++)
        bind_member(add, i, run);
    free(parameters);
    free(states);
    if (store_step(store, add, error) < 0)
        return -1;
    *id = sqlite3_changes(store->database) > 0 ? sqlite3_last_insert_rowid(store->database) : 0;
    return 0;
}

static int add_parameters(struct store *store, int64_t id, const struct study_run *run, struct sim_error *error)
{
    for (int i = 0; i < run->n_parameters; i++) {
        const struct study_parameter *parameter = &run->parameters[i];
        const char *name = parameter->name, *text = parameter->text;
        int status = parameter->is_real
                         ? ask(NULL, store, ADD_PARAMETER, error, "iittd", id, (int64_t)i, name, text,
                               parameter_value(parameter))
                         : ask(NULL, store, ADD_PARAMETER, error, parameter->is_number ? "iitti" : "iittN", id,
                               (int64_t)i, name, text, parameter->number);
        if (status < 0)
            return -1;
    }
    return 0;
}

/* The number of a measure's name. */
static int find_name(int64_t *id, struct store *store, const struct measure *measure, struct sim_error *error)
{
    const struct measure_name *of = measure->of;
    for (size_t i = 0; i < store->n_names; i++)
        if (store->names[i].of == of) {
            *id = store->names[i].id;
            return 0;
        }
    int found = find_or_add(id, store, FIND_MEASURE_NAME, ADD_MEASURE_NAME, error, "ttt", of->group, of->name,
                            measure_type_names[of->type]);
    if (found <= 0) /* one that is new is remembered when it is found: this transaction may come to nothing */
        return found;
    store->names = xgrow(store->names, store->n_names, &store->names_capacity, sizeof *store->names);
    store->names[store->n_names++] = (struct known_name){of, *id};
    return 0;
}

__extension__ typedef unsigned __int128 wide_uint;

/* Decimal digits, for what 64 bits do not hold. */
static void format_wide(char text[48], wide_int number)
{
    char digits[48];
    int n = 0;
    wide_uint rest = number < 0 ? -(wide_uint)number : (wide_uint)number;
    do
        digits[n++] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) > 0);
    *text = '-';
    text += number < 0;
    while (n > 0)
        *text++ = digits[--n];
    *text = '\0';
}

/* A ratio as a real number, null where it is none; a time in ps and a count as a whole one, in words if it is large. */
static int add_measure(struct store *store, int64_t id, int64_t position, const struct measure *measure,
                       struct sim_error *error)
{
    char wide[48];
    int64_t name = 0;
    if (find_name(&name, store, measure, error) != 0)
        return -1;
    if (measure->of->type == MEASURE_RATIO)
        return ask(NULL, store, ADD_MEASURE, error, isnan(measure->ratio) ? "iiiN" : "iiid", id, position, name,
                   measure->ratio);
    if (!measure->of->is_wide)
        return ask(NULL, store, ADD_MEASURE, error, "iiii", id, position, name, measure->narrow);
    format_wide(wide, measure_number(measure));
    return ask(NULL, store, ADD_MEASURE, error, "iiit", id, position, name, wide);
}

static int add_measures(struct store *store, int64_t id, const struct result *result, struct sim_error *error)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < result->n_measures; i++)
        status = add_measure(store, id, (int64_t)i, &result->measures[i], error);
    return status;
}

/* All but those that were asked for: a run says them when it is asked again. */
static int add_tables(struct store *store, int64_t id, const struct result *result, struct sim_error *error)
{
    int status = 0;
    int64_t position = 0;
    for (size_t i = 0; status == 0 && i < result->n_tables; i++) {
        const struct result_table *table = &result->tables[i];
        if (table->of_detail)
            continue;
        char *columns = result_format_columns(table), *cells;
        size_t size;
        struct transport transport = {.to = open_memstream(&cells, &size)};
        result_write_cells(&transport, table);
        fclose(transport.to);
        status = ask(NULL, store, ADD_TABLE, error, "iittib", id, position++, table_specs[table->id].name, columns,
                     (int64_t)table->n_rows, cells, size);
        free(columns);
        free(cells);
    }
    return status;
}

int store_add(bool *added, struct store *store, int64_t origin, int64_t number, const char *compiler,
              const struct study_run *run, struct sim_error *error)
{
    int64_t id = 0;
    assert(store->writes);
    if (begin(store, error) != 0)
        return -1;
    int status = add_run(&id, store, origin, number, compiler, run, error);
    if (status == 0 && id != 0)
        status = add_parameters(store, id, run, error);
    if (status == 0 && id != 0)
        status = add_measures(store, id, &run->result, error);
    if (status == 0 && id != 0)
        status = add_tables(store, id, &run->result, error);
    status = end(store, status, error);
    if (added != NULL)
        *added = status == 0 && id != 0;
    return status;
}
