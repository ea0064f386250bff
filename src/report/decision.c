#include "report/decision.h"

#include "base/memory.h"
#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- the order --- */

/* A run with what it is sorted by. */
struct entry {
    struct report_run *run;
    double value, time; /* the measure of the decision, and the time */
    int index;
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* By the parameters that are no candidates: equal for the runs of one ranking. */
static int compare_groups(const struct report_run *a, const struct report_run *b)
{
    for (int i = 0; i < a->n_parameters; i++) {
        int64_t left = a->parameters[i].number, right = b->parameters[i].number;
        if (!a->parameters[i].is_candidate && left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

static bool is_discarded(const struct report_run *run)
{
    return run->discarded[0] != '\0';
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_groups(a->run, b->run);
    if (order == 0)
        order = is_discarded(a->run) - is_discarded(b->run);
    if (order == 0 && !is_discarded(a->run))
        order = compare(a->value, b->value);
    if (order == 0 && !is_discarded(a->run))
        order = compare(a->time, b->time);
    return order != 0 ? order : a->index - b->index;
}

static double value_of(const struct report_run *run, const char *measure)
{
    return strcmp(measure, "processors_used") == 0 ? text_computing(run) : text_value(run, "", measure);
}

/* All runs, ranking by ranking, the best first and the discarded last; to be freed. */
static struct entry *sort_runs(const struct report *report)
{
    struct entry *entries = xmalloc((size_t)report->n_runs * sizeof *entries);
    for (int i = 0; i < report->n_runs; i++) {
        struct report_run *run = &report->runs[i];
        entries[i] = (struct entry){run, value_of(run, report->decision), text_time(run), i};
    }
    qsort(entries, (size_t)report->n_runs, sizeof *entries, compare_entries);
    return entries;
}

/* Where the ranking that begins at `first` ends, and where its discarded runs begin. */
static int end_of_group(const struct report *report, const struct entry *entries, int first, int *first_discarded)
{
    int end = first;
    *first_discarded = -1;
    for (; end < report->n_runs && compare_groups(entries[first].run, entries[end].run) == 0; end++)
        if (*first_discarded < 0 && is_discarded(entries[end].run))
            *first_discarded = end;
    if (*first_discarded < 0)
        *first_discarded = end;
    return end;
}

void decision_rank(struct report *report)
{
    for (int i = 0; i < report->n_runs; i++)
        if (!is_discarded(&report->runs[i]))
            result_add_count(&report->runs[i].result, "", "processors_used", text_computing(&report->runs[i]));
    struct entry *entries = sort_runs(report);
    for (int first = 0, end, ranked; first < report->n_runs; first = end) {
        end = end_of_group(report, entries, first, &ranked);
        for (int i = first; i < ranked; i++)
            result_add_count(&entries[i].run->result, "", "place", i - first + 1);
    }
    free(entries);
}

struct report_run *decision_find_last_best(const struct report *report)
{
    struct entry *entries = sort_runs(report);
    struct report_run *best = NULL;
    for (int first = 0, end, ranked; first < report->n_runs; first = end) {
        end = end_of_group(report, entries, first, &ranked);
        best = ranked > first ? entries[first].run : best;
    }
    free(entries);
    return best;
}

/* --- names --- */

/* The parameters that vary, candidates or the others: "grid 4x3", "size 4096, network fifo". False if none does. */
static bool write_name(FILE *stream, const struct report *report, const struct report_run *run, bool candidate)
{
    bool any = false;
    for (int i = 0; i < run->n_parameters; i++) {
        if (run->parameters[i].is_candidate != candidate || !report_varies(report, i))
            continue;
        fprintf(stream, "%s%s %s", any ? ", " : "", run->parameters[i].name, run->parameters[i].text);
        any = true;
    }
    return any;
}

static void write_candidate(FILE *stream, const struct report *report, const struct report_run *run)
{
    if (!write_name(stream, report, run, true)) /* --set has left one */
        fputs("the only candidate", stream);
}

/* "Best" or "Best for size 4096". */
static void write_title(FILE *stream, const struct report *report, const struct report_run *run, const char *title)
{
    fputs(title, stream);
    for (int i = 0; i < run->n_parameters; i++)
        if (!run->parameters[i].is_candidate && report_varies(report, i)) {
            fputs(" for ", stream);
            write_name(stream, report, run, false);
            return;
        }
}

/* --- the answers --- */

static void write_share(FILE *stream, double value, double best, const char *verb, const char *more, const char *less,
                        const char *times)
{
    double percent = fabs(100 * (value / best - 1));
    if (best > 0 && value >= 2 * best)
        fprintf(stream, "%s %.*f times as %s", verb, value < 10 * best ? 1 : 0, value / best, times);
    else if (best > 0)
        fprintf(stream, "%s %.*f %% %s", verb, percent < 10 ? 1 : 0, percent, value > best ? more : less);
    else
        fprintf(stream, "%s %s", verb, more);
}

/* How a run compares to the best one. */
static void write_time(FILE *stream, double value, double best)
{
    write_share(stream, value, best, "takes", "longer", "less time", "long");
}

static void write_bytes(FILE *stream, double value, double best)
{
    write_share(stream, value, best, "moves", "more data", "less data", "much data");
}

static void write_processors(FILE *stream, double value, double best)
{
    double more = fabs(value - best);
    fprintf(stream, value > best ? "needs %.0f more processor%s" : "leaves %.0f processor%s free", more,
            more > 1 ? "s" : "");
}

static const struct criterion {
    const char *measure, *title;
    void (*write)(FILE *stream, double value, double best);
} criteria[] = {
    {"time_s", "time", write_time},
    {"bytes", "data moved", write_bytes},
    {"processors_used", "processors used", write_processors},
};
enum { N_CRITERIA = sizeof criteria / sizeof criteria[0] };

static const char *title_of(const char *measure)
{
    int c = 0;
    while (c < N_CRITERIA - 1 && strcmp(criteria[c].measure, measure) != 0)
        c++;
    return criteria[c].title;
}

/* The sign of what a run has more than the best one; differences that would be written as 0.0 % are none. */
static int difference(const struct criterion *criterion, const struct report_run *run, const struct report_run *best)
{
    double value = text_value(run, "", criterion->measure), good = text_value(best, "", criterion->measure);
    return fabs(value - good) < 0.0005 * good ? 0 : compare(value, good);
}

/* Write those differences that have the sign, with commas and "and" between. */
static void write_differences(FILE *stream, const struct report_run *run, const struct report_run *best, int sign)
{
    int left = 0, written = 0;
    for (int c = 0; c < N_CRITERIA; c++)
        left += difference(&criteria[c], run, best) == sign;
    for (int c = 0; c < N_CRITERIA; c++) {
        if (difference(&criteria[c], run, best) != sign)
            continue;
        fputs(written == 0 ? "" : written + 1 == left ? " and " : ", ", stream);
        criteria[c].write(stream, text_value(run, "", criteria[c].measure), text_value(best, "", criteria[c].measure));
        written++;
    }
}

static bool differs(const struct report_run *run, const struct report_run *best, int sign)
{
    for (int c = 0; c < N_CRITERIA; c++)
        if (difference(&criteria[c], run, best) == sign)
            return true;
    return false;
}

/* The next candidate that is better than the best one in something else. */
static void write_alternative(FILE *stream, const struct report *report, const struct entry *entries, int count)
{
    const struct report_run *best = entries[0].run;
    int i = 1;
    while (i < count && !differs(entries[i].run, best, -1))
        i++;
    if (i >= count)
        return;
    fputs("; ", stream);
    write_candidate(stream, report, entries[i].run);
    fputc(' ', stream);
    write_differences(stream, entries[i].run, best, 1);
    if (differs(entries[i].run, best, 1))
        fputs(" but ", stream);
    write_differences(stream, entries[i].run, best, -1);
}

/* The best of the candidates from `entries` on, `ranked` of which are not discarded. */
static void write_answer(FILE *stream, const struct report *report, const struct entry *entries, int ranked)
{
    char time[32], *best = xformat("Best by %s", title_of(report->decision));
    write_title(stream, report, entries[0].run, best);
    fputs(": ", stream);
    free(best);
    if (ranked == 0) {
        fputs("none, all candidates are discarded.", stream);
        return;
    }
    write_candidate(stream, report, entries[0].run);
    fprintf(stream, " in %s", text_format_time(entries[0].time, time, sizeof time));
    write_alternative(stream, report, entries, ranked);
    fputs(".", stream);
}

void decision_write_answers(FILE *stream, const struct report *report)
{
    struct entry *entries = sort_runs(report);
    fprintf(stream, "%s\n\n", report->title != NULL ? report->title : report->scenario);
    for (int first = 0, end, ranked; first < report->n_runs; first = end) {
        char *line = NULL;
        size_t size;
        end = end_of_group(report, entries, first, &ranked);
        FILE *memory = open_memstream(&line, &size);
        write_answer(memory, report, &entries[first], ranked - first);
        fclose(memory);
        text_write_line(stream, line);
    }
    free(entries);
}

/* --- the tables --- */

enum { MAX_PHASES = 16, PHASE_SIZE = 48 };

/* The phases of the communication. Those whose names differ in a last letter after '_' only are one: broadcast_a and
 * broadcast_b are broadcast. */
struct phases {
    int count;
    char names[MAX_PHASES][PHASE_SIZE];
};

/* The phase that a measure belongs to; false where it is none. */
static bool phase_of(char name[PHASE_SIZE], const struct measure *measure)
{
    static const char prefix[] = "communication.";
    if (strcmp(measure->group, "critical_path_s") != 0 || strncmp(measure->name, prefix, sizeof prefix - 1) != 0)
        return false;
    snprintf(name, PHASE_SIZE, "%s", measure->name + sizeof prefix - 1);
    size_t length = strlen(name);
    if (length > 2 && name[length - 2] == '_')
        name[length - 2] = '\0';
    return true;
}

static void find_phases(struct phases *phases, const struct report *report)
{
    char name[PHASE_SIZE];
    phases->count = 0;
    for (int i = 0; i < report->n_runs; i++)
        for (size_t m = 0; m < report->runs[i].result.n_measures; m++) {
            if (!phase_of(name, &report->runs[i].result.measures[m]))
                continue;
            int p = 0;
            while (p < phases->count && strcmp(phases->names[p], name) != 0)
                p++;
            if (p == phases->count && p < MAX_PHASES)
                memcpy(phases->names[phases->count++], name, sizeof name);
        }
}

static double phase_time(const struct report_run *run, const char *phase)
{
    char name[PHASE_SIZE];
    double sum = 0;
    for (size_t m = 0; m < run->result.n_measures; m++)
        if (phase_of(name, &run->result.measures[m]) && strcmp(name, phase) == 0)
            sum += measure_value(&run->result.measures[m]);
    return sum;
}

static double path_time(const struct report_run *run, const char *component)
{
    return text_value(run, "critical_path_s", component);
}

static bool has_io(const struct report *report)
{
    for (int i = 0; i < report->n_runs; i++)
        if (path_time(&report->runs[i], "io") > 0)
            return true;
    return false;
}

static void write_heads(struct table *table, const struct report *report, const struct phases *phases, const char *unit)
{
    const struct report_run *run = &report->runs[0];
    for (int i = 0; i < run->n_parameters; i++)
        if (run->parameters[i].is_candidate && report_varies(report, i))
            table_head(table, "%s", run->parameters[i].name);
    table_head(table, "time [%s]", unit);
    table_head(table, "of best");
    table_head(table, "= computation");
    for (int p = 0; p < phases->count; p++)
        table_head(table, "+ %s", phases->names[p]);
    if (has_io(report))
        table_head(table, "+ I/O");
    table_head(table, "moved [MB]");
    table_head(table, "processors");
    if (text_has(report, "", "memory_bytes"))
        table_head(table, "memory [MB]");
    if (text_has(report, "", "forecast_s"))
        table_head(table, "forecast [%s]", unit);
}

static void write_row(struct table *table, const struct report *report, const struct phases *phases,
                      struct text_scale scale, const struct report_run *run, const struct report_run *best)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (run->parameters[i].is_candidate && report_varies(report, i))
            table_cell(table, "%s", run->parameters[i].text);
    text_cell_time(table, scale, text_time(run));
    if (text_time(best) > 0)
        text_cell_factor(table, text_time(run) / text_time(best));
    else
        table_cell(table, "-");
    text_cell_time(table, scale, path_time(run, "processing") + path_time(run, "memory"));
    for (int p = 0; p < phases->count; p++)
        text_cell_time(table, scale, phase_time(run, phases->names[p]));
    if (has_io(report))
        text_cell_time(table, scale, path_time(run, "io"));
    table_cell(table, "%.1f", text_value(run, "", "bytes") / 1e6);
    table_cell(table, "%.0f", text_value(run, "", "processors_used"));
    if (text_has(report, "", "memory_bytes"))
        table_cell(table, "%.1f", text_value(run, "", "memory_bytes") / 1e6);
    if (text_has(report, "", "forecast_s"))
        text_cell_time(table, scale, text_value(run, "", "forecast_s"));
}

static void write_ranking(FILE *stream, const struct report *report, const struct phases *phases,
                          const struct entry *entries, int count)
{
    double longest = 0;
    for (int i = 0; i < count; i++)
        longest = fmax(longest, entries[i].time);
    struct text_scale scale = text_scale_for(longest);
    struct table *table = table_new();
    write_heads(table, report, phases, scale.unit);
    for (int i = 0; i < count; i++)
        write_row(table, report, phases, scale, entries[i].run, entries[0].run);
    table_print(table, stream);
}

void decision_write_tables(FILE *stream, const struct report *report)
{
    struct phases phases;
    struct entry *entries = sort_runs(report);
    find_phases(&phases, report);
    for (int first = 0, end, ranked; first < report->n_runs; first = end) {
        end = end_of_group(report, entries, first, &ranked);
        fputc('\n', stream);
        write_title(stream, report, entries[first].run, "Candidates");
        fprintf(stream, ", by %s\n", title_of(report->decision));
        if (ranked > first)
            write_ranking(stream, report, &phases, &entries[first], ranked - first);
        for (int i = ranked; i < end; i++) {
            fputs("  Discarded: ", stream);
            write_candidate(stream, report, entries[i].run);
            fprintf(stream, "; %s.\n", entries[i].run->discarded);
        }
    }
    free(entries);
}
