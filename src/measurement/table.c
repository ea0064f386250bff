/* Turns the lines of a table into rows of one kind: which column says what, which ranks take part.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/table.h"

#include "base/memory.h"
#include "dataset/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { USUAL_WINDOW = 64 }; /* of OSU's and Intel's benchmarks */

/* ---- Sections ---- */

void table_end(struct table *table)
{
    struct section *section = &table->section;
    if (section->spec != NULL && section->n_rows == 0 && section->spec->kind != BENCHMARK_OTHER) {
        snprintf(table->empty, sizeof table->empty, "%s", section->spec->name);
        table->empty_line = section->line;
        benchmarks_note(table->all, table->file, section->line, section->spec->name, "it has no rows");
    }
    if (section->is_on_device && section->n_rows > 0)
        benchmarks_note(table->all, table->file, section->line, section->spec->name, "buffers are those of a GPU");
    table->n_sections += section->n_rows > 0;
    table->section = (struct section){0};
}

int table_finish(struct table *table, struct sim_error *error)
{
    table_end(table);
    if (table->n_sections > 0)
        return 0;
    if (table->empty[0] != '\0')
        return sim_error_set(error, SIM_BAD_INPUT, table->sheet.file, table->empty_line, "%s has no rows",
                             table->empty);
    return sim_error_set(error, SIM_BAD_INPUT, table->sheet.file, 0,
                         "has no table that is known; known: outputs of OSU's micro-benchmarks, Intel's (IMB), NetPIPE "
                         "and mpptest, and CSV with columns such as bytes,latency_us");
}

int table_check_machine(struct table *table, const char *name, struct sim_error *error)
{
    if (table->machine[0] == '\0') {
        snprintf(table->machine, sizeof table->machine, "%s", name);
        table->machine_line = table->sheet.number;
    }
    if (strncmp(table->machine, name, sizeof table->machine - 1) == 0)
        return 0;
    return sheet_fail(
        &table->sheet, error,
        "is of '%.40s', and line %ld of '%.40s'; allowed: files of one machine, so give each a file of its "
        "own",
        name, table->machine_line, table->machine);
}

/* ---- Heads ---- */

static bool has(const struct table *table, enum column_role role)
{
    return table->columns.of_role[role] >= 0;
}

static bool is_rate_kind(enum benchmark_kind kind)
{
    return kind == BENCHMARK_STREAM || kind == BENCHMARK_BOTH;
}

/* The benchmark of a table without title: as the user says, or by its columns. */
static int choose_spec(struct table *table, struct sim_error *error)
{
    const struct columns *columns = &table->columns;
    const struct benchmark_spec *spec = table->told->spec;
    if (spec == NULL && has(table, COLUMN_TIME)) {
        if (strncasecmp(columns->names[columns->of_role[COLUMN_TIME]], "avg", 3) == 0 && !has(table, COLUMN_TEST))
            return sheet_fail(&table->sheet, error,
                              "'%s' is a column of a collective, and nothing says of which: write it behind the file's "
                              "name, such as %.200s:test=allreduce,ranks=64,hosts=4",
                              columns->names[columns->of_role[COLUMN_TIME]], table->sheet.file);
        spec = spec_find("latency");
    }
    if (spec == NULL)
        spec = spec_find("bandwidth");
    table->section = (struct section){.spec = spec, .line = table->sheet.number};
    return 0;
}

/* Before the first row, since a later head may replace one. */
static int check_head(const struct table *table, struct sim_error *error)
{
    const struct benchmark_spec *spec = table->section.spec;
    if (table->section.n_rows > 0 || spec->kind == BENCHMARK_OTHER || has(table, COLUMN_TEST))
        return 0;
    if (is_rate_kind(spec->kind) ? !has(table, COLUMN_RATE) && !has(table, COLUMN_MESSAGES) : !has(table, COLUMN_TIME))
        return sim_error_set(error, SIM_BAD_INPUT, table->sheet.file, table->section.head_line,
                             "%s has no column of %s; allowed: %s", spec->name,
                             is_rate_kind(spec->kind) ? "rates" : "times",
                             is_rate_kind(spec->kind) ? "Bandwidth (MB/s), MB/s, Messages/s, Msg/sec"
                                                      : "Latency (us), Avg Latency(us), t_avg[usec], time_s");
    return 0;
}

/* Columns that are there and not used, once for each table. */
static void note_columns(struct table *table)
{
    char names[160] = "";
    for (int i = 0; i < table->columns.count; i++)
        if (table->columns.roles[i] == COLUMN_UNUSED && table->columns.names[i][0] != '\0')
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] != '\0' ? ", " : "",
                     table->columns.names[i]);
    if (names[0] != '\0')
        benchmarks_note(table->all, table->file, table->sheet.number, names, "columns that are not used");
}

