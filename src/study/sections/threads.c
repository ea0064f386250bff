/* Teams of threads within ranks: the serial part and the waiting of each rank's, and in which regions they wait.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Rows of these tables in brief, and the least share of a wait that a place has to be worth a word. */
enum { MOST_ROWS = 10 };
#define LEAST_PLACE 0.3

void threads_add_place(struct builder *line, const struct study_run *run, enum wait_state wait)
{
    size_t n_rows;
    const struct team_waits_row *rows = result_team_waits(&run->result, &n_rows), *most = NULL;
    wide_int sum_ps = 0;
    for (const struct team_waits_row *row = rows; row < rows + n_rows; row++) {
        if (row->wait != wait)
            continue;
        sum_ps += row->time_ps;
        if (most == NULL || row->time_ps > most->time_ps)
            most = row;
    }
    if (most == NULL || wait == WAIT_SERIAL || (double)most->time_ps < LEAST_PLACE * (double)sum_ps)
        return;
    builder_add(line, ", ");
    if (most->time_ps < sum_ps)
        builder_add(line, "%.0f %% of it ", 100 * (double)most->time_ps / (double)sum_ps);
    builder_add(line, "in %s", most->scope);
    if (most->last_thread >= 0 && 2 * most->last_ps >= most->time_ps)
        builder_add(line, ", mostly for thread %d", (int)most->last_thread);
}

static void add_title(struct builder *title, const struct study *study, const struct study_run *run)
{
    if (study->n_runs > 1) {
        builder_add(title, ", ");
        study_name_run(title, study, run);
    }
}

struct ranked_row {
    size_t row;
    wide_int time_ps;
};

static int by_time(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    return (left->time_ps < right->time_ps) - (left->time_ps > right->time_ps);
}

static double waiting_ps(const struct teams_row *row)
{
    return (double)(row->time_ps - row->busy_ps);
}

/* The rows of a table, the longest waiting first. To be freed. */
static struct ranked_row *rank_teams(const struct teams_row *rows, size_t n_rows)
{
    struct ranked_row *ranked = xcalloc(n_rows + 1, sizeof *ranked);
    for (size_t i = 0; i < n_rows; i++)
        ranked[i] = (struct ranked_row){i, (wide_int)waiting_ps(&rows[i])};
    sort_stable(ranked, n_rows, sizeof *ranked, by_time);
    return ranked;
}

static void add_teams(struct document *document, const struct study *study, const struct study_run *run)
{
    static const struct column columns[] = {
        {.id = "rank", .unit = UNIT_COUNT, .flags = COLUMN_KEY | COLUMN_LABEL},
        {.id = "threads", .unit = UNIT_COUNT},
        {.id = "parallel", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "serial", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "busy", .unit = UNIT_SHARE, .flags = COLUMN_BEGINS},
        {.id = "serial part", .unit = UNIT_SHARE},
        {.id = "for the team", .unit = UNIT_SHARE},
        {.id = "for locks", .unit = UNIT_SHARE},
        {.id = "other waiting", .unit = UNIT_SHARE},
    };
    size_t n_rows;
    const struct teams_row *rows = result_teams(&run->result, &n_rows);
    struct ranked_row *ranked = rank_teams(rows, n_rows);
    struct builder title = {0};
    builder_add(&title, "Teams of threads: time in parallel regions, and shares of the threads' time");
    add_title(&title, study, run);
    size_t count = study->verbose || n_rows < MOST_ROWS ? n_rows : MOST_ROWS;
    if (count < n_rows)
        builder_add(&title, " (%zu of %zu ranks; all: -v)", count, n_rows);
    struct table *table = document_table(document, table_specs[TABLE_TEAMS].name,
                                         document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t i = 0; i < count; i++) {
        const struct teams_row *row = &rows[ranked[i].row];
        table_real(table, row->rank);
        table_real(table, (double)row->threads);
        table_real(table, units_seconds(row->parallel_ps));
        table_real(table, units_seconds(row->serial_ps));
        table_real(table, (double)row->busy_ps / (double)row->time_ps);
        for (size_t kind = 0; kind < sizeof row->wait_ps / sizeof row->wait_ps[0]; kind++)
            table_real(table, (double)row->wait_ps[kind] / (double)row->time_ps);
        table_real(table, (double)row->other_ps / (double)row->time_ps);
    }
    free(ranked);
}

static void add_waits(struct document *document, const struct study *study, const struct study_run *run)
{
    static const struct column columns[] = {
        {.id = "wait state", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "scope", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "waits", .unit = UNIT_COUNT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "last thread", .unit = UNIT_COUNT, .flags = COLUMN_LABEL},
        {.id = "of it", .unit = UNIT_SHARE},
        {.id = "most in rank", .unit = UNIT_COUNT, .flags = COLUMN_LABEL},
    };
    size_t n_rows;
    const struct team_waits_row *rows = result_team_waits(&run->result, &n_rows);
    struct ranked_row *ranked = xcalloc(n_rows + 1, sizeof *ranked);
    for (size_t i = 0; i < n_rows; i++)
        ranked[i] = (struct ranked_row){i, rows[i].time_ps};
    sort_stable(ranked, n_rows, sizeof *ranked, by_time);
    struct builder title = {0};
    builder_add(&title, "Waiting of threads within ranks, by scope");
    add_title(&title, study, run);
    struct table *table = document_table(document, table_specs[TABLE_TEAM_WAITS].name,
                                         document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t i = 0; i < n_rows && (study->verbose || i < MOST_ROWS); i++) {
        const struct team_waits_row *row = &rows[ranked[i].row];
        bool has_last = row->last_thread >= 0;
        table_text(table, wait_state_names[row->wait]);
        table_text(table, row->scope);
        table_real(table, (double)row->waits);
        table_real(table, units_seconds(row->time_ps));
        table_real(table, has_last ? row->last_thread : (double)NAN);
        table_real(table, has_last ? (double)row->last_ps / (double)row->time_ps : (double)NAN);
        table_real(table, row->rank);
    }
    free(ranked);
}

void section_threads(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        if (result_find_table(&study->runs[i].result, TABLE_TEAMS) == NULL)
            continue;
        add_teams(document, study, &study->runs[i]);
        add_waits(document, study, &study->runs[i]);
    }
}
