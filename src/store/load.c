/* Reading stored runs back, to the last bit. */
#include "store/store_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *column_text(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text != NULL ? (const char *)text : "";
}

static void copy_text(char *text, size_t size, const char *from)
{
    size_t i = 0;
    for (; from[i] != '\0' && i + 1 < size; i++)
        text[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
    text[i] = '\0';
}

static int type_of(enum measure_type *type, const char *name, size_t length)
{
    for (int t = MEASURE_TIME; t <= (int)MEASURE_TEXT; t++)
        if (strlen(store_type_names[t]) == length && strncmp(store_type_names[t], name, length) == 0) {
            *type = (enum measure_type)t;
            return 0;
        }
    return -1;
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

static int load_measure(struct result *result, sqlite3_stmt *row)
{
    enum { GROUP, NAME, TYPE, VALUE };
    enum measure_type type;
    wide_int number;
    char group[32], name[56];
    const char *type_name = column_text(row, TYPE);
    copy_text(group, sizeof group, column_text(row, GROUP));
    copy_text(name, sizeof name, column_text(row, NAME));
    if (type_of(&type, type_name, strlen(type_name)) != 0 || type == MEASURE_TEXT)
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

static int load_measures(struct result *result, struct store *store, int64_t id, struct sim_error *error)
{
    sqlite3_stmt *row = store_statement(store, LOAD_MEASURES, error);
    int found = -1;
    if (row == NULL)
        return -1;
    store_bind(row, "i", id);
    while ((found = store_step(store, row, error)) == 1)
        if (load_measure(result, row) != 0) {
            sqlite3_reset(row);
            return store_damaged(store, error, "a measure is neither a number nor a ratio");
        }
    return found;
}

/* --- tables --- */

static void keep_block(struct store *store, void *block)
{
    store->blocks = xgrow(store->blocks, store->n_blocks, &store->blocks_capacity, sizeof *store->blocks);
    store->blocks[store->n_blocks++] = block;
}

/* "rank:count wait_s:time". */
static int parse_columns(const struct result_column **columns, size_t *n_columns, struct store *store, const char *text)
{
    enum { MOST = 64 };
    struct result_column *parsed = xcalloc(MOST, sizeof *parsed);
    size_t count = 0;
    keep_block(store, parsed);
    for (const char *at = text; *at != '\0'; count++) {
        size_t length = strcspn(at, " ");
        const char *colon = memchr(at, ':', length);
        if (colon == NULL || count == MOST ||
            type_of(&parsed[count].type, colon + 1, length - (size_t)(colon + 1 - at)) != 0)
            return -1;
        char *name = xformat("%.*s", (int)(colon - at), at);
        parsed[count].name = store_intern(store, name);
        free(name);
        at += length + (at[length] == ' ');
    }
    *columns = parsed;
    *n_columns = count;
    return count > 0 ? 0 : -1;
}

static int load_table(struct result *result, struct store *store, sqlite3_stmt *row)
{
    enum { NAME, COLUMNS, N_ROWS, CELLS };
    const struct result_column *columns;
    size_t n_columns;
    int64_t n_rows = sqlite3_column_int64(row, N_ROWS);
    if (n_rows < 0 || parse_columns(&columns, &n_columns, store, column_text(row, COLUMNS)) != 0)
        return -1;
    struct result_table *table =
        result_add_table(result, store_intern(store, column_text(row, NAME)), columns, n_columns);
    const void *bytes = sqlite3_column_blob(row, CELLS);
    table->n_rows = (size_t)n_rows;
    int status = cells_unpack(table, bytes, (size_t)sqlite3_column_bytes(row, CELLS));
    if (status != 0)
        table->n_rows = 0;
    return status;
}

static int load_tables(struct result *result, struct store *store, int64_t id, struct sim_error *error)
{
    sqlite3_stmt *row = store_statement(store, LOAD_TABLES, error);
    int found = -1;
    if (row == NULL)
        return -1;
    store_bind(row, "i", id);
    while ((found = store_step(store, row, error)) == 1)
        if (load_table(result, store, row) != 0) {
            sqlite3_reset(row);
            return store_damaged(store, error, "a table has other cells than columns");
        }
    return found;
}

/* --- parameters and the run itself --- */

static int load_parameters(struct report_run *run, struct store *store, int64_t id, struct sim_error *error)
{
    enum { NAME, TEXT, NUMBER };
    size_t count = 0, capacity = 0;
    sqlite3_stmt *row = store_statement(store, LOAD_PARAMETERS, error);
    int found = -1;
    if (row == NULL)
        return -1;
    store_bind(row, "i", id);
    while ((found = store_step(store, row, error)) == 1) {
        run->parameters = xgrow(run->parameters, count, &capacity, sizeof *run->parameters);
        struct report_parameter *parameter = &run->parameters[count++];
        memset(parameter, 0, sizeof *parameter);
        parameter->name = store_intern(store, column_text(row, NAME));
        copy_text(parameter->text, sizeof parameter->text, column_text(row, TEXT));
        parameter->is_number = sqlite3_column_type(row, NUMBER) == SQLITE_INTEGER;
        parameter->number = sqlite3_column_int64(row, NUMBER);
        run->n_parameters = (int)count;
    }
    return found;
}

static void load_notes(struct report_run *run, const char *text)
{
    for (int note = 0; note < N_NOTES && *text != '\0'; note++) {
        size_t length = strcspn(text, "\n");
        char *line = xformat("%.*s", (int)length, text);
        copy_text(run->notes[note], sizeof run->notes[note], line);
        free(line);
        text += length + (text[length] == '\n');
    }
}

static int load_row(struct store_run *stored, struct store *store, sqlite3_stmt *row, struct sim_error *error)
{
    enum { PLATFORM, NETWORK, RANKS, DISCARDED, NOTES, STATES, WALL, EVENTS, PEAK_RSS, ORIGIN, ADDED };
    struct report_run *run = &stored->run;
    int64_t ranks = sqlite3_column_int64(row, RANKS);
    run->platform = store_intern(store, column_text(row, PLATFORM));
    run->network = store_intern(store, column_text(row, NETWORK));
    copy_text(run->discarded, sizeof run->discarded, column_text(row, DISCARDED));
    load_notes(run, column_text(row, NOTES));
    run->wall_s = sqlite3_column_double(row, WALL);
    run->events = sqlite3_column_int64(row, EVENTS);
    run->peak_rss_bytes = sqlite3_column_int64(row, PEAK_RSS);
    stored->added = store_intern(store, column_text(row, ADDED));
    if (ranks < 0 || ranks > INT32_MAX)
        return store_damaged(store, error, "a run has an impossible number of ranks");
    run->ranks = (int)ranks;
    const void *states = sqlite3_column_blob(row, STATES);
    if (states_unpack(&run->result, states, (size_t)sqlite3_column_bytes(row, STATES)) != 0)
        return store_damaged(store, error, "the states of a run's ranks are not whole");
    return 0;
}

static int load_origin(struct store_run *stored, struct store *store, int64_t origin, struct sim_error *error)
{
    enum { KIND, SCENARIO, PROGRAM, INPUT, SCENARIO_HASH, PLATFORM_HASH };
    sqlite3_stmt *row = store_statement(store, LOAD_ORIGIN, error);
    if (row == NULL)
        return -1;
    store_bind(row, "i", origin);
    int found = store_step(store, row, error);
    if (found == 1) {
        stored->kind = store_intern(store, column_text(row, KIND));
        stored->scenario = store_intern(store, column_text(row, SCENARIO));
        stored->program = store_intern(store, column_text(row, PROGRAM));
        stored->input = store_intern(store, column_text(row, INPUT));
        stored->scenario_hash = store_intern(store, column_text(row, SCENARIO_HASH));
        stored->platform_hash = store_intern(store, column_text(row, PLATFORM_HASH));
        stored->run.is_traced = strcmp(stored->kind, "traced") == 0;
    }
    sqlite3_reset(row);
    return found == 0 ? store_damaged(store, error, "a run has no origin") : found < 0 ? -1 : 0;
}

static int load_run(struct store_run *stored, struct store *store, int64_t id, struct sim_error *error)
{
    enum { ORIGIN = 9 };
    sqlite3_stmt *row = store_statement(store, LOAD_RUN, error);
    if (row == NULL)
        return -1;
    store_bind(row, "i", id);
    int found = store_step(store, row, error);
    if (found == 0)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "has no run %lld", (long long)id);
    if (found < 0)
        return -1;
    int64_t origin = sqlite3_column_int64(row, ORIGIN);
    int status = load_row(stored, store, row, error);
    sqlite3_reset(row);
    return status == 0 ? load_origin(stored, store, origin, error) : -1;
}

int store_load(struct store_run *run, struct store *store, int64_t id, struct sim_error *error)
{
    *run = (struct store_run){.id = id};
    result_init(&run->run.result);
    if (load_run(run, store, id, error) == 0 && load_parameters(&run->run, store, id, error) == 0 &&
        load_measures(&run->run.result, store, id, error) == 0 &&
        load_tables(&run->run.result, store, id, error) == 0) {
        if (run->run.discarded[0] != '\0' || result_find(&run->run.result, "", "time_s") != NULL)
            return 0;
        store_damaged(store, error, "a run has no time");
    }
    result_dispose(&run->run.result);
    free(run->run.parameters);
    *run = (struct store_run){0};
    return -1;
}

int store_load_files(char **scenario, char **platform, struct store *store, int64_t id, struct sim_error *error)
{
    char **const texts[] = {scenario, platform};
    sqlite3_stmt *row = store_statement(store, LOAD_FILES, error);
    if (row == NULL)
        return -1;
    store_bind(row, "i", id);
    int found = store_step(store, row, error);
    if (found != 1)
        return found < 0 ? -1 : store_damaged(store, error, "a run has no origin");
    for (int i = 0; i < 2; i++) {
        const void *bytes = sqlite3_column_blob(row, i);
        *texts[i] = xformat("%.*s", sqlite3_column_bytes(row, i), bytes != NULL ? (const char *)bytes : "");
    }
    sqlite3_reset(row);
    return 0;
}
