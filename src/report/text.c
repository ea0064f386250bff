/* The report for people: the answer first, then where the time went and what the bottleneck is, a line a run. */
#include "report/carnival.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Alternatives (a choice varies) are ranked, the fastest first; a sweep over numbers keeps its order. */
static bool is_ranking(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (!report->runs[0].parameters[i].is_number && report_varies(report, i))
            return true;
    return false;
}

/* --- the sections --- */

static const char *const component_groups[] = {"processing", "memory", "communication", "io"};
static const char *const component_titles[] = {"processing", "memory", "communication", "I/O"};
enum { N_COMPONENT_GROUPS = 4 };

/* The largest of the four groups on the critical path. */
static int dominant_component(const struct report_run *run)
{
    int dominant = 0;
    for (int g = 1; g < N_COMPONENT_GROUPS; g++)
        if (text_value(run, "critical_path_s", component_groups[g]) >
            text_value(run, "critical_path_s", component_groups[dominant]))
            dominant = g;
    return dominant;
}

/* What all runs have in common, in lines of at most 100 characters. */
static void write_parameters(FILE *stream, const struct report *report, const struct report_run *run)
{
    int column = fprintf(stream, "Platform %s, network %s", run->platform, run->network);
    for (int i = 0; i < run->n_parameters; i++) {
        if (text_shows(report, i) || strcmp(run->parameters[i].name, "network") == 0)
            continue;
        char item[96];
        int length = snprintf(item, sizeof item, "%s %s", run->parameters[i].name, run->parameters[i].text);
        if (column + length > 98) {
            fputs(",\n  ", stream);
            column = 2;
        } else {
            fputs(", ", stream);
        }
        column += fprintf(stream, "%s", item) + 2;
    }
    fputs(".\n", stream);
}

static void write_answer(FILE *stream, const struct report *report, const struct report_run *best)
{
    char time[32];
    fprintf(stream, "%s\n\n", report->title != NULL ? report->title : report->scenario);
    fprintf(stream, "%s", report->n_runs > 1 ? "Fastest: " : "");
    text_name_run(stream, report, best);
    fprintf(stream, " in %s", text_format_time(text_time(best), time, sizeof time));
    double speedup = text_value(best, "", "speedup");
    if (!isnan(speedup))
        fprintf(stream, ", speedup %.2f, efficiency %.1f %%", speedup, 100 * text_value(best, "", "efficiency"));
    double share = text_value(best, "critical_path_s", component_groups[dominant_component(best)]) / text_time(best);
    if (share > 0)
        fprintf(stream, "; %.0f %% of it is %s", 100 * share, component_titles[dominant_component(best)]);
    fputs(".\n", stream);
    write_parameters(stream, report, best);
}

static void mean_error(FILE *stream, const struct report *report)
{
    double simulated = 0, predicted = 0;
    int n_simulated = 0, n_predicted = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        double error = text_value(run, "reference", "error"), measured = text_value(run, "reference", "measured_s");
        double prediction = text_value(run, "reference", "predicted_s") / measured - 1;
        simulated += isnan(error) ? 0 : fabs(error);
        n_simulated += !isnan(error);
        predicted += isnan(prediction) ? 0 : fabs(prediction);
        n_predicted += !isnan(prediction);
    }
    if (n_simulated > 0)
        fprintf(stream, "  Mean |error| against %d measured: simulated %.1f %%", n_simulated,
                100 * simulated / n_simulated);
    if (n_simulated > 0 && n_predicted > 0)
        fprintf(stream, ", predicted by the reference's own model %.1f %%", 100 * predicted / n_predicted);
    if (n_simulated > 0)
        fputs(".\n", stream);
}

static void write_times(FILE *stream, const struct report *report)
{
    bool measured = text_has(report, "reference", "measured_s"),
         predicted = text_has(report, "reference", "predicted_s");
    bool ranking = is_ranking(report), speedup = text_has(report, "", "speedup");
    bool forecast = text_has(report, "", "forecast_s");
    struct text_scale scale = text_scale_column(report, "", "time_s", text_scale(report, "", "time_s"));
    struct table *table = table_new();
    text_head_run(table, report);
    table_head(table, "time [%s]", scale.unit);
    if (ranking)
        table_head(table, "of best");
    if (speedup) {
        table_head(table, "speedup");
        table_head(table, "efficiency");
    }
    if (forecast) {
        table_head(table, "forecast [%s]", scale.unit);
        table_head(table, "off it");
    }
    if (ranking)
        table_head(table, "mostly");
    if (measured) {
        table_head(table, "measured [%s]", scale.unit);
        table_head(table, "error");
    }
    if (predicted) {
        table_head(table, "predicted [%s]", scale.unit);
        table_head(table, "error");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        text_cell_time(table, scale, text_time(run));
        if (ranking)
            table_cell(table, "x %.2f", text_time(run) / text_time(&report->runs[0]));
        if (speedup) {
            text_cell_ratio(table, text_value(run, "", "speedup"));
            text_cell_percent(table, text_value(run, "", "efficiency"));
        }
        if (forecast) {
            text_cell_time(table, scale, text_value(run, "", "forecast_s"));
            text_cell_error(table, text_value(run, "", "forecast_error"));
        }
        if (ranking)
            table_cell(table, "%s", component_titles[dominant_component(run)]);
        if (measured) {
            text_cell_time(table, scale, text_value(run, "reference", "measured_s"));
            text_cell_error(table, text_value(run, "reference", "error"));
        }
        if (predicted) {
            double prediction = text_value(run, "reference", "predicted_s");
            text_cell_time(table, scale, prediction);
            text_cell_error(table, prediction / text_value(run, "reference", "measured_s") - 1);
        }
    }
    fprintf(stream, "\nTime\n");
    table_print(table, stream);
    if (measured)
        mean_error(stream, report);
}

