/* The trace itself, beside what is simulated of it on other machines; what each rank of it had of a processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Runs beyond that are in the tables of times and of lost cycles only. */
enum { MOST_RUNS = 20 };

static double load_balance(const struct result *result)
{
    double sum = 0, most = 0;
    for (int rank = 0; rank < result->n_processors; rank++) {
        double useful = (double)result->state_ps[rank][STATE_USEFUL];
        sum += useful;
        most = fmax(most, useful);
    }
    return most > 0 ? sum / result->n_processors / most : (double)NAN;
}

/* True if a state, of the trace or of a simulation, is worth a column. */
static bool is_shown(const struct study *study, int state)
{
    return location_state_is_usual[state] || study_has(study, (enum measure_id)((int)M_TRACED_USEFUL + state)) ||
           study_has(study, (enum measure_id)((int)M_STATE_USEFUL + state));
}

/* A row; `first` is the measure of the first state. */
static void add_row(struct table *table, const struct study *study, const char *name, const struct study_run *run,
                    double time_s, enum measure_id first, double balance)
{
    int n_processors = run->result.n_processors > run->ranks ? run->result.n_processors : run->ranks;
    table_text(table, name);
    table_real(table, time_s);
    table_real(table, time_s / run_value(run, M_TRACED_TIME));
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        double state_s = run_value(run, (enum measure_id)((int)first + s));
        if (is_shown(study, s))
            table_real(table, (isnan(state_s) ? 0 : state_s) / (n_processors * time_s));
    }
    table_real(table, balance);
}

static bool is_no_platform(const struct study_parameter *parameter)
{
    return parameter->subject != SUBJECT_PLATFORM;
}

