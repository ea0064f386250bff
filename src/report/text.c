/* The report for people: the answer first, then where the time went and what the bottleneck is, a line a run. */
#include "report/report.h"
#include "report/table.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of the run; NAN where it has none. */
static double value_of(const struct report_run *run, const char *group, const char *name)
{
    const struct measure *measure = result_find(&run->result, group, name);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

static double time_of(const struct report_run *run)
{
    return value_of(run, "", "time_s");
}

/* Whether any run has the measure. */
static bool has(const struct report *report, const char *group, const char *name)
{
    for (int i = 0; i < report->n_runs; i++)
        if (result_find(&report->runs[i].result, group, name) != NULL)
            return true;
    return false;
}

/* --- units and digits --- */

struct scale {
    double factor;
    const char *unit;
    int decimals;
};

/* The unit and digits in which a column of seconds, the largest of them `largest`, is written. */
static struct scale scale_for(double largest)
{
    struct scale scale = {1.0, "s", 2};
    if (largest < 1e-3)
        scale = (struct scale){1e6, "us", 2};
    else if (largest < 1.0)
        scale = (struct scale){1e3, "ms", 2};
    double shown = largest * scale.factor;
    scale.decimals = shown >= 1000 ? 0 : shown >= 100 ? 1 : shown >= 10 ? 2 : 3;
    return scale;
}

static struct scale scale_of(const struct report *report, const char *group, const char *name)
{
    double largest = 0;
    for (int i = 0; i < report->n_runs; i++)
        largest = fmax(largest, value_of(&report->runs[i], group, name)); /* fmax skips NAN */
    return scale_for(largest);
}

static void time_cell(struct table *table, struct scale scale, double seconds)
{
    if (isnan(seconds))
        table_cell(table, "-");
    else
        table_cell(table, "%.*f", scale.decimals, seconds * scale.factor);
}

static void percent_cell(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, "%.1f %%", 100 * ratio);
}

static void error_cell(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, "%+.1f %%", 100 * ratio);
}

static void ratio_cell(struct table *table, double ratio)
{
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, ratio >= 100 ? "%.0f" : ratio >= 10 ? "%.1f" : "%.2f", ratio);
}

static const char *format_time(double seconds, char *text, size_t size)
{
    struct scale scale = scale_for(seconds);
    snprintf(text, size, "%.*f %s", scale.decimals, seconds * scale.factor, scale.unit);
    return text;
}

/* --- the columns that tell the runs apart --- */

static bool is_shown(const struct report *report, int parameter)
{
    return report_varies(report, parameter) ||
           (report->n_runs == 1 && strcmp(report->runs[0].parameters[parameter].name, "ranks") == 0);
}

static void run_heads(struct table *table, const struct report *report)
{
    for (int i = 0; i < report->runs[0].n_parameters; i++)
        if (is_shown(report, i))
            table_head(table, "%s", report->runs[0].parameters[i].name);
}

static void run_cells(struct table *table, const struct report *report, const struct report_run *run)
{
    for (int i = 0; i < run->n_parameters; i++)
        if (is_shown(report, i))
            table_cell(table, "%s", run->parameters[i].text);
}

/* "128 ranks" or "128 ranks, broadcast binomial": what tells this run from the others. */
static void name_run(FILE *stream, const struct report *report, const struct report_run *run)
{
    fprintf(stream, "%d rank%s", run->ranks, run->ranks == 1 ? "" : "s");
    for (int i = 0; i < run->n_parameters; i++)
        if (report_varies(report, i) && strcmp(run->parameters[i].name, "ranks") != 0)
            fprintf(stream, ", %s %s", run->parameters[i].name, run->parameters[i].text);
}

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
        if (value_of(run, "critical_path_s", component_groups[g]) >
            value_of(run, "critical_path_s", component_groups[dominant]))
            dominant = g;
    return dominant;
}

