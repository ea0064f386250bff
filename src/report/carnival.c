/* Of programs that share memory: a line a run with the shares of the categories; then in detail, for the fastest and
 * the slowest run that waited (all if verbose), profiles, waits and their causes. */
#include "report/carnival.h"

#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <string.h>

/* --- all runs --- */

static bool has_controllers(const struct report *report)
{
    return text_has(report, "category_s", category_names[CATEGORY_CPCOMP]);
}

/* Each processor's categories add up to 100 %. */
static void write_categories(FILE *stream, const struct report *report)
{
    struct table *table = table_new();
    int last = has_controllers(report) ? CATEGORY_CPIDLE : CATEGORY_PRSTE;
    text_head_run(table, report);
    for (int c = CATEGORY_COMP; c <= last; c++)
        table_head(table, "%s%s", c == CATEGORY_CPCOMP ? "| " : "", category_names[c]);
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int c = CATEGORY_COMP; c <= last; c++)
            text_cell_percent(table, text_value(run, "category_s", category_names[c]) / (text_time(run) * run->ranks));
    }
    fputs("\nShared memory: what the main processors did", stream);
    fputs(last == CATEGORY_CPIDLE ? " | and the protocol controllers\n" : "\n", stream);
    table_print(table, stream);
    fputs(
        "  Comp: the program; Extra: coherence, for oneself; Wait: for answers, and at the end; Prste: serving others",
        stream);
    fputs(last == CATEGORY_CPIDLE ? ";\n  CPComp: commands; CPWait: for the main processor; CPIdle: nothing to do.\n"
                                  : ".\n",
          stream);
}

/* --- profiles: a dimension against the categories --- */

enum { MAX_KEYS = 256 }; /* scopes, operations; of nodes the first */

struct pivot {
    char keys[MAX_KEYS][48];
    double time_s[MAX_KEYS][N_CATEGORIES];
    int count;
};

static int find_category(const char *name)
{
    for (int c = 0; c < N_CATEGORIES; c++)
        if (strcmp(category_names[c], name) == 0)
            return c;
    return CATEGORY_NONE;
}

static int find_key(struct pivot *pivot, const struct result_table *table, size_t row, size_t column)
{
    char key[sizeof pivot->keys[0]];
    if (table->columns[column].type == MEASURE_TEXT)
        snprintf(key, sizeof key, "%s", result_cell(table, row, column)->text);
    else
        snprintf(key, sizeof key, "%.0f", result_cell_value(table, row, column));
    int k = 0;
    while (k < pivot->count && strcmp(pivot->keys[k], key) != 0)
        k++;
    if (k == pivot->count && k < MAX_KEYS) {
        memcpy(pivot->keys[k], key, sizeof key);
        pivot->count++;
    }
    return k;
}

static void fill_pivot(struct pivot *pivot, const struct result_table *profile, const char *dimension)
{
    size_t column = result_column(profile, dimension), category = result_column(profile, "category");
    size_t time = result_column(profile, "time_s");
    memset(pivot, 0, sizeof *pivot);
    for (size_t row = 0; row < profile->n_rows; row++) {
        int k = find_key(pivot, profile, row, column);
        if (k < MAX_KEYS)
            pivot->time_s[k][find_category(result_cell(profile, row, category)->text)] +=
                result_cell_value(profile, row, time);
    }
}

static void cell_share(struct table *table, double time_s, double whole_s)
{
    if (time_s > 0)
        text_cell_percent(table, time_s / whole_s);
    else
        table_cell(table, ".");
}

/* Shares of `whole_s`, the time of all main processors, which is that of all controllers, too. */
static void write_pivot(FILE *stream, const struct report_run *run, const char *dimension, double whole_s)
{
    static struct pivot pivot;
    fill_pivot(&pivot, result_find_table(&run->result, "profile"), dimension);
    int last = result_find(&run->result, "category_s", category_names[CATEGORY_CPCOMP]) != NULL ? CATEGORY_CPIDLE
                                                                                                : CATEGORY_PRSTE;
    struct table *table = table_new();
    table_head(table, "%s", dimension);
    table_head(table, "all");
    for (int c = CATEGORY_COMP; c <= last; c++)
        table_head(table, "%s%s", c == CATEGORY_CPCOMP ? "| " : "", category_names[c]);
    for (int k = 0; k < pivot.count; k++) {
        double all = 0;
        for (int c = CATEGORY_COMP; c <= CATEGORY_PRSTE; c++)
            all += pivot.time_s[k][c];
        table_cell(table, "%s", pivot.keys[k]);
        cell_share(table, all, whole_s);
        for (int c = CATEGORY_COMP; c <= last; c++)
            cell_share(table, pivot.time_s[k][c], whole_s);
    }
    table_print(table, stream);
}

