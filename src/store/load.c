/* Reading stored runs back, to the last bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/internal.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "metrics/result_transport.h"
#include "study/run_transport.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *column_text(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text != NULL ? (const char *)text : "";
}

static struct transport column_bytes(sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);
    return (struct transport){.from = bytes, .size = (size_t)sqlite3_column_bytes(row, column)};
}

/* The first row of a statement about a run or an origin: 1, 0 without one, or -1. */
static int begin(sqlite3_stmt **row, struct store *store, enum statement which, int64_t id, struct sim_error *error)
{
    *row = store_statement(store, which, error);
    if (*row == NULL)
        return -1;
    store_bind(*row, "i", id);
    return store_step(store, *row, error);
}

/* Have all rows taken in; `damage` is what is wrong with one that cannot be. */
static int load_rows(struct study_run *run, struct store *store, enum statement which, int64_t id,
                     int (*take)(struct study_run *run, struct store *store, sqlite3_stmt *row), const char *damage,
                     struct sim_error *error)
{
    sqlite3_stmt *row;
    int found = begin(&row, store, which, id, error);
    for (; found == 1; found = store_step(store, row, error))
        if (take(run, store, row) != 0) {
            sqlite3_reset(row);
            return store_damaged(store, error, damage);
        }
    return found;
}

/* --- measures --- */

/* A whole number in decimal digits; false where it is none of at most 38 digits. */
static bool parse_wide(wide_int *number, const char *text)
{
    bool negative = *text == '-';
    const char *digits = text + negative;
    size_t length = strlen(digits);
    if (length == 0 || length > 38 || strspn(digits, "0123456789") < length)
        return false;
    *number = 0;
    for (size_t i = 0; i < length; i++)
        *number = 10 * *number + (digits[i] - '0');
    if (negative)
        *number = -*number;
    return true;
}

static int load_number(wide_int *number, sqlite3_stmt *row, int column)
{
    if (sqlite3_column_type(row, column) == SQLITE_INTEGER) {
        *number = sqlite3_column_int64(row, column);
        return 0;
    }
    return sqlite3_column_type(row, column) == SQLITE_TEXT && parse_wide(number, column_text(row, column)) ? 0 : -1;
}

static int load_measure(struct study_run *run, struct store *store, sqlite3_stmt *row)
{
    struct result *result = &run->result;
    enum { GROUP, NAME, TYPE, VALUE };
    enum measure_type type;
    wide_int number;
    char group[32], name[56];
    (void)store;
    utf8_copy(group, sizeof group, column_text(row, GROUP));
    utf8_copy(name, sizeof name, column_text(row, NAME));
    if (measure_type_find(&type, column_text(row, TYPE)) != 0 || type == MEASURE_TEXT)
        return -1;
    if (type == MEASURE_RATIO) {
        int found = sqlite3_column_type(row, VALUE);
        if (found != SQLITE_FLOAT && found != SQLITE_NULL)
            return -1;
        result_add_ratio(result, group, name, found == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, VALUE));
        return 0;
    }
    if (load_number(&number, row, VALUE) != 0)
        return -1;
    (type == MEASURE_TIME ? result_add_time : result_add_count)(result, group, name, number);
    return 0;
}

/* --- tables --- */

static int load_table(struct study_run *run, struct store *store, sqlite3_stmt *row)
{
    enum { NAME, COLUMNS, N_ROWS, CELLS };
    (void)store;
    char *name = store_clean(column_text(row, NAME), ""), *columns = store_clean(column_text(row, COLUMNS), "");
    int64_t n_rows = sqlite3_column_int64(row, N_ROWS);
    struct transport cells = column_bytes(row, CELLS);
    cells.failed = n_rows < 0;
    result_read_table(&cells, &run->result, name, columns, (size_t)n_rows);
    free(name);
    free(columns);
    return cells.failed || cells.size > 0 ? -1 : 0;
}

/* --- parameters and the run itself --- */

static int load_parameter(struct study_run *run, struct store *store, sqlite3_stmt *row)
{
    enum { NAME, TEXT, NUMBER };
    size_t count = (size_t)run->n_parameters++;
    run->parameters = xrealloc(run->parameters, (count + 1) * sizeof *run->parameters);
    struct study_parameter *parameter = &run->parameters[count];
    bool is_real = sqlite3_column_type(row, NUMBER) == SQLITE_FLOAT;
    *parameter = (struct study_parameter){.name = store_intern(store, column_text(row, NAME)),
                                          .is_number = is_real || sqlite3_column_type(row, NUMBER) == SQLITE_INTEGER,
                                          .is_real = is_real,
                                          .number = is_real ? llround(sqlite3_column_double(row, NUMBER) * UNITS_REAL)
                                                            : sqlite3_column_int64(row, NUMBER)};
    char text[PARAMETER_TEXT];
    utf8_copy(text, sizeof text, column_text(row, TEXT));
    parameter->text = store_intern(store, text);
    return 0;
}