int table_read_head(struct table *table, char *line, struct sim_error *error)
{
    bool has_title = table->section.spec != NULL && table->section.n_rows == 0;
    if (!has_title)
        table_end(table);
    if (columns_read(&table->columns, line, &table->sheet, error) != 0)
        return -1;
    if (!has_title && strncmp(table->columns.names[0], "p0", 3) == 0)
        table->section = (struct section){.spec = spec_find("mpptest"), .line = table->sheet.number};
    else if (!has_title && choose_spec(table, error) != 0)
        return -1;
    table->section.has_columns = true;
    table->section.head_line = table->sheet.number;
    if (table->section.spec->kind != BENCHMARK_OTHER)
        note_columns(table);
    return 0;
}

/* ---- Rows ---- */

static int first_of(int a, int b, int c)
{
    return a > 0 ? a : b > 0 ? b : c;
}

/* Two ranks measure, on hosts of their own unless the table says that it is one. */
static void place_pair(struct benchmark_row *row, const struct table *table, int hosts)
{
    row->ranks = 2;
    row->hosts = hosts == 1 || (table->launched.hosts == 1 && table->launched.ranks > 1 && hosts == 0) ? 1 : 2;
    row->pairs = 1;
}

static void place_pairs(struct benchmark_row *row, const struct table *table, int hosts, int pairs)
{
    const struct section *section = &table->section;
    int ranks = first_of(table->told->ranks, row->ranks, first_of(section->ranks, table->launched.ranks, 0));
    row->pairs = first_of(pairs, section->pairs, ranks > 1 ? ranks / 2 : 1);
    row->ranks = 2 * row->pairs;
    row->hosts = hosts > 0 && hosts < row->ranks ? hosts : row->ranks == 2 || hosts >= row->ranks ? row->ranks : 0;
}

/* Ranks, hosts and pairs of a row: by the user, its columns, its title, the line that started the program. */
static void place(struct benchmark_row *row, const struct table *table, int pairs)
{
    int hosts = first_of(table->told->hosts, row->hosts, table->launched.hosts);
    bool is_one_pair = row->spec->kind == BENCHMARK_EXCHANGE
                           ? table->section.ranks == 0 || table->section.ranks == 2
                           : row->spec->collective == NULL && !row->spec->has_pairs &&
                                 strcmp(row->spec->name, "osu_multi_lat") != 0 && pairs == 0;
    if (is_one_pair) {
        place_pair(row, table, hosts);
    } else if (row->spec->collective == NULL) {
        place_pairs(row, table, hosts, pairs);
    } else {
        row->ranks = first_of(table->told->ranks, row->ranks, first_of(table->section.ranks, table->launched.ranks, 0));
        row->hosts = hosts;
        row->pairs = 1;
    }
    row->window = table->section.window > 0 ? table->section.window : USUAL_WINDOW;
    row->wires = table->told->wires;
}

bool all_has_room(const struct benchmarks *all)
{
    return all->n_rows < BENCHMARK_ROWS;
}

static void add(struct table *table, const struct benchmark_row *row)
{
    struct benchmarks *all = table->all;
    table->section.n_rows++;
    if (table->section.is_on_device || row->spec->kind == BENCHMARK_OTHER)
        return;
    all->rows = xgrow(all->rows, all->n_rows, &all->capacity, sizeof *all->rows);
    all->rows[all->n_rows++] = *row;
}

void table_add(struct table *table, int64_t bytes, double time_s)
{
    struct benchmark_row row = {.spec = table->section.spec,
                                .bytes = bytes,
                                .time_s = time_s,
                                .file = table->file,
                                .line = table->sheet.number};
    place(&row, table, 0);
    if (bytes >= 0 && time_s > 0 && isfinite(time_s) && all_has_room(table->all))
        add(table, &row);
}

/* The number of a column in its unit; NAN if there is no such column. */
static int take_number(double *value, const struct table *table, enum column_role role, char *fields[],
                       struct sim_error *error)
{
    int column = table->columns.of_role[role];
    *value = NAN;
    if (column < 0)
        return 0;
    if (!dataset_number(value, fields[column]) || !isfinite(*value) || *value < 0)
        return sheet_fail(&table->sheet, error, "column '%s': '%.40s' is not a number from 0 on",
                          table->columns.names[column], fields[column]);
    *value *= table->columns.factors[column];
    return 0;
}

/* The time of a row out of its times or rates; 0: it has none, as rates of empty messages. */
static double time_of(const struct benchmark_row *row, const double *values)
{
    double ways = row->spec->kind == BENCHMARK_BOTH ? 2 : 1;
    if (!is_rate_kind(row->spec->kind))
        return values[COLUMN_TIME];
    if (values[COLUMN_MESSAGES] > 0)
        return ways * row->pairs / values[COLUMN_MESSAGES];
    return values[COLUMN_RATE] > 0 ? ways * (double)row->bytes * row->pairs / values[COLUMN_RATE] : 0;
}