static void write_answer(FILE *stream, const struct report *report, const struct report_run *best)
{
    char time[32];
    fprintf(stream, "%s\n\n", report->title != NULL ? report->title : report->scenario);
    fprintf(stream, "%s", report->n_runs > 1 ? "Fastest: " : "");
    name_run(stream, report, best);
    fprintf(stream, " in %s", format_time(time_of(best), time, sizeof time));
    double speedup = value_of(best, "", "speedup");
    if (!isnan(speedup))
        fprintf(stream, ", speedup %.2f, efficiency %.1f %%", speedup, 100 * value_of(best, "", "efficiency"));
    double share = value_of(best, "critical_path_s", component_groups[dominant_component(best)]) / time_of(best);
    if (share > 0)
        fprintf(stream, "; %.0f %% of it is %s", 100 * share, component_titles[dominant_component(best)]);
    fprintf(stream, ".\nPlatform %s, network %s", best->platform, best->network);
    for (int i = 0; i < best->n_parameters; i++)
        if (!is_shown(report, i) && strcmp(best->parameters[i].name, "network") != 0)
            fprintf(stream, ", %s %s", best->parameters[i].name, best->parameters[i].text);
    fputs(".\n", stream);
}

static void mean_error(FILE *stream, const struct report *report)
{
    double simulated = 0, predicted = 0;
    int n_simulated = 0, n_predicted = 0;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        double error = value_of(run, "reference", "error"), measured = value_of(run, "reference", "measured_s");
        double prediction = value_of(run, "reference", "predicted_s") / measured - 1;
        simulated += isnan(error) ? 0 : fabs(error);
        n_simulated += !isnan(error);
        predicted += isnan(prediction) ? 0 : fabs(prediction);
        n_predicted += !isnan(prediction);
    }
    if (n_simulated > 0)
        fprintf(stream, "  Mean |error| against %d measured: simulated %.1f %%", n_simulated, 100 * simulated / n_simulated);
    if (n_simulated > 0 && n_predicted > 0)
        fprintf(stream, ", predicted by the reference's own model %.1f %%", 100 * predicted / n_predicted);
    if (n_simulated > 0)
        fputs(".\n", stream);
}

