/* Programs that share memory: the shares of the categories, profiles, and the parts of waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <stdlib.h>

/* --- all runs --- */

static enum measure_id category_id(int category)
{
    return (enum measure_id)(M_CATEGORY_COMP + category - CATEGORY_COMP);
}

/* The last category that there is time in: those of controllers come last. */
static int last_category(const struct study *study)
{
    return study_has(study, M_CATEGORY_CPCOMP) ? CATEGORY_CPIDLE : CATEGORY_PRSTE;
}

/* Names of the categories for readers, with those of Pereira98. */
static const char *const category_labels[N_CATEGORIES] = {
    [CATEGORY_COMP] = "program (Comp)",
    [CATEGORY_EXTRA] = "coherence (Extra)",
    [CATEGORY_WAIT] = "waiting (Wait)",
    [CATEGORY_PRSTE] = "serving others (Prste)",
    [CATEGORY_CPCOMP] = "controller: working (CPComp)",
    [CATEGORY_CPWAIT] = "held up (CPWait)",
    [CATEGORY_CPIDLE] = "idle (CPIdle)",
};

static void add_category_columns(struct table *table, int last)
{
    for (int c = CATEGORY_COMP; c <= last; c++)
        table_column(table, (struct column){.id = measure_specs[category_id(c)].name,
                                            .head = category_labels[c],
                                            .unit = UNIT_SHARE,
                                            .flags = c == CATEGORY_CPCOMP ? COLUMN_BEGINS : 0});
}

/* Each processor's categories add up to 100 %. */
void section_categories(struct document *document, const struct study *study)
{
    int last = last_category(study);
    struct table *table = document_table(
        document, "categories",
        last == CATEGORY_CPIDLE ? "Shared memory: what the main processors did | and the protocol controllers"
                                : "Shared memory: what the main processors did",
        FOR_READERS);
    table->chart = CHART_STACKED_BAR;
    study_key_columns(table, study);
    add_category_columns(table, last);
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        study_key_cells(table, study, run);
        for (int c = CATEGORY_COMP; c <= last; c++)
            table_real(table, run_value(run, category_id(c)) / (run_time(run) * run->ranks));
    }
}

/* --- profiles: a dimension against the categories --- */

enum { MAX_KEYS = 256 }; /* scopes, operations; of nodes the first */

struct pivot {
    struct key {
        int number;       /* of a node, an operation */
        const char *name; /* of a scope; else NULL */
    } keys[MAX_KEYS];
    double time_s[MAX_KEYS][N_CATEGORIES];
    int count;
};

enum dimension { BY_SCOPE, BY_OPERATION, BY_NODE };

static struct key key_of(const struct profile_row *row, enum dimension dimension)
{
    return dimension == BY_SCOPE ? (struct key){0, row->scope}
                                 : (struct key){dimension == BY_NODE ? row->node : (int)row->operation, NULL};
}

static int find_key(struct pivot *pivot, struct key key)
{
    int k = 0;
    while (k < pivot->count && (pivot->keys[k].number != key.number || pivot->keys[k].name != key.name))
        k++;
    if (k == pivot->count && k < MAX_KEYS)
        pivot->keys[pivot->count++] = key;
    return k;
}

static void fill_pivot(struct pivot *pivot, const struct study_run *run, enum dimension dimension)
{
    size_t n_rows;
    const struct profile_row *rows = result_profile(&run->result, &n_rows);
    for (size_t i = 0; i < n_rows; i++) {
        int k = find_key(pivot, key_of(&rows[i], dimension));
        if (k < MAX_KEYS)
            pivot->time_s[k][rows[i].category] += units_seconds(rows[i].time_ps);
    }
}

/* "." of no time, so that the others are seen. */
static void add_share(struct table *table, double time_s, double whole_s)
{
    table_cell(table, cell_shown(cell_of_real(whole_s > 0 ? time_s / whole_s : 0), time_s > 0 ? NULL : "."));
}