void section_traced(struct document *document, const struct study *study)
{
    static const struct column columns[] = {
        {.id = "run", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of traced", .unit = UNIT_SLOWDOWN},
    };
    const struct study_run *first = NULL;
    int n_shown = 0;
    for (int i = 0; i < study->n_runs && first == NULL; i++)
        if (!isnan(run_value(&study->runs[i], M_TRACED_TIME)))
            first = &study->runs[i];
    bool has_more = first->result.n_processors > first->ranks;
    struct table *table = document_table(document, "traced",
                                         has_more ? "Traced, and simulated (shares of processors x time)"
                                                  : "Traced, and simulated (shares of ranks x time)",
                                         FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (is_shown(study, s))
            table_column(table, (struct column){.id = location_state_names[s],
                                                .head = measure_specs[M_STATE_USEFUL + s].label,
                                                .unit = UNIT_SHARE,
                                                .flags = s == 0 ? COLUMN_BEGINS : 0});
    table_column(table, (struct column){.id = "load balance", .unit = UNIT_SHARE, .flags = COLUMN_BEGINS});
    add_row(table, study, "traced", first, run_value(first, M_TRACED_TIME), M_TRACED_USEFUL,
            run_value(first, M_TRACED_LOAD_BALANCE));
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        if (isnan(run_value(run, M_TRACED_TIME)) || n_shown++ >= MOST_RUNS)
            continue;
        struct builder name = {0};
        builder_add(&name, "%s", run->platform);
        study_name_varied(&name, study, run, is_no_platform, ", ");
        add_row(table, study, document_own(document, builder_take(&name)), run, run_time(run), M_STATE_USEFUL,
                load_balance(&run->result));
    }
}

/* ---- Processors ---- */

enum { MOST_ROWS = 8 };
/* Columns in which all is less than that share of the time are left out. */
#define LEAST_SHOWN 0.0005

static const char *const heads[N_WAITS_OFF] = {"no processor", "other programs", "asleep", "off the processor"};

bool processors_are_known(const struct study_run *run)
{
    const struct result_table *rows = result_find_table(&run->result, TABLE_PROCESSORS);
    return rows != NULL &&
           result_has_column(rows, table_column_at(TABLE_PROCESSORS, offsetof(struct processors_row, processor_s)));
}

struct ranked_row {
    size_t row;
    double with_s; /* a processor, or not without one */
};

static int by_processor(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    if (left->with_s != right->with_s)
        return left->with_s < right->with_s ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

static int by_row(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    return left->row < right->row ? -1 : left->row > right->row;
}

/* Choose the ranks that had least and those that had most, if there are many; in the order of the ranks. To be
 * freed. */
static struct ranked_row *choose(size_t *count, const struct processors_row *rows, size_t n_rows, bool is_known,
                                 bool verbose)
{
    struct ranked_row *ranked = xcalloc(n_rows + 1, sizeof *ranked);
    for (size_t row = 0; row < n_rows; row++) {
        ranked[row] = (struct ranked_row){row, is_known ? rows[row].processor_s : 0};
        if (isnan(ranked[row].with_s))
            ranked[row].with_s = 0;
        for (int p = 0; !is_known && p < N_WAITS_OFF; p++)
            ranked[row].with_s -= units_seconds(rows[row].without_ps[p]);
    }
    *count = n_rows;
    if (verbose || n_rows <= MOST_ROWS)
        return ranked;
    sort_stable(ranked, n_rows, sizeof *ranked, by_processor);
    *count = MOST_ROWS;
    for (size_t i = MOST_ROWS / 2; i < MOST_ROWS; i++)
        ranked[i] = ranked[n_rows - MOST_ROWS + i];
    sort_stable(ranked, *count, sizeof *ranked, by_row);
    return ranked;
}

static bool is_part_shown(const struct processors_row *rows, size_t n_rows, const struct study_run *run, int part)
{
    for (size_t row = 0; row < n_rows; row++)
        if (units_seconds(rows[row].without_ps[part]) >= LEAST_SHOWN * run_time(run))
            return true;
    return false;
}

static void add_columns(struct table *table, bool is_known, const bool shown[N_WAITS_OFF])
{
    table_column(table, (struct column){.id = "rank", .unit = UNIT_COUNT, .flags = COLUMN_KEY | COLUMN_LABEL});
    if (is_known) {
        table_column(table, (struct column){.id = "processor", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
        table_column(table, (struct column){.id = "of the time", .unit = UNIT_SHARE});
    }
    for (int p = 0; p < N_WAITS_OFF; p++)
        if (shown[p])
            table_column(table, (struct column){.id = heads[p], .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
}

static void add_processors(struct document *document, const struct study *study, const struct study_run *run,
                           const struct processors_row *rows, size_t n_rows)
{
    size_t count;
    bool shown[N_WAITS_OFF], is_known = processors_are_known(run);
    bool any = is_known;
    for (int p = 0; p < N_WAITS_OFF; p++)
        any |= shown[p] = is_part_shown(rows, n_rows, run, p);
    if (!any)
        return;
    struct ranked_row *ranked = choose(&count, rows, n_rows, is_known, study->verbose);
    struct builder title = {0};
    builder_add(&title, "Processor time of each rank, and time without a processor outside the library");
    if (study->n_runs > 1) {
        builder_add(&title, ", ");
        study_name_run(&title, study, run);
    }
    if (count < n_rows)
        builder_add(&title, " (the least and the most, %zu of %zu; all: -v)", count, n_rows);
    struct table *table = document_table(document, table_specs[TABLE_PROCESSORS].name,
                                         document_own(document, builder_take(&title)), FOR_READERS);
    add_columns(table, is_known, shown);
    for (size_t i = 0; i < count; i++) {
        const struct processors_row *row = &rows[ranked[i].row];
        table_real(table, row->rank);
        if (is_known) {
            table_real(table, row->processor_s);
            table_real(table, row->processor_share);
        }
        for (int p = 0; p < N_WAITS_OFF; p++)
            if (shown[p])
                table_real(table, units_seconds(row->without_ps[p]));
    }
    free(ranked);
}

void section_processors(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        size_t n_rows;
        const struct processors_row *rows = result_processors(&study->runs[i].result, &n_rows);
        if (n_rows > 0)
            add_processors(document, study, &study->runs[i], rows, n_rows);
    }
}