static int check_time(const struct table *table, const struct benchmark_row *row, struct sim_error *error)
{
    if (row->time_s > 0 || (is_rate_kind(row->spec->kind) && row->bytes == 0) || row->spec->kind == BENCHMARK_OTHER)
        return 0;
    return sheet_fail(&table->sheet, error, "%s: the %s of %lld bytes is 0; allowed: above 0", row->spec->name,
                      is_rate_kind(row->spec->kind) ? "rate" : "time", (long long)row->bytes);
}

/* A rate is of all pairs together. */
static int check_pairs(const struct table *table, const struct benchmark_row *row, int pairs, struct sim_error *error)
{
    bool is_said = pairs > 0 || row->ranks > 0 || table->told->ranks > 0 || table->section.pairs > 0 ||
                   table->section.ranks > 0 || table->launched.ranks > 0;
    if (!row->spec->has_pairs || is_said || row->hosts <= 2)
        return 0;
    return sheet_fail(&table->sheet, error,
                      "%s: %d hosts, and nothing says how many pairs send; allowed: a column pairs or ranks",
                      row->spec->name, row->hosts);
}

static int fill_row(struct table *table, char *fields[], struct sim_error *error)
{
    const struct columns *columns = &table->columns;
    double values[N_COLUMN_ROLES];
    for (enum column_role role = COLUMN_BYTES; role <= COLUMN_PER_HOST; role++)
        if (take_number(&values[role], table, role, fields, error) != 0)
            return -1;
    struct benchmark_row row = {.spec = table->section.spec, .file = table->file, .line = table->sheet.number};
    if (has(table, COLUMN_TEST) && table->told->spec == NULL) {
        row.spec = spec_find(fields[columns->of_role[COLUMN_TEST]]);
        row.spec = row.spec != NULL ? row.spec : spec_other();
    }
    if (!(values[COLUMN_BYTES] <= 1e15))
        values[COLUMN_BYTES] = 0;
    row.bytes = (int64_t)values[COLUMN_BYTES];
    row.ranks = values[COLUMN_RANKS] < 1 << 24 ? (int)values[COLUMN_RANKS] : 0;
    row.hosts = values[COLUMN_HOSTS] < 1 << 24 ? (int)values[COLUMN_HOSTS] : 0;
    if (values[COLUMN_PER_HOST] >= 1 && row.ranks > 0)
        row.hosts = (int)ceil(row.ranks / values[COLUMN_PER_HOST]);
    int pairs = values[COLUMN_PAIRS] < 1 << 24 ? (int)values[COLUMN_PAIRS] : 0;
    if (check_pairs(table, &row, pairs, error) != 0)
        return -1;
    place(&row, table, pairs);
    row.time_s = time_of(&row, values);
    if (check_time(table, &row, error) != 0)
        return -1;
    if (row.time_s > 0)
        add(table, &row);
    return 0;
}

/* Ranks 0 and 1 measure while others wait: their hosts are unknown. */
static int check_waits(const struct table *table, struct sim_error *error)
{
    const struct section *section = &table->section;
    if (!section->waits || table->told->hosts > 0 || section->spec->kind != BENCHMARK_LATENCY)
        return 0;
    return sheet_fail(&table->sheet, error,
                      "%s: ranks 0 and 1 measure while others wait, on one host or on two: write which behind the "
                      "file's name, such as %.200s:hosts=1",
                      section->spec->name, table->sheet.file);
}

int table_read_row(struct table *table, char *line, struct sim_error *error)
{
    char *fields[COLUMNS_MOST];
    if (strstr(line, "out-of-mem") != NULL) {
        benchmarks_note(table->all, table->file, table->sheet.number, table->section.spec->name,
                        "out of memory, says the benchmark");
        return 0;
    }
    if (!all_has_room(table->all))
        return sheet_fail(&table->sheet, error, "more than %d rows, which is the most", BENCHMARK_ROWS);
    int count = columns_cut(fields, COLUMNS_MOST, line, table->columns.separator);
    if (count != table->columns.count)
        return sheet_fail(&table->sheet, error, "%d value%s, but line %ld names %d columns", count,
                          count == 1 ? "" : "s", table->section.head_line, table->columns.count);
    for (int i = 0; i < count; i++)
        fields[i] += strspn(fields[i], " \t\"");
    if (has(table, COLUMN_MACHINE) &&
        table_check_machine(table, fields[table->columns.of_role[COLUMN_MACHINE]], error) != 0)
        return -1;
    if (check_head(table, error) != 0 || check_waits(table, error) != 0)
        return -1;
    return fill_row(table, fields, error);
}
