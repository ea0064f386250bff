/* Of programs that share memory: the shares of the categories, profiles, and what waits consist of. */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

/* What readers call the categories. */
static const char *const category_labels[N_CATEGORIES] = {
    [CATEGORY_COMP] = "program",
    [CATEGORY_EXTRA] = "coherence",
    [CATEGORY_WAIT] = "waiting",
    [CATEGORY_PRSTE] = "serving others",
    [CATEGORY_CPCOMP] = "controller: working",
    [CATEGORY_CPWAIT] = "held up",
    [CATEGORY_CPIDLE] = "idle",
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
static void add_categories(struct document *document, const struct study *study)
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
    const union result_cell *keys[MAX_KEYS];
    double time_s[MAX_KEYS][N_CATEGORIES];
    int count;
};

static bool same_key(const struct result_table *table, size_t column, const union result_cell *a,
                     const union result_cell *b)
{
    return table->columns[column].type == MEASURE_TEXT ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static int find_key(struct pivot *pivot, const struct result_table *table, size_t row, size_t column)
{
    const union result_cell *key = result_cell(table, row, column);
    int k = 0;
    while (k < pivot->count && !same_key(table, column, pivot->keys[k], key))
        k++;
    if (k == pivot->count && k < MAX_KEYS)
        pivot->keys[pivot->count++] = key;
    return k;
}

static void fill_pivot(struct pivot *pivot, const struct result_table *profile, size_t column)
{
    size_t category = result_column(profile, "category"), time = result_column(profile, "time_s");
    for (size_t row = 0; row < profile->n_rows; row++) {
        int k = find_key(pivot, profile, row, column);
        if (k < MAX_KEYS)
            pivot->time_s[k][result_cell_category(profile, row, category)] += result_cell_value(profile, row, time);
    }
}

/* "." of no time, so that the others are seen. */
static void add_share(struct table *table, double time_s, double whole_s)
{
    table_cell(table, cell_shown(cell_of_real(whole_s > 0 ? time_s / whole_s : 0), time_s > 0 ? NULL : "."));
}

/* Shares of `whole_s`, the time of all main processors, which is that of all controllers, too. */
static void add_profile(struct document *document, const struct study *study, const struct study_run *run,
                        const char *dimension, const char *title, double whole_s)
{
    const struct result_table *profile = result_find_table(&run->result, "profile");
    struct pivot *pivot = xcalloc(1, sizeof *pivot);
    size_t column = result_column(profile, dimension);
    int last = last_category(study);
    fill_pivot(pivot, profile, column);
    struct table *table = document_table(document, "profile", title, FOR_READERS);
    table->is_part = true;
    table->chart = CHART_STACKED_BAR;
    table_column(table, (struct column){.id = dimension, .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "all", .unit = UNIT_SHARE});
    add_category_columns(table, last);
    for (int k = 0; k < pivot->count; k++) {
        double all = 0;
        for (int c = CATEGORY_COMP; c <= CATEGORY_PRSTE; c++)
            all += pivot->time_s[k][c];
        if (profile->columns[column].type == MEASURE_TEXT)
            table_text(table, pivot->keys[k]->text);
        else
            table_integer(table, (int64_t)pivot->keys[k]->number);
        add_share(table, all, whole_s);
        for (int c = CATEGORY_COMP; c <= last; c++)
            add_share(table, pivot->time_s[k][c], whole_s);
    }
    free(pivot);
}

static void add_profiles(struct document *document, const struct study *study, const struct study_run *run)
{
    double whole_s = run_time(run) * run->ranks;
    add_profile(document, study, run, "scope", "Profile by scope (shares of ranks x time; end: the program is over)",
                whole_s);
    add_profile(document, study, run, "operation",
                "Profile by operation of the protocol (none: the program itself, and its end)", whole_s);
    if (study->verbose)
        add_profile(document, study, run, "node", "Profile by node (shares of the time)", run_time(run));
}

/* --- waits --- */

static const char *const parts[] = {"CPLWait", "CPLComp", "CPCComm", "CPRWait",
                                    "CPRComp", "PPRWait", "PPRComp", "PPLWait"};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

/* What readers call them: the controller, messages, the main processor; one's own, and those of who is asked. */
static const char *const part_labels[N_PARTS] = {
    "controller's queue",   "controller's work",    "messages",     "its controller's queue", "its controller's work",
    "its processor's wait", "its processor's work", "own processor"};

/* A category that shows in some row. */
static bool has_part(const struct result_table *waits, int part)
{
    for (size_t row = 0; row < waits->n_rows; row++)
        if (named_number(waits, row, parts[part]) >= 0.0005)
            return true;
    return false;
}

static void add_wait(struct table *table, const struct result_table *waits, size_t row)
{
    bool is_controller = result_cell_category(waits, row, result_column(waits, "category")) == CATEGORY_CPWAIT;
    table_text(table, is_controller ? "(controllers)" : named_text(waits, row, "scope"));
    table_text(table, named_text(waits, row, "operation"));
    table_real(table, named_number(waits, row, "count"));
    table_real(table, named_number(waits, row, "total_s"));
    table_real(table, named_number(waits, row, "mean_s"));
    for (int p = 0; p < N_PARTS; p++)
        if (has_part(waits, p))
            add_share(table, named_number(waits, row, parts[p]), 1);
}

static void add_waits(struct document *document, const struct study_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, "waits");
    if (waits->n_rows == 0)
        return;
    struct table *table = document_table(
        document, "waits", "Waits, and what they consist of (its: of the node that is asked)", FOR_READERS);
    table->is_part = true;
    table->chart = CHART_STACKED_BAR;
    table_column(table, (struct column){.id = "scope", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "operation", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "count", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "total", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    table_column(table, (struct column){.id = "mean", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT});
    bool begun = false;
    for (int p = 0; p < N_PARTS; p++)
        if (has_part(waits, p)) {
            table_column(table, (struct column){.id = parts[p],
                                                .head = part_labels[p],
                                                .unit = UNIT_SHARE,
                                                .flags = begun ? 0 : COLUMN_BEGINS});
            begun = true;
        }
    for (size_t row = 0; row < waits->n_rows; row++)
        add_wait(table, waits, row);
}

/* --- the 13 intervals, by operation --- */

/* The waits of main processors for one operation, in all scopes, or those of controllers. */
struct interval_row {
    const char *category, *operation;
    double total_s, interval_s[N_WAIT_INTERVALS];
};
enum { MAX_INTERVAL_ROWS = 2 * N_OPERATIONS };

static struct interval_row *find_interval_row(struct interval_row *rows, int *count, const char *category,
                                              const char *operation)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(rows[i].category, category) == 0 && strcmp(rows[i].operation, operation) == 0)
            return &rows[i];
    rows[*count] = (struct interval_row){.category = category, .operation = operation};
    return *count < MAX_INTERVAL_ROWS - 1 ? &rows[(*count)++] : &rows[*count];
}

