/* Waiting in traces: what takes most of it and who causes it, in words; functions of the message library; waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

/* Waits below that share of the time are not worth a headline, or a row. */
#define LEAST_HEADLINE 0.02
#define LEAST_ROW 0.0005
/* So much of a rank's time with other programs on its processor is worth a word. */
#define LEAST_FOREIGN 0.05
/* A rank that computes so many times as long as the mean is worth a word. */
#define LEAST_LOAD 1.2
enum { N_LARGEST = 10 };

/* --- the headline --- */

/* The words for each wait: who does what, in a function if it is one, for what; and what the rank is that it is for:
 * NULL, unknown. */
static const struct {
    const char *does, *what, *culprit;
} phrases[N_WAIT_STATES] = {
    [WAIT_LATE_SENDER] = {"ranks wait", "for messages that are sent late", "by rank"},
    [WAIT_LATE_RECEIVER] = {"ranks wait", "for receivers that are late", "rank"},
    [WAIT_BARRIER] = {"ranks wait", "for the last one", "rank"},
    [WAIT_N_TO_N] = {"ranks wait", "for the last one", "rank"},
    [WAIT_LATE_ROOT] = {"ranks wait", "for the root", "rank"},
    [WAIT_EARLY_ROOT] = {"the root waits", "for the last one", "rank"},
    [WAIT_EARLY_SCAN] = {"ranks wait", "for those before them", "rank"},
    [WAIT_FENCE] = {"ranks wait", "for the last one", "rank"},
    [WAIT_LATE_POST] = {"ranks wait", "for memory that is exposed late", "by rank"},
    [WAIT_EARLY_WAIT] = {"ranks wait", "for accesses that end late", "of rank"},
    [WAIT_LOCK] = {"ranks wait", "for locks that others have", "for rank"},
    [WAIT_CREATE] = {"ranks wait", "for the last one", "rank"},
    [WAIT_FILE] = {"ranks wait", "for the last one", "rank"},
    [WAIT_IN_VAIN] = {"ranks poll", "and find nothing", NULL},
    [WAIT_PROCESSOR] = {"ranks wait", "for a processor that other ranks use", NULL},
    [WAIT_FOREIGN] = {"ranks wait", "for a processor that other programs use", NULL},
    [WAIT_SLEEP] = {"ranks sleep", "or are blocked outside of the message library", NULL},
    [WAIT_OFF] = {"ranks have no processor", "and wait for no other rank: they sleep, or other programs use it", NULL},
    [WAIT_UNRECORDED] = {"recording", "is off", NULL},
    [WAIT_START] = {"ranks", "have not begun", NULL},
    [WAIT_END] = {"ranks", "have ended, and wait for the last one", NULL},
    [WAIT_NEVER] = {"ranks wait", "for what never comes", "from rank"},
    [WAIT_THREAD] = {"ranks wait", "for their own threads", NULL},
    [WAIT_STREAM] = {"ranks wait", "for streams of their accelerators", NULL},
    [WAIT_LAUNCH] = {"streams of accelerators wait", "for something to be launched, and to begin", NULL},
    [WAIT_SERIAL] = {"threads are idle", "while their rank's own thread works alone", NULL},
    [WAIT_TEAM] = {"threads wait", "for the last one of their team", NULL},
    [WAIT_THREAD_LOCK] = {"threads wait", "for locks that others of their rank have", NULL},
    [WAIT_OTHER] = {"ranks wait", "for something that the trace does not show", NULL},
};

/* Sleeping is no waiting for others: with it, or without; NULL: there is none. Threads come and go, as the program
 * wants it. */
static const struct function_waits_row *find_largest(const struct function_waits_row *waits, size_t n_waits,
                                                     bool is_sleep, bool has_threads)
{
    const struct function_waits_row *largest = NULL;
    for (const struct function_waits_row *row = waits; row < waits + n_waits; row++)
        if (!(has_threads && (row->wait == WAIT_START || row->wait == WAIT_END)) && row->wait != WAIT_UNRECORDED &&
            (row->wait == WAIT_SLEEP || row->wait == WAIT_OFF) == is_sleep &&
            (largest == NULL || row->time_ps > largest->time_ps))
            largest = row;
    return largest;
}

