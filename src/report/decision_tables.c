/* The rankings of a decision as tables. */
#include "report/components.h"
#include "report/decision.h"
#include "report/table.h"
#include "report/text_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- what the time consists of --- */

enum { MOST_FOUND = 18, MOST_PARTS = 4, PART_SIZE = 48 };
static const char phase_prefix[] = "communication.";

/* Parts of the critical path: computation, the phases of the communication, input and output. Phases whose names differ
 * in a last letter after '_' only are one: broadcast_a and broadcast_b are broadcast. */
struct part {
    char name[PART_SIZE];
    double largest; /* share of a run's time */
    bool is_other;  /* shown as one with others */
};

struct parts {
    int count, n_others;
    struct part items[MOST_FOUND];
};

/* The part that a measure belongs to; false where it is none. */
static bool part_of(char name[PART_SIZE], const struct measure *measure)
{
    if (strcmp(measure->group, "critical_path_s") != 0)
        return false;
    if (strcmp(measure->name, "processing") == 0 || strcmp(measure->name, "memory") == 0) {
        strcpy(name, "computation");
        return true;
    }
    if (strcmp(measure->name, "io") == 0) {
        strcpy(name, "I/O");
        return true;
    }
    if (strncmp(measure->name, phase_prefix, sizeof phase_prefix - 1) != 0)
        return false;
    snprintf(name, PART_SIZE, "%s", measure->name + sizeof phase_prefix - 1);
    size_t length = strlen(name);
    if (length > 2 && name[length - 2] == '_')
        name[length - 2] = '\0';
    return true;
}

static double part_time(const struct report_run *run, const char *part)
{
    char name[PART_SIZE];
    double sum = 0;
    for (size_t m = 0; m < run->result.n_measures; m++)
        if (part_of(name, &run->result.measures[m]) && strcmp(name, part) == 0)
            sum += measure_value(&run->result.measures[m]);
    return sum;
}

static void add_parts(struct parts *parts, const struct report_run *run)
{
    char name[PART_SIZE];
    for (size_t m = 0; m < run->result.n_measures; m++) {
        if (!part_of(name, &run->result.measures[m]))
            continue;
        int p = 0;
        while (p < parts->count && strcmp(parts->items[p].name, name) != 0)
            p++;
        if (p == parts->count && p < MOST_FOUND)
            memcpy(parts->items[parts->count++].name, name, sizeof name);
    }
    for (int p = 0; p < parts->count; p++) {
        double share = part_time(run, parts->items[p].name) / text_time(run);
        parts->items[p].largest = fmax(parts->items[p].largest, share); /* fmax skips NAN */
    }
}

/* Those of all runs; what is written as 0 everywhere is none, and of many the smallest are shown as one. */
static struct parts find_parts(const struct report *report)
{
    struct parts parts = {0};
    int kept = 0;
    for (int i = 0; i < report->n_runs; i++)
        add_parts(&parts, &report->runs[i]);
    for (int p = 0; p < parts.count; p++)
        if (parts.items[p].largest >= 0.0005)
            parts.items[kept++] = parts.items[p];
    parts.count = kept;
    while (parts.count - parts.n_others + (parts.n_others > 0) > MOST_PARTS) {
        struct part *least = NULL;
        for (int p = 0; p < parts.count; p++)
            if (!parts.items[p].is_other && (least == NULL || parts.items[p].largest <= least->largest))
                least = &parts.items[p];
        least->is_other = true;
        parts.n_others++;
    }
    return parts;
}

/* --- the columns --- */

/* Which there are; those in which there is nothing, or the same everywhere, are not. */
struct columns {
    struct parts parts;
    bool moved, processors, memory, forecast, share, joint;
};

static bool vary(const struct report *report, const char *name)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < report->n_runs; i++) {
        least = fmin(least, text_value(&report->runs[i], "", name)); /* skips NAN */
        most = fmax(most, text_value(&report->runs[i], "", name));
    }
    return most > least;
}

static bool any_above_0(const struct report *report, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], "", name) > 0)
            return true;
    return false;
}

static struct columns find_columns(const struct report *report, bool joint)
{
    struct columns columns = {
        .parts = find_parts(report),
        .moved = any_above_0(report, "bytes"),
        .processors = vary(report, "processors_used"),
        .memory = !joint && any_above_0(report, "memory_bytes"),
        .forecast = text_has(report, "", "forecast_s"),
        .joint = joint,
    };
    if (joint || columns.parts.count == 1) /* one part is all of it, and has a column */
        columns.parts = (struct parts){.count = 0};
    columns.share = columns.parts.count == 0;
    return columns;
}