static void write_profile(FILE *stream, const struct report_run *run, bool verbose)
{
    double whole_s = text_time(run) * run->ranks;
    fputs("  Profile by scope (shares of ranks x time; end: the program is over)\n", stream);
    write_pivot(stream, run, "scope", whole_s);
    fputs("  Profile by operation of the protocol (none: the program itself, and its end)\n", stream);
    write_pivot(stream, run, "operation", whole_s);
    if (!verbose)
        return;
    fputs("  Profile by node (shares of the time)\n", stream);
    write_pivot(stream, run, "node", text_time(run));
}

/* --- waits --- */

static const char *const parts[] = {"CPLWait", "CPLComp", "CPCComm", "CPRWait",
                                    "CPRComp", "PPRWait", "PPRComp", "PPLWait"};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

static int decimals(double value)
{
    return value >= 100 ? 0 : value >= 10 ? 1 : 2;
}

/* A category that shows in some row. */
static bool has_part(const struct result_table *waits, int part)
{
    for (size_t row = 0; row < waits->n_rows; row++)
        if (result_cell_value(waits, row, result_column(waits, parts[part])) >= 0.0005)
            return true;
    return false;
}

/* Without a sign, which the table has no room for. */
static void cell_percent(struct table *table, double share)
{
    if (share > 0)
        table_cell(table, "%.1f", 100 * share);
    else
        table_cell(table, ".");
}

static void write_wait(struct table *table, const struct result_table *waits, size_t row)
{
    double total_s = result_cell_value(waits, row, result_column(waits, "total_s"));
    double mean_s = result_cell_value(waits, row, result_column(waits, "mean_s"));
    const char *scope = result_cell(waits, row, result_column(waits, "scope"))->text;
    const char *category = result_cell(waits, row, result_column(waits, "category"))->text;
    bool is_controller = strcmp(category, category_names[CATEGORY_CPWAIT]) == 0;
    table_cell(table, "%s", is_controller ? "(controllers)" : scope);
    table_cell(table, "%s", result_cell(waits, row, result_column(waits, "operation"))->text);
    table_cell(table, "%.0f", result_cell_value(waits, row, result_column(waits, "count")));
    table_cell(table, "%.*f", decimals(1e3 * total_s), 1e3 * total_s);
    table_cell(table, "%.*f |", decimals(1e6 * mean_s), 1e6 * mean_s);
    for (int p = 0; p < N_PARTS; p++)
        if (has_part(waits, p))
            cell_percent(table, result_cell_value(waits, row, result_column(waits, parts[p])));
}

static void write_waits(FILE *stream, const struct report_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, "waits");
    if (waits->n_rows == 0)
        return;
    struct table *table = table_new();
    static const char *const heads[] = {"scope", "operation", "count", "total", "mean |"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_head(table, "%s", heads[i]);
    for (int p = 0; p < N_PARTS; p++)
        if (has_part(waits, p))
            table_head(table, "%s", parts[p]);
    for (size_t row = 0; row < waits->n_rows; row++)
        write_wait(table, waits, row);
    fputs("  Waits, and what they consist of (total in ms, mean in us, shares in %; empty columns are left out)\n",
          stream);
    table_print(table, stream);
    fputs("  Queue and work of the own controller CPL, of the remote one CPR; messages CPCComm; PPRWait: until the\n"
          "  remote main processor takes the interrupt, the lock is let go, the last one comes; PPRComp: its work;\n"
          "  PPLWait: until the own one notices.\n",
          stream);
}

/* --- which runs in detail --- */

static bool waited(const struct report_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, "waits");
    return waits != NULL && waits->n_rows > 0;
}

static void write_details(FILE *stream, const struct report *report, const struct report_run *run, const char *what)
{
    fprintf(stream, "\nShared memory in detail%s, ", what);
    text_name_run(stream, report, run);
    fputc('\n', stream);
    write_profile(stream, run, report->verbose);
    write_waits(stream, run);
    causes_write(stream, run, report->verbose);
}

void carnival_write(FILE *stream, const struct report *report, const struct report *shown)
{
    const struct report_run *fastest = NULL, *slowest = NULL;
    if (!text_has(report, "category_s", category_names[CATEGORY_COMP]))
        return;
    write_categories(stream, shown);
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        if (!waited(run))
            continue;
        if (report->verbose)
            write_details(stream, report, run, "");
        fastest = fastest == NULL || text_time(run) < text_time(fastest) ? run : fastest;
        slowest = slowest == NULL || text_time(run) > text_time(slowest) ? run : slowest;
    }
    if (report->verbose || fastest == NULL)
        return;
    write_details(stream, report, fastest, fastest != slowest ? ", the fastest run that waits" : "");
    if (fastest != slowest)
        write_details(stream, report, slowest, ", the slowest");
}