static int load_member(struct study_run *run, int i, sqlite3_stmt *row)
{
    const struct run_member *member = &run_members[i];
    int column = RUN_MEMBERS + i;
    assert(strcmp(sqlite3_column_name(row, column), member->name) == 0);
    char *text =
        member->type > RUN_NOTES ? NULL : store_clean(column_text(row, column), member->type == RUN_NOTES ? "\n" : "");
    const struct run_value value = {text, sqlite3_column_int64(row, column), sqlite3_column_double(row, column)};
    int status = run_member_set(run, member, &value);
    free(text);
    return status;
}

static int load_row(struct store_run *stored, struct store *store, sqlite3_stmt *row, struct sim_error *error)
{
    struct study_run *run = &stored->run;
    struct transport states = column_bytes(row, RUN_STATES);
    stored->compiler = store_intern(store, column_text(row, RUN_COMPILER));
    for (int i = 0; i < N_STORED_MEMBERS; i++)
        if (load_member(run, i, row) != 0) {
            char *what = xformat("a run has an impossible value of %s", run_members[i].name);
            store_damaged(store, error, what);
            free(what);
            return -1;
        }
    result_transport_states(&states, &run->result, states.size / sizeof *run->result.state_ps);
    if (states.failed || states.size > 0)
        return store_damaged(store, error, "the states of a run's ranks are incomplete");
    return 0;
}

static int load_origin(struct store_run *stored, struct store *store, int64_t origin, struct sim_error *error)
{
    const char **const texts[] = {&stored->kind,  &stored->scenario,      &stored->program,
                                  &stored->input, &stored->scenario_hash, &stored->platform_hash};
    sqlite3_stmt *row;
    int found = begin(&row, store, LOAD_ORIGIN, origin, error);
    if (found != 1)
        return found == 0 ? store_damaged(store, error, "a run has no origin") : -1;
    for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++)
        *texts[i] = store_intern(store, column_text(row, i));
    stored->run.is_traced = strcmp(stored->kind, "traced") == 0;
    sqlite3_reset(row);
    return 0;
}

static int load_run(struct store_run *stored, struct store *store, int64_t id, struct sim_error *error)
{
    sqlite3_stmt *row;
    int found = begin(&row, store, LOAD_RUN, id, error);
    if (found == 0)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "has no run %lld; simrun store ls shows the runs",
                             (long long)id);
    if (found < 0)
        return -1;
    int64_t origin = sqlite3_column_int64(row, RUN_ORIGIN);
    stored->origin = origin;
    int status = load_row(stored, store, row, error);
    sqlite3_reset(row);
    return status == 0 ? load_origin(stored, store, origin, error) : -1;
}

int store_load(struct store_run *run, struct store *store, int64_t id, struct sim_error *error)
{
    *run = (struct store_run){.id = id};
    result_init(&run->run.result);
    if (load_run(run, store, id, error) == 0 &&
        load_rows(&run->run, store, LOAD_PARAMETERS, id, load_parameter, "", error) == 0 &&
        load_rows(&run->run, store, LOAD_MEASURES, id, load_measure, "a measure is neither a number nor a ratio",
                  error) == 0 &&
        load_rows(&run->run, store, LOAD_TABLES, id, load_table, "a table has other cells than columns", error) == 0) {
        if (run_is_discarded(&run->run) || result_find(&run->run.result, "", "time_s") != NULL)
            return 0;
        store_damaged(store, error, "a run has no time");
    }
    result_dispose(&run->run.result);
    free(run->run.parameters);
    *run = (struct store_run){0};
    return -1;
}

int store_find_other_program(const char **program, struct store *store, int64_t origin, struct sim_error *error)
{
    sqlite3_stmt *row;
    int found = begin(&row, store, FIND_OTHER_PROGRAM, origin, error);
    if (found < 0)
        return -1;
    *program = found == 1 ? store_intern(store, column_text(row, 0)) : NULL;
    sqlite3_reset(row);
    return 0;
}

char *store_format_program(const char *program)
{
    enum { DIGITS = 12 };
    static const char sources[] = " sources ";
    const char *hash = strstr(program, sources);
    return hash == NULL ? xstrdup(program)
                        : xformat("%.*s%.*s", (int)(hash - program) + (int)strlen(sources), program, DIGITS,
                                  hash + strlen(sources));
}

int store_load_files(char **scenario, char **platform, struct store *store, int64_t id, struct sim_error *error)
{
    char **const texts[] = {scenario, platform};
    sqlite3_stmt *row;
    int found = begin(&row, store, LOAD_FILES, id, error);
    if (found != 1)
        return found < 0 ? -1 : store_damaged(store, error, "a run has no origin");
    for (int i = 0; i < 2; i++) {
        const void *bytes = sqlite3_column_blob(row, i);
        *texts[i] = xformat("%.*s", sqlite3_column_bytes(row, i), bytes != NULL ? (const char *)bytes : "");
    }
    sqlite3_reset(row);
    return 0;
}