static void write_lost_cycles(FILE *stream, const struct report *report)
{
    static const char *const classes[] = {"control", "communication", "idle", "anomaly"};
    struct table *table = table_new();
    text_head_run(table, report);
    for (int s = 0; s < N_LANE_STATES; s++)
        table_head(table, "%s", lane_state_names[s]);
    bool ratios = text_has(report, "overhead_ratio", "idle");
    for (int c = 0; ratios && c < 4; c++)
        table_head(table, "%s%s", c == 0 ? "| Ovh " : "", classes[c]);
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int s = 0; s < N_LANE_STATES; s++)
            text_cell_percent(table, text_value(run, "state_s", lane_state_names[s]) / (text_time(run) * run->ranks));
        for (int c = 0; ratios && c < 4; c++)
            text_cell_ratio(table, text_value(run, "overhead_ratio", classes[c]));
    }
    fprintf(stream, "\nWhere the processors' time went (shares of ranks x time%s)\n",
            ratios ? "; Ovh = lost time / T_seq, speedup = ranks / (1 + sum of Ovh)" : "");
    table_print(table, stream);
}

/* The names of the components below `prefix.` that some run has, in order; at most `max`. */
static int find_components(const struct report *report, const char *prefix, const char **names, int max)
{
    int count = 0;
    size_t length = strlen(prefix);
    for (int i = 0; i < report->n_runs; i++)
        for (size_t m = 0; m < report->runs[i].result.n_measures; m++) {
            const struct measure *measure = &report->runs[i].result.measures[m];
            if (strcmp(measure->group, "critical_path_s") != 0 || strncmp(measure->name, prefix, length) != 0 ||
                measure->name[length] != '.')
                continue;
            int c = 0;
            while (c < count && strcmp(names[c], measure->name) != 0)
                c++;
            if (c == count && count < max)
                names[count++] = measure->name;
        }
    return count;
}

/* The components' times and, where the reference has them, its predictions beside them. */
static void write_components(FILE *stream, const struct report *report, const char *title, const char **names,
                             int count)
{
    struct text_scale scale = text_scale(report, "", "time_s");
    char predicted[64];
    struct table *table = table_new();
    text_head_run(table, report);
    for (int c = 0; c < count; c++) {
        const char *dot = strchr(names[c], '.');
        table_head(table, "%s", dot != NULL ? dot + 1 : names[c]);
        snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
        if (text_has(report, "reference", predicted))
            table_head(table, "(pred.)");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int c = 0; c < count; c++) {
            text_cell_time(table, text_scale_column(report, "critical_path_s", names[c], scale),
                           text_value(run, "critical_path_s", names[c]));
            snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
            if (text_has(report, "reference", predicted))
                text_cell_time(table, text_scale_column(report, "critical_path_s", names[c], scale),
                               text_value(run, "reference", predicted));
        }
    }
    fprintf(stream, "\n%s [%s]\n", title, scale.unit);
    table_print(table, stream);
}

static void write_critical_path(FILE *stream, const struct report *report)
{
    enum { MAX_NAMES = 32 };
    const char *names[MAX_NAMES];
    int count = 0;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        names[count++] = component_groups[g];
    write_components(stream, report,
                     "What the time consists of, along the chain of work and messages that the end waited for", names,
                     count);
    count = 0;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        if (g != 2)
            count += find_components(report, component_groups[g], names + count, MAX_NAMES - count);
    write_components(stream, report, "  of it processing, memory, I/O", names, count);
    count = find_components(report, "communication", names, MAX_NAMES);
    if (count > 0)
        write_components(stream, report, "  of it communication, by phase", names, count);
}