/* "; rank 3 computes longest, 2.1 times the mean": the awaited rank may have been held up by another one. */
static void add_busiest(struct builder *line, const struct study_run *run, int named)
{
    int busiest = 0;
    double most_s = 0;
    for (int rank = 0; rank < run->ranks; rank++) {
        double rank_s = culprit_busy_s(run, rank);
        if (rank_s > most_s)
            busiest = rank;
        most_s = fmax(most_s, rank_s);
    }
    double load = culprit_load(run, busiest);
    if (busiest != named && load >= LEAST_LOAD && most_s * (1 - 1 / load) >= LEAST_HEADLINE * run_program_time(run))
        builder_add(line, "; rank %d %s longest, %.1f times the mean", busiest, culprit_word(run, busiest), load);
}

/* ", 98 % of it by rank 2, which computes 1.3 times as long as the mean", if one stands out: one that is waited for no
 * more than others is no cause. */
static void add_culprit(struct builder *line, const struct study_run *run, const char *culprit, int rank, double share)
{
    long part = lround(100 * share);
    bool stands_out = rank >= 0 && rank < run->result.n_processors && part * run->ranks >= 150;
    if (stands_out) {
        builder_add(line, ", ");
        if (part < 100)
            builder_add(line, "%ld %% of it ", part);
        builder_add(line, "%s %d", culprit, rank);
        culprit_add_reason(line, run, rank);
    }
    add_busiest(line, run, stands_out ? rank : -1);
}

/* " (heat.c:41 in exchange)": the call site at which most of it is waited. */
static void add_site(struct builder *line, const struct function_waits_row *row)
{
    if (row->site[0] != '\0' && 2 * row->at_site_ps >= row->time_ps)
        builder_add(line, " (%s)", row->site);
}

/* "; other programs had rank 0's processor for 66 % of its time": of the rank that lost most by them. */
static void add_foreign(struct builder *line, const struct study_run *run)
{
    size_t n_rows, most = 0;
    const struct processors_row *rows = result_processors(&run->result, &n_rows);
    int64_t most_ps = 0;
    for (size_t row = 0; row < n_rows; row++)
        if (rows[row].without_ps[WAIT_FOREIGN - WAIT_PROCESSOR] > most_ps) {
            most_ps = rows[row].without_ps[WAIT_FOREIGN - WAIT_PROCESSOR];
            most = row;
        }
    double share = units_seconds(most_ps) / run_program_time(run);
    if (share >= LEAST_FOREIGN)
        builder_add(line, "; other programs used rank %zu's processor for %.0f %% of its time", most, 100 * share);
}

/* One kind of waiting; whether it is worth it. */
static bool add_wait(struct builder *line, const struct study_run *run, const struct function_waits_row *row,
                     const char *before)
{
    if (row == NULL)
        return false;
    double time_s = units_seconds(row->time_ps), share = time_s / (run_all_processors(run) * run_program_time(run));
    if (share < LEAST_HEADLINE || phrases[row->wait].does == NULL)
        return false;
    builder_add(line, "%s%.0f %% of the time %s", before, 100 * share, phrases[row->wait].does);
    if (row->function[0] != '\0')
        builder_add(line, " in %s", row->function);
    add_site(line, row);
    builder_add(line, " %s", phrases[row->wait].what);
    threads_add_place(line, run, row->wait);
    if (row->wait == WAIT_STREAM)
        streams_add_place(line, run);
    if (phrases[row->wait].culprit != NULL)
        add_culprit(line, run, phrases[row->wait].culprit, row->for_rank, units_seconds(row->for_rank_ps) / time_s);
    return true;
}

bool wait_states_add_largest(struct builder *line, const struct study_run *run)
{
    size_t n_waits;
    const struct function_waits_row *waits = result_function_waits(&run->result, &n_waits);
    if (result_find_table(&run->result, TABLE_FUNCTION_WAITS) == NULL)
        return false;
    bool has_threads = run_processors_per_rank(run) > 1;
    bool has_wait = add_wait(line, run, find_largest(waits, n_waits, false, has_threads), ": ");
    bool has_sleep = add_wait(line, run, find_largest(waits, n_waits, true, has_threads), has_wait ? "; " : ": ");
    add_foreign(line, run);
    return has_wait || has_sleep;
}

/* --- tables --- */

struct ranked_row {
    size_t row;
    double time_s;
};