/* Shares of `whole_s`, the time of all main processors, which is that of all controllers, too. */
static void add_profile(struct document *document, const struct study *study, const struct study_run *run,
                        enum dimension dimension, const char *title, double whole_s)
{
    static const char *const heads[] = {[BY_SCOPE] = "scope", [BY_OPERATION] = "operation", [BY_NODE] = "node"};
    struct pivot *pivot = xcalloc(1, sizeof *pivot);
    int last = last_category(study);
    fill_pivot(pivot, run, dimension);
    struct table *table = document_table(document, "profile", title, FOR_READERS);
    table->is_part = true;
    table->chart = CHART_STACKED_BAR;
    table_column(table, (struct column){.id = heads[dimension], .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "all", .unit = UNIT_SHARE});
    add_category_columns(table, last);
    for (int k = 0; k < pivot->count; k++) {
        double all = 0;
        for (int c = CATEGORY_COMP; c <= CATEGORY_PRSTE; c++)
            all += pivot->time_s[k][c];
        if (dimension == BY_NODE)
            table_integer(table, pivot->keys[k].number);
        else
            table_text(table, dimension == BY_SCOPE ? pivot->keys[k].name : operation_names[pivot->keys[k].number]);
        add_share(table, all, whole_s);
        for (int c = CATEGORY_COMP; c <= last; c++)
            add_share(table, pivot->time_s[k][c], whole_s);
    }
    free(pivot);
}

static void add_profiles(struct document *document, const struct study *study, const struct study_run *run)
{
    double whole_s = run_time(run) * run->ranks;
    add_profile(document, study, run, BY_SCOPE, "Profile by scope (shares of ranks x time; end: the program is over)",
                whole_s);
    add_profile(document, study, run, BY_OPERATION,
                "Profile by operation of the protocol (none: the program itself, and its end)", whole_s);
    if (study->verbose)
        add_profile(document, study, run, BY_NODE, "Profile by node (shares of the time)", run_time(run));
}

/* --- waits --- */

/* Names of the parts for readers: the controller, messages, the main processor; one's own, and those of the process
 * that is asked. */
static const char *const part_labels[N_REQUEST_PARTS] = {
    "controller's queue (CPLWait)",     "controller's work (CPLComp)",     "messages (CPCComm)",
    "its controller's queue (CPRWait)", "its controller's work (CPRComp)", "its processor's wait (PPRWait)",
    "its processor's work (PPRComp)",   "own processor (PPLWait)"};

/* A category that shows in some row. */
static bool has_part(const struct waits_row *waits, size_t n_waits, int part)
{
    for (size_t row = 0; row < n_waits; row++)
        if (waits[row].part[part] >= 0.0005)
            return true;
    return false;
}

static void add_wait(struct table *table, const struct waits_row *row, const bool *shown)
{
    table_text(table, row->category == CATEGORY_CPWAIT ? "(controllers)" : row->scope);
    table_text(table, operation_names[row->operation]);
    table_real(table, (double)row->count);
    table_real(table, units_seconds(row->total_ps));
    table_real(table, units_seconds(row->mean_ps));
    for (int p = 0; p < N_REQUEST_PARTS; p++)
        if (shown[p])
            add_share(table, row->part[p], 1);
}