/* In a sweep over ranks: say for which of them the ratio is above 1. False if for none. */
static bool write_range(FILE *stream, const struct report *report, const char *group, const char *name,
                        const char *text)
{
    int first = -1, last = -1, count = 0;
    for (int i = 0; i < report->n_runs; i++)
        if (text_value(&report->runs[i], group, name) > 1) {
            first = first < 0 ? i : first;
            last = i;
            count++;
        }
    if (first < 0)
        return false;
    fprintf(stream, "  %s %s", text, count < last - first + 1 ? "with exceptions " : "");
    if (first == 0 && last == report->n_runs - 1)
        fputs("throughout.\n", stream);
    else if (last == report->n_runs - 1)
        fprintf(stream, "from %d ranks on.\n", report->runs[first].ranks);
    else if (first == 0)
        fprintf(stream, "up to %d rank%s.\n", report->runs[last].ranks, report->runs[last].ranks == 1 ? "" : "s");
    else
        fprintf(stream, "from %d to %d ranks.\n", report->runs[first].ranks, report->runs[last].ranks);
    return true;
}

static void write_verdicts(FILE *stream, const struct report *report)
{
    static const char *const verdicts[N_COMPONENT_GROUPS] = {
        "Processing is the bottleneck, more than all else together,",
        "Memory is the bottleneck, more than all else together,",
        "Communication is the bottleneck, more than all else together,",
        "I/O is the bottleneck, more than all else together,",
    };
    bool any = false;
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        any |= write_range(stream, report, "b_ratio", component_groups[g], verdicts[g]);
    if (!any)
        fputs("  No single component outweighs all the others.\n", stream);
    write_range(stream, report, "", "communication_computation_ratio", "Communication takes longer than computation");
}

/* Whether the runs differ in the number of ranks only, in rising order. */
static bool is_rank_sweep(const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (report_varies(report, i) && strcmp(report->runs[0].parameters[i].name, "ranks") != 0)
            return false;
    for (int i = 1; i < report->n_runs; i++)
        if (report->runs[i].ranks <= report->runs[i - 1].ranks)
            return false;
    return report->n_runs > 1;
}

static void write_bottlenecks(FILE *stream, const struct report *report)
{
    struct table *table = table_new();
    text_head_run(table, report);
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        table_head(table, "%s", component_titles[g]);
    table_head(table, "comm./comp.");
    table_head(table, "mem./proc.");
    table_head(table, "utilisation");
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        text_cell_run(table, report, run);
        for (int g = 0; g < N_COMPONENT_GROUPS; g++)
            text_cell_ratio(table, text_value(run, "b_ratio", component_groups[g]));
        text_cell_ratio(table, text_value(run, "", "communication_computation_ratio"));
        text_cell_ratio(table, text_value(run, "", "memory_processing_ratio"));
        text_cell_percent(table, text_value(run, "", "utilisation"));
    }
    fprintf(stream, "\nBottlenecks (B-ratio: a component over all others; above 1 it dominates)\n");
    table_print(table, stream);
    if (is_rank_sweep(report))
        write_verdicts(stream, report);
}

static void write_processes(FILE *stream, const struct report *report, const struct report_run *run)
{
    double sequential = text_value(run, "", "sequential_time_s");
    struct table *table = table_new();
    table_head(table, "rank");
    for (int s = 0; s < N_LANE_STATES; s++)
        table_head(table, "%s", lane_state_names[s]);
    if (sequential > 0) {
        table_head(table, "| Ovh communication");
        table_head(table, "idle");
    }
    for (int rank = 0; rank < run->result.n_ranks; rank++) {
        const int64_t *state_ps = run->result.state_ps[rank];
        table_cell(table, "%d", rank);
        for (int s = 0; s < N_LANE_STATES; s++)
            text_cell_percent(table, (double)state_ps[s] / 1e12 / text_time(run));
        if (sequential > 0) {
            text_cell_ratio(table, (double)(state_ps[STATE_SEND] + state_ps[STATE_RECEIVE]) / 1e12 / sequential);
            text_cell_ratio(table, (double)state_ps[STATE_IDLE] / 1e12 / sequential);
        }
    }
    fputs("\nProcess by process, ", stream);
    text_name_run(stream, report, run);
    fputs(" (shares of the time)\n", stream);
    table_print(table, stream);
}

static int by_time(const void *a, const void *b)
{
    double left = text_time(a), right = text_time(b);
    return (left > right) - (left < right);
}

static void text_write(FILE *stream, const struct report *report)
{
    struct report sorted = *report;
    sorted.runs = xmalloc((size_t)report->n_runs * sizeof *sorted.runs);
    memcpy(sorted.runs, report->runs, (size_t)report->n_runs * sizeof *sorted.runs);
    const struct report_run *best = &report->runs[0];
    for (int i = 1; i < report->n_runs; i++)
        if (text_time(&report->runs[i]) < text_time(best))
            best = &report->runs[i];
    if (is_ranking(report))
        qsort(sorted.runs, (size_t)sorted.n_runs, sizeof *sorted.runs, by_time);
    write_answer(stream, &sorted, best);
    write_times(stream, &sorted);
    write_lost_cycles(stream, &sorted);
    write_critical_path(stream, &sorted);
    write_bottlenecks(stream, &sorted);
    carnival_write(stream, &sorted);
    for (int i = 0; report->verbose && i < sorted.n_runs; i++)
        write_processes(stream, &sorted, &sorted.runs[i]);
    free(sorted.runs);
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .write = text_write};