static int by_time(const void *a, const void *b)
{
    const struct ranked_row *left = a, *right = b;
    if (left->time_s != right->time_s)
        return left->time_s > right->time_s ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

/* The rows by the time in a column, the longest first; of all of them those that are worth one, unless verbose. To be
 * freed. */
static struct ranked_row *sort_by_time(size_t *count, const struct result_table *rows, size_t offset,
                                       const struct study *study, const struct study_run *run)
{
    size_t column = table_column_at(rows->id, offset);
    struct ranked_row *ranked = xmalloc(rows->n_rows * sizeof *ranked + 1);
    for (size_t row = 0; row < rows->n_rows; row++)
        ranked[row] = (struct ranked_row){row, result_cell_value(rows, row, column)};
    sort_stable(ranked, rows->n_rows, sizeof *ranked, by_time);
    for (*count = 0; *count < rows->n_rows; ++*count)
        if (!study->verbose &&
            (*count == N_LARGEST || ranked[*count].time_s < LEAST_ROW * run_all_processors(run) * run_time(run)))
            break;
    return ranked;
}

static void add_title(struct builder *title, const struct study *study, const struct study_run *run, size_t shown,
                      size_t all)
{
    if (study->n_runs > 1) {
        builder_add(title, ", ");
        study_name_run(title, study, run);
    }
    if (shown < all)
        builder_add(title, " (%zu of %zu; all: -v)", shown, all);
}

/* A function, or a call site, which has a column more. */
static struct sites_row call_of(const struct result_table *rows, size_t i)
{
    if (rows->id == TABLE_SITES)
        return ((const struct sites_row *)rows->rows)[i];
    const struct functions_row *row = (const struct functions_row *)rows->rows + i;
    return (struct sites_row){.function = row->function,
                              .calls = row->calls,
                              .time_ps = row->time_ps,
                              .bytes = row->bytes,
                              .idle_ps = row->state_ps[STATE_IDLE]};
}

static void add_calls(struct document *document, const struct study *study, const struct study_run *run,
                      const struct result_table *rows)
{
    bool has_sites = rows->id == TABLE_SITES;
    size_t count, offset = has_sites ? offsetof(struct sites_row, time_ps) : offsetof(struct functions_row, time_ps);
    struct ranked_row *ranked = sort_by_time(&count, rows, offset, study, run);
    struct builder title = {0};
    builder_add(&title,
                has_sites ? "Where they are called" : "Functions of the message library, times summed over ranks");
    add_title(&title, study, run, count, rows->n_rows);
    struct table *table =
        document_table(document, table_specs[rows->id].name, document_own(document, builder_take(&title)), FOR_READERS);
    const struct column columns[] = {
        {.id = "call site", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "function", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "calls", .unit = UNIT_COUNT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of all", .unit = UNIT_SHARE},
        {.id = "waiting", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "per call", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "moved", .unit = UNIT_BYTES, .flags = COLUMN_OWN_UNIT},
    };
    table->chart = CHART_BAR;
    for (size_t c = has_sites ? 0 : 1; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t i = 0; i < count; i++) {
        struct sites_row call = call_of(rows, ranked[i].row);
        double time_s = ranked[i].time_s;
        if (has_sites)
            table_text(table, call.site);
        table_text(table, call.function);
        table_real(table, (double)call.calls);
        table_real(table, time_s);
        table_real(table, time_s / (run_all_processors(run) * run_time(run)));
        table_real(table, call.idle_ps > 0 ? units_seconds(call.idle_ps) : (double)NAN);
        table_real(table, time_s / (double)call.calls);
        table_real(table, call.bytes > 0 ? (double)call.bytes : (double)NAN);
    }
    free(ranked);
}

static void add_waits(struct document *document, const struct study *study, const struct study_run *run,
                      const struct result_table *rows)
{
    size_t count;
    struct ranked_row *ranked = sort_by_time(&count, rows, offsetof(struct function_waits_row, time_ps), study, run);
    struct builder title = {0};
    builder_add(&title, "Waiting, and the rank responsible for most of it");
    add_title(&title, study, run, count, rows->n_rows);
    struct table *table = count == 0 ? NULL
                                     : document_table(document, table_specs[rows->id].name,
                                                      document_own(document, builder_take(&title)), FOR_READERS);
    static const struct column columns[] = {
        {.id = "wait state", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "function", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "waits", .unit = UNIT_COUNT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of all", .unit = UNIT_SHARE},
        {.id = "for rank", .unit = UNIT_COUNT, .flags = COLUMN_LABEL},
        {.id = "of it", .unit = UNIT_SHARE},
    };
    free(builder_take(&title));
    for (size_t c = 0; table != NULL && c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (size_t i = 0; i < count; i++) {
        const struct function_waits_row *row = (const struct function_waits_row *)rows->rows + ranked[i].row;
        bool is_for = row->for_rank >= 0;
        table_text(table, wait_state_names[row->wait]);
        table_text(table, row->function);
        table_real(table, (double)row->waits);
        table_real(table, ranked[i].time_s);
        table_real(table, ranked[i].time_s / (run_all_processors(run) * run_time(run)));
        table_real(table, is_for ? row->for_rank : (double)NAN);
        table_real(table, is_for ? units_seconds(row->for_rank_ps) / ranked[i].time_s : (double)NAN);
    }
    free(ranked);
}

/* The columns of a table, under such heads; the first says what a row is. */
static void add_view(struct document *document, const struct result_table *rows, const char *title,
                     const char *const *heads, size_t n_columns)
{
    if (rows == NULL)
        return;
    const struct table_spec *spec = &table_specs[rows->id];
    struct table *table = document_table(document, spec->name, title, FOR_READERS);
    for (size_t c = 0; c < n_columns; c++)
        table_column(table, (struct column){.id = heads[c],
                                            .unit = kind_specs[spec->columns[c].kind].unit,
                                            .flags = c == 0 ? COLUMN_KEY : COLUMN_OWN_UNIT});
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t c = 0; c < n_columns; c++)
            if (kind_specs[spec->columns[c].kind].type == MEASURE_TEXT)
                table_text(table, result_cell(rows, row, c).text);
            else
                table_real(table, result_cell_value(rows, row, c));
}

/* Add all of it, by scope and by rank, for those who ask. */
static void add_details(struct document *document, const struct study_run *run)
{
    static const char *const of_scopes[] = {"wait state", "scope", "time"};
    static const char *const of_ranks[] = {"rank", "useful", "waiting", "awaited"};
    add_view(document, result_find_table(&run->result, TABLE_SCOPE_WAITS), "Waiting by scope", of_scopes, 3);
    add_view(document, result_find_table(&run->result, TABLE_RANK_WAITS),
             "Waiting by rank: its own, and that of others for it", of_ranks, 4);
}

static void add_efficiency(struct document *document, const struct study *study, const struct study_run *run)
{
    double parallel = run_value(run, M_POP_PARALLEL);
    struct builder line = {0};
    if (isnan(parallel))
        return;
    builder_add(&line, "Parallel efficiency");
    if (study->n_runs > 1) {
        builder_add(&line, ", ");
        study_name_run(&line, study, run);
        builder_add(&line, ",");
    }
    builder_add(&line, " %.1f %% = load balance %.1f %% x communication efficiency %.1f %%", 100 * parallel,
                100 * run_value(run, M_POP_LOAD_BALANCE), 100 * run_value(run, M_POP_COMMUNICATION));
    if (run_value(run, M_POP_PROCESSOR) < 0.9995)
        builder_add(&line, " x processor availability %.1f %%", 100 * run_value(run, M_POP_PROCESSOR));
    builder_add(&line, ".");
    document_sentence(document, builder_take(&line));
}

void section_wait_states(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        const struct result_table *functions = result_find_table(&run->result, TABLE_FUNCTIONS);
        const struct result_table *waits = result_find_table(&run->result, TABLE_FUNCTION_WAITS);
        if (functions == NULL || waits == NULL)
            continue;
        const struct result_table *sites = result_find_table(&run->result, TABLE_SITES);
        add_calls(document, study, run, functions);
        if (sites != NULL)
            add_calls(document, study, run, sites);
        add_waits(document, study, run, waits);
        if (study->verbose)
            add_details(document, run);
    }
}

void section_efficiencies(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++)
        if (result_find_table(&study->runs[i].result, TABLE_FUNCTIONS) != NULL)
            add_efficiency(document, study, &study->runs[i]);
}