/* Runs of one table: in a joint one that of all rankings, each time has its own unit. */
struct scales {
    struct text_scale time;
    const char *bytes_unit;
    double bytes;
};

static void write_heads(struct table *table, const struct report *report, const struct columns *has,
                        const struct scales *scales)
{
    const struct report_run *run = &report->runs[0];
    const char *unit = scales->time.unit;
    for (int pass = has->joint ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < run->n_parameters; i++)
            if (run->parameters[i].is_candidate == (pass == 1) && report_varies(report, i))
                table_head(table, "%s", run->parameters[i].name);
    table_keys(table);
    if (has->joint)
        table_head(table, "time");
    else
        table_head(table, "time [%s]", unit);
    table_head(table, "of best");
    const char *before = "=";
    for (int p = 0; p < has->parts.count; p++)
        if (!has->parts.items[p].is_other) {
            table_head(table, "%s %s", before, has->parts.items[p].name);
            before = "+";
        }
    if (has->parts.n_others > 0)
        table_head(table, "+ others");
    table_head(table, "mostly");
    if (has->share)
        table_head(table, "share");
    if (has->moved && has->joint)
        table_head(table, "moved");
    else if (has->moved)
        table_head(table, "moved [%s]", scales->bytes_unit);
    if (has->processors)
        table_head(table, "processors");
    if (has->memory)
        table_head(table, "memory [MB]");
    if (has->forecast && has->joint)
        table_head(table, "forecast");
    else if (has->forecast)
        table_head(table, "forecast [%s]", unit);
}

static void cell_seconds(struct table *table, const struct columns *has, struct text_scale scale, double seconds)
{
    char text[32];
    if (has->joint && !isnan(seconds))
        table_cell(table, "%s", text_format_time(seconds, text, sizeof text));
    else
        text_cell_time(table, scale, seconds);
}

static void cells_of_parts(struct table *table, const struct parts *parts, struct text_scale scale,
                           const struct report_run *run)
{
    double others = text_time(run);
    for (int p = 0; p < parts->count; p++) {
        if (parts->items[p].is_other)
            continue;
        double time = part_time(run, parts->items[p].name);
        others -= time;
        text_cell_time(table, scale, time);
    }
    if (parts->n_others > 0)
        text_cell_time(table, scale, fmax(others, 0));
}

/* The unit in which bytes have digits before the point. */
static const char *scale_bytes(double bytes, double *factor)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"B", 1}, {"kB", 1e-3}, {"MB", 1e-6}};
    int u = bytes >= 1e6 ? 2 : bytes >= 1e3 ? 1 : 0;
    *factor = units[u].factor;
    return units[u].name;
}

static void cell_moved(struct table *table, const struct columns *has, const struct scales *scales, double bytes)
{
    double factor;
    if (!has->joint) {
        text_cell_digits(table, bytes * scales->bytes);
        return;
    }
    const char *unit = scale_bytes(bytes, &factor);
    double shown = bytes * factor;
    int decimals = unit[0] == 'B' || shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
    table_cell(table, "%.*f %s", decimals, shown, unit);
}

/* "broadcast", "fpu": without the group where the name says enough. */
static const char *short_name(const char *component)
{
    static const char *const groups[] = {phase_prefix, "processing."};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strncmp(component, groups[i], strlen(groups[i])) == 0)
            return component + strlen(groups[i]);
    return component;
}

/* Three digits for every run, however long another one takes. */
static void write_row(struct table *table, const struct report *report, const struct columns *has,
                      const struct scales *scales, const struct report_run *run, const struct report_run *best)
{
    struct text_scale scale = text_scale_least(text_time(run), scales->time);
    double share;
    const char *dominant = components_largest(run, &share);
    for (int pass = has->joint ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < run->n_parameters; i++)
            if (run->parameters[i].is_candidate == (pass == 1) && report_varies(report, i))
                table_cell(table, "%s", run->parameters[i].text);
    cell_seconds(table, has, scale, text_time(run));
    text_cell_factor(table, text_time(best) > 0 ? text_time(run) / text_time(best) : (double)NAN);
    cells_of_parts(table, &has->parts, scale, run);
    table_cell(table, "%s", dominant != NULL ? short_name(dominant) : "-");
    if (has->share)
        text_cell_percent(table, share);
    if (has->moved)
        cell_moved(table, has, scales, text_value(run, "", "bytes"));
    if (has->processors)
        table_cell(table, "%.0f", text_value(run, "", "processors_used"));
    if (has->memory)
        table_cell(table, "%.1f", text_value(run, "", "memory_bytes") / 1e6);
    if (has->forecast)
        cell_seconds(table, has, scale, text_value(run, "", "forecast_s"));
}