static void add_waits(struct document *document, const struct study_run *run)
{
    bool shown[N_REQUEST_PARTS];
    size_t n_waits;
    const struct waits_row *waits = result_waits(&run->result, &n_waits);
    if (n_waits == 0)
        return;
    for (int p = 0; p < N_REQUEST_PARTS; p++)
        shown[p] = has_part(waits, n_waits, p);
    struct table *table = document_table(
        document, "waits", "Waits, and what they consist of (its: of the node that is asked)", FOR_READERS);
    table->is_part = true;
    table->chart = CHART_STACKED_BAR;
    table_column(table, (struct column){.id = "scope", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "operation", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "count", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "total", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "mean", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    const struct table_spec *spec = &table_specs[TABLE_WAITS];
    size_t first = table_column_at(TABLE_WAITS, offsetof(struct waits_row, part));
    bool begun = false;
    for (int p = 0; p < N_REQUEST_PARTS; p++)
        if (shown[p]) {
            table_column(table, (struct column){.id = spec->columns[first + (size_t)p].name,
                                                .head = part_labels[p],
                                                .unit = UNIT_SHARE,
                                                .flags = begun ? 0 : COLUMN_BEGINS});
            begun = true;
        }
    for (size_t row = 0; row < n_waits; row++)
        add_wait(table, &waits[row], shown);
}

/* --- the 13 intervals, by operation --- */

/* The waits of main processors for one operation, in all scopes, or those of controllers. */
struct interval_row {
    enum category category;
    enum operation operation;
    double total_s, interval_s[N_WAIT_INTERVALS];
};
enum { MAX_INTERVAL_ROWS = N_CATEGORIES * N_OPERATIONS };

static struct interval_row *find_interval_row(struct interval_row *rows, int *count, enum category category,
                                              enum operation operation)
{
    for (int i = 0; i < *count; i++)
        if (rows[i].category == category && rows[i].operation == operation)
            return &rows[i];
    rows[*count] = (struct interval_row){.category = category, .operation = operation};
    return &rows[(*count)++];
}

static int sum_intervals(struct interval_row *rows, const struct study_run *run)
{
    int count = 0;
    size_t n_intervals;
    const struct wait_intervals_row *intervals = result_wait_intervals(&run->result, &n_intervals);
    for (const struct wait_intervals_row *row = intervals; row < intervals + n_intervals; row++) {
        struct interval_row *sum = find_interval_row(rows, &count, row->category, row->operation);
        if (row->interval >= 1 && row->interval <= N_WAIT_INTERVALS) /* a store may say anything */
            sum->interval_s[row->interval - 1] += units_seconds(row->time_ps);
        sum->total_s += units_seconds(row->time_ps);
    }
    return count;
}

static void add_intervals(struct document *document, const struct study_run *run)
{
    static const char *const numbers[N_WAIT_INTERVALS] = {"1", "2", "3",  "4",  "5",  "6", "7",
                                                          "8", "9", "10", "11", "12", "13"};
    struct interval_row rows[MAX_INTERVAL_ROWS];
    int count = sum_intervals(rows, run);
    if (count == 0)
        return;
    struct table *table = document_table(document, "wait_intervals",
                                         "Waits by operation, and the intervals 1 to 13 that they consist of "
                                         "(Pereira98, figures 1-3)",
                                         FOR_READERS);
    table->is_part = true;
    table_column(table, (struct column){.id = "category", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "operation", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "total", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    for (int i = 0; i < N_WAIT_INTERVALS; i++)
        table_column(table, (struct column){.id = numbers[i], .unit = UNIT_SHARE, .flags = i == 0 ? COLUMN_BEGINS : 0});
    for (int r = 0; r < count; r++) {
        table_text(table, category_names[rows[r].category]);
        table_text(table, operation_names[rows[r].operation]);
        table_real(table, rows[r].total_s);
        for (int i = 0; i < N_WAIT_INTERVALS; i++)
            add_share(table, rows[r].interval_s[i], rows[r].total_s);
    }
}

/* --- which runs in detail --- */

static bool waited(const struct study_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, TABLE_WAITS);
    return waits != NULL && waits->n_rows > 0;
}

static void add_details(struct document *document, const struct study *study, const struct study_run *run,
                        const char *what)
{
    struct builder title = {0};
    builder_add(&title, "Shared memory in detail, ");
    study_name_run(&title, study, run);
    builder_add(&title, "%s", what);
    document_heading(document, builder_take(&title));
    add_profiles(document, study, run);
    add_waits(document, run);
    if (study->verbose)
        add_intervals(document, run);
    section_wait_causes(document, run, study->verbose);
}

void section_shared_memory(struct document *document, const struct study *study)
{
    const struct study_run *fastest = NULL, *slowest = NULL;
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        if (!waited(run))
            continue;
        if (study->verbose)
            add_details(document, study, run, "");
        fastest = fastest == NULL || run_time(run) < run_time(fastest) ? run : fastest;
        slowest = slowest == NULL || run_time(run) > run_time(slowest) ? run : slowest;
    }
    if (study->verbose || fastest == NULL)
        return;
    add_details(document, study, fastest, fastest != slowest ? " (the fastest run that waits)" : "");
    if (fastest != slowest) {
        document->in_details = true;
        add_details(document, study, slowest, " (the slowest run that waits)");
        document->in_details = false;
    }
}