static void write_times(FILE *stream, const struct report *report)
{
    bool measured = has(report, "reference", "measured_s"), predicted = has(report, "reference", "predicted_s");
    bool ranking = is_ranking(report), speedup = has(report, "", "speedup");
    struct scale scale = scale_of(report, "", "time_s");
    struct table *table = table_new();
    run_heads(table, report);
    table_head(table, "time [%s]", scale.unit);
    if (ranking)
        table_head(table, "of best");
    if (speedup) {
        table_head(table, "speedup");
        table_head(table, "efficiency");
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
        run_cells(table, report, run);
        time_cell(table, scale, time_of(run));
        if (ranking)
            table_cell(table, "x %.2f", time_of(run) / time_of(&report->runs[0]));
        if (speedup) {
            ratio_cell(table, value_of(run, "", "speedup"));
            percent_cell(table, value_of(run, "", "efficiency"));
        }
        if (ranking)
            table_cell(table, "%s", component_titles[dominant_component(run)]);
        if (measured) {
            time_cell(table, scale, value_of(run, "reference", "measured_s"));
            error_cell(table, value_of(run, "reference", "error"));
        }
        if (predicted) {
            double prediction = value_of(run, "reference", "predicted_s");
            time_cell(table, scale, prediction);
            error_cell(table, prediction / value_of(run, "reference", "measured_s") - 1);
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
    run_heads(table, report);
    for (int s = 0; s < N_LANE_STATES; s++)
        table_head(table, "%s", lane_state_names[s]);
    bool ratios = has(report, "overhead_ratio", "idle");
    for (int c = 0; ratios && c < 4; c++)
        table_head(table, "%s%s", c == 0 ? "| Ovh " : "", classes[c]);
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        run_cells(table, report, run);
        for (int s = 0; s < N_LANE_STATES; s++)
            percent_cell(table, value_of(run, "state_s", lane_state_names[s]) / (time_of(run) * run->ranks));
        for (int c = 0; ratios && c < 4; c++)
            ratio_cell(table, value_of(run, "overhead_ratio", classes[c]));
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
static void write_components(FILE *stream, const struct report *report, const char *title, const char **names, int count)
{
    struct scale scale = scale_of(report, "", "time_s");
    char predicted[64];
    struct table *table = table_new();
    run_heads(table, report);
    for (int c = 0; c < count; c++) {
        const char *dot = strchr(names[c], '.');
        table_head(table, "%s", dot != NULL ? dot + 1 : names[c]);
        snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
        if (has(report, "reference", predicted))
            table_head(table, "(pred.)");
    }
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        run_cells(table, report, run);
        for (int c = 0; c < count; c++) {
            time_cell(table, scale, value_of(run, "critical_path_s", names[c]));
            snprintf(predicted, sizeof predicted, "predicted.%s", names[c]);
            if (has(report, "reference", predicted))
                time_cell(table, scale, value_of(run, "reference", predicted));
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
    write_components(stream, report, "What the time consists of, along the chain of work and messages that the end waited for", names, count);
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
static bool write_range(FILE *stream, const struct report *report, const char *group, const char *name, const char *text)
{
    int first = -1, last = -1;
    for (int i = 0; i < report->n_runs; i++)
        if (value_of(&report->runs[i], group, name) > 1) {
            first = first < 0 ? i : first;
            last = i;
        }
    if (first < 0)
        return false;
    fprintf(stream, "  %s ", text);
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
    run_heads(table, report);
    for (int g = 0; g < N_COMPONENT_GROUPS; g++)
        table_head(table, "%s", component_titles[g]);
    table_head(table, "comm./comp.");
    table_head(table, "mem./proc.");
    table_head(table, "utilisation");
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        run_cells(table, report, run);
        for (int g = 0; g < N_COMPONENT_GROUPS; g++)
            ratio_cell(table, value_of(run, "b_ratio", component_groups[g]));
        ratio_cell(table, value_of(run, "", "communication_computation_ratio"));
        ratio_cell(table, value_of(run, "", "memory_processing_ratio"));
        percent_cell(table, value_of(run, "", "utilisation"));
    }
    fprintf(stream, "\nBottlenecks (B-ratio: a component over all others; above 1 it dominates)\n");
    table_print(table, stream);
    if (is_rank_sweep(report))
        write_verdicts(stream, report);
}

static void write_processes(FILE *stream, const struct report *report, const struct report_run *run)
{
    double sequential = value_of(run, "", "sequential_time_s");
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
            percent_cell(table, (double)state_ps[s] / 1e12 / time_of(run));
        if (sequential > 0) {
            ratio_cell(table, (double)(state_ps[STATE_SEND] + state_ps[STATE_RECEIVE]) / 1e12 / sequential);
            ratio_cell(table, (double)state_ps[STATE_IDLE] / 1e12 / sequential);
        }
    }
    fputs("\nProcess by process, ", stream);
    name_run(stream, report, run);
    fputs(" (shares of the time)\n", stream);
    table_print(table, stream);
}

static int by_time(const void *a, const void *b)
{
    double left = time_of(a), right = time_of(b);
    return (left > right) - (left < right);
}

static void text_write(FILE *stream, const struct report *report)
{
    struct report sorted = *report;
    sorted.runs = xmalloc((size_t)report->n_runs * sizeof *sorted.runs);
    memcpy(sorted.runs, report->runs, (size_t)report->n_runs * sizeof *sorted.runs);
    const struct report_run *best = &report->runs[0];
    for (int i = 1; i < report->n_runs; i++)
        if (time_of(&report->runs[i]) < time_of(best))
            best = &report->runs[i];
    if (is_ranking(report))
        qsort(sorted.runs, (size_t)sorted.n_runs, sizeof *sorted.runs, by_time);
    write_answer(stream, &sorted, best);
    write_times(stream, &sorted);
    write_lost_cycles(stream, &sorted);
    write_critical_path(stream, &sorted);
    write_bottlenecks(stream, &sorted);
    for (int i = 0; report->verbose && i < sorted.n_runs; i++)
        write_processes(stream, &sorted, &sorted.runs[i]);
    free(sorted.runs);
}

const struct report_spec report_text = {
    .name = "text", .summary = "tables for reading, the answer first", .write = text_write};