static int sum_intervals(struct interval_row *rows, const struct result_table *intervals)
{
    int count = 0;
    for (size_t row = 0; row < intervals->n_rows; row++) {
        struct interval_row *sum = find_interval_row(rows, &count, named_text(intervals, row, "category"),
                                                     named_text(intervals, row, "operation"));
        int number = (int)named_number(intervals, row, "interval");
        double time_s = named_number(intervals, row, "time_s");
        if (number >= 1 && number <= N_WAIT_INTERVALS) /* a store may say anything */
            sum->interval_s[number - 1] += time_s;
        sum->total_s += time_s;
    }
    return count;
}

static void add_intervals(struct document *document, const struct study_run *run)
{
    static const char *const numbers[N_WAIT_INTERVALS] = {"1", "2", "3",  "4",  "5",  "6", "7",
                                                          "8", "9", "10", "11", "12", "13"};
    const struct result_table *intervals = result_find_table(&run->result, "wait_intervals");
    struct interval_row rows[MAX_INTERVAL_ROWS];
    int count = intervals == NULL ? 0 : sum_intervals(rows, intervals);
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
        table_text(table, rows[r].category);
        table_text(table, rows[r].operation);
        table_real(table, rows[r].total_s);
        for (int i = 0; i < N_WAIT_INTERVALS; i++)
            add_share(table, rows[r].interval_s[i], rows[r].total_s);
    }
}

/* --- which runs in detail --- */

static bool waited(const struct study_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, "waits");
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

void section_shared_memory(struct document *document, const struct study *study, const struct study *shown)
{
    const struct study_run *fastest = NULL, *slowest = NULL;
    if (!study_has(study, M_CATEGORY_COMP))
        return;
    add_categories(document, shown);
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