/* --- the tables --- */

enum { LONG_RANKING = 20, N_BEST = 10, N_WORST = 3, N_JOINT = 3, MANY_RANKINGS = 30, MOST_RANKINGS = 60 };

static struct scales find_scales(const struct decision_ranking *ranking)
{
    double longest = 0, bytes = 0;
    struct scales scales;
    for (int i = 0; i < ranking->n_ranked; i++) {
        longest = fmax(longest, text_time(ranking->runs[i]));
        bytes = fmax(bytes, text_value(ranking->runs[i], "", "bytes"));
    }
    scales.time = text_scale_for(longest);
    scales.bytes_unit = scale_bytes(bytes, &scales.bytes);
    return scales;
}

static void write_discarded(FILE *stream, const struct report *report, const struct decision_ranking *ranking)
{
    enum { MOST = 10 };
    for (int i = ranking->n_ranked; i < ranking->n_runs && i < ranking->n_ranked + MOST; i++) {
        char *name = decision_name_candidate(report, ranking->runs[i]);
        fprintf(stream, "  Discarded: %s; %s.\n", name, ranking->runs[i]->discarded);
        free(name);
    }
    if (ranking->n_runs > ranking->n_ranked + MOST)
        fprintf(stream, "  ... %d more in -f csv.\n", ranking->n_runs - ranking->n_ranked - MOST);
}

/* A ranking, or the ends of a long one. */
static void write_ranking(FILE *stream, const struct report *report, const struct columns *has,
                          const struct decision_ranking *ranking)
{
    int n_best = ranking->n_ranked, n_worst = 0;
    char *title = decision_append_group(xstrdup("Candidates"), report, ranking->runs[0]);
    title = text_append(title, ", by %s", decision_title(report->decision));
    if (ranking->n_ranked > LONG_RANKING) {
        n_best = N_BEST;
        n_worst = N_WORST;
        title = text_append(title, ": the best %d and the worst %d of %d; ... %d more in -f csv.", n_best, n_worst,
                            ranking->n_ranked, ranking->n_ranked - n_best - n_worst);
    }
    fputc('\n', stream);
    text_write_line(stream, title);
    if (ranking->n_ranked > 0) {
        const struct scales scales = find_scales(ranking);
        struct table *table = table_new();
        write_heads(table, report, has, &scales);
        for (int i = 0; i < ranking->n_ranked; i++)
            if (i < n_best || i >= ranking->n_ranked - n_worst)
                write_row(table, report, has, &scales, ranking->runs[i], ranking->runs[0]);
        table_print(table, stream);
    }
    write_discarded(stream, report, ranking);
}

/* Of many rankings the best of each, in one table. */
static void write_joint(FILE *stream, const struct report *report, const struct columns *has,
                        const struct decision *decision)
{
    const struct scales scales = {.time = text_scale_for(1)};
    struct table *table = table_new();
    const int n_best = decision->n_rankings > MANY_RANKINGS ? 1 : N_JOINT;
    int n_shown = 0, n_discarded = 0;
    write_heads(table, report, has, &scales);
    for (int r = 0; r < decision->n_rankings; r++) {
        const struct decision_ranking *ranking = &decision->rankings[r];
        for (int i = 0; r < MOST_RANKINGS && i < ranking->n_ranked && i < n_best; i++, n_shown++)
            write_row(table, report, has, &scales, ranking->runs[i], ranking->runs[0]);
        n_discarded += ranking->n_runs - ranking->n_ranked;
    }
    fprintf(stream, "\nCandidates, by %s: the best %d of each ranking; ... %d more in -f csv.\n",
            decision_title(report->decision), n_best, report->n_runs - n_shown);
    table_print(table, stream);
    if (n_discarded > 0)
        fprintf(stream, "  %d are discarded; -f csv has the reasons.\n", n_discarded);
}

void decision_write_tables(FILE *stream, const struct report *report, const struct decision *decision)
{
    const struct columns columns = find_columns(report, decision->n_rankings > DECISION_FEW);
    if (columns.joint)
        write_joint(stream, report, &columns, decision);
    for (int i = 0; !columns.joint && i < decision->n_rankings; i++)
        write_ranking(stream, report, &columns, &decision->rankings[i]);
}
